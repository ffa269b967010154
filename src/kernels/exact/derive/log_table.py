#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of ../log_by_table.h: for each of 16 parts of [47/64, 47/32], a c of 18 bits near the inverse of its
middle such that -log(c), to the base e, 2 or 10, is next to an f64. The middle of one part is 1."""
import mpmath as mp

mp.mp.prec = 200


def last_places(x):
    """The distance of x from an f64, in units of its last place."""
    return abs(x - mp.mpf(float(x))) / mp.mpf(2) ** (mp.frexp(x)[1] - 53)


for base in (mp.e, 2, 10):
    chosen, farthest = [], 0
    for j in range(16):
        # Parts begin a sixteenth of an octave's bit patterns apart, so below 1 they are half as wide.
        middle, half = (mp.mpf(24 + j) / 32, mp.mpf(1) / 64) if j < 8 else (mp.mpf(8 + j) / 16, mp.mpf(1) / 32)
        unit = mp.mpf(2) ** (-17 if j < 8 else -18)
        nearest = int(mp.nint(1 / middle / unit))
        near = [c * unit for c in range(nearest - 3000, nearest + 3000) if abs(c * unit * middle - 1) + c * unit * half < mp.mpf(1) / 31]
        best = mp.mpf(1) if j == 8 else min(near, key=lambda c: last_places(mp.log(c, base)))
        chosen.append(best)
        farthest = max(farthest, 0 if j == 8 else last_places(mp.log(best, base)))
    print("base", mp.nstr(mp.mpf(base), 3), "at most", mp.nstr(farthest, 2), "of a last place beside an f64")
    for values in (chosen, [-mp.log(c, base) for c in chosen]):
        print(", ".join(float(v).hex() for v in values))
