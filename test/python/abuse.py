#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Functions with any sizes and values, mostly senseless: each gives an answer or an exception, and overwrites nothing.

    abuse.py SOURCE BUILD
"""
import random

import numpy as np

import direct
from tap import done, ok

import isakern as isk
from isakern._functions import Function
from isakern._operation import Operation
from isakern._tables import BY_OP, Role

ROUNDS = 3000
INTEGERS = (0, 1, 2, 3, 7, -1, 1000, 2 ** 31 - 1, -2 ** 31)
FLOATS = (0.0, 1.0, -1.0, 1e30, float("nan"), float("inf"))
GUARD = 64
CHOICE = random.Random(5)
# Only pools take windows and their places, and some pools are ufuncs.
FUNCTIONS = [f for name, f in vars(isk).items() if isinstance(f, Function)
             or isinstance(f, Operation) and name in BY_OP and any(a.name == "kernel_h" for a in BY_OP[name][0].shape.arguments)]


class Guarded:
    """Arrays amid guard bytes that must not change."""

    def __init__(self):
        self.whole = []

    def array(self, kind, shape, seed):
        size = int(np.prod(shape, dtype=int)) * kind.itemsize
        whole = np.full(GUARD + size + GUARD, 0xa5, "u1")
        self.whole.append(whole)
        array = whole[GUARD:GUARD + size].view(kind).reshape(shape)
        array[...] = direct.values(kind, shape, seed)
        return array

    def intact(self):
        return all((w[:GUARD] == 0xa5).all() and (w[len(w) - GUARD:] == 0xa5).all() for w in self.whole)


def value(a, kernel):
    return CHOICE.choice(FLOATS if a.dtypes(kernel)[0].kind == "f" else INTEGERS)


def attempt(function, seed):
    name = function.__name__
    kernels = [k for k in BY_OP[name] if all(a.dtypes(k) for a in k.shape.arguments if a.is_array)]
    kernel = CHOICE.choice(kernels)
    arguments = kernel.shape.arguments
    sizes = [CHOICE.choice((0, 1, 2, 3, 5, 9)) for _ in arguments]
    guarded = Guarded()

    def array(a):
        return guarded.array(a.dtypes(kernel)[0], [sizes[size] for size, _ in a.extents], seed)

    outs = [array(a) for a in arguments if a.role == Role.OUT and not a.inout]
    keywords = {"out": tuple(outs)} if outs else {}
    if isinstance(function, Operation):
        operands = [array(a) for a in arguments if a.role == Role.IN] + [value(a, kernel) for a in arguments if a.role == Role.VALUE]
    else:
        operands = [array(a) for a in function.inputs if not a.null]
        operands += [CHOICE.choice((None, array(a))) for a in function.inputs if a.null]
        keywords.update({a.name: sizes[arguments.index(a)] for a in function.free})
        keywords.update({a.name: value(a, kernel) for a in function.values})
    try:
        function(*operands, **keywords)
    except (ValueError, TypeError, IndexError, OverflowError):
        return guarded.intact(), True
    return guarded.intact(), False


outcome = [attempt(CHOICE.choice(FUNCTIONS), i) for i in range(ROUNDS)]
ok(all(intact for intact, _ in outcome), "%d senseless calls write nothing outside of their arrays" % ROUNDS)
ok(0 < sum(refused for _, refused in outcome) < ROUNDS, "some of them are refused and some answered",
   sum(refused for _, refused in outcome))
done()
