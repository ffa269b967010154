#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The constants of exp in ../../shared/vmath.h: the polynomial (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2, the powers of
2 by eighths (whose polynomial is that of powers.sollya) and the splits of ln 2."""
import struct

from remez import D, c_hex, f32, fit_f32

LN2 = D(2).ln()
# n is computed with a rounded 1 / ln 2, so r may exceed its range a little
END = LN2 / 2 * D("1.0005")


def tail(r):
    return (r.exp() - 1 - r) / (r * r)


# an odd number of points keeps 0 out of the grid
num, _, error = fit_f32(tail, lambda r: r * r / r.exp(), -END, END, [None] * 5, [D(1)], 401)
print("coefficients, lowest first:", *map(c_hex, num))
print("relative error of exp(r): %.2g" % error)
# high has 16 bits, so that its product with n, of up to 8 bits, is exact
high = D(int(LN2 * 2**16 + D("0.5"))) / 2**16
print("1 / ln 2:", c_hex(f32(1 / LN2)), " ln 2:", c_hex(high), "+", c_hex(f32(LN2 - high)))

# By eighths, n has up to 11 bits, so high has 13
powers = [2 ** (j / 8) for j in range(8)]
print("powers:", *(c_hex(f32(D(p))) for p in powers))


def single(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def badness(unit):
    return max(abs(single(unit * p) / (unit * p) - 1) for p in powers)


# Among fifty ranges of unit, this one gave the least errors of silu and gelu_tanh together. Its best unit rounds sigmoid and
# silu of -2^-8 to the correct side of a tie of bf16.
unit = min((single(1.7 + i * 2**-23) for i in range(int(0.02 * 2**23))), key=badness)
print("unit:", c_hex(D(unit)), " relative error of its powers: %.2g" % badness(unit))
bits = [struct.unpack("<i", struct.pack("<f", unit * p))[0] - (j << 20) for j, p in enumerate(powers)]
print("less j 2^20:", *(c_hex(D(struct.unpack("<f", struct.pack("<i", b))[0])) for b in bits))
high = D(int(LN2 * 2**13 + D("0.5"))) / 2**13
print("ln 2:", c_hex(high), "+", c_hex(f32(LN2 - high)), "or", c_hex(f32(LN2)))
