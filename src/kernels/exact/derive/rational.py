# SPDX-License-Identifier: MIT
"""Quotients of polynomials P / Q with Q(0) = 1 that equal a function at as many points as they have coefficients."""
import mpmath as mp

mp.mp.prec = 600


def chebyshev(count, start, end):
    """The Chebyshev points of an interval."""
    return [(start + end) / 2 + (end - start) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def quotient(f, p_degree, q_degree, start, end, at=lambda t: t):
    """The coefficients of P and Q in x = at(t), for Chebyshev points t of an interval; prints them, and the relative error."""
    start, end = mp.mpf(start), mp.mpf(end)
    count = p_degree + q_degree + 1
    matrix, right = mp.matrix(count, count), mp.matrix(count, 1)
    for i, x in enumerate(map(at, chebyshev(count, start, end))):
        right[i] = f(x)
        for j in range(p_degree + 1):
            matrix[i, j] = x**j
        for j in range(1, q_degree + 1):
            matrix[i, p_degree + j] = -right[i] * x**j
    solved = list(mp.lu_solve(matrix, right))
    p, q = solved[:p_degree + 1], [mp.mpf(1)] + solved[p_degree + 1:]
    error = max(abs(mp.polyval(p[::-1], x) / mp.polyval(q[::-1], x) / f(x) - 1) for x in map(at, chebyshev(401, start, end)))
    print("relative error 2^%s" % mp.nstr(mp.log(error, 2), 4))
    for name, coefficients in (("P", p), ("Q", q)):
        print(name, ", ".join(float(c).hex() for c in coefficients))
    return p, q
