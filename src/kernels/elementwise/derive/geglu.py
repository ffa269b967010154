#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../geglu.c: exp(a^2 / 2) Phi(-a) = P(a) / Q(a) for a from 0 to 20, interpolated in Chebyshev points of
t = (a - 3) / (a + 3), in which it is nearly a polynomial. All coefficients are positive, so that no digit is lost."""
import mpmath as mp

mp.mp.prec = 400
END, CENTRE, P_DEGREE, Q_DEGREE = mp.mpf(20), mp.mpf(3), 5, 6
LAST = (END - CENTRE) / (END + CENTRE)


def tail(a):
    return mp.erfc(a / mp.sqrt(2)) / 2 * mp.exp(a * a / 2)


def point(angle):
    """a for a point of [-1, LAST], by its angle."""
    t = (LAST - 1) / 2 + mp.cos(angle) * (LAST + 1) / 2
    return CENTRE * (1 + t) / (1 - t)


count = P_DEGREE + Q_DEGREE + 1
matrix, right = mp.matrix(count, count), mp.matrix(count, 1)
for i in range(count):
    a = point(mp.pi * (2 * i + 1) / (2 * count))
    right[i] = tail(a)
    for j in range(P_DEGREE + 1):
        matrix[i, j] = a**j
    for j in range(1, Q_DEGREE + 1):
        matrix[i, P_DEGREE + j] = -right[i] * a**j
solved = list(mp.lu_solve(matrix, right))
p, q = solved[:P_DEGREE + 1], [mp.mpf(1)] + solved[P_DEGREE + 1:]
assert all(c > 0 for c in p + q)
error = max(abs(mp.polyval(p[::-1], a) / mp.polyval(q[::-1], a) / tail(a) - 1)
            for a in (point(mp.pi * i / 400) for i in range(401)))
print("relative error 2^%s" % mp.nstr(mp.log(error, 2), 4))
for name, coefficients in (("P", p), ("Q", q)):
    print(name, ", ".join(float(c).hex() for c in coefficients))
