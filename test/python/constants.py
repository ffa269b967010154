#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ufuncs of arrays and single elements, which are arrays of equal elements to a kernel, or values.

    constants.py SOURCE BUILD
"""
import copy
import itertools
import pickle

import numpy as np

import direct  # sets the path to the package
from tap import done, ok

import isakern as isk
from isakern._names import NUMPY

R = np.random.default_rng(5)
# Fewer elements than a vector, and more than the buffer of a constant has.
SIZES = (1, 5, 1000, 5000)
OPS = [(name, ufunc) for name, ufunc in vars(isk).items() if isinstance(ufunc, np.ufunc) and ufunc.signature is None]


def numbers(kind, n):
    return (R.integers(0, 2, n) if kind == "?" else R.integers(1, 7, n) if kind in "bBhHiIlL" else R.random(n) + 0.5).astype(kind)


def bits(x):
    return np.ascontiguousarray(x).view("u1")


def is_full(name, ufunc):
    """Whether calls with each choice of constant inputs have the bits of calls with arrays."""
    for types, n in itertools.product(ufunc.types, SIZES):
        inputs = types.split("->")[0]
        if set(inputs) - set("?bBhHiIlLefd"):
            continue
        arrays = [numbers(kind, n) for kind in inputs]
        for chosen in itertools.product((False, True), repeat=len(inputs)):
            few = [x[n // 2] if c else x for x, c in zip(arrays, chosen)]
            full = [np.full(n, x[n // 2]) if c else x for x, c in zip(arrays, chosen)]
            wanted = ufunc(*full, signature=types)
            # Arrays of one dimension, because numpy computes with numbers alone in another way.
            got = ufunc(*[np.broadcast_to(x, n) for x in few], signature=types)
            if not np.array_equal(bits(got), bits(wanted)):
                return "%s %d %s" % (types, n, chosen)
            if not all(chosen) and not np.array_equal(bits(ufunc(*few, signature=types)), bits(wanted)):
                return "%s %d %s, numbers" % (types, n, chosen)
            target = next((x.copy() for x, c in zip(arrays, chosen) if not c and x.dtype == wanted.dtype), None)
            if target is not None:
                at = next(i for i, c in enumerate(chosen) if not c and arrays[i].dtype == wanted.dtype)
                few[at] = target
                if not np.array_equal(bits(ufunc(*few, out=target, signature=types)), bits(wanted)):
                    return "%s %d %s, in place" % (types, n, chosen)
    return ""


for name, ufunc in OPS:
    if ufunc.nin > 1 and ufunc.nout == 1:
        wrong = is_full(name, ufunc)
        ok(not wrong, "%s with constants" % name, wrong)
wide = np.arange(12, dtype="f4").reshape(3, 4)
ok(np.array_equal(isk.sub(wide, wide[:, :1]), wide - wide[:, :1]) and np.array_equal(isk.sub(wide[0], wide), wide[0] - wide), "rows and columns")

# Types are numpy's, also if numbers of Python count less than arrays.
OPERANDS = [np.ones(3, kind) for kind in "bBhHiIlefd"] + [1, -1, 1.5, 300, 70000, 1e300, np.float32(2), np.int8(3), np.uint64(3), np.float64(1e9),
                                                          np.array(5, "i8"), np.ones(2, ">f4")[:1], True]
for name in ("add", "mul", "div", "maximum", "eq", "atan2"):
    wrong = []
    for a, b in itertools.product(OPERANDS, OPERANDS):
        with np.errstate(all="ignore"):
            wanted = getattr(np, NUMPY.get(name, name))(a, b).dtype
        try:
            got = getattr(isk, name)(a, b).dtype
        except TypeError:
            continue  # a type without a kernel
        # Integers of 8 and 16 bits may become a float of theirs, as in exp().
        if got != wanted and not (name in ("div", "atan2") and got.kind == wanted.kind == "f"):
            wrong.append("%r, %r: %s and not %s" % (a, b, got, wanted))
    ok(not wrong, "types of %s" % name, "\n".join(wrong[:5]))

ok(isinstance(isk.add, np.ufunc) and isk.add.__doc__ and pickle.loads(pickle.dumps(isk.add)) is isk.add is copy.deepcopy(isk.add),
   "a ufunc with a reduce() of its own is numpy's, and pickled by its name")
done()
