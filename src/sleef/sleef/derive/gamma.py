#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The constants of ../gamma.c."""
import mpmath as mp

from by_table import fit, split

mp.mp.prec = 300
split("log(2 pi) / 2", mp.log(2 * mp.pi) / 2, 53)


def stirling(w):
    z = 1 / mp.sqrt(w)
    return (mp.loggamma(z) - ((z - 0.5) * mp.log(z) - z + mp.log(2 * mp.pi) / 2)) * z


fit("log(Gamma(z)) = (z - 1/2) log(z) - z + log(2 pi) / 2 + p(1 / z^2) / z, error", stirling, 7, mp.mpf(2) ** -30, mp.mpf(1) / 64, mp.sqrt)
for zero, reach, slope in ((1, mp.mpf(5) / 32, -mp.euler), (2, mp.mpf(3) / 16, 1 - mp.euler)):
    split("slope at %d" % zero, slope, 53)
    fit("log(Gamma(%d + y)) = slope y + y^2 p(y), relative error" % zero, lambda y: (mp.loggamma(zero + y) / y - slope) / y, 15, -reach, reach, abs)
