#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of ../over_pi.h: 2^k / pi modulo 2, from -1 to 1, for k from 0 to 104, as a sum of two heads of 29 bits and the
rest. The products of the heads with the 24 bits of an f32 are exact."""
import mpmath

mpmath.mp.prec = 400
for k in range(105):
    v = mpmath.mpf(2) ** k / mpmath.pi
    v -= 2 * mpmath.nint(v / 2)
    one = mpmath.nint(v * 2**28) / mpmath.mpf(2) ** 28
    two = mpmath.nint((v - one) * 2**57) / mpmath.mpf(2) ** 57
    print("\t{%s}," % ", ".join(float(part).hex().replace("0x0.0p+0", "0") for part in (one, two, v - one - two)))
