#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the fingerprints of relu from docs/fingerprint.md alone: an independent program gets the recorded ones.

    again.py RECORD
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import done, ok  # noqa: E402

ALL = 2**64 - 1
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SIZES = [*range(18), 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 4097]
KINDS = 6
# bytes, bits of the fraction, bias
TYPES = {"f32": (4, 23, 127), "bf16": (2, 7, 127), "f16": (2, 10, 15), "f64": (8, 52, 1023)}


def rotate(x, by):
    return (x << by | x >> 64 - by) & ALL


def mix(lane, word):
    return rotate((lane + word * PRIMES[1]) & ALL, 31) * PRIMES[0] & ALL


def xxh64(data):
    h, at = PRIMES[4], 0
    if len(data) >= 32:
        lanes = [(PRIMES[0] + PRIMES[1]) & ALL, PRIMES[1], 0, -PRIMES[0] & ALL]
        at = len(data) // 32 * 32
        for stripe in struct.iter_unpack("<4Q", data[:at]):
            lanes = [mix(lane, word) for lane, word in zip(lanes, stripe)]
        h = sum(rotate(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & ALL
        for lane in lanes:
            h = ((h ^ mix(0, lane)) * PRIMES[0] + PRIMES[3]) & ALL
    h = (h + len(data)) & ALL
    while len(data) - at >= 8:
        h = (rotate(h ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * PRIMES[0] + PRIMES[3]) & ALL
        at += 8
    if len(data) - at >= 4:
        h = (rotate(h ^ struct.unpack_from("<I", data, at)[0] * PRIMES[0] & ALL, 23) * PRIMES[1] + PRIMES[2]) & ALL
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * PRIMES[4] & ALL, 11) * PRIMES[0] & ALL
    h = (h ^ h >> 33) * PRIMES[1] & ALL
    h = (h ^ h >> 29) * PRIMES[2] & ALL
    return h ^ h >> 32


class Random:
    def __init__(self, name):
        self.state = 0xCBF29CE484222325
        for byte in name.encode():
            self.state = (self.state ^ byte) * 0x100000001B3 & ALL

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & ALL
        z = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & ALL
        z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL
        return z ^ z >> 31

    def below(self, n):
        return self.bits() * n >> 64


def element(kind, of, bits):
    size, fraction, bias = of
    sign = (bits >> 63) << (8 * size - 1)
    step, one, top = 1 << fraction, bias << fraction, (2 * bias + 1) << fraction
    halves = (bias + fraction - 1) << fraction
    special = [0, 1, step - 1, step, step + 1, one - step, one - 1, one, one + 1, one + step, halves + 1,
               halves + step + 1, top - 1, top, top | step >> 1]
    small = [0, one, one + step, one + step + step // 2]
    exponent, low = bits >> 52 & 0x7FF, bits & step - 1
    near = max(bias - 8 + exponent % 12, 0) << fraction | low
    if kind == 1:
        return sign | bias - bias // 2 + exponent % (bias + 1) << fraction | low
    if kind == 2:
        return bits & (1 << 8 * size) - 1
    if kind == 3:
        return sign | (near if exponent & 15 else special[(bits & 0xFFFF) % 15])
    if kind == 4:
        return small[bits % 7] if bits % 7 < 4 else small[bits % 7 - 3] | 1 << (8 * size - 1)
    return near if kind == 5 else sign | near


def relu(of, x):
    size, fraction, bias = of
    top = (2 * bias + 1) << fraction
    if x & (1 << 8 * size - 1) - 1 > top:
        return top | 1 << fraction - 1
    return 0 if x >> 8 * size - 1 else x


def fingerprint(kernel, of):
    checksums = b""
    for case in range(len(SIZES) * KINDS):
        random = Random("%s#%d" % (kernel, case))
        random.below(4)   # in place or not
        random.below(64)  # the alignment of y, then that of x
        random.below(64)
        x = [element(case % KINDS, of, random.bits()) for _ in range(SIZES[case // KINDS])]
        y = b"".join(relu(of, e).to_bytes(of[0], "little") for e in x)
        checksums += xxh64(y).to_bytes(8, "little")
    return xxh64(checksums)


with open(sys.argv[1], encoding="utf-8") as f:
    recorded = dict(line.split()[:2] for line in f if not line.startswith("#"))
for name, of_type in TYPES.items():
    got = "%016x" % fingerprint("relu_" + name, of_type)
    ok(got == recorded.get("relu_" + name), "relu_%s is what docs/fingerprint.md says" % name, (got, recorded.get("relu_" + name)))
done()
