# SPDX-License-Identifier: MIT
"""Products of matrices, with weights that are packed once."""
import math

import numpy as np

from . import _core
from ._numbers import checked, number
from ._reduce import MADE
from ._tables import BY_OP, DTYPES, KERNELS

PACKS = {k.types[0]: k for k in KERNELS if k.shape.name == "pack"}
GEMMS = [k for k in KERNELS if k.shape.name == "gemm"]
# The kernels that multiply matrices of one type.
SAME = [k for k in GEMMS if len(set(k.types)) == 1]
PLAIN = BY_OP["matmul"]
BATCH = BY_OP["matmul_batch"]
MULTIPLIED = {kind for k in SAME for kind in DTYPES.get(k.types[0], [])}


def _matrix(function, name, array):
    array = np.asarray(array)
    if array.ndim != 2:
        raise ValueError("%s: %s: %d dimensions, expected 2" % (function, name, array.ndim))
    return array


class Packed(_core.Packed):
    """A k by n matrix, packed for isakern.gemm: of float32, float64, float16, bfloat16 or int8.

    Packed(buffer) takes a matrix that was packed before from bytes, a mapped file or an array of bytes. It is checked and
    used in place, so the buffer must not change afterwards; a damaged one raises ValueError. Packed.of(b) packs an array.
    A Packed is itself a buffer of bytes, the same on every CPU, that can be written to a file, and it can be pickled.
    """

    @classmethod
    def of(cls, b):
        b = _matrix("Packed.of", "b", b)
        for number, kernel in PACKS.items():
            if b.dtype in DTYPES.get(number, []):
                break
        else:
            raise TypeError("Packed.of: b: no kernel packs %s; there are %s" % (b.dtype, ", ".join(
                str(DTYPES[t][0]) for t in PACKS if t in DTYPES)))
        # Weights are often the transpose of an array, which is packed without a copy.
        transposed = b.flags.f_contiguous and not b.flags.c_contiguous
        lies = b.T if transposed else np.require(b, requirements="CA")
        return cls(_core.pack(kernel.library, kernel.number, lies, transposed))

    @property
    def dtype(self):
        """numpy's type of its elements; None if numpy has none (bfloat16 without ml_dtypes)."""
        return DTYPES[self.type][0] if self.type in DTYPES else None

    @property
    def shape(self):
        return self.k, self.n

    def __reduce__(self):
        return type(self), (bytes(self),)

    def __repr__(self):
        return "<isakern.Packed %d by %d, %s>" % (self.k, self.n, self.dtype)


def _vector(function, name, given, dtype, lengths):
    if given is None:
        return None
    array = np.require(np.atleast_1d(checked(function, name, given, dtype)), requirements="CA")
    if array.ndim != 1 or len(array) not in lengths:
        raise ValueError("%s: %s: shape %s, expected a vector of %s" % (function, name, array.shape,
                                                                      " or ".join(map(str, sorted(lengths)))))
    return array


# The types of the numbers that a post-operation takes ("f": f8 for a result of f8, else f4).
NUMBERS = {"act_a": "f", "act_b": "f", "other_scale": "f", "a_zero": "i4", "out_scale": "f4", "out_zero": "i4"}
# The types of its vectors and their lengths: 1, or an extent of the result: -1 its columns, 0 its rows.
VECTORS = {"scale": ("f", 1, -1), "bias": ("f", -1), "b_zero": ("i4", 1, -1), "row_scale": ("f", 0), "row_zero": ("i4", 0)}
WORDS = ("activation", "binary")


def post_of(function, shape, dtype, given):
    """The fields of struct isk_post, from the keywords of a call, for a result of that shape and type: columns last."""
    known = sorted([*NUMBERS, *VECTORS, *WORDS, "other"])
    for name in given:
        if name not in known:
            raise TypeError("%s: no keyword '%s'; there are %s" % (function, name, ", ".join(["dtype", "out", *known])))
    post = {name: given.get(name) for name in WORDS}
    for name in WORDS:
        if not isinstance(post[name], (str, type(None))):
            raise TypeError("%s: %s: expected a word, not %r" % (function, name, post[name]))
    real = "f8" if dtype == np.float64 else "f4"
    for name, kind in NUMBERS.items():
        if given.get(name) is not None:
            post[name] = number(function, name, given[name], real if kind == "f" else kind)
    for name, (kind, *lengths) in VECTORS.items():
        lengths = {1 if i == 1 else shape[i] for i in lengths}
        post[name] = _vector(function, name, given.get(name), real if kind == "f" else kind, lengths)
    other = given.get("other")
    if (other is None) != (post["binary"] is None):
        raise TypeError("%s: binary and other go together" % function)
    if other is not None:
        other = np.asarray(other)
        if other.shape != shape or other.dtype != dtype:
            raise ValueError("%s: other: expected %s of %s, not %s of %s" % (
                function, by(shape), dtype, by(other.shape), other.dtype))
        post.update(other=np.array(other, order="C"), ldother=shape[-1],
                    other_scale=post.get("other_scale", 1) if post["binary"] == "axpy" else None)
    return post


def by(shape):
    return " by ".join(map(str, shape))


def check_out(function, out, shape):
    if out is not None:
        if not isinstance(out, np.ndarray):
            raise TypeError("%s: out: expected an array, not %s" % (function, type(out).__name__))
        if out.shape != shape:
            raise ValueError("%s: out: expected an array of %s" % (function, by(shape)))
        if not out.flags.writeable:
            raise ValueError("%s: out: the array is read-only" % function)


def choose(function, kernels, a, packed_type, out, dtype):
    """The kernel for the types of its operands and of the result, and the type of the result."""
    kind = out.dtype if out is not None else None if dtype is None else np.dtype(dtype)
    for kernel in kernels:
        taken = [DTYPES.get(t, []) for t in kernel.types]
        if a.dtype in taken[0] and packed_type == kernel.types[1] and (kind in taken[2] if kind is not None else taken[2]):
            return kernel, taken[2][0]
    raise TypeError("%s: no kernel for %s, such weights and a result of %s; there are %s" % (
        function, a.dtype, kind or "any type", ", ".join(k.name for k in kernels)))


def run(call, kernel, out, dtype, shape, inputs, *arguments):
    """Calls a kernel and returns the result: in out, through another array if the kernel cannot write out itself."""
    direct = out is not None and out.flags.carray and not any(np.may_share_memory(x, out) for x in inputs)
    placed = out if direct else np.empty(shape, dtype)
    call(kernel.library, kernel.number, placed, *arguments)
    if out is not None and not direct:
        out[...] = placed
    return placed if out is None else out


def gemm(a, packed, *, out=None, dtype=None, **post):
    """The product of a, m by k, and a packed matrix, k by n. The types of a, packed and out or dtype choose the kernel.

    Keywords transform each element of the product, in this order. Zero points a_zero and b_zero (one, or one a column) are
    subtracted from integers. The element is multiplied by scale (one, or one a column) and row_scale (one a row). bias (one
    a column) is added. activation ("relu", "gelu", ..., with act_a and act_b) and binary ("add", "sub", "mul", or "axpy"
    with other_scale) with other, m by n, are applied. out_scale and out_zero quantize it. row_zero is an a_zero for each
    row. The contract is in isakern/matrix.h.
    """
    a = _matrix("gemm", "a", a)
    if not isinstance(packed, Packed):
        raise TypeError("gemm: packed: an isakern.Packed, not %s" % type(packed).__name__)
    if a.shape[1] != packed.k:
        raise ValueError("gemm: a: %d columns, and packed has %d rows" % (a.shape[1], packed.k))
    shape = len(a), packed.n
    check_out("gemm", out, shape)
    kernel, made = choose("gemm", GEMMS, a, packed.type, out, dtype)
    return run(_core.gemm, kernel, out, made, shape, [a, packed], np.require(a, requirements="CA"), packed,
               post_of("gemm", shape, made, post))


def matmul(a, b, out=None):
    """The matrix product of the last two axes, as numpy.matmul: other axes are broadcast, and a vector is a row or a column.

    Types are those of gemm, the same for a and b: float32 and float64 are multiplied in place, a transpose too; float16 and
    bfloat16 are packed first. Each product has the bits of gemm.

    >>> isakern.matmul(np.ones((2, 3), "f4"), np.ones((3, 2), "f4"))
    array([[3., 3.],
           [3., 3.]], dtype=float32)
    """
    a, b = np.asarray(a), np.asarray(b)
    for name, x in (("a", a), ("b", b)):
        if not x.ndim:
            raise ValueError("matmul: %s: a number, expected at least one dimension" % name)
    squeezed = tuple(axis for axis, x in ((-2, a), (-1, b)) if x.ndim == 1)
    a, b = a[None] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b
    if a.shape[-1] != b.shape[-2]:
        raise ValueError("matmul: b: %d rows, and a has %d columns" % (b.shape[-2], a.shape[-1]))
    try:
        batch = () if a.ndim == b.ndim == 2 else np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError("matmul: b: %s matrices, and a has %s; they do not go together" % (
            by(b.shape[:-2]), by(a.shape[:-2]))) from None
    kind = _product_type(a, b)
    shape = *batch, a.shape[-2], b.shape[-1]
    final = tuple(n for i, n in enumerate(shape) if i - len(shape) not in squeezed)
    check_out("matmul", out, final)
    if out is not None and not np.can_cast(kind, out.dtype, "same_kind"):
        raise TypeError("matmul: out: %s cannot hold results of %s" % (out.dtype, kind))
    direct = (out is not None and not squeezed and out.dtype == kind and out.flags.carray
              and not any(np.may_share_memory(x, out) for x in (a, b)))
    made = out if direct else np.empty(shape, kind)
    _products(kind, a.astype(kind, copy=False), b.astype(kind, copy=False), made, batch)
    if direct:
        return out
    if out is None:
        return made.reshape(final)[()] if squeezed else made
    out[...] = made.reshape(final)
    return out


def _product_type(a, b):
    kind = a.dtype if a.dtype == b.dtype else np.result_type(a, b)
    if kind.newbyteorder("=") not in MULTIPLIED:
        raise TypeError("matmul: no kernel for %s and %s; there are %s" % (a.dtype, b.dtype, ", ".join(k.name for k in SAME)))
    return kind.newbyteorder("=")


def _lying(x):
    """A matrix as a kernel can read it, and whether it is stored transposed."""
    if x.flags.c_contiguous and x.flags.aligned:
        return x, 0
    if x.flags.f_contiguous and x.flags.aligned:
        return x.T, 1
    return np.require(x, requirements="CA"), 0


def _products(kind, a, b, out, batch):
    if not out.size:
        return
    kernel = next((k for k in PLAIN if kind in DTYPES.get(k.types[0], ())), None)
    if kernel and batch and _batched(kind, a, b, out, batch):
        return
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]

    def multiply(x, y, z):
        if not kernel:
            gemm(x, Packed.of(y), out=z)
            return
        (x, x_turned), (y, y_turned) = _lying(x), _lying(y)
        _call(kernel, c=z, a=x, b=y, m=m, n=n, k=k, ldc=n, lda=m if x_turned else k, ldb=k if y_turned else n,
              transposed=x_turned + 2 * y_turned)

    if not batch:
        multiply(a, b, out)
        return
    a, b = np.broadcast_to(a, batch + a.shape[-2:]), np.broadcast_to(b, batch + b.shape[-2:])
    for i in np.ndindex(batch):
        multiply(a[i], b[i], out[i])


def _call(kernel, **given):
    _core.call(kernel.library, kernel.number, [given.get(argument.name) for argument in kernel.shape.arguments])


def _batched(kind, a, b, out, batch):
    """All products in a call, if the matrices of a, and of b, are one or follow one another. Returns whether they are."""
    count = math.prod(batch)
    strides = []
    for x in (a, b):
        one = math.prod(x.shape[:-2]) == 1
        if count < 2 or not x.flags.carray or not (one or x.shape[:-2] == batch):
            return False
        strides.append(0 if one else x.shape[-2] * x.shape[-1])
    kernel = next(k for k in BATCH if kind in DTYPES[k.types[0]])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    _call(kernel, c=out, a=a, b=b, batch=count, m=m, n=n, k=k, ldc=n, lda=k, ldb=n, stride_c=m * n, stride_a=strides[0],
          stride_b=strides[1], transposed=0)
    return True


def dot(a, b, out=None):
    """numpy's dot: of vectors the sum of products, of matrices isakern.matmul, of a number the product, and of more dimensions
    sums over the last axis of a and the last but one of b. isakern.vecdot takes rows of both, and more types.

    >>> isakern.dot(np.array([1, 2], "f4"), np.array([3, 4], "f4"))
    11.0
    """
    # The product of a thousand elements takes less time than the lines below.
    if type(a) is type(b) is np.ndarray and out is None and a.ndim == b.ndim == 1 and a.size == b.size and (
            a.dtype.char in "fd" and b.dtype.char in "fd"):
        return MADE["vecdot"].ufunc(a, b)
    a, b = np.asarray(a), np.asarray(b)
    if not a.ndim or not b.ndim:
        return MADE["mul"](a, b) if out is None else MADE["mul"](a, b, out=out)
    inner = b.shape[-2] if b.ndim > 1 else len(b)
    if a.shape[-1] != inner:
        raise ValueError("dot: b: %d elements along its axis, and a has %d" % (inner, a.shape[-1]))
    if b.ndim == 1 and a.ndim == 1:
        made = _of_vectors(a, b)
    elif a.ndim <= 2 and b.ndim <= 2:
        return matmul(a, b, out=out)
    elif b.ndim == 1:
        made = matmul(a, b)
    else:
        columns = np.moveaxis(b, -2, 0)
        made = matmul(a.reshape(-1, inner), columns.reshape(inner, -1)).reshape(a.shape[:-1] + columns.shape[1:])
    if out is None:
        return made
    check_out("dot", out, np.shape(made))
    out[...] = made
    return out


def _of_vectors(a, b):
    """Sums of products of float16 are rounded to it, as numpy's are; of int8 and uint8 they are int32."""
    try:
        made = MADE["vecdot"](a, b)
    except TypeError as reason:
        raise TypeError(str(reason).replace("vecdot", "dot", 1)) from None
    return made.astype(a.dtype) if a.dtype == b.dtype == np.float16 else made
