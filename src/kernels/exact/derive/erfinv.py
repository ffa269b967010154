#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Quotients of erfinv(x), interpolated in Chebyshev points.

The first quotient is for ../inverse_erf.h: erfinv(x) / x = P(w) / Q(w) with w = -log(1 - x^2), for w from 0 to 16.7.
All its coefficients are positive, so that no digit is lost. The others are for ../../../sleef/sleef/inverse.c: the same
for |x| up to 0.99, and beyond that erfinv(x) in r = sqrt(-log(1 - x))."""
import mpmath as mp

import rational


def inverse_erfc(c):
    """Computed by Halley's steps from the first term of the asymptotic series, or from mpmath's inverse."""
    y = mp.sqrt(-mp.log(c)) if c < mp.mpf("0.1") else mp.erfinv(1 - c)
    while True:
        f = (c - mp.erfc(y)) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        step = f / (1 + y * f)
        y -= step
        if abs(step) < mp.mpf(2)**-500:
            return y


def erfinv_by_x(w):
    rest = mp.exp(-w)
    x = mp.sqrt(1 - rest)
    return inverse_erfc(rest / (1 + x)) / x


def beyond(r):
    return inverse_erfc(mp.exp(-r * r))


p, q = rational.quotient(erfinv_by_x, 11, 11, 0, "16.7")
assert all(c > 0 for c in p + q)
for p, q in (rational.quotient(erfinv_by_x, 8, 8, 0, "3.92"),
             rational.quotient(beyond, 8, 8, mp.sqrt(mp.mpf("4.6")), mp.sqrt(mp.mpf("36.75")))):
    for name, coefficients in (("P", p), ("Q", q)):
        print(name, "lacks", ", ".join(float(c - mp.mpf(float(c))).hex() for c in coefficients))
