#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotients of ../log_gamma.h, interpolated in Chebyshev points, and the table of ../../shared/gamma_zeros.h.

near: log(Gamma(1 + z)) / (z (z - 1)) = P(z) / Q(z) for z from 0 to 2. The divisor removes the zeros at 0 and 1.
far: log(Gamma(a)) - (a - 1/2) (log(a) - 1) for a from 3 on, as a quotient in t = 1 / a. The same coefficients in reverse
order are a quotient in a.
All coefficients are positive, so that no digit is lost."""
import mpmath as mp

import rational

# The reach of the polynomials of the table, as a fraction of the distance from the zero to the nearest pole, and the number
# of their coefficients.
REACH = mp.mpf("0.18")
COUNT = 16


def near(z):
    if abs(z - 1) < mp.mpf(10)**-60:
        return mp.psi(0, 2)
    return mp.loggamma(1 + z) / (z * (z - 1))


def far(t):
    a = 1 / t
    return mp.loggamma(a) - (a - mp.mpf(1) / 2) * (mp.log(a) - 1)


def log_size(x):
    """log(|Gamma(x)|) for x < 0."""
    return mp.log(mp.pi / abs(mp.sin(mp.pi * x))) - mp.loggamma(1 - x)


def zero(low, high):
    """The zero between low and high, by bisection."""
    sign = log_size(low) > 0
    for _ in range(400):
        middle = (low + high) / 2
        if (log_size(middle) > 0) == sign:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def zeros(count):
    """The zeros downwards: the first one, then one on either side of each pole from -3 on."""
    away, close = mp.mpf("0.45"), mp.mpf(2)**-100
    found = [zero(-2 - away - mp.mpf("0.05"), -2 - close)]
    for n in range(3, 3 + count // 2):
        found += [zero(-n + away, -n + close), zero(-n - away, -n - close)]
    return found


def polynomial(z):
    """The reach, and the coefficients of log(|Gamma(z + d)|) / d for |d| <= reach."""
    reach = REACH * abs(z - mp.nint(z))
    matrix, right = mp.matrix(COUNT, COUNT), mp.matrix(COUNT, 1)
    for i, d in enumerate(rational.chebyshev(COUNT, -reach, reach)):
        right[i] = log_size(z + d) / d
        for j in range(COUNT):
            matrix[i, j] = (d / reach)**j
    return reach, [c / reach**j for j, c in enumerate(mp.lu_solve(matrix, right))]


def error(z, reach, c):
    """The largest relative error of the polynomial, whose coefficients from the third on are rounded."""
    rounded = c[:2] + [mp.mpf(float(x)) for x in c[2:]]
    return max(abs(d * mp.polyval(rounded[::-1], d) / log_size(z + d) - 1) for d in rational.chebyshev(40, -reach, reach))


def text(numbers):
    return ", ".join(float(x).hex() for x in numbers)


def parts(x, count):
    """x as a sum of count f64."""
    found = []
    for _ in range(count):
        found.append(float(x))
        x -= mp.mpf(found[-1])
    return found


def row(z, reach, c):
    """Prints a struct gamma_zero."""
    rest = c[:1:-1]
    print("\t{{%s}, %s," % (text(parts(z, 3)), text([reach])))
    print("\t {%s}, {%s}," % (text(parts(c[0], 2)), text(parts(c[1], 2))))
    print("\t {%s}}," % ",\n\t  ".join(text(rest[i:i + 4]) for i in range(0, len(rest), 4)))


def main():
    for f, degree, end in (near, 7, 2), (far, 5, mp.mpf(1) / 3):
        p, q = rational.quotient(f, degree, degree, 0, end)
        assert all(c > 0 for c in p + q)
    print("log(pi)", float(mp.log(mp.pi)).hex())
    worst, least = 0, 1
    for z in zeros(29):
        reach, c = polynomial(z)
        worst = max(worst, error(z, reach, c))
        least = min(least, abs(log_size(z - reach)), abs(log_size(z + reach)))
        row(z, reach, c)
    print("relative error 2^%s, out of reach the function is above %s" % (mp.nstr(mp.log(worst, 2), 4), mp.nstr(least, 4)))


main()
