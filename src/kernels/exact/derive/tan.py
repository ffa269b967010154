#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../cr_tan.c: tan(r) / r = P(w) / Q(w) with w = r^2, for r from 0 to a little more than pi/4, since n is
computed with a rounded product; P(0) = 1."""
import mpmath as mp

import rational


def tan_by_r(w):
    return mp.tan(mp.sqrt(w)) / mp.sqrt(w) if w else mp.mpf(1)


rational.quotient(tan_by_r, 3, 4, 0, (mp.pi / 4 + mp.mpf("1e-4"))**2)
