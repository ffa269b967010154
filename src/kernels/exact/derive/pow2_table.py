#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of ../../shared/pow2.h: the bits of 2^(j / 16) as an f64, minus j 2^48, so that adding (16 n + j) 2^48 gives the
bits of 2^(n + j / 16)."""
import struct

import mpmath

mpmath.mp.prec = 200
for j in range(16):
    bits = struct.unpack("<q", struct.pack("<d", float(mpmath.mpf(2) ** (mpmath.mpf(j) / 16))))[0]
    print("\t%#x," % (bits - (j << 48)))
