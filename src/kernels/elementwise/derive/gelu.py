#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The constants of gelu and gelu_tanh in ../../shared/vmath.h."""
from decimal import getcontext
from functools import lru_cache

from remez import D, c_hex, f32, fit, fit_f32

getcontext().prec = 130  # h loses 50 digits to cancellation
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620"
       "899862803482534211706798214808651328230664709384460955058223172535940812848111745")
END = D("14.5")
# The factor of both polynomials, found by trial of 64ths: it moves the roundings to places where they cost less.
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
    """Samples h densely near 0, because it bends most there."""
    return D("2.4") * u / (1 - u)


def weight(a):
    return 1 / h(a)


def polynomial(c, a):
    return sum(x * a**i if i else x for i, x in enumerate(c))


# A quotient N / D of degrees 4 and 5; then Q = N, k = D5 / N4, and P is fitted to the rest: h = Q / (k a Q + P).
last = END / (END + D("2.4"))
num, den, _ = fit(h, weight, 0, last, [None] * 5, [D(1)] + [None] * 5, 300, warp)
k = f32(den[5] / num[4])
q = [f32(2 * SCALE * c) for c in num]
p, _, error = fit_f32(lambda a: (1 / h(a) - k * a) * polynomial(q, a), lambda a: h(a) / polynomial(q, a), 0, last, [None] * 5,
                      [D(1)], 300, warp)
print("h(a), relative error %.2g" % error)
# In -a, the highest power first
for name, c in ("Q", q), ("P times 2^64", [c * 2**64 for c in p]):
    print(name + ":", *(c_hex((-1) ** i * c[i]) for i in (4, 3, 2, 1, 0)))
print("k times 2^64:", c_hex(k * 2**64))

k0 = 2 * (2 / PI).sqrt()
k1 = k0 * D("0.044715")
k0_high = D(int(k0 * 2**20 + D("0.5"))) / 2**20
print("gelu_tanh k0:", c_hex(k0_high), c_hex(f32(k0 - k0_high)))
print("gelu_tanh k1:", c_hex(f32(k1)), c_hex(f32(k1 - f32(k1))))
