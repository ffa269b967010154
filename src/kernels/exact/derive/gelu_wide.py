#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../normal_tail.h: exp(a^2 / 2) Phi(-a) = P(a) / Q(a) for a from 0 to 14.5, interpolated in Chebyshev
points of t = (a - 3) / (a + 3), in which it is nearly a polynomial. All coefficients are positive, so that no digit is
lost. Also prints the factors of x and x^3 in gelu_tanh."""
import mpmath as mp

import rational

END, CENTRE = mp.mpf("14.5"), mp.mpf(3)


def tail(a):
    return mp.erfc(a / mp.sqrt(2)) / 2 * mp.exp(a * a / 2)


p, q = rational.quotient(tail, 9, 10, -1, (END - CENTRE) / (END + CENTRE), lambda t: CENTRE * (1 + t) / (1 - t))
assert all(c > 0 for c in p + q)
twice = 2 * mp.sqrt(2 / mp.pi)
print("x", float(twice).hex(), "x^3", float(twice * mp.mpf("0.044715")).hex())
