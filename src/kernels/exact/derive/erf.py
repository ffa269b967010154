#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../cr_erf.c: erf(x) / x = P(w) / Q(w) with w = x^2, for x from 0 to 3.96, interpolated in Chebyshev points
of x. All coefficients are positive, so that no digit is lost. Also prints the rounding error of P(0) = 2 / sqrt(pi), and
sqrt(2)."""
import mpmath as mp

import rational


def erf_by_x(w):
    return mp.erf(mp.sqrt(w)) / mp.sqrt(w) if w else 2 / mp.sqrt(mp.pi)


p, q = rational.quotient(erf_by_x, 11, 11, 0, "3.96", lambda x: x * x)
assert all(c > 0 for c in p + q)
print("P(0) lacks", float(p[0] - float(p[0])).hex(), "sqrt(2)", float(mp.sqrt(2)).hex())
