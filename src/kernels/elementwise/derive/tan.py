#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../tan.c: tan(r) / r = P(w) / Q(w) with w = r^2, for r from 0 to a little more than pi/4, since n is
computed with a rounded product; P(0) = Q(0) = 1."""
from remez import D, c_hex, cosine, fit_f32


def tan_by_r(w):
    """By the series of sine and cosine."""
    term, sine, k = D(1), D(0), 1
    while abs(term) > D("1e-55"):
        sine += term
        term = -term * w / ((k + 1) * (k + 2))
        k += 2
    return sine / cosine(w.sqrt())


p, q, error = fit_f32(tan_by_r, lambda w: 1 / tan_by_r(w), 0, D("0.7858")**2, [D(1), None], [D(1), None, None])
print("relative error %.2g" % error)
print("P", *map(c_hex, p))
print("Q", *map(c_hex, q))
