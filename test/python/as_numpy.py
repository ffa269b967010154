#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Functions that have numpy's names, called in all of numpy's ways: the same types, shapes, values and classes of exceptions.

    as_numpy.py SOURCE BUILD
"""
import itertools
import operator
import warnings

import numpy as np

import direct  # sets the path to the package
from refusals import refused
from tap import done, ok

import isakern as isk

R = np.random.default_rng(3)
KINDS = "?bBhHiIlLefd"
SHAPES = [(), (5,), (0,), (3, 4), (2, 3, 4), (0, 3), (3, 0), (1, 3, 4, 5)]
AXES = (None, 0, -1, 1, (0, 1), (0, -1), (), 5, 1.5, (0, 0))


def outcome(function, args, keywords):
    if "out" in keywords:
        keywords = {**keywords, "out": keywords["out"].copy()}
    try:
        return function(*args, **keywords)
    except Exception as reason:  # compared with that of the other one
        return reason


def agree(ours, theirs, kind):
    """Whether two outcomes agree: exceptions by class, numbers within the rounding of the type."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        return isinstance(theirs, Exception) and (isinstance(ours, type(theirs)) or type(ours) in type(theirs).__mro__)
    close = np.allclose(ours, theirs, rtol=4e-3 if kind == "e" else 1e-5, atol=1e-5, equal_nan=True)
    return np.shape(ours) == np.shape(theirs) and np.asarray(ours).dtype == np.asarray(theirs).dtype and close


def compare(name, calls, theirs_name=None):
    """calls: tuples of the type, positional arguments and keywords."""
    wrong, count = [], 0
    functions = operator.attrgetter(name)(isk), operator.attrgetter(theirs_name or name)(np)
    for kind, args, keywords in calls:
        ours, theirs = (outcome(function, args, keywords) for function in functions)
        count += 1
        if not agree(ours, theirs, kind):
            told = {name: "%s %s" % (one.dtype, one.shape) if isinstance(one, np.ndarray) else one for name, one in keywords.items()}
            wrong.append("%s%s %s: %.200r and not %.200r" % (kind, [np.shape(a) for a in args], told, ours, theirs))
    ok(count and not wrong, "%s: %d calls as numpy's" % (name, count), "\n".join(wrong[:3])[:900])


def layouts(x):
    return (x, np.asfortranarray(x)) if x.ndim > 1 else (x,)


def arrays(kinds=KINDS, shapes=SHAPES, most=3):
    for kind, shape in itertools.product(kinds, shapes):
        yield kind, R.integers(0 if kind in "?BHIL" else -most, most + 1, shape).astype(kind)


def reductions(name):
    for kind, x in arrays():
        for axis, kept in itertools.product(AXES, (False, True)):
            if x.ndim == 0 and name in ("mean", "std", "var") and axis is not None or name.startswith("arg") and isinstance(axis, tuple):
                continue  # numpy's mean refuses the axes of a number that its sum takes, and argmax takes one axis
            for one in layouts(x):
                yield kind, (one,), {"axis": axis, **({"keepdims": True} if kept else {})}
        if name in ("sum", "prod", "max", "min", "mean", "std", "var"):
            some = R.random(x.shape) < 0.5
            for axis in (None, 0):
                yield kind, (x,), {"axis": axis if x.ndim else None, "where": some}
                if name in ("sum", "prod", "max", "min"):
                    yield kind, (x,), {"axis": axis, "where": some, "initial": 2}
                    yield kind, (x,), {"axis": axis, "initial": 1}
                if name in ("std", "var"):
                    yield kind, (x,), {"axis": axis if x.ndim else None, "ddof": 1}
                    yield kind, (x,), {"axis": axis if x.ndim else None, "ddof": 2}
        if name in ("sum", "prod", "mean") and kind in "bild":
            yield from ((kind, (x,), {"dtype": other}) for other in ("f4", "f8", "i8"))
            yield from ((kind, (x, None), {"out": np.zeros(shape, other)}) for shape, other in (((), "f8"), ((3,), "f8"), ((), "i1")))


def reduces():
    """Calls of reduce() of a ufunc, which is numpy's for few elements and the package's for more."""
    for kind, x in itertools.chain(arrays(), arrays(shapes=[(5000,), (70, 80), (20, 15, 17)], most=1)):
        for axis, one in itertools.product(AXES, (*layouts(x), x.tolist())):
            if isinstance(one, list) and (x.size == 0 or x.size > 100):
                continue  # an empty list is of float64
            yield kind, (one, axis), {}
            yield kind, (one,), {"axis": axis, "keepdims": True}
        yield from ((kind, (x,), more) for more in ({}, {"initial": 2}, {"dtype": "f8"}, {"where": x > 1, "initial": 0}, {"axis": 0, "more": 1}))


def scans():
    for kind, x in arrays("fdilBL"):
        for axis, one in itertools.product(AXES, layouts(x)):
            yield kind, (one, axis), {}
        yield kind, (x,), {"out": np.zeros(x.size, kind)}
        if x.size:  # numpy repeats the sums of nothing into any array
            yield kind, (x,), {"out": np.zeros(x.size + 1, kind)}
    yield from ((kind, (np.arange(5), 0, kind), {}) for kind in "fd")


def products():
    shapes = [((3,), (3,)), ((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)),
              ((6, 1, 2, 3), (5, 3, 4)), ((0, 3), (3, 2)), ((2, 0), (0, 2)), ((3,), (5, 3, 2)), ((5, 2, 3), (3,)), ((), (3,)), ((2,), (3,)),
              ((2, 3), (2, 3)), ((4, 2, 3), (5, 3, 2))]
    for kind, (a, b) in itertools.product("efd", shapes):
        x, y = R.random(a).astype(kind), R.random(b).astype(kind)
        for one, other in itertools.product(layouts(x), layouts(y)):
            yield kind, (one, other), {}
        if np.ndim(x) == np.ndim(y) == 2:
            yield from ((kind, (x, y), {"out": np.zeros(shape, kind)}) for shape in ((2, 4), (4, 2)))


def chosen(name, count):
    """Calls of a ufunc with where=, into arrays that hold something."""
    for shape, mask in (((7, 9), (7, 9)), ((70, 90), (70, 90)), ((70, 90), (90,)), ((90,), (70, 90)), ((100000,), (100000,)), ((), ()), ((0,), (0,)), ((4,), (3,))):
        x = [R.random(shape).astype("f4") for _ in range(count)]
        some = R.random(mask) < 0.5
        fits = shape != (4,)
        out = np.ones(np.broadcast_shapes(shape, mask) if fits else shape, "f4")
        # Without out numpy leaves the other elements as memory was.
        yield "f", x, {"where": some, "out": out}
        yield "f", x, {"where": some, "out": out.astype("f8")}
        yield "f", x, {"where": some, "out": out.astype("i4")}
        yield "f", x, {"where": some.astype("i4"), "out": out}
        if fits:
            yield "f", [one.T for one in x], {"where": some.T, "out": out.T}
            yield "f", [one[::-1] if one.ndim else one for one in x], {"where": some, "out": out}


warnings.simplefilter("ignore")
for reduction in ("sum", "prod", "max", "min", "argmax", "argmin", "mean", "count_nonzero", "std", "var"):
    compare(reduction, reductions(reduction))
compare("cumsum", scans())
for name, theirs in (("add", "add"), ("mul", "multiply"), ("maximum", "maximum")):
    compare(name + ".reduce", reduces(), theirs + ".reduce")
for product in ("matmul", "dot"):
    compare(product, products())
for ufunc, inputs in (("exp", 1), ("sqrt", 1), ("add", 2), ("maximum", 2), ("isnan", 1)):
    compare(ufunc, chosen(ufunc, inputs))
big = np.array([2 ** 63 + 5, 3, 2 ** 64 - 1], "u8")
for name in ("sum", "prod", "max", "min", "argmax", "argmin", "count_nonzero"):
    compare(name, [("L", (big,), {}), ("l", (big.astype("i8"),), {}), ("l", (np.array([2 ** 60 + 1, 2 ** 60]),), {})])
for name, one in (("add", np.add), ("mul", np.multiply), ("maximum", np.maximum), ("minimum", np.minimum), ("bit_and", np.bitwise_and),
                  ("bit_or", np.bitwise_or), ("bit_xor", np.bitwise_xor)):
    wrong = []
    for kind, n, step in itertools.product("lifed", (0, 1, 2, 3, 4, 5, 31, 1000, 5000, 20001), (1, 2, -1)):
        if kind in "fed" and name.startswith("bit"):
            continue
        x = (R.integers(-2, 3, n * 2) if kind in "il" else R.integers(1, 9, 2 * n) / 8 if name != "mul" else R.integers(1, 3, 2 * n) / 2).astype(kind)
        x = x[:n] if step == 1 else x[::2] if step == 2 else x[:n][::-1]
        got, wanted = (outcome(f.reduce, (x,), {"dtype": kind}) for f in (getattr(isk, name), one))
        if kind == "e" and n > 31:
            continue  # numpy adds float16 in float32
        wide = "d" if kind in "fd" else kind
        if not (agree(got, wanted, "e") or n and kind in "fd" and np.isclose(got, outcome(one.reduce, (x.astype(wide),), {}), rtol=1e-4)):
            wrong.append("%s %d %d: %s and not %s" % (kind, n, step, got, wanted))
    ok(not wrong, name + ".reduce", "\n".join(wrong[:5]))
x = np.arange(6, dtype="f4").reshape(2, 3)
ok(isk.clip(x, low=1, high=3).tolist() == np.clip(x, 1, 3).tolist() == isk.clip(x, 1, high=3).tolist(), "values as keywords")
refused(TypeError, "clip: missing a required argument: 'high'", "a value that is missing", isk.clip, x, 1)
refused(TypeError, "clip: multiple values for argument 'low'", "a value given twice", isk.clip, x, 1, low=1)
ok(np.array_equal(isk.argsort(x[::-1]), np.argsort(x[::-1])) and np.array_equal(isk.argsort(x, descending=1), [[2, 1, 0]] * 2), "argsort")
values, places = isk.topk(x[1], k=2)
ok(values.tolist() == [5, 4] and places.tolist() == [2, 1], "topk of a vector")
ok(isk.topk(np.stack([x, x]), k=1)[1].tolist() == [[[2], [2]]] * 2, "topk of more than rows")
ok(isk.sum(x.astype("f2"), dtype="f4").dtype == "f4", "a sum of float16 as C returns it")
ok(isk.floor_div(-7.5, 2) == -4 and isk.floor_mod(np.float32(-7.5), np.float32(2)) == 0.5, "quotients of floats")
wrong = []
for name in ("add", "sub", "mul", "floor_div", "floor_mod", "shl", "shr", "bit_and", "bit_xor", "maximum", "lt", "ne"):
    for kind, number in itertools.product(("i4", "i8"), (0, 1, 3, 40, 2**31 - 1, -1, -7)):
        x = np.array([0, 1, 5, 2**31 - 1, 7, -1, -2**31, -9] * 40).astype(kind)
        one = np.array(number).astype(kind)
        want = getattr(isk, name)(x, np.full_like(x, one))
        if not np.array_equal(getattr(isk, name)(x, one), want):
            wrong.append("%s %s %d" % (name, kind, number))
ok(not wrong, "a number behind integers is as an array of it", wrong)
ok(isinstance(isk.exp, np.ufunc) and isinstance(isk.add, np.ufunc), "maps are ufuncs of numpy")
done()
