#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package isakern against numpy, and against scipy.special if that is installed: how many times as fast each common
function is, as tables of Markdown.

    python.py [FOLDER]      FOLDER: where the package is, such as build/src/python; without it the installed one

Both take turns on the same array, one call each; a ratio is that of the medians. Numbers are from 0 to 1.
"""
import statistics
import sys
import time
import warnings

import numpy as np

sys.path[:0] = sys.argv[1:2]
import isakern as isk  # noqa: E402

try:
    import scipy
    import scipy.special
except ImportError:
    scipy = None

SIZES = (100, 10_000)
KINDS = {"e": "float16", "f": "float32", "d": "float64"}
# numpy has another function of that name.
OTHERS = {"remainder"}
# Functions with other names than ours.
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh",
         "acosh": "arccosh", "atanh": "arctanh", "mul": "multiply", "sub": "subtract", "div": "divide", "pow": "power"}
SCIPY = {"sigmoid": "expit", "logsigmoid": "log_expit", "lgamma": "gammaln"}
COLUMNS = [(kind, n) for n in SIZES for kind in KINDS]


def seconds(function, operands, keywords):
    start = time.perf_counter()
    function(*operands, **keywords)
    return time.perf_counter() - start


def ratio(ours, theirs, operands, keywords):
    """The ratio of their time to ours."""
    repeats = max(101, 500_000 // operands[0].size)
    pairs = [(seconds(ours, operands, keywords), seconds(theirs, operands, keywords)) for _ in range(repeats)]
    return statistics.median(t for _, t in pairs) / statistics.median(o for o, _ in pairs)


def cell(ours, theirs, kind, n):
    if not any(types.startswith(kind * ours.nin + "->") for types in ours.types):
        return "-"
    operands = [np.random.default_rng(i).random(n).astype(kind) for i in range(ours.nin)]
    # A plain function of theirs allocates its result itself.
    keywords = {"out": np.empty(n, kind)} if isinstance(theirs, np.ufunc) else {}
    return "%.2f" % ratio(ours, theirs, operands, keywords)


def both(module, names):
    """The functions of floats that the module has with the same number of arguments."""
    for name, ours in vars(isk).items():
        theirs = getattr(module, names.get(name, name), None)
        if not isinstance(ours, np.ufunc) or not callable(theirs) or name in OTHERS:
            continue
        if isinstance(theirs, np.ufunc) and theirs.nin == ours.nin and ours.signature is None and any(
                len(set(types) - set("->")) == 1 and types[0] in KINDS for types in ours.types):
            yield name, ours, theirs
        elif module is not np and not isinstance(theirs, np.ufunc) and ours.signature and ours.nin == 1:
            yield name, ours, theirs


def table(title, functions):
    print("| %s | %s |" % (title, " | ".join("%s, n = %d" % (KINDS[kind], n) for kind, n in COLUMNS)))
    print("|---|%s" % ("---:|" * len(COLUMNS)))
    for name, ours, theirs in functions:
        print("| %s | %s |" % (name, " | ".join(cell(ours, theirs, kind, n) for kind, n in COLUMNS)), flush=True)


warnings.simplefilter("ignore")
table("numpy " + np.__version__, both(np, NUMPY))
if scipy:
    print()
    table("scipy " + scipy.__version__, (row for row in both(scipy.special, SCIPY)
                                         if not hasattr(np, NUMPY.get(row[0], row[0]))))
else:
    print("python.py: no scipy here", file=sys.stderr)
