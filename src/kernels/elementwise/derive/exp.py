#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The polynomial of exp in ../vmath.h: (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; the powers of 2 by eighths, beside
which it is that of powers.sollya; the splits of ln 2."""
import struct

from remez import D, c_hex, f32, fit_f32

LN2 = D(2).ln()
# n is found with a rounded 1 / ln 2, so r may pass the end of its range a little
END = LN2 / 2 * D("1.0005")


def tail(r):
    return (r.exp() - 1 - r) / (r * r)


# an odd number of points keeps 0 out of the grid
num, _, error = fit_f32(tail, lambda r: r * r / r.exp(), -END, END, [None] * 5, [D(1)], 401)
print("coefficients, lowest first:", *map(c_hex, num))
print("relative error of exp(r): %.2g" % error)
# 16 bits: n, of up to 8 bits, times high is exact
high = D(int(LN2 * 2**16 + D("0.5"))) / 2**16
print("1 / ln 2:", c_hex(f32(1 / LN2)), " ln 2:", c_hex(high), "+", c_hex(f32(LN2 - high)))

# By eighths n has up to 11 bits: 13 are left
powers = [f32((LN2 * j / 8).exp()) for j in range(8)]
print("powers:", *map(c_hex, powers))
bits = [struct.unpack("<i", struct.pack("<f", p))[0] - (j << 20) for j, p in enumerate(powers)]
print("less j 2^20:", *(c_hex(struct.unpack("<f", struct.pack("<i", b))[0]) for b in bits))
high = D(int(LN2 * 2**13 + D("0.5"))) / 2**13
print("ln 2:", c_hex(high), "+", c_hex(f32(LN2 - high)), "or", c_hex(f32(LN2)))
