#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The polynomials and tables of exp_sixteenths.h, log_sixteenths.h, log_in_parts.h, quarters.h, powers.c, arcs.c and error.c.

A polynomial has the least squares of errors at Chebyshev nodes. Its coefficients are rounded to f64 from the lowest power
up, and those of higher powers are computed again after each."""
import struct

import mpmath as mp

mp.mp.prec = 500


NODES = 40


def next_coefficient(g, powers, low, high, scale):
    """The coefficient of the lowest of these powers in the polynomial nearest to g on [low, high], by errors times scale."""
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * NODES)) for i in range(NODES)]
    rows = mp.matrix([[scale(x) * x ** k for k in powers] for x in nodes])
    return mp.lu_solve(rows, mp.matrix([scale(x) * g(x) for x in nodes]))[0]


def fit(title, g, count, low, high, weight, fixed=(), scale=lambda x: 1):
    """Prints the coefficients of g from the highest down, and the largest |p - g| weight as a power of 2."""
    low, high, chosen = mp.mpf(low), mp.mpf(high), [mp.mpf(float(c)) for c in fixed]
    while len(chosen) < count:
        def rest(x):
            return g(x) - sum(c * x ** k for k, c in enumerate(chosen))
        chosen.append(mp.mpf(float(next_coefficient(rest, range(len(chosen), count), low, high, scale))))
    points = [low + (high - low) * i / 997 for i in range(998)]
    worst = max(abs(sum(c * x ** k for k, c in enumerate(chosen)) - g(x)) * weight(x) for x in points if x)
    print("%s: 2^%.1f" % (title, float(mp.log(worst, 2))))
    for c in reversed(chosen):
        print("\t%s," % float(c).hex())


def head(x, bits):
    """x rounded to `bits` bits."""
    unit = mp.mpf(2) ** (mp.frexp(x)[1] - bits)
    return mp.nint(x / unit) * unit


def split(title, x, *bits):
    """Prints heads of so many bits, then the rest as an f64."""
    parts = []
    for b in bits:
        parts.append(head(x - sum(parts), b))
    parts.append(x - sum(parts))
    print("%s: %s" % (title, " + ".join(float(p).hex() for p in parts)))


def table(title, values):
    print(title)
    for i in range(0, len(values), 4):
        print("\t%s," % ", ".join(values[i:i + 4]))


def powers_of_2():
    """Entry j plus (16 n + j) 2^48 is the bits of the f64 nearest to 2^(n + j / 16); beside it, what that lacks, relatively."""
    steps, lacking = [], []
    for j in range(16):
        exact = mp.mpf(2) ** (mp.mpf(j) / 16)
        steps.append("%#x" % (struct.unpack("<q", struct.pack("<d", float(exact)))[0] - (j << 48)))
        lacking.append(float(exact / mp.mpf(float(exact)) - 1).hex())
    table("2^(j / 16)", steps)
    table("lacking, relatively", lacking)


def inverse(low, high, place, middle):
    """The c of 5 or 6 bits for which c m - 1 is exact for all m from low to high, whose last place is `place`, and is as near as
    may be to middle."""
    def rests(c):
        return [c * m - 1 for m in (low, high)]
    units = [mp.mpf(2) ** -5, mp.mpf(2) ** -6]
    near = [c for unit in units for c in [mp.nint(2 / (low + high) / unit) * unit + i * unit for i in (-1, 0, 1)]
            # The last place of c m must be one of c m - 1 too.
            if place * unit >= mp.mpf(2) ** (mp.frexp(max(map(abs, rests(c))))[1] - 53)]
    return min(near, key=lambda c: max(abs(r - middle) for r in rests(c)))


def heads(exact, bits):
    return [mp.nint(x * 2 ** bits) / 2 ** bits for x in exact]


def narrow_logarithms():
    """c for each of 16 parts of [47/64, 47/32), and its logarithm in two parts. Parts begin a sixteenth of an octave's bit
    patterns apart, so below 1 they are half as wide. The middle of one part is 1. Returns the largest |c m - 1|."""
    inverses, farthest = [], 0
    for j in range(16):
        middle, half = (mp.mpf(24 + j) / 32, mp.mpf(1) / 64) if j < 8 else (mp.mpf(8 + j) / 16, mp.mpf(1) / 32)
        low, high = middle - half, middle + half
        inverses.append(mp.mpf(1) if j == 8 else inverse(low, high, mp.mpf(2) ** (-53 if j < 8 else -52), 0))
        farthest = max([farthest] + [abs(inverses[j] * m - 1) for m in (low, high)])
    table("narrow inverse", [float(c).hex() for c in inverses])
    exact = [-mp.log(c) for c in inverses]
    table("-log(inverse) to 2^-40", [float(h).hex() for h in heads(exact, 40)])
    table("rest", [float(x - h).hex() for x, h in zip(exact, heads(exact, 40))])
    return farthest


LEAST_R, MOST_R = -mp.mpf(1) / 32, mp.mpf(1) / 16


def logarithms():
    """c for each of 16 parts of [3/4, 3/2), of which those above 1 are twice as wide. c is 1 in the two parts beside 1, where
    r = c m - 1 is from -1/32 to 1/16; in the others r is as near as may be to the middle of these. For three bases,
    log(2) / 16 in two parts, and -log(c) - j log(2) / 16 for part j likewise. Heads are multiples of 2^-42, and the second
    part of log(2) / 16 has 49 bits, so that j times either is exact."""
    inverses = []
    for j in range(16):
        low, high = (mp.mpf(24 + j) / 32, mp.mpf(25 + j) / 32) if j < 8 else (mp.mpf(8 + j) / 16, mp.mpf(9 + j) / 16)
        place = mp.mpf(2) ** (-53 if j < 8 else -52)
        inverses.append(mp.mpf(1) if j in (7, 8) else inverse(low, high, place, (LEAST_R + MOST_R) / 2))
        assert LEAST_R <= inverses[j] * low - 1 and inverses[j] * high - 1 <= MOST_R
    table("inverse", [float(c).hex() for c in inverses])
    for base in (mp.e, 2, 10):
        step = mp.log(2, base) / 16
        first = heads([step], 42)[0]
        second = head(step - first, 49) if step != first else mp.mpf(0)
        exact = [-mp.log(c, base) - j * (first + second) for j, c in enumerate(inverses)]
        high = [-j * first if c == 1 else h for j, (c, h) in enumerate(zip(inverses, heads(exact, 42)))]
        print("base %s: log(2) / 16 = %s + %s" % (mp.nstr(mp.mpf(base), 3), float(first).hex(), float(second).hex()))
        table("heads", [float(h).hex() for h in high])
        table("rest", [float(x - h).hex() for x, h in zip(exact, high)])


def arcs():
    """For each half of the binades from 1/8 to 16 a c of 8 bits, and its arc tangent in two parts. An entry before them,
    which is 0, serves smaller numbers, and one behind, for x of 16 and more, has a c of 1 and the arc tangent of infinity.
    The place of an entry is the last four bits of the exponent and the first bit of the fraction, together modulo 16.
    Returns the largest (x - c) / (1 + x c)."""
    rows, farthest = [None] * 16, mp.mpf(1) / 8
    rows[7] = (mp.mpf(0), mp.mpf(0))
    for i in range(14):
        low = mp.mpf(2) ** (i // 2 - 3) * (3 if i % 2 else 2) / 2
        high = mp.mpf(2) ** (i // 2 - 3) * (4 if i % 2 else 3) / 2
        c = head(mp.tan((mp.atan(low) + mp.atan(high)) / 2), 8)
        farthest = max([farthest] + [abs((x - c) / (1 + x * c)) for x in (low, high)])
        rows[(8 + i) % 16] = (c, mp.atan(c))
    rows[6] = (mp.mpf(1), mp.pi / 2)
    table("c", [float(c).hex() for c, _ in rows])
    table("atan(c)", [float(a).hex() for _, a in rows])
    table("rest", [float(a - mp.mpf(float(a))).hex() for _, a in rows])
    return farthest


if __name__ == "__main__":
    STEP = mp.log(2) / 32 + mp.mpf(2) ** -20
    split("log(2) / 16", mp.log(2) / 16, 38)
    print("16 / log(2):", float(16 / mp.log(2)).hex())
    fit("e^r = 1 + r + r^2 p(r), relative error of e^r - 1", lambda r: (mp.exp(r) - 1 - r) / r ** 2, 6, -STEP, STEP, abs)
    fit("2^r = 1 + r p(r), relative error of 2^r - 1", lambda r: (mp.mpf(2) ** r - 1) / r, 6, -1 / mp.mpf(32), 1 / mp.mpf(32),
        lambda r: 1, [mp.log(2)])
    powers_of_2()
    split("log(2)", mp.log(2), 40)
    split("log2(e)", 1 / mp.log(2), 53)
    split("log10(e)", 1 / mp.log(10), 53)
    logarithms()
    for unit, of_e in (("log", mp.mpf(1)), ("log2", 1 / mp.log(2)), ("log10", 1 / mp.log(10))):
        fit(unit + "(1 + r) = r " + unit + "(e) + r^2 p(r), relative error", lambda r, of_e=of_e: (mp.log(1 + r) - r) / r ** 2 * of_e, 9,
            LEAST_R, MOST_R, lambda r, of_e=of_e: abs(r) / of_e, scale=abs)
    split("pi / 2", mp.pi / 2, 53, 33)
    print("2 / pi:", float(2 / mp.pi).hex())
    SQUARE = (mp.pi / 4 + mp.mpf(2) ** -20) ** 2
    fit("sin(r) = r + r^3 p(r^2), relative error", lambda w: (mp.sin(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, 6, mp.mpf(2) ** -40, SQUARE, abs)
    fit("cos(r) = 1 - r^2 / 2 + r^4 p(r^2), error", lambda w: (mp.cos(mp.sqrt(w)) - 1 + w / 2) / w ** 2, 6, mp.mpf(2) ** -40, SQUARE,
        lambda w: w ** 2)
    fit("sinh(r) = r + r^3 p(r^2), relative error", lambda w: (mp.sinh(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, 3, mp.mpf(2) ** -40, STEP ** 2, abs)
    fit("cosh(r) = 1 + r^2 p(r^2), error", lambda w: (mp.cosh(mp.sqrt(w)) - 1) / w, 3, mp.mpf(2) ** -40, STEP ** 2, abs)
    ROOTS = [mp.mpf(2) ** (mp.mpf(-e if e < 8 else 16 - e) / 3) if min(e, 16 - e) < 2 else mp.mpf(0) for e in range(16)]
    table("2^(-e / 3) for e of -1, 0, 1, at e % 16", [float(x).hex() for x in ROOTS])
    fit("m^(-1/3)", lambda x: (1 + x) ** (-mp.mpf(1) / 3), 4, 0, 1, lambda x: 1)
    fit("asin(s) = s + s^3 p(s^2), relative error", lambda w: (mp.asin(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, 13, mp.mpf(2) ** -40,
        mp.mpf(1) / 4, abs)
    split("pi / 2", mp.pi / 2, 53)
    split("2 / sqrt(pi)", 2 / mp.sqrt(mp.pi), 53)
    split("2 / (3 sqrt(pi))", 2 / (3 * mp.sqrt(mp.pi)), 53)
    fit("erf(x) = 2 / sqrt(pi) (x - x^3 / 3) + x^5 p(x^2), relative error",
        lambda w: (mp.erf(mp.sqrt(w)) / mp.sqrt(w) - 2 / mp.sqrt(mp.pi) * (1 - w / 3)) / w ** 2, 11, mp.mpf(2) ** -30, 1, lambda w: w ** 2)
    fit("atan(t) = t + t^3 p(t^2), relative error", lambda w: (mp.atan(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, 7, mp.mpf(2) ** -40,
        arcs() ** 2, abs)
    NARROW = narrow_logarithms()
    fit("log(1 + r) = r - r^2 / 2 + r^3 p(r), relative error", lambda r: (mp.log(1 + r) - r + r ** 2 / 2) / r ** 3, 9, -NARROW, NARROW,
        lambda r: r ** 2)
