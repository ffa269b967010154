#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The polynomials of normal.h, and their relative errors: interpolated in the nodes of Chebyshev.

With H(a) = exp(a^2 / 2) Phi(-a), t = 1 - 2 K / (a + K) and the zero of the derivative of gelu at -Z:

    TAIL   (a + K) H(a)
    SLOPE  (a / sqrt(2 pi) - H(a)) / (a - Z)

for a from 0 to 56. Prints coefficients from the highest down, and Z in two parts."""
import mpmath as mp

mp.mp.prec = 300
K, MOST = 5, 56


def h(a):
    return mp.exp(a * a / 2) * mp.erfc(a / mp.sqrt(2)) / 2


SCALE = 1 / mp.sqrt(2 * mp.pi)
ZERO = mp.findroot(lambda a: a * SCALE - h(a), mp.mpf("0.75"))


def tail(a):
    return (a + K) * h(a)


def slope(a):
    return (a * SCALE - h(a)) / (a - ZERO)


def fit(f, degree):
    """Coefficients in t, lowest first: divided differences in the nodes, then multiplied out."""
    low, high = mp.mpf(-1), 1 - mp.mpf(2 * K) / (MOST + K)
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * degree + 2)) for i in range(degree + 1)]
    d = [f(2 * K / (1 - t) - K) for t in nodes]
    for level in range(1, degree + 1):
        for i in range(degree, level - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (nodes[i] - nodes[i - level])
    p = [d[degree]]
    for i in range(degree - 1, -1, -1):
        p = [(p[j - 1] if j else 0) - (nodes[i] * p[j] if j < len(p) else 0) for j in range(len(p) + 1)]
        p[0] += d[i]
    return [mp.mpf(float(c)) for c in p]


def error(f, p):
    worst = mp.mpf(0)
    for i in range(1501):
        a = mp.mpf(MOST) * (mp.mpf(i) / 1500) ** 3 + mp.mpf("1e-9")
        t = 1 - 2 * K / (a + K)
        worst = max(worst, abs(mp.polyval(p[::-1], t) / f(a) - 1))
    return mp.log(worst, 2)


def show(name, f, degree):
    p = fit(f, degree)
    print("%s: relative error 2^%.1f" % (name, error(f, p)))
    for c in reversed(p):
        print("\t%s," % float(c).hex())


if __name__ == "__main__":
    show("TAIL", tail, 22)
    show("SLOPE", slope, 22)
    high = float(ZERO)
    print("Z: %s, %s" % (high.hex(), float(ZERO - high).hex()))
