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

SIZES = (100, 10_000)
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
    repeats = max(101, 500_000 // operands[0].size)
    pairs = [(seconds(ours, operands, out), seconds(theirs, operands, out)) for _ in range(repeats)]
    return statistics.median(t for _, t in pairs) / statistics.median(o for o, _ in pairs)


def cell(ours, theirs, kind, n):
    if "%s->%s" % (kind * ours.nin, kind) not in ours.types:
        return "-"
    operands = [np.random.default_rng(i).random(n).astype(kind) for i in range(ours.nin)]
    return "%.2f" % ratio(ours, theirs, operands, np.empty(n, kind))


columns = [(kind, n) for n in SIZES for kind in KINDS]
print("| function | %s |" % " | ".join("%s, n = %d" % (KINDS[kind], n) for kind, n in columns))
print("|---|%s" % ("---:|" * len(columns)))
warnings.simplefilter("ignore")
for name, ours in vars(isk).items():
    theirs = getattr(np, THEIRS.get(name, name), None)
    if isinstance(ours, np.ufunc) and isinstance(theirs, np.ufunc) and ours.nin == theirs.nin and name not in OTHERS and any(
            len(set(types) - set("->")) == 1 and types[0] in KINDS for types in ours.types):
        print("| %s | %s |" % (name, " | ".join(cell(ours, theirs, kind, n) for kind, n in columns)), flush=True)
