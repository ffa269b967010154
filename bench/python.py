#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package isakern beside numpy: how many times faster each ufunc is that both have, as a table of Markdown.

    python.py [FOLDER]      FOLDER: where the package is, such as build/src/python; without it the installed one

The two take turns on the same array, one call each; a ratio is that of the medians. Numbers are from 0 to 1.
"""
import statistics
import sys
import time
import warnings

import numpy as np

sys.path[:0] = sys.argv[1:2]
import isakern as isk  # noqa: E402

SIZES = (100, 10_000, 1_000_000)
KINDS = {"e": "float16", "f": "float32", "d": "float64"}
# numpy has another function of that name.
OTHERS = {"remainder"}
# Functions of numpy by another name than ours.
THEIRS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
          "atanh": "arctanh", "mul": "multiply", "sub": "subtract", "div": "divide", "pow": "power"}


def seconds(function, operands, out):
    start = time.perf_counter()
    function(*operands, out=out)
    return time.perf_counter() - start


def ratio(ours, theirs, operands, out):
    """Of their time to ours."""
    repeats = max(7, min(301, 1_000_000 // operands[0].size))
    pairs = [(seconds(ours, operands, out), seconds(theirs, operands, out)) for _ in range(repeats)]
    return statistics.median(t for _, t in pairs) / statistics.median(o for o, _ in pairs)


print("| function | type |%s\n|---|---|%s" % ("".join(" n = %d |" % n for n in SIZES), "---:|" * len(SIZES)))
warnings.simplefilter("ignore")
for name, ours in vars(isk).items():
    theirs = getattr(np, THEIRS.get(name, name), None)
    if not (isinstance(ours, np.ufunc) and isinstance(theirs, np.ufunc) and ours.nin == theirs.nin) or name in OTHERS:
        continue
    for types in ours.types:
        inputs, output = types.split("->")
        if set(inputs) == {inputs[0]} and output == inputs[0] and output in KINDS:
            found = []
            for n in SIZES:
                operands = [np.random.default_rng(i).random(n).astype(inputs[0]) for i in range(ours.nin)]
                found.append(ratio(ours, theirs, operands, np.empty(n, output)))
            print("| %s | %s | %s |" % (name, KINDS[output], " | ".join("%.2f" % r for r in found)), flush=True)
