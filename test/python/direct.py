# SPDX-License-Identifier: MIT
"""Kernels called as from C, by the tables and ctypes, without the package. Their results are those that the package must
give."""
import ctypes
import os
import sys

import numpy as np

# The folder of the stand-in for ml_dtypes (double/ml_dtypes.c); the real package takes precedence.
sys.path += filter(None, [os.environ.get("ISK_TEST_ML_DTYPES")])
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

SOURCE, BUILD = sys.argv[1:3]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test"), os.path.join(BUILD, "src", "python")]
import tables  # noqa: E402
import write  # noqa: E402

NUMPY = {t.name: "u%d" % t.size if t.kind == "bits" else getattr(np, t.numpy, None) or getattr(ml_dtypes, t.numpy, None)
         for t in tables.read_types().values()}
NUMPY = {name: one for name, one in NUMPY.items() if one}
C = {"float": ctypes.c_float, "double": ctypes.c_double, "int": ctypes.c_int, "unsigned": ctypes.c_uint,
     "int8_t": ctypes.c_int8, "uint8_t": ctypes.c_uint8, "int16_t": ctypes.c_int16, "int32_t": ctypes.c_int32,
     "int64_t": ctypes.c_int64, "size_t": ctypes.c_size_t, "void": None}


class Library:
    """A library: its tables, itself, and its references."""

    def __init__(self, folder, families, name):
        self.tables = tables.Library([os.path.join(SOURCE, folder, f) for f in families])
        self.bound = ctypes.CDLL(os.path.join(BUILD, "src", "lib%s.so.0" % name))
        self.plain = ctypes.CDLL(os.path.join(BUILD, "src", "lib%s-ref.so" % name))


def libraries():
    """The libraries that were built: arguments 3 and on, as FOLDER:NAME:FAMILY,..."""
    return [Library(folder, families.split(","), name) for folder, name, families in
            (word.split(":") for word in sys.argv[3:])]


def element(kernel, a):
    return kernel.types.get(a.type, a.type)


def dtype(kernel, a):
    """The dtype that the package takes for an argument; None if numpy has none."""
    name = element(kernel, a)
    return np.dtype("?") if a.type == "u8" else np.dtype(NUMPY[name]) if name in NUMPY else None


def lanes(library, name):
    """The dtype of a value or a result; 16-bit types are passed as f32."""
    return np.dtype(NUMPY[write.by_value(library.tables, name)])


def call(library, kernel, arguments, sizes, plain=False):
    """Calls the kernel with inputs and values by name, in contiguous arrays. Returns the outputs, or the result. Arrays that
    the kernel changes in place are changed."""
    function = getattr(library.plain if plain else library.bound, "isk_" + kernel.name)
    result = write.result_type(library.tables, kernel)
    function.restype = C[result]
    given, outputs, kept = [], [], []
    for a in kernel.shape.arguments:
        if a.role == "size":
            given.append(ctypes.c_size_t(sizes[a.name]))
        elif a.role == "stride":
            given.append(ctypes.c_size_t(stride(kernel.shape, a.name, sizes)))
        elif a.role == "value":
            c = C[write.value_type(library.tables, kernel, a)]
            given.append(c(arguments[a.name].item()))
        elif a.inout:
            given.append(None if arguments[a.name] is None else arguments[a.name].ctypes.data_as(ctypes.c_void_p))
        elif a.role == "out":
            outputs.append(np.full([sizes[size] for size, _ in a.extents], 85.0).astype(dtype(kernel, a)))
            given.append(outputs[-1].ctypes.data_as(ctypes.c_void_p))
        elif arguments.get(a.name) is None:
            given.append(None)
        else:
            kept.append(np.ascontiguousarray(arguments[a.name]))
            given.append(kept[-1].ctypes.data_as(ctypes.c_void_p))
    returned = function(*given)
    if kernel.shape.result == "status" and returned:
        raise ValueError("%s returned %d" % (kernel.name, returned))
    if kernel.shape.result in ("void", "status"):
        return outputs
    field = write.result_field(library.tables, kernel)
    return [np.array(returned, "i8" if field == "size" else NUMPY[field])]


def stride(shape, name, sizes):
    """The stride of arrays without gaps."""
    for a in shape.arguments:
        for i, (_, own) in enumerate(a.extents):
            if own == name:
                return int(np.prod([sizes[size] for size, _ in a.extents[i + 1:]], dtype=int))
    raise KeyError(name)


def is_nan(x):
    """Works for types of other packages, of kind V, too."""
    return np.isnan(x.astype("f4") if x.dtype.kind == "V" else x)


def same(a, b):
    """Whether the bits are equal; all NaNs count as the same."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    differ = np.frombuffer(a.tobytes(), "u1").reshape(-1, a.itemsize) != np.frombuffer(b.tobytes(), "u1").reshape(-1, b.itemsize)
    differ = differ.any(axis=1)
    if a.dtype.kind in "fcV":
        differ &= ~(is_nan(a).ravel() & is_nan(b).ravel())
    return not differ.any()


def ulps(got, wanted):
    """The greatest distance of floats, in representable numbers; between a NaN and a number it is infinite."""
    integer = np.dtype("i%d" % got.itemsize)
    if (is_nan(got) != is_nan(wanted)).any():
        return np.inf
    least, bits = np.iinfo(integer).min, []
    for v in (got, wanted):
        v = np.where(is_nan(got), 0, v.view(integer))
        bits.append(np.where(v < 0, least - v, v).astype(object))
    return max(np.abs(bits[0] - bits[1]).ravel(), default=0)


def values(kind, shape, seed):
    """Random numbers, some of them special."""
    r = np.random.default_rng(seed)
    if kind == "?":
        return r.integers(0, 2, shape).astype("?")
    if kind.kind in "iu":
        info = np.iinfo(kind)
        small = r.integers(0 if kind.kind == "u" else -9, 10, shape)
        return np.where(r.random(shape) < 0.5, small, r.integers(info.min, info.max, shape, dtype=kind, endpoint=True)).astype(kind)
    x = r.standard_normal(shape) * np.exp(r.uniform(-9, 4, shape))
    greatest, least = (3e38, 1e-39) if kind.kind == "V" else (np.finfo(kind).max, np.finfo(kind).tiny / 4)
    odd = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, greatest, -greatest, least]
    return np.where(r.random(shape) < 0.05, r.choice(odd, shape), x).astype(kind)
