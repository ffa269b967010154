# SPDX-License-Identifier: MIT
"""Calls of all kernels that need no struct, for the front doors of other languages: arguments drawn by the tables, and the results
of the same call from C, by ctypes."""
import ctypes
import os
import random
import struct
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve", "generate"))
import doors  # noqa: E402
import tables  # noqa: E402
import write  # noqa: E402

C = {"float": ctypes.c_float, "double": ctypes.c_double, "int": ctypes.c_int, "unsigned": ctypes.c_uint, "size_t": ctypes.c_size_t,
     "void": None, **{"%sint%d_t" % (u, n): getattr(ctypes, "c_%sint%d" % (u, n)) for u in ("", "u") for n in (8, 16, 32, 64)}}
SIZES = (4, 6, 3, 5, 2, 7, 2, 3)
# Words that may not be any number: the window of a pool, activations of a cell (ISK_CELL_ACTS).
WORDS = {"kernel_h": 3, "kernel_w": 2, "stride_h": 2, "stride_w": 1, "pad_h": 1, "pad_w": 0, "acts": 1 | 2 << 2 | 2 << 4}
SIGNED = {8: "b", 16: "h", 32: "i", 64: "q"}


class Library:
    def __init__(self, build, folder, name, families):
        self.tables = tables.Library([os.path.join(SOURCE, folder, f) for f in families.split(",")])
        self.bound = ctypes.CDLL(os.path.join(build, "src", "lib%s.so.0" % name))
        if hasattr(self.bound, "isk_packed_size"):
            self.bound.isk_packed_size.restype = ctypes.c_size_t


def bytes_of(t, count, draw):
    """Elements of a type: floats from 0 to 1, and integers that draw() draws."""
    if t.name in ("f32", "f64", "f16"):
        return struct.pack("<%d%s" % (count, {"f32": "f", "f64": "d", "f16": "e"}[t.name]), *(random.random() for _ in range(count)))
    if t.name == "bf16":
        return b"".join(struct.pack("<f", random.random())[2:] for _ in range(count))
    if t.is_float:
        return bytes(random.randrange(1, 8) for _ in range(count))
    if t.shares_byte:
        return bytes(draw() | draw() << 4 if 2 * i + 1 < count else draw() for i in range((count + 1) // 2))
    return struct.pack("<%d%s" % (count, SIGNED[t.memory]), *(draw() for _ in range(count)))


def product(numbers):
    all_of_them = 1
    for one in numbers:
        all_of_them *= one
    return all_of_them


class Job:
    """A call of a kernel: its arguments in C, and those of the package."""

    def __init__(self, library, kernel, absent):
        self.library, self.kernel, self.absent = library, kernel, absent
        self.sizes = dict(zip([a.name for a in kernel.shape.arguments if a.role == "size"], SIZES))
        if "ends" in absent:
            self.sizes["bags"] = self.sizes["count"]  # one bag for each index
        self.types = library.tables.types
        self.arrays = {a.name: self.drawn(a) for a in kernel.shape.arguments if a.is_array}
        self.values = {a.name: self.value(a) for a in kernel.shape.arguments if a.role == "value"}

    def type_of(self, a):
        return self.types[self.kernel.types.get(a.type, a.type)]

    def elements(self, a):
        """With rows of elements that share bytes beginning on a byte."""
        sizes = [self.sizes[size] for size, _ in a.extents]
        if self.type_of(a).shares_byte and len(sizes) > 1:
            sizes[-1] += sizes[-1] % 2
        return product(sizes)

    def drawn(self, a):
        """The bytes of an array; None if it is absent."""
        if a.name in self.absent:
            return None
        if a.packed and a.role == "in":
            return self.packed(a)
        if a.packed:
            sizes = [ctypes.c_size_t(self.sizes[name]) for name in ("k", "n")]
            return bytes(self.library.bound.isk_packed_size(self.type_of(a).number, *sizes))
        count = self.elements(a)
        if a.role == "out" and not a.inout:
            return bytes((count + 1) // 2 if self.type_of(a).shares_byte else count * self.type_of(a).size)
        if a.ascending:
            return struct.pack("<%dq" % count, *sorted(random.randrange(self.sizes[a.ascending] + 1) for _ in range(count)))
        most = self.sizes[a.below] if a.below else 2
        return bytes_of(self.type_of(a), count, lambda: random.randrange(most))

    def packed(self, a):
        pack = next(k for k in self.library.tables.kernels.values() if k.shape.name == "pack" and k.types["T"] == self.type_of(a).name)
        job = Job(self.library, pack, set())
        job.sizes.update({name: self.sizes[name] for name in ("k", "n")})
        job.arrays = {a.name: job.drawn(a) for a in pack.shape.arguments if a.is_array}
        return job.call()[1]["packed"]

    def value(self, a):
        if a.type in tables.C_WORDS:
            return WORDS.get(a.name, 0)
        t = self.types[self.kernel.types.get(a.type, a.type)]
        return 0.5 if t.is_float else 2

    def stride(self, name):
        for a in self.kernel.shape.arguments:
            for i, (_, own) in enumerate(a.extents):
                if own == name:
                    inner = product(self.sizes[size] for size, _ in a.extents[i + 1:])
                    return inner + (inner % 2 if self.type_of(a).shares_byte else 0)
        raise KeyError(name)

    def call(self):
        """The result of a call from C, and the bytes of its outputs."""
        function = getattr(self.library.bound, "isk_" + self.kernel.name)
        function.restype = C[write.result_type(self.library.tables, self.kernel)]
        buffers = {name: None if b is None else ctypes.create_string_buffer(b, max(1, len(b))) for name, b in self.arrays.items()}
        given = []
        for a in self.kernel.shape.arguments:
            if a.is_array:
                given.append(buffers[a.name])
            elif a.is_struct:
                given.append(None)
            elif a.role == "size":
                is_bytes = doors.counts_bytes(self.kernel.shape, a)
                given.append(ctypes.c_size_t(len(self.arrays["packed"]) if is_bytes else self.sizes[a.name]))
            elif a.role == "stride":
                given.append(ctypes.c_size_t(self.stride(a.name)))
            else:
                given.append(C[write.value_type(self.library.tables, self.kernel, a)](self.values[a.name]))
        result = function(*given)
        assert self.kernel.shape.result != "status" or result == 0, "%s returned %d" % (self.kernel.name, result)
        written = {a.name: None if buffers[a.name] is None else buffers[a.name].raw[:len(self.arrays[a.name])]
                   for a in self.kernel.shape.arguments if a.role == "out"}
        return result, written


def needs_struct(library, k):
    """Whether a call without structs would fail."""
    outs = [library.tables.types[k.types.get(a.type, a.type)] for a in k.shape.arguments if a.role == "out"]
    return any(a.measured or a.is_struct and not a.null for a in k.shape.arguments) or k.shape.name == "gemm" and outs[0].memory == 8


def of(build, words):
    """The jobs of libraries, each FOLDER:LIBRARY:FAMILY,...: a call of each kernel with all its arrays, and one without those that
    may be NULL."""
    random.seed(1)
    jobs = []
    for library in [Library(build, *one.split(":")) for one in words]:
        for k in library.tables.kernels.values():
            null = [a.name for a in k.shape.arguments if a.null and a.is_array]
            if doors.has_door(library.tables, k) and not needs_struct(library, k):
                jobs += [Job(library, k, absent) for absent in ([set(), set(null)] if null else [set()])]
    return jobs
