# SPDX-License-Identifier: MIT
"""Products of matrices, with weights that are packed once."""
import numpy as np

from . import _core
from ._functions import Function
from ._tables import BY_OP, DTYPES, KERNELS

PACKS = {k.types[0]: k for k in KERNELS if k.shape.name == "pack"}
GEMMS = [k for k in KERNELS if k.shape.name == "gemm"]
PLAIN = Function("matmul", BY_OP["matmul"])


def _matrix(function, name, array):
    array = np.asarray(array)
    if array.ndim != 2:
        raise ValueError("%s: %s: %d dimensions, expected 2" % (function, name, array.ndim))
    return array


class Packed(_core.Packed):
    """A k by n matrix, packed for isakern.gemm: of float32, float16, bfloat16 or int8.

    Packed(buffer) is what was packed before and lies in bytes, a file that is mapped, an array of bytes: it is checked and used
    where it is; what is damaged raises ValueError. It must not change afterwards. Packed.of(b) packs an array. A Packed is
    itself a buffer of bytes to be written to a file, the same for every CPU, and may be pickled.
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
        # Weights are often the transpose of an array: that is packed as it lies.
        transposed = b.flags.f_contiguous and not b.flags.c_contiguous
        lies = b.T if transposed else np.require(b, requirements="CA")
        return cls(_core.pack(kernel.library, kernel.number, lies, transposed))

    @property
    def dtype(self):
        """numpy's type of its elements; None where numpy has none (bfloat16 without ml_dtypes)."""
        return DTYPES[self.type][0] if self.type in DTYPES else None

    @property
    def shape(self):
        return self.k, self.n

    def __reduce__(self):
        return type(self), (bytes(self),)

    def __repr__(self):
        return "<isakern.Packed %d by %d, %s>" % (self.k, self.n, self.dtype)


def _vector(name, given, dtype, lengths):
    if given is None:
        return None
    array = np.require(np.atleast_1d(given), requirements="CA")
    if not np.can_cast(array.dtype, dtype, "same_kind") and array.dtype.kind not in "iu":
        raise TypeError("gemm: %s: %s, expected %s" % (name, array.dtype, np.dtype(dtype)))
    if array.ndim != 1 or len(array) not in lengths:
        raise ValueError("gemm: %s: shape %s, expected a vector of %s" % (name, array.shape, " or ".join(map(str, sorted(lengths)))))
    return array.astype(dtype)


def gemm(a, packed, *, out=None, dtype=None, scale=None, bias=None, activation=None, act_a=0, act_b=0, binary=None, other=None,
         other_scale=1, a_zero=0, b_zero=None, row_scale=None, row_zero=None, out_scale=0, out_zero=0):
    """The product of a, m by k, and a packed matrix, k by n; the kernel is found by the types of a, packed and out or dtype.

    What happens to each element of the product, in this order: zero points are subtracted (of integers), it is multiplied by
    scale (one, or one a column) and row_scale (one a row), increased by bias (one a column), goes through activation ("relu",
    "gelu", ..., with act_a and act_b) and through binary ("add", "sub", "mul", "axpy") with other, and is quantized by out_scale
    and out_zero. The contract is in isakern/matrix.h.
    """
    a = _matrix("gemm", "a", a)
    if not isinstance(packed, Packed):
        raise TypeError("gemm: packed: an isakern.Packed, not %s" % type(packed).__name__)
    (m, k), n = a.shape, packed.n
    if k != packed.k:
        raise ValueError("gemm: a: %d columns, and packed has %d rows" % (k, packed.k))
    if out is not None:
        if not isinstance(out, np.ndarray) or out.shape != (m, n):
            raise ValueError("gemm: out: expected an array of %d by %d" % (m, n))
        if not out.flags.writeable:
            raise ValueError("gemm: out: the array is read-only")
    kind = out.dtype if out is not None else None if dtype is None else np.dtype(dtype)
    for kernel in GEMMS:
        taken = [DTYPES.get(t, []) for t in kernel.types]
        if a.dtype in taken[0] and packed.type == kernel.types[1] and (kind in taken[2] if kind is not None else taken[2]):
            break
    else:
        raise TypeError("gemm: no kernel for a %s, %r, out %s; there are %s" % (a.dtype, packed, kind, ", ".join(
            g.name for g in GEMMS)))
    placed = out if out is not None and out.flags.carray and not np.may_share_memory(a, out) else np.empty((m, n), taken[2][0])
    post = {"scale": _vector("scale", scale, "f4", {1, n}), "bias": _vector("bias", bias, "f4", {n}), "activation": activation,
            "act_a": act_a, "act_b": act_b, "binary": binary, "a_zero": a_zero,
            "b_zero": _vector("b_zero", b_zero, "i4", {1, n}), "row_scale": _vector("row_scale", row_scale, "f4", {m}),
            "row_zero": _vector("row_zero", row_zero, "i4", {m}), "out_scale": out_scale, "out_zero": out_zero}
    if (other is None) != (binary is None):
        raise TypeError("gemm: binary and other go together")
    if other is not None:
        other = np.asarray(other)
        if other.shape != (m, n) or other.dtype != placed.dtype:
            raise ValueError("gemm: other: expected %d by %d of %s, not %s of %s" % (m, n, placed.dtype, other.shape, other.dtype))
        post.update(other=np.array(other, order="C"), ldother=n, other_scale=other_scale if binary == "axpy" else None)
    _core.gemm(kernel.library, kernel.number, placed, np.require(a, requirements="CA"), packed, post)
    if out is not None and placed is not out:
        out[...] = placed
    return placed if out is None else out


def matmul(a, b, *, out=None):
    """The product of a, m by k, and b, k by n, as they lie; the transpose of an array is not copied. Bits are those of gemm."""
    a, b = _matrix("matmul", "a", a), _matrix("matmul", "b", b)
    turned = [x.flags.f_contiguous and not x.flags.c_contiguous for x in (a, b)]
    return PLAIN(a.T if turned[0] else a, b.T if turned[1] else b, transposed=turned[0] + 2 * turned[1], out=out)
