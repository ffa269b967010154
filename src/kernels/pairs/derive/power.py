#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The constants of ../power.c, with the relative errors of its polynomials."""
import os
import re
import struct
import sys
from decimal import Decimal as D

import mpmath as mp

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "elementwise", "derive"))
from remez import c_hex, f32, fit  # noqa: E402

mp.mp.prec = 200
PARTS = 16


def decimal(x):
    return D(mp.nstr(x, 50))


UNIT = mp.mpf(2) ** -24


def units(x):
    return int(mp.nint(x / UNIT))


def distance(x):
    """The distance of x from a multiple of the unit, in units."""
    return abs(x / UNIT - units(x))


def double(x):
    return re.sub(r"\.?0*p", "p", float(x).hex())


def inverses():
    """For each of 16 parts of [49/64, 49/32), an f32 near the inverse of its middle whose logarithm is next to a multiple of
    2^-24. Parts begin a sixteenth of an octave's bit patterns apart, so below 1 they are half as wide. Part 7 is from 63/64
    to 33/32."""
    found = []
    for j in range(PARTS):
        low, high = (mp.mpf(1) + mp.mpf(2 * (i - 7) - 1) / (64 if i <= 7 else 32) for i in (j, j + 1))
        unit = mp.mpf(2) ** (-23 if j < 7 else -24)
        nearest = int(mp.nint(2 / (low + high) / unit))
        found.append(mp.mpf(1) if j == 7 else
                     min((c * unit for c in range(nearest - 20000, nearest + 20000)), key=lambda c: distance(mp.log(c, 2))))
        reach.extend([abs(found[-1] * low - 1), abs(found[-1] * high - 1)])
    return found


def table(name, values):
    print(name, ", ".join(values))


reach = []
chosen = inverses()
logs = [-mp.log(c, 2) for c in chosen]
table("inverse", (c_hex(decimal(c)) for c in chosen))
table("log2_of_inverse", (str(units(x)) for x in logs))
print("at most %s units beside the logarithm" % mp.nstr(max(map(distance, logs)), 2))
most = max(reach)
print("|r| at most", mp.nstr(most, 5))

ln2 = D(2).ln()
# An odd number of points leaves out r = 0, where the functions are not computed.
p, _, error = fit(lambda r: (1 + r).ln() / ln2 / r, lambda r: ln2, -decimal(most), decimal(most), [None] * 6, [D(1)], 401)
table("log2(1 + r) / r in units, relative error %.1e:" % error, (double(c * 2 ** 24) for c in reversed(p)))
q, _, error = fit(lambda r: ((r * ln2).exp() - 1) / r, abs, -D(1) / 32, D(1) / 32, [None] * 3, [D(1)], 401)
table("(2^r - 1) / r for r in units, times r within %.1e:" % error,
      (c_hex(f32(c) / 2 ** (24 * i)) for i, c in sorted(enumerate(q, 1), reverse=True)))
powers = [decimal(mp.mpf(2) ** (mp.mpf(j) / PARTS)) for j in range(PARTS)]
rounded = [mp.mpf(str(f32(x))) for x in powers]
table("power: its bits, less j 2^19", ("%#x" % (struct.unpack("<I", struct.pack("<f", float(x)))[0] - (j << 19)) for j, x in enumerate(rounded)))
table("what it lacks, relatively", (c_hex(f32(decimal(mp.mpf(str(x)) / r - 1))) for x, r in zip(powers, rounded)))
