# SPDX-License-Identifier: MIT
"""Rational minimax approximation in Decimal, then rounding of the coefficients to f32.

fit() runs Remez exchange: it minimises max |weight(x) * (num(x) / den(x) - f(x))|. It
stops when an exchange improves nothing. The error that it returns is measured, so that a
script that prints it shows how good the fit is. fit_f32() rounds the coefficients.
"""
import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 60


def f32(x):
    """The nearest f32, as an exact Decimal."""
    return D(struct.unpack("f", struct.pack("f", float(x)))[0])


def c_hex(x):
    """The C constant of an f32."""
    mantissa, exponent = float(x).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return "%sp%sf" % (mantissa, exponent)


def solve(rows):
    """Gaussian elimination with pivoting; rows are [coefficients..., right-hand side]."""
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= factor * rows[i][c]
    out = [D(0)] * n
    for i in reversed(range(n)):
        out[i] = (rows[i][n] - sum(rows[i][c] * out[c] for c in range(i + 1, n))) / rows[i][i]
    return out


def value(coefficients, x):
    total = D(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def fit(f, weight, low, high, num, den, points=400, warp=lambda x: x):
    """num and den are lists of coefficients, lowest first; None is a free one. Returns (num, den, error)."""
    free = [(p, i) for p in (num, den) for i, c in enumerate(p) if c is None]
    unknowns = len(free) + 1
    # Chebyshev-spaced samples; f and weight are evaluated once on each
    pi = D("3.14159265358979323846264338327950288419716939937510582097494")
    middle, half = (D(low) + D(high)) / 2, (D(high) - D(low)) / 2
    grid = [warp(middle - half * cosine(pi * i / points)) for i in range(points + 1)]
    table = [(x, f(x), weight(x)) for x in grid]
    chosen = [table[round(i * points / (unknowns - 1))] for i in range(unknowns)]
    level = D(0)
    for _ in range(40):
        for _ in range(30):  # level times a free den is not linear, so the last level found replaces it
            rows = []
            for k, (x, y, w) in enumerate(chosen):
                sign = (-1) ** k
                fixed = [sum(c * power(x, i) for i, c in enumerate(p) if c is not None) for p in (num, den)]
                row = [power(x, i) * (1 if p is num else -(y + sign * level / w)) for p, i in free]
                rows.append(row + [-sign * fixed[1] / w, y * fixed[1] - fixed[0]])
            *solution, found = solve(rows)
            done = abs(found - level) <= abs(found) * D("1e-9")
            level = found
            if done:
                break
        n, d = list(num), list(den)
        for (p, i), c in zip(free, solution):
            (n if p is num else d)[i] = c
        errors = [(w * (value(n, x) / value(d, x) - y), (x, y, w)) for x, y, w in table]
        # the largest error in each run of one sign; the next exchange takes an alternating sequence of them
        runs = []
        for e, t in errors:
            if runs and (runs[-1][0] > 0) == (e > 0):
                runs[-1] = max(runs[-1], (e, t), key=lambda r: abs(r[0]))
            else:
                runs.append((e, t))
        while len(runs) > unknowns:
            runs.pop(0 if abs(runs[0][0]) < abs(runs[-1][0]) else -1)
        worst = max(abs(e) for e, _ in errors)
        if len(runs) < unknowns or worst <= abs(level) * D("1.001"):
            break
        chosen = [t for _, t in runs]
    return n, d, worst


def power(x, i):
    return x ** i if i else D(1)  # Decimal does not know 0 ** 0


def cosine(x):
    term, total, k = D(1), D(1), 0
    while abs(term) > D("1e-55"):
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    return total


def fit_f32(f, weight, low, high, num, den, points=400, warp=lambda x: x):
    """Like fit(), with f32 coefficients. The denominator is rounded first, then the
    numerator from the highest coefficient on; the lower ones are fitted again each time."""
    num = list(num)
    n, den, _ = fit(f, weight, low, high, num, den, points, warp)
    den = [f32(c) for c in den]
    for i in reversed(range(len(num))):
        if num[i] is None:
            num[i] = f32(fit(f, weight, low, high, num, den, points, warp)[0][i])
    grid = [warp(D(low) + (D(high) - D(low)) * i / 2001) for i in range(2002)]
    return num, den, max(abs(weight(x) * (value(num, x) / value(den, x) - f(x))) for x in grid)
