#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The first approximation of ../cbrt.c, whose bits are a constant minus a third of the bits of a, and the polynomial of
h = 1 - a z^3: ((1 - h)^(-2/3) - 1) / h."""
import struct

from remez import D, c_hex, fit_f32

POINTS = 3000  # in the octaves from 1 to 8, because errors repeat every three octaves
SAMPLES = [struct.unpack("i", struct.pack("f", 2 ** (3 * i / POINTS)))[0] for i in range(POINTS)]


def value(bits):
    return struct.unpack("f", struct.pack("i", int(bits)))[0]


def lacking(constant):
    """The least and the greatest h."""
    all_h = [1 - value(bits) * value(constant - bits / 3) ** 3 for bits in SAMPLES]
    return min(all_h), max(all_h)


# In steps of 128, the distance of f32 numbers of this size.
best = min(range(0x54a00000, 0x54c00000, 128 * 64), key=lambda c: max(map(abs, lacking(c))))
best = min(range(best - 128 * 64, best + 128 * 64, 128), key=lambda c: max(map(abs, lacking(c))))
low, high = lacking(best)
print("bits %#x, h from %.4f to %.4f" % (best, low, high))


def over_h(h):
    return ((1 - h) ** (D(-2) / 3) - 1) / h


def weight(h):
    return abs(h) * (1 - h) ** (D(2) / 3)


p, _, error = fit_f32(over_h, weight, D("-0.1021"), D("0.1023"), [None] * 5, [D(1)])
print("relative error %.2g" % error)
print("P", *map(c_hex, p))
