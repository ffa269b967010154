#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quotient of ../geglu.c: exp(a^2 / 2) Phi(-a) = P(a) / Q(a) for a from 0 to 20, as in ../../exact/derive/gelu_wide.py but
of a lower degree, since geglu is rounded from fewer digits. All coefficients are positive, so that no digit is lost."""
import os
import sys

import mpmath as mp

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../exact/derive"))
import rational  # noqa: E402

END, CENTRE = mp.mpf(20), mp.mpf(3)


def tail(a):
    return mp.erfc(a / mp.sqrt(2)) / 2 * mp.exp(a * a / 2)


p, q = rational.quotient(tail, 5, 6, -1, (END - CENTRE) / (END + CENTRE), lambda t: CENTRE * (1 + t) / (1 - t))
assert all(c > 0 for c in p + q)
