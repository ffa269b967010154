#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The constants of logistic.c, bell.c, powers.c and circular.c: the zero of the derivative of silu, the factors of
selu and of gelu_tanh, log(10) and pi. A constant with two parts is the sum of both."""
import mpmath as mp

mp.mp.prec = 300


def parts(name, x):
    high = float(x)
    low = float(x - mp.mpf(high))
    print("%s: %s, and %s more, 2^%.0f of it" % (name, high.hex(), low.hex(), float(mp.log(abs(low / x), 2))))


# (1 + Z) e^-Z = -1
ZERO = mp.findroot(lambda z: (1 + z) * mp.exp(-z) + 1, mp.mpf("-1.278"))
parts("the zero of the derivative of silu, Z", ZERO)
parts("e^Z", mp.exp(ZERO))
SCALE, ALPHA = mp.mpf("1.0507009873554804934193349852946"), mp.mpf("1.6732632423543772848170429916717")
parts("the scale of selu", SCALE)
parts("its alpha times that", SCALE * ALPHA)
FACTOR = mp.sqrt(8 / mp.pi)
parts("sqrt(8 / pi)", FACTOR)
parts("0.044715 sqrt(8 / pi)", FACTOR * mp.mpf("0.044715"))
parts("log(10)", mp.log(10))
parts("pi", mp.pi)
