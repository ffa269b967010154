#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of ../arctan_by_table.h. There are 14 parts of |x|: one below 1/8, two for each octave from 1/8 to 8, and
one above 8. Near the middle of a part, an angle is chosen whose tangent sine / cosine has few bits, and which is next
to an f64."""
import re

import mpmath as mp

mp.mp.prec = 200


def last_places(x):
    """The distance of x from an f64, in units of its last place."""
    return abs(x - mp.mpf(float(x))) / mp.mpf(2) ** (mp.frexp(x)[1] - 53)


tangents, farthest = [mp.mpf(0)], 0
for j in range(12):
    low = mp.mpf(2 + j % 2) * mp.mpf(2) ** (j // 2 - 4)
    high = mp.mpf(2 + (j + 1) % 2) * mp.mpf(2) ** ((j + 1) // 2 - 4)
    middle = mp.tan((mp.atan(low) + mp.atan(high)) / 2)
    unit = mp.mpf(2) ** (mp.frexp(middle)[1] - 20)
    nearest = int(mp.nint(middle / unit))
    best = min((c * unit for c in range(nearest - 2000, nearest + 2000)), key=lambda c: last_places(mp.atan(c)))
    farthest = max(farthest, last_places(mp.atan(best)))
    tangents.append(best)
print("at most", mp.nstr(farthest, 2), "of a last place beside an f64")
print("farthest from a middle, as a tangent:", mp.nstr(max(
    max(abs((x - c) / (1 + x * c)) for x in (mp.mpf(2 + j % 2) * mp.mpf(2) ** (j // 2 - 4), mp.mpf(2 + (j + 1) % 2) * mp.mpf(2) ** ((j + 1) // 2 - 4)))
    for j, c in enumerate(tangents[1:])), 4))
print("pi/2 has", float(mp.pi / 2 - mp.mpf(float(mp.pi / 2))).hex(), "more")
for name, values in (("sine", tangents + [1]), ("cosine", [1] * 13 + [0]),
                     ("angle", [mp.atan(c) for c in tangents] + [mp.pi / 2])):
    # The tables are indexed by bits of |x|, which are 7 modulo 16 in part 0.
    by_bits = [mp.mpf(0)] * 16
    for j, value in enumerate(values):
        by_bits[(7 + j) % 16] = value
    print(name, ", ".join(re.sub(r"\.?0*p", "p", float(v).hex()) for v in by_bits))
