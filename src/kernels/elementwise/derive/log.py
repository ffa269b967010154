#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of ../log.c and ../log_lanes.h: for each of 8 parts of [23/32, 23/16], an f32 c near the inverse of its
middle such that -log(c), to the base e, 2 or 10, is next to an f32. The middle of one part is 1."""
import re

import mpmath as mp

mp.mp.prec = 200


def f32(x):
    """The nearest f32 of a number between 2^-126 and 2^128."""
    unit = mp.mpf(2) ** (mp.frexp(x)[1] - 24)
    return mp.nint(x / unit) * unit


def last_places(x):
    """The distance of x from an f32, in units of its last place."""
    return abs(x - f32(x)) / mp.mpf(2) ** (mp.frexp(x)[1] - 24)


for base in (mp.e, 2, 10):
    chosen, farthest = [], 0
    for j in range(8):
        # Parts begin an eighth of an octave's bit patterns apart, so below 1 they are half as wide.
        middle = mp.mpf(24 + 2 * j) / 32 if j < 4 else mp.mpf(4 + j) / 8
        unit = mp.mpf(2) ** (-23 if j < 4 else -24)
        nearest = int(mp.nint(1 / middle / unit))
        best = (1 if j == 4 else
                min((c * unit for c in range(nearest - 4000, nearest + 4000)), key=lambda c: last_places(mp.log(c, base))))
        chosen.append(mp.mpf(best))
        farthest = max(farthest, 0 if j == 8 else last_places(mp.log(best, base)))
    print("base", mp.nstr(mp.mpf(base), 3), "at most", mp.nstr(farthest, 2), "of a last place beside an f32")
    for values in (chosen, [f32(-mp.log(c, base)) if c != 1 else mp.mpf(0) for c in chosen]):
        print(", ".join(re.sub(r"\.?0*p", "p", float(v).hex()) + "f" for v in values))
