#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package isakern against numpy, and against scipy.special if that is installed: how many times as fast each common
function is, as tables of Markdown.

    python.py [FOLDER [TABLE...]]    FOLDER: where the package is, such as build/src/python; '': the installed one
                                     TABLE: numpy, scipy, ways (10^6 elements, called in different ways), integers (the rows
                                     of ways that are of integers); without it numpy, scipy and ways

Both take turns on the same array, one call each; a ratio is that of the shortest times, because a call that another program
interrupts takes several times as long. Numbers are from 0 to 1.
"""
import sys
import time
import warnings

import numpy as np

sys.path[:0] = filter(None, sys.argv[1:2])
import isakern as isk  # noqa: E402
from isakern._names import NUMPY, OTHERS  # noqa: E402

try:
    import scipy
    import scipy.special
except ImportError:
    scipy = None

SIZES = (100, 1_000_000)
SECONDS, LEAST = 0.3, 15  # all calls of a function and its counterpart take this long or longer, and each has as many or more
KINDS = {"e": "float16", "f": "float32", "d": "float64"}
SCIPY = {"sigmoid": "expit", "logsigmoid": "log_expit", "lgamma": "gammaln"}
INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
COLUMNS = [(kind, n) for n in SIZES for kind in KINDS]


def seconds(function, operands, keywords):
    start = time.perf_counter()
    function(*operands, **keywords)
    return time.perf_counter() - start


def ratio(ours, theirs, operands, keywords, least=LEAST, long=SECONDS):
    """The ratio of their shortest time to ours, of `least` calls of each or more, in `long` seconds or more."""
    pairs, end = [], time.perf_counter() + long
    while len(pairs) < least or time.perf_counter() < end:
        pairs.append((seconds(ours, operands, keywords), seconds(theirs, operands, keywords)))
    return min(t for _, t in pairs) / min(o for o, _ in pairs)


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
        if not isinstance(getattr(ours, "ufunc", ours), np.ufunc) or not callable(theirs) or name in OTHERS:
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


def ways():
    """Rows of a table: a call as text, what it is called with, and numpy's function if its name differs."""
    r = np.random.default_rng(1)
    for kind in ("f4", "f8"):
        x, y = r.random((1000, 1000)).astype(kind), r.random((1000, 1000)).astype(kind)
        thin, cube, few = x.reshape(-1, 10), x.reshape(100, 100, 100), r.random((100, 100)).astype(kind)
        yield from [(kind, name, "x, axis=0", (x,), {"axis": 0}) for name in ("sum", "mean", "max", "prod", "argmax", "std", "var")]
        yield from [(kind, name, "x, axis=1", (x,), {"axis": 1}) for name in ("sum", "mean", "max", "argmax", "std", "var")]
        yield from [(kind, name, "x", (x,), {}) for name in ("sum", "mean", "max", "min", "argmax", "std", "var", "count_nonzero")]
        yield from [(kind, "sum", "%s, axis=%s" % (what, axis), (one,), {"axis": axis}) for what, one, axis in (
            ("x.T", x.T, 0), ("x.T", x.T, 1), ("thin", thin, 0), ("thin", thin, 1), ("cube", cube, 1), ("cube", cube, (0, 2)), ("few", few, 0),
            ("x[::2]", x[::2], 0), ("x[:, ::2]", x[:, ::2], None))]
        yield from [(kind, "max", "x.T, axis=%d" % axis, (x.T,), {"axis": axis}) for axis in (0, 1)]
        some = r.random(x.shape) < 0.5
        yield kind, "sum", "x, where=half", (x,), {"where": some}
        runs = np.repeat(r.random(x.size // 50) < 0.5, 50).reshape(x.shape)
        for what, mask in (("half", some), ("runs of 50", runs)):
            yield from [(kind, name, "x, where=%s" % what, operands, {"where": mask, "out": np.zeros_like(x)}) for name, operands in (
                ("exp", (x,)), ("sqrt", (x,)), ("add", (x, y)))]
        yield from [(kind, name + ".reduce", "x, axis=%s" % axis, (x,), {"axis": axis}) for name in ("add", "maximum", "mul") for axis in (None, 0, 1)]
        yield from [(kind, "dot", "%d elements" % n, (x.ravel()[:n], y.ravel()[:n]), {}) for n in (100, 10 ** 6)]
        yield from [(kind, "matmul", "%d by %d" % (n, n), (x[:n, :n].copy(), y[:n, :n].copy()), {}) for n in (64, 500)]
        yield kind, "matmul", "(100, 30, 30)", (x.ravel()[:90000].reshape(100, 30, 30),) * 2, {}
        yield from [(kind, "argsort", what, (one,), {}) for what, one in (("1000 by 1000", x), ("10^6", x.ravel()))]
        yield kind, "clip", "x, 0.2, 0.8", (x, 0.2, 0.8), {}
    yield from ways_of_integers()


def ways_of_integers():
    r = np.random.default_rng(1)
    for kind in INTEGERS:
        x, y = (r.integers(0, 100, (1000, 1000)).astype(kind) for _ in range(2))
        yield from [(kind, name, "x, axis=%s" % axis if axis is not None else "x", (x,), {"axis": axis}) for name in (
            "sum", "max", "min", "prod", "mean", "argmax", "argmin", "count_nonzero")
                    for axis in (None, 0, 1)]
        yield from [(kind, name, "x, y", (x, y), {}) for name in ("add", "sub", "mul", "minimum", "maximum", "bit_and", "eq", "lt", "ge")]


def attribute(module, path):
    for name in path.split("."):
        module = getattr(module, NUMPY.get(name, name) if module is np else name)
    return module


def way_cell(name, operands, keywords):
    try:
        return "%.2f" % ratio(attribute(isk, name), attribute(np, name), operands, keywords)
    except TypeError:  # isakern has no kernel of the type
        return "-"


warnings.simplefilter("ignore")


def main():
    tables = sys.argv[2:] or ["numpy", "scipy", "ways"]
    if "numpy" in tables:
        table("numpy " + np.__version__, both(np, NUMPY))
    if "scipy" in tables and scipy:
        print()
        table("scipy " + scipy.__version__, (row for row in both(scipy.special, SCIPY)
                                             if not hasattr(np, NUMPY.get(row[0], row[0]))))
    elif "scipy" in tables:
        print("python.py: no scipy here", file=sys.stderr)
    if "ways" in tables or "integers" in tables:
        rows = {}
        for kind, name, text, operands, keywords in ways() if "ways" in tables else ways_of_integers():
            rows.setdefault("%s(%s)" % (name, text), {})[kind] = way_cell(name, operands, keywords)
        for kinds in (("f4", "f8"), INTEGERS):
            of_kinds = {call: cells for call, cells in rows.items() if cells.keys() & set(kinds)}
            if of_kinds:
                print("\n| call | %s |\n|---|%s" % (" | ".join(kinds), "---:|" * len(kinds)))
            for call, cells in of_kinds.items():
                print("| %s | %s |" % (call, " | ".join(cells.get(kind, "-") for kind in kinds)))


if __name__ == "__main__":
    main()
