#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The constants of gelu and gelu_tanh in ../vmath.h."""
from decimal import getcontext
from functools import lru_cache

from remez import D, c_hex, f32, fit, fit_f32

getcontext().prec = 130  # h loses 50 digits to cancellation
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620"
       "899862803482534211706798214808651328230664709384460955058223172535940812848111745")
END = D("14.5")
# Both polynomials times this: it moves the roundings to where they cost less. By trial of 32nds.
SCALE = D("1.5625")


@lru_cache(None)
def h(a):
    """exp(a^2 / 2) Phi(-a), from the series of Phi: a + a^3 / 3 + a^5 / 15 + ..."""
    term, total, k = a, a, 1
    while term > total * D("1e-120"):
        k += 2
        term = term * a * a / k
        total += term
    return (a * a / 2).exp() / 2 - total / (2 * PI).sqrt()


def warp(u):
    """h bends most near 0: sample it densely there."""
    return D("2.4") * u / (1 - u)


def weight(a):
    return 1 / h(a)


last = END / (END + D("2.4"))
_, den, _ = fit(h, weight, 0, last, [None] * 5, [D(1)] + [None] * 5, 300, warp)
den = [f32(SCALE * d) for d in den]
num, den, error = fit_f32(h, weight, 0, last, [SCALE / 2] + [None] * 4, den, 300, warp)
print("h(a), relative error %.2g" % error)
# In b = -a and s = -a^2 / 2, so a^2 = -2s; numerator times b: b (n0 + n2 a^2 + n4 a^4) + 2s (n1 + n3 a^2)
print("numerator, even: ", *map(c_hex, (num[0], -2 * num[2], 4 * num[4])))
print("numerator, odd:  ", *map(c_hex, (2 * num[1], -4 * num[3])))
# Denominator times 2^64: (d0 + d2 a^2 + d4 a^4) + b (-d1 - d3 a^2 - d5 a^4)
den = [d * 2**64 for d in den]
print("denominator, even:", *map(c_hex, (den[0], -2 * den[2], 4 * den[4])))
print("denominator, odd: ", *map(c_hex, (-den[1], 2 * den[3], -4 * den[5])))

k0 = 2 * (2 / PI).sqrt()
k1 = k0 * D("0.044715")
k0_high = D(int(k0 * 2**20 + D("0.5"))) / 2**20
print("gelu_tanh k0:", c_hex(k0_high), c_hex(f32(k0 - k0_high)))
print("gelu_tanh k1:", c_hex(f32(k1)), c_hex(f32(k1 - f32(k1))))
