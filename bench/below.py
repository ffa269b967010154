#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every function that the package isakern has in common with numpy or scipy.special, in float32, float64 and int32, and those of
masks in bool: those that are slower than theirs, the slowest first.

    below.py FOLDER [N [LIMIT]]     FOLDER: where the package is, such as build/src/python; '': the installed one
                                    N: elements, 1000000 without it
                                    LIMIT: prints calls with a ratio below it, 1 without it

A ratio is the time of their function divided by that of isakern's, as in python.py. All calls are timed in a quick pass, those
with a ratio near LIMIT or below it three times more, with the median printed. isakern has one thread, so that numpy should have
no more: OPENBLAS_NUM_THREADS=1.
"""
import math
import sys

import numpy as np

import python as bench  # sets the path to the package
import isakern as isk
from isakern._names import NUMPY, OTHERS
from isakern._reduce import Reduction

QUICK, LONG = (3, 0.01), (10, 0.1)  # the least number of calls and of seconds, in the first pass and in the others
NEAR = 1.05
KINDS = ("f4", "f8", "i4", "?")
# Functions of other signatures than numpy's.
DIFFERENT = {"hamming", "pad"}


def numbers(kind, n, seed):
    r = np.random.default_rng(seed)
    # The integers are counts of shifts, exponents and divisors too.
    return r.random(n).astype(kind) if kind[0] == "f" else r.integers(0 if kind == "?" else 1, 2 if kind == "?" else 20, n).astype(kind)


def theirs_of(name):
    """The function of the name that numpy or scipy.special has, or None."""
    if name in OTHERS or name in DIFFERENT:
        return None
    theirs = getattr(np, NUMPY.get(name, name), None)
    return theirs if theirs or not bench.scipy else getattr(bench.scipy.special, bench.SCIPY.get(name, name), None)


def common():
    """The names of all functions that both have."""
    return [name for name in vars(isk) if not name.startswith("_") and callable(vars(isk)[name]) and callable(theirs_of(name))]


def maps(kind, n):
    """Calls of ufuncs: the name, the arguments in words, the operands and keywords."""
    for name in common():
        ours, theirs = getattr(isk, name), theirs_of(name)
        if not isinstance(ours, np.ufunc) or not isinstance(theirs, np.ufunc) or ours.nin != theirs.nin or (
                kind == "?" and not any(types.startswith("?" * ours.nin + "->") for types in ours.types)):
            continue
        operands = [numbers(kind, n, i) for i in range(ours.nin)]
        try:
            made, expected = (f(*[x[:1] for x in operands]) for f in (ours, theirs))
        except TypeError:
            continue
        text = ", ".join("xyz"[:ours.nin])
        yield name, text, operands, {}
        if kind[0] == "f":
            yield name, "x[::2]" + text[1:].replace("y", "y[::2]").replace("z", "z[::2]"), [x[::2] for x in operands], {}
        if made.dtype == expected.dtype:
            yield name, text + ", out=", operands, {"out": np.empty(n, made.dtype)}
        if ours.nin == 2:
            yield name, "x, 3", (operands[0], operands[0].dtype.type(3)), {}


def shapes(kind, n):
    """Arrays to reduce, by name."""
    x, side, edge = numbers(kind, n, 1), math.isqrt(n), round(n ** (1 / 3))
    yield "square", x[:side * side].reshape(side, side), (None, 0, 1)
    yield "square.T", x[:side * side].reshape(side, side).T, (0, 1)
    yield "wide", x[:n // 10 * 10].reshape(10, -1), (0, 1)
    yield "thin", x[:n // 10 * 10].reshape(-1, 10), (0, 1)
    yield "cube", x[:edge ** 3].reshape(edge, edge, edge), (0, 1, 2, (0, 1), (0, 2), (1, 2))
    yield "square[::2]", x[:side * side].reshape(side, side)[::2], (0, 1)
    yield "square[:, ::2]", x[:side * side].reshape(side, side)[:, ::2], (None, 0, 1)


def reductions(kind, n):
    names = [name for name in common() if isinstance(getattr(isk, name), Reduction)] + ["std", "var"]
    reduced = [name + ".reduce" for name in ("add", "mul", "maximum", "minimum")]
    reduced += [name + ".reduce" for name in ("bit_and", "bit_or", "bit_xor") if kind == "i4"]
    for what, x, axes in shapes(kind, n):
        for axis in axes if kind != "?" else ():
            yield from [(name, "%s, axis=%s" % (what, axis), (x,), {"axis": axis}) for name in names + reduced]


def others(kind, n):
    """Calls of functions that are neither ufuncs nor reductions."""
    side = math.isqrt(n)
    x, y = (numbers(kind, n, i)[:side * side].reshape(side, side) for i in (1, 2))
    if kind == "?":
        return
    for axis in (0, 1):
        yield "cumsum", "square, axis=%d" % axis, (x,), {"axis": axis}
    yield "cumsum", "x", (x.ravel(),), {}
    yield "clip", "x, 2, 8", (x.ravel(), 2, 8), {}
    if kind != "i4":
        yield "argsort", "square", (x,), {}
        yield "argsort", "x", (x.ravel(),), {}
        yield "dot", "x, y", (x.ravel(), y.ravel()), {}
        small = min(side, 256)
        yield "matmul", "%d by %d" % (small, small), (x[:small, :small].copy(), y[:small, :small].copy()), {}
        yield "softmax", "square, axis=1", (x,), {"axis": 1}
        yield "log_softmax", "square, axis=1", (x,), {"axis": 1}
        yield "logsumexp", "square, axis=1", (x,), {"axis": 1}
        yield "logsumexp", "square, axis=0", (x,), {"axis": 0}
        half = numbers("?", side * side, 3).reshape(x.shape)
        yield "sum", "square, where=half", (x,), {"where": half}
        yield "add", "square, where=half", (x, y), {"where": half, "out": np.zeros_like(x)}


def attribute(name):
    first, _, rest = name.partition(".")
    ours, theirs = getattr(isk, first), theirs_of(first)
    return (getattr(ours, rest), getattr(theirs, rest)) if rest else (ours, theirs)


def measured(name, operands, keywords, limit):
    ours, theirs = attribute(name)
    quick = bench.ratio(ours, theirs, operands, keywords, *QUICK)
    if quick >= NEAR * limit:
        return quick
    return sorted(bench.ratio(ours, theirs, operands, keywords, *LONG) for _ in range(3))[1]


def main():
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 10 ** 6
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else 1
    found, calls, seen = [], 0, set()
    for kind in KINDS:
        for calls_of in maps, reductions, others:
            for name, text, operands, keywords in calls_of(kind, n):
                try:
                    ratio = measured(name, operands, keywords, limit)
                except TypeError:  # isakern has no kernel of the type
                    continue
                calls += 1
                seen.add(name.partition(".")[0])
                if ratio < limit:
                    print("%.2f" % ratio, name, text, kind, file=sys.stderr, flush=True)
                    found.append((ratio, "%s(%s)" % (name, text), kind))
    print("| numpy's time / ours | call | type |\n|---:|---|---|")
    for ratio, call, kind in sorted(found):
        print("| %.2f | %s | %s |" % (ratio, call, kind))
    print("%d of %d calls of %d elements; not called: %s" % (
        len(found), calls, n, ", ".join(sorted(set(common()) - seen)) or "none"), file=sys.stderr)


if __name__ == "__main__":
    main()
