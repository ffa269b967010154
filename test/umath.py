#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""numpy's tables of inputs, results and tolerances of its mathematical functions, on the kernels of the same names.

    umath.py ISA LIBRARY...          with ISAKERN_MAX_ISA=ISA
"""
import csv
import ctypes
import glob
import os
import struct
import sys

from tap import done, ok, skip_all

ISA, *LIBRARIES = sys.argv[1:]
TABLES = "/usr/lib/python3/dist-packages/numpy/core/tests/data"
# Our names for numpy's functions.
OURS = {"arc" + name: "a" + name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
# numpy's types: our name, the type of C, and the struct formats of the float and of the integer with its bits.
TYPES = {"np.float32": ("f32", ctypes.c_float, "<f", "<I"), "np.float64": ("f64", ctypes.c_double, "<d", "<Q")}


def read(path):
    """The rows of a table by numpy's type: bits of an input and of its result, and the tolerance in ulp."""
    rows = {}
    with open(path, encoding="utf-8") as f:
        lines = csv.reader(line for line in f if line.startswith("np."))
        for kind, x, y, ulps in lines:
            rows.setdefault(kind, []).append((int(x, 16), int(y, 16), int(ulps)))
    return rows


def value(bits, real, integer):
    return struct.unpack(real, struct.pack(integer, bits))[0]


def distance(a, b, real, integer):
    """The distance of two numbers, given as bits, in representable numbers; all NaNs are equal."""
    if value(a, real, integer) != value(a, real, integer) or value(b, real, integer) != value(b, real, integer):
        nan = value(a, real, integer) != value(a, real, integer) and value(b, real, integer) != value(b, real, integer)
        return 0 if nan else float("inf")
    sign = 1 << 8 * struct.calcsize(integer) - 1
    a, b = (-(bits & ~sign) if bits & sign else bits for bits in (a, b))
    return abs(a - b)


def try_kernel(kernel, kind, rows):
    """The results that differ from the table by more than the tolerance, with their distance."""
    _, c, real, integer = TYPES[kind]
    n = len(rows)
    x, y = (c * n)(), (c * n)()
    ctypes.memmove(x, b"".join(struct.pack(integer, row[0]) for row in rows), ctypes.sizeof(x))
    kernel(y, x, ctypes.c_size_t(n))
    got = struct.unpack("<%d%s" % (n, integer[1]), bytes(y))
    return ["f(%r) = %r, not %r: %s ulp, %d allowed" % (value(row[0], real, integer), value(bits, real, integer),
                                                        value(row[1], real, integer),
                                                        distance(bits, row[1], real, integer), row[2])
            for bits, row in zip(got, rows) if distance(bits, row[1], real, integer) > row[2]]


tables = sorted(glob.glob(os.path.join(TABLES, "umath-validation-set-*.csv")))
if not tables:
    skip_all("no tables in %s: Debian has them in python3-numpy" % TABLES)
libraries = [ctypes.CDLL(path) for path in LIBRARIES]
libraries[0].isk_isa_current.restype = ctypes.c_char_p
current = libraries[0].isk_isa_current().decode()
if current != ISA:
    skip_all("this machine or build has no %s: the cap binds to %s" % (ISA, current))
for path in tables:
    name = os.path.basename(path)[len("umath-validation-set-"):-len(".csv")]
    for kind, rows in read(path).items():
        found = 0
        for symbol in ("isk_%s_%s" % (prefix + OURS.get(name, name), TYPES[kind][0]) for prefix in ("", "cr_")):
            for library in libraries:
                if hasattr(library, symbol):
                    wrong = try_kernel(getattr(library, symbol), kind, rows)
                    ok(not wrong, "%s: %d rows of numpy's %s" % (symbol, len(rows), name), "\n".join(wrong))
                    found += 1
        if not found:
            print("# no kernel of %s computes numpy's %s" % (TYPES[kind][0], name))
done()
