#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The polynomials of normal.h, which interpolate at Chebyshev nodes, and their relative errors.

With H(a) = exp(a^2 / 2) Phi(-a), t = 1 - 2 K / (a + K), and the zero of the derivative of gelu at -Z:

    TAIL   (a + 5/4) H(a)
    SLOPE  (a / sqrt(2 pi) - H(a)) / (a - Z)

for a from 0 to 56. Prints coefficients from the highest down, the last of them in two parts, and Z, sqrt(2) and
2 / sqrt(pi) in two parts."""
import mpmath as mp

mp.mp.prec = 300
K, NEAR, MOST = 5, mp.mpf("1.25"), 56


def h(a):
    return mp.exp(a * a / 2) * mp.erfc(a / mp.sqrt(2)) / 2


SCALE = 1 / mp.sqrt(2 * mp.pi)
ZERO = mp.findroot(lambda a: a * SCALE - h(a), mp.mpf("0.75"))


def tail(a):
    return (a + NEAR) * h(a)


def slope(a):
    return (a * SCALE - h(a)) / (a - ZERO)


def fit(f, degree, two):
    """Coefficients in t, lowest first, the first `two` of them in two parts, from divided differences."""
    low, high = mp.mpf(-1), 1 - mp.mpf(2 * K) / (MOST + K)
    angles = [mp.pi * (2 * i + 1) / (2 * degree + 2) for i in range(degree + 1)]
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(angle) for angle in angles]
    d = [f(2 * K / (1 - t) - K) for t in nodes]
    for level in range(1, degree + 1):
        for i in range(degree, level - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (nodes[i] - nodes[i - level])
    p = [d[degree]]
    for i in range(degree - 1, -1, -1):
        p = [(p[j - 1] if j else 0) - (nodes[i] * p[j] if j < len(p) else 0) for j in range(len(p) + 1)]
        p[0] += d[i]
    return [parts(c) if i < two else [float(c)] for i, c in enumerate(p)]


def parts(x):
    high = float(x)
    return [high, float(x - mp.mpf(high))]


def error(f, p):
    worst, p = mp.mpf(0), [sum(map(mp.mpf, c)) for c in p]
    for i in range(1501):
        a = mp.mpf(MOST) * (mp.mpf(i) / 1500) ** 3 + mp.mpf("1e-9")
        t = 1 - 2 * K / (a + K)
        worst = max(worst, abs(mp.polyval(p[::-1], t) / f(a) - 1))
    return mp.log(worst, 2)


def show(name, f, degree, two):
    p = fit(f, degree, two)
    print("%s: relative error 2^%.1f" % (name, error(f, p)))
    for c in reversed(p):
        print("\t%s," % ", ".join(part.hex() for part in c))


if __name__ == "__main__":
    show("TAIL", tail, 23, 2)
    show("SLOPE", slope, 22, 3)
    for name, x in ("Z", ZERO), ("sqrt(2)", mp.sqrt(2)), ("2 / sqrt(pi)", 2 / mp.sqrt(mp.pi)):
        print("%s: %s" % (name, ", ".join(part.hex() for part in parts(x))))
