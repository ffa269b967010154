#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package as numpy's users know ufuncs: numpy's functions of the same names, numpy's own tables of results, axes,
overlap, reduce, threads, warnings, exceptions.

    behaviour.py SOURCE BUILD
"""
import csv
import glob
import itertools
import os
import pickle
import sys
import threading
import time
import warnings

import numpy as np

import direct
from refusals import refused
from tap import done, ok, skip

import isakern as isk
from isakern._names import WITHOUT_NUMPYS_LOOPS, ufunc_of_numpy
from isakern._operation import Operation

TABLES = os.path.join(os.path.dirname(np.__file__), "core", "tests", "data")
OURS = {"arc" + name: "a" + name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
# numpy's remainder belongs to floor division, ours to IEEE 754 and C.
OTHERS = {"remainder"}
R = np.random.default_rng(11)
X = R.standard_normal((6, 7, 8)).astype("f4")


class Other(np.ndarray):
    """An array of a class of its own."""


def numpy_tables():
    """numpy's tables for f32 and f64: bits of inputs and results, and tolerances in ulp."""
    paths = sorted(glob.glob(os.path.join(TABLES, "umath-validation-set-*.csv")))
    if not paths:
        skip("numpy's tables", "there are none in " + TABLES)
    for path in paths:
        name = os.path.basename(path)[len("umath-validation-set-"):-len(".csv")]
        rows = {}
        with open(path, encoding="utf-8") as f:
            for kind, x, y, ulps in csv.reader(line for line in f if line.startswith("np.")):
                rows.setdefault(kind[3:], []).append((int(x, 16), int(y, 16), int(ulps)))
        for function in (getattr(isk, prefix + OURS.get(name, name), None) for prefix in ("", "cr_")):
            for kind, listed in rows.items():
                char = np.dtype(kind).char
                if function is None or char + "->" + char not in function.types:
                    continue
                unsigned = "u%d" % np.dtype(kind).itemsize
                x, y = (np.array([row[i] for row in listed], unsigned).view(kind) for i in (0, 1))
                got = function(x)
                off = [(a, d, row[2]) for a, d, row in zip(x, map(direct.ulps, got[:, None], y[:, None]), listed) if d > row[2]]
                ok(not off, "%s of %s: %d rows of numpy's table" % (function.__name__, kind, len(listed)), off[:9])


def like_numpy():
    """The results of numpy's function of that name in double, within the bound and numpy's own rounding."""
    for name, function in vars(isk).items():
        theirs = getattr(np, name, None)
        if not (isinstance(function, np.ufunc) and isinstance(theirs, np.ufunc) and theirs.nin == function.nin) or name in OTHERS:
            continue
        for types in function.types:
            inputs, output = types.split("->")
            if output not in "efd?" or set(inputs) - set("efd"):
                continue
            operands = [np.abs(X).astype(c) / 4 if i == 0 else (X.astype(c) ** 2)[::-1] / 8 for i, c in enumerate(inputs)]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = theirs(*[o.astype("f8") for o in operands])
            got = function(*operands, signature=types)
            if output == "?":
                ok(np.array_equal(got, wanted), "%s %s is numpy's" % (name, types))
                continue
            rows = [k for k in isk._tables.BY_OP[name] if types == "%s->%s" % (inputs, output) and np.dtype(
                output) in isk._tables.DTYPES.get(k.types[0], [])]
            error = min(0.5 if k.error_baseline == "exact" else max(float(k.error) if k.error != "exact" else 0.5,
                                                                    float(k.error_baseline)) for k in rows)
            off = direct.ulps(got, wanted.astype(output))
            # Both are rounded: numpy's result by half an ulp, and in double by the error of numpy's functions.
            ok(off <= error + (0.5 if output != "d" else 4), "%s %s is within %s ulp of numpy's" % (name, types, error), off)
    wide = X.astype("f8")
    for name, wanted in {"sum": wide.sum(1), "mean": wide.mean(1), "prod": wide.prod(1), "max": wide.max(1), "min": wide.min(1),
                         "argmax": wide.argmax(1), "argmin": wide.argmin(1), "nrm2": np.sqrt((wide ** 2).sum(1)),
                         "logsumexp": np.log(np.exp(wide).sum(1)), "count_nonzero": np.count_nonzero(wide, axis=1)}.items():
        for kind in ("f4", "f8"):
            got = getattr(isk, name)(X.astype(kind), axis=1)
            ok(got.shape == (6, 8) and np.allclose(got, wanted, rtol=2e-6, atol=2e-6), "%s of %s along an axis" % (name, kind))
    soft = np.exp(wide) / np.exp(wide).sum(1, keepdims=True)
    ok(np.allclose(isk.softmax(X, axis=1), soft, rtol=1e-5), "softmax along an axis")
    ok(np.allclose(isk.vecdot(X, X[0]), (wide * wide[0]).sum(-1), rtol=1e-5, atol=1e-5), "vecdot, broadcast")
    ok(isk.sum(X, axis=-1, keepdims=True).shape == (6, 7, 1), "keepdims")


def ways_of_ufuncs():
    x = X.ravel().copy()
    for shift in (1, 3, 17):
        for ahead in (False, True):
            buffer = x.copy()
            source, target = (buffer[shift:], buffer[:-shift]) if ahead else (buffer[:-shift], buffer[shift:])
            wanted = isk.exp(source.copy())
            isk.exp(source, out=target)
            ok(direct.same(target, wanted), "an output that begins %d elements %s its input" % (
                shift, "before" if ahead else "behind"))
    buffer = x.copy()
    ok(isk.exp(buffer, out=buffer) is buffer and direct.same(buffer, isk.exp(x)), "in place")
    mask = np.frombuffer(bytearray(range(100)), "u1")
    wanted = isk.lt(mask, mask[::-1].copy())
    ok(direct.same(isk.lt(mask, mask[::-1].copy(), out=mask.view("?")), wanted), "an output of another type in an input")
    backwards = x.copy()
    wanted = isk.add(x, x[::-1].copy())
    ok(direct.same(isk.add(backwards, backwards[::-1], out=backwards), wanted), "an output that is one input backwards")
    integers = np.arange(1, 101, dtype="i4")
    for what, got, wanted in (("reduce", isk.add.reduce(integers), np.add.reduce(integers)),
                              ("accumulate", isk.add.accumulate(integers), np.add.accumulate(integers, dtype="i4")),
                              ("outer", isk.mul.outer(integers, integers), np.multiply.outer(integers, integers)),
                              ("reduceat", isk.add.reduceat(integers, [0, 10, 5]), np.add.reduceat(integers, [0, 10, 5])),
                              ("reduce along an axis", isk.maximum.reduce(X, axis=1), X.max(1))):
        ok(np.array_equal(got, wanted), what, "%s\n%s" % (got, wanted))
    at = np.zeros(3, "i4")
    isk.add.at(at, [0, 0, 2], 5)
    ok(at.tolist() == [10, 0, 5], "at")
    alpha = np.where(np.arange(x.size) % 5 < 2, 0.5, 0.25).astype("f4")
    ok(direct.same(isk.leaky_relu(x, alpha), np.where(x < 0, alpha * x, x)), "a value for each element")
    ok(isk.leaky_relu(x, 0.5).dtype == "f4" and isk.leaky_relu(x.astype("f2"), 0.5).dtype == "f2", "a number of Python as a value")
    ok(isk.quantize(x, 0.1, 3, dtype="u1").dtype == "u1", "dtype chooses the type of the result")
    ok(isk.exp(np.float32(1)) == np.exp(np.float64(1)).astype("f4"), "a number")
    ok(isk.exp([0, 1]).dtype == "f8", "a list") if "d->d" in isk.exp.types else skip("a list", "no kernels of f64: no SLEEF")
    ok(direct.same(isk.exp(x.astype(">f4")), isk.exp(x)), "the other byte order")
    odd = np.frombuffer(b"\0" + x.tobytes(), "u1")[1:].view("f4")
    ok(direct.same(isk.exp(odd), isk.exp(x)), "an array that is not aligned")
    ok(isk.sum(np.zeros((3, 0), "f4"), axis=1).tolist() == [0, 0, 0] and isk.max(np.zeros((0, 0), "f4"), axis=1).shape == (0,), "sums of nothing")
    ok(isk.softmax(np.zeros((0, 4), "f4")).shape == (0, 4) and isk.softmax(np.zeros((4, 0), "f4")).shape == (4, 0), "no rows")
    huge = np.broadcast_to(np.float32(1), (1 << 24,))
    ok(isk.sum(huge) == 1 << 24, "a long array of one element in memory")
    ok(pickle.loads(pickle.dumps([isk.exp, isk.sum, isk.layernorm, isk.topk])) == [isk.exp, isk.sum, isk.layernorm, isk.topk], "functions pickled")


def several_axes():
    wide = X.astype("f8")
    for axis in (None, (0, 2), (-1, 0), (1,), ()):
        for keepdims in (False, True):
            got = isk.max(X, axis=axis, keepdims=keepdims)
            ok(direct.same(got, wide.max(axis=axis, keepdims=keepdims).astype("f4")), "max, axis=%s, keepdims=%s" % (axis, keepdims), got)
    ok(isk.argmax(X, axis=None) == X.argmax(), "argmax of all")
    ok(direct.same(isk.sum(X, axis=(0, 1)), isk.sum_cols(X.reshape(42, 8))), "a sum over outer axes is that of columns")
    ok(direct.same(isk.sum(X, axis=(0, 2)), isk.sum_rows(np.moveaxis(X, 1, 0).reshape(7, 48))), "and with the last axis that of rows")
    large = R.standard_normal((60, 50, 60))  # copied in parts
    rows = np.moveaxis(large, 1, 0).reshape(50, -1)
    ok(direct.same(isk.sum(large, axis=(0, 2)), isk.sum_rows(rows)), "a large one as well")
    ok(all(map(direct.same, isk.meanvar(large, axis=(0, 2)), isk.meanvar(rows, axis=1))), "and one of two results")
    four = R.standard_normal((5, 4, 3, 2))
    for axis in itertools.chain.from_iterable(itertools.combinations(range(4), i) for i in range(5)):
        ok(direct.same(np.asarray(isk.min(four, axis=axis)), four.min(axis=axis)), "min of four dimensions, axis=%s" % (axis,))
    ok(np.isnan(isk.max(np.where(four > 2, np.nan, four), axis=(0, 3))).sum() == (four > 2).any(axis=(0, 3)).sum(), "NaN in parts")
    ok(np.isclose(isk.vecdot(X, X[0], axis=None), (wide * wide[0]).sum(), rtol=1e-5), "vecdot over all axes, broadcast")
    low, high = isk.minmax(X, axis=(1, 2))
    ok(direct.same(low, X.min((1, 2))) and direct.same(high, X.max((1, 2))), "two results over two axes")
    out = np.zeros((1, 7, 1), "f4")
    ok(isk.max(X, axis=(0, 2), keepdims=True, out=out) is out and direct.same(out, X.max((0, 2), keepdims=True)), "out")
    refused(TypeError, "softmax: axis: expected an integer, not None", "no axis of what makes rows", isk.softmax, X, axis=None)
    refused(np.AxisError, "sum: axis: axis 3", "an axis too many", isk.sum, X, axis=(0, 3))
    refused(ValueError, "repeated", "an axis twice", isk.sum, X, axis=(0, 0))


def outputs_that_are_inputs():
    """An input that has more core dimensions than the output, and is broadcast: the output has its shape, and lies in it."""
    tried = 0
    for name, function in vars(isk).items():
        if not isinstance(function, Operation) or function.signature is None or function.nout != 1:
            continue
        types = next((t for t in function.types if set(t.split("->")[0]) <= set("fd?i") and t[0] == t[-1]), None)
        sizes = [len(core.split(",")) if core else 0 for core in function.cores]
        for i in range(function.nin):
            more = sizes[i] - sizes[-1]
            if types is None or types[i] != types[-1] or more <= 0:
                continue
            operands = [R.integers(1, 3, (3,) * ((more if j != i else 0) + sizes[j])).astype(types[j]) for j in range(function.nin)]
            wanted = function(*[o.copy() for o in operands])
            ways = [(operands, {"out": operands[i]}), (operands + [operands[i]], {})]
            for given, keywords in ways:
                before = operands[i].copy()
                got = function(*given, **keywords)
                ok(got is operands[i] and direct.same(got, np.broadcast_to(wanted, got.shape)), "%s into its input %d" % (name, i), "%s\n%s" % (got, wanted))
                operands[i][...] = before
            tried += 1
    ok(tried > 12, "inputs that are outputs were tried", tried)
    v, m = np.array([1, 2], "f4"), np.array([[0, 1], [1, 0]], "f4")
    ok(isk.vecdot(v, m, out=v).tolist() == [2, 1] and v.tolist() == [2, 1], "vecdot of the issue")
    x = X[0].copy()
    ok(isk.softmax(x, out=x) is x and direct.same(x, isk.softmax(X[0])), "softmax in place")


def integers():
    """They stay integers, or are refused."""
    big = np.array([2 ** 60 + 1, 3], "u8")
    for name, operands in (("add", [big, big.astype("i8")]), ("eq", [big, big.astype("i8")]), ("cvt", [big]), ("relu", [np.ones(3, "u1")]),
                           ("clamp", [big.astype("i4"), 0, 1]), ("vecdot", [big.astype("i8")] * 2)):
        refused(TypeError, "%s: no kernel for integers of %s" % (name, operands[0].dtype), name + " of 64 bits", getattr(isk, name), *operands,
                **({"dtype": "f4"} if name == "cvt" else {}))
    ok(isk.add.reduce(big) == 2 ** 60 + 4, "a sum of uint64")
    ok(isk.add(big.astype("i8"), 1).tolist() == [2 ** 60 + 2, 4], "int64 is exact")
    ok(isk.add(big, np.array([0.5, 0.5])).dtype == "f8", "integers beside floats become floats")
    ok(isk.add(big, big, signature="dd->d").dtype == "f8", "and where the caller says so")
    if "d->d" in isk.exp.types:
        ok(isk.exp(big).dtype == "f8", "an operation of floats alone takes integers")
    for op, operands in (("sub", [np.ones(3, "?")] * 2), ("neg", [np.ones(3, "?")])):
        refused(TypeError, op + ": truths have no difference", op + " of truths", getattr(isk, op), *operands)
    ok(isk.floor_mod(np.ones(3, "i1"), np.zeros(3, "i1")).tolist() == isk.floor_mod(np.ones(3, "i4"), np.zeros(3, "i4")).tolist(),
       "floor_mod by 0 is the same for all integers")
    tried = 0
    for op in vars(isk):  # by numpy's loops and by kernels
        theirs = ufunc_of_numpy(op)
        for text in theirs.types if theirs is not None else ():
            kinds = text.split("->")[0]
            if op in WITHOUT_NUMPYS_LOOPS or theirs.signature is not None or set(text) - set("?bBhHiIlL->"):
                continue
            bits = R.integers(1, 256, 8 * 60, "u1")
            operands = [(bits < 99)[20 * i:20 * i + 20] if kind == "?" else bits.view(kind)[20 * i:20 * i + 20] for i, kind in enumerate(kinds)]
            if op in ("pow", "shl", "shr"):
                operands[1] = operands[1] % 5 if op == "pow" else operands[1] % (8 * operands[0].itemsize)
                operands[1] = np.abs(operands[1]).astype(kinds[1])
            with np.errstate(all="ignore"):
                ok(direct.same(getattr(isk, op)(*operands), theirs(*operands)), "%s of %s is numpy's" % (op, text))
            tried += 1
    ok(tried > 250, "loops of integers were tried", tried)
    for kind in "bBhHiIlL":
        least, most = np.iinfo(kind).min, np.iinfo(kind).max
        x = np.array([[3, least, 5], [most, 1, most]], kind)
        for op in ("sum", "max", "min", "argmax", "argmin"):
            for axis in (None, 0, 1):
                ok(direct.same(np.asarray(getattr(isk, op)(x, axis=axis)), np.asarray(getattr(np, op)(x, axis=axis))),
                   "%s of %s, axis=%s" % (op, np.dtype(kind), axis))
        ok(isk.max(x, where=x < 4, initial=0) == 3 and isk.min(x, where=x > 4, initial=most) == 5, "extremes of %s by where=" % np.dtype(kind))


def masked_arrays():
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    for op in ("sum", "max", "std", "var", "cumsum"):
        refused(TypeError, "%s: a: a masked array" % op, op + " of a masked array", getattr(isk, op), masked)
    ok(isk.sum(masked.compressed()) == 1, "its elements")


def types_of_results():
    numbers = np.array([1.5, 300, -2.5], "f4")
    for name, operands in (("cvt", [numbers]), ("quantize", [numbers, 0.5, 3]), ("quantize_rows", [X[0]])):
        refused(TypeError, name + ": dtype or out must say which type to make; there are ", name + " without a type", getattr(isk, name), *operands)
        refused(TypeError, name + ": no kernel makes complex64; there are ", name + " to complex numbers", getattr(isk, name), *operands,
                dtype="c8")
    for kind in ("f2", "f8", "i1", "u1", "i4", "i8"):
        if "f->" + np.dtype(kind).char not in isk.cvt.types:
            continue
        out = np.empty(3, kind)
        ok(direct.same(isk.cvt(numbers, out=out), isk.cvt(numbers, dtype=kind)) and isk.cvt(numbers, out).dtype == kind,
           "out chooses the type of the result: " + kind)
    y, scale, zero = isk.quantize_rows(X[0], dtype="u1")
    ok((y.dtype, scale.dtype, zero.dtype) == ("u1", "f4", "i4"), "dtype is that of the first result")


def values_in_range():
    numbers = np.arange(5, dtype="f4")
    for scale in (-1, 0, np.nan, np.inf, 1e39, [1, 1, 0, 1, 1]):
        bad = [s for s in np.ravel(scale) if not 0 < s < 1e38][0]
        out = np.full(5, 77, "u1")
        refused(ValueError, "quantize: scale: %s is not positive and finite" % bad, "a scale of %s" % scale, isk.quantize, numbers, scale, 3,
                out=out)
        ok((out == 77).all(), "nothing is written")
    for kind, zeros, allowed in (("u1", (300, -1, 2 ** 32 + 5), "from 0 to 255"), ("i1", (128, -129), "from -128 to 127")):
        for zero in zeros:
            refused(ValueError, "quantize: zero: %d is not %s" % (zero, allowed), "zero %d of %s" % (zero, kind), isk.quantize, numbers, 1, zero,
                    dtype=kind)
    refused(TypeError, "quantize: zero: expected an integer, not 1.5", "half a zero point", isk.quantize, numbers, 1, 1.5, dtype="u1")
    refused(ValueError, "dequantize: zero: 4294967301 is not from", "a zero point of 2^32 + 5", isk.dequantize, np.ones(3, "u1"), 1, 2 ** 32 + 5)
    ok(isk.quantize(numbers, [1, 2, 1, 1, 1], 255, dtype="u1").tolist() == [255] * 5, "the greatest zero point, and a scale for each element")
    window = {"kernel_h": 2, "kernel_w": 2, "stride_h": 2, "stride_w": 2, "pad_h": 0, "pad_w": 0}
    images = np.ones((1, 4, 4, 1), "f4")
    for name in window:
        wrong = {**window, name: -1}
        refused(ValueError, "maxpool_2d_nhwc: %s: -1 is not from 0 to 2147483647" % name, "%s of -1" % name, isk.maxpool_2d_nhwc, images,
                **wrong, out_height=2, out_width=2)
        refused(ValueError, "maxpool_2d_backward_nhwc: %s: -1 is not from 0" % name, "%s of -1, backward" % name, isk.maxpool_2d_backward_nhwc,
                images[:, :2, :2], images, *wrong.values())


def warn_and_refuse():
    numbers = np.array([-1, 0, np.nan, np.inf, 1e30, -1e30], "f4")
    for name, operands in (("log", [numbers]), ("exp", [numbers]), ("sqrt", [numbers]), ("div", [numbers, np.float32(0)]),
                           ("mul", [numbers, numbers]), ("sub", [numbers, numbers]), ("softmax", [numbers])):
        try:
            with np.errstate(all="raise"):
                getattr(isk, name)(*operands)
            raised = ""
        except FloatingPointError as reason:
            raised = reason
        ok(not raised, name + ": no warning of exception flags", raised)
    still = X.copy()
    still.flags.writeable = False
    refused(ValueError, "read-only", "a read-only output", isk.exp, X, out=still)
    refused(TypeError, "'exp'", "complex numbers", isk.exp, X.astype("c8"))
    refused(TypeError, "'exp'", "strings", isk.exp, np.array(["a"]))
    refused(TypeError, "'exp'", "objects", isk.exp, np.array([None]))
    refused(TypeError, "'cr_exp'", "a type that has no kernel", isk.cr_exp, X.astype("f8"))
    refused(TypeError, "same_kind", "an output of another type", isk.exp, X, out=np.zeros(X.shape, "i4"))
    refused(ValueError, "", "an output of another shape", isk.exp, X, out=np.zeros((2, 2), "f4"))
    refused(ValueError, "", "shapes that do not go together", isk.add, X, np.zeros(5, "f4"))
    refused(ValueError, "", "vectors of other lengths", isk.vecdot, X, np.zeros(5, "f4"))
    refused(TypeError, "", "an argument too few", isk.add, X)
    refused(np.AxisError, "axis", "an axis that there is not", isk.sum, X, axis=3)
    refused(ValueError, "kernel: there is no kernel 'exq_f32'", "why() of no kernel", isk.why, "exq_f32")
    refused(ValueError, "no kernel 'exp'; the operation has exp_f32, ", "why() of an operation", isk.why, "exp")
    refused(ValueError, "layernorm: weight: 3 elements along an axis, expected 8", "the argument of another length", isk.layernorm, X, np.ones(3, "f4"))
    refused(ValueError, "softmax: x: 0 dimensions, expected at least 1", "the argument of too few dimensions", isk.softmax, 1.0)
    refused(ValueError, "softmax: out: 3 elements along an axis, expected 8", "the output of another length", isk.softmax, X, out=np.ones(3, "f4"))
    refused(TypeError, "softmax: out: expected an array; axis is a keyword", "an axis by its place", isk.softmax, X, -1)
    refused(np.AxisError, "softmax: axis: axis 3 is out of bounds", "the function of a wrong axis", isk.softmax, X, axis=3)
    for given in (None, "a"):
        refused(TypeError, "clip: low: expected a number, not %r" % given, "a value that is no number", isk.clip, X, given, 1)
    refused(TypeError, "clip: got an unexpected keyword argument 'a_min'; values are low, high", "numpy's name of a value", isk.clip, X, a_min=0, a_max=1)
    refused(TypeError, "sum: got an unexpected keyword argument 'axes'; there are a, axis, ", "a wrong name", isk.sum, X, axes=0)
    refused(TypeError, "topk: too many positional arguments, 2; it takes x, and as keywords k=", "a value by its place", isk.topk, X[0], 2)
    refused(TypeError, "integers of int64 beside uint64", "two types", isk.add, np.int64(1), np.uint64(1))
    refused(TypeError, "var: ddof: expected a number, not 'a'", "ddof that is no number", isk.var, X, ddof="a")
    refused(TypeError, "matmul: out: expected an array, not int", "out that is no array", isk.matmul, X, X[0].T, out=1)
    for function in (isk.sum, isk.mean, isk.std):
        refused(ValueError, "%s: where: shape (2, 6, 7, 8), which does not broadcast to (6, 7, 8)" % function.__name__, "a mask of more dimensions",
                function, X, where=np.ones((2, *X.shape), bool))
        refused(TypeError, "%s: where: expected bool, not int64" % function.__name__, "a mask of integers", function, X, where=np.ones(X.shape, "i8"))
    refused(AttributeError, "no 'multiply'; numpy's multiply is isakern.mul", "numpy's name", getattr, isk, "multiply")
    refused(AttributeError, "needs none", "errstate", getattr, isk, "errstate")
    refused(AttributeError, "no 'softmx'; the nearest name is isakern.softmax", "a mistyped name", getattr, isk, "softmx")
    ok(direct.same(still, X), "nothing was written")


def types_of_others():
    """Types of another package, as bfloat16 comes from ml_dtypes: here numpy's test type of fractions, which has 64 bits."""
    try:
        from numpy.core._rational_tests import rational
    except ImportError:
        skip("types of another package", "numpy has no _rational_tests here")
        return
    isk._tables.DTYPES[12].append(np.dtype(rational))
    copy, select = (isk._ufuncs.make(op, isk._tables.BY_OP[op]) for op in ("copy", "select"))
    isk._tables.DTYPES[12].pop()
    x = np.array([rational(i, i + 1) for i in range(50)])
    ok(copy(x[::2]).dtype == np.dtype(rational) and (copy(x[::2]) == x[::2]).all(), "types of another package")
    ok((select(np.arange(50) % 2 == 0, x, x[::-1]) == np.where(np.arange(50) % 2 == 0, x, x[::-1])).all(), "and several of them")


def told():
    info = isk.info()
    ok(set(info) == {"version", "isa", "cpu", "built", "kernels"} and info["version"] == isk.__version__, "info()", info)
    why = isk.why("exp_f32")
    lowest = next(iter(direct.tables.read_isas(direct.tables.isa_table())))
    ok([isa for isa, _, _ in why][0] == lowest and sum(bound for _, bound, _ in why) == 1 and all(r for _, _, r in why), "why()", why)
    ok("exp" in isk.__all__ and "sum" not in isk.__all__ and isk.sum is not sum, "import * leaves Python its own functions")
    missing = [name for name in isk.__all__ if not getattr(isk, name).__doc__ or len(getattr(isk, name).__doc__) < 60]
    ok(not missing, "everything has a docstring", missing)
    for function, words in ((isk.sum, "sum(a, axis=None, "), (isk.clip, "clip(x, /, low, high, out=None, "), (isk.leaky_relu, "x, /, alpha=0.01, out"),
                            (isk.topk, "topk(x, *, k, "), (isk.layernorm, "layernorm(x, weight=None, bias=None, *, epsilon=")):
        ok(words in function.__doc__.split("\n")[0], "parameters of %s in its docstring" % function.__name__, function.__doc__)
    # A kernel with two bounds.
    k = next(k for k in isk._tables.BY_OP["exp2"] if k.name == "exp2_f32")
    ok("2^x" in isk.exp2.__doc__ and k.error != k.error_baseline and
       "exp2_f32 (shape map, since 0.1): error %s (%s at baseline)" % (k.error, k.error_baseline) in isk.exp2.__doc__,
       "with the bounds", isk.exp2.__doc__)
    ok("x = -Inf gives 0" in isk.exp.__doc__ and "For f16: Computes" in isk.exp.__doc__, "with the contract of FAMILY.md", isk.exp.__doc__)
    ok("The last dimensions: (n),(n)->()." in isk.vecdot.__doc__ and "(cols),(cols),(cols),()->(cols)" in isk.layernorm.__doc__
       and "dimensions" not in isk.exp.__doc__, "and with dimensions", isk.vecdot.__doc__ + isk.layernorm.__doc__)


def threads():
    """Each thread gets its own answer, and threads run at the same time: none waits for the interpreter."""
    inputs = [R.standard_normal(200000).astype("f4") for _ in range(4)]
    wanted = [isk.exp(x) for x in inputs]
    wrong = []

    def run(i):
        for _ in range(20):
            if not direct.same(isk.exp(inputs[i][::1 + i % 2]), wanted[i][::1 + i % 2]):
                wrong.append(i)

    started = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for t in started:
        t.start()
    for t in started:
        t.join()
    ok(not wrong, "threads", wrong)
    packed, a = isk.Packed.of(np.ones((1000, 1000), "f4")), np.ones((1500, 1000), "f4")
    # With this interval threads only switch if one gives way: the counter does each time, a call only if it releases the
    # interpreter.
    counted, stop, interval = [0], threading.Event(), sys.getswitchinterval()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    def turns(call):
        """Whether the counter moves during a call. On a busy machine it may come too late for one call, but not for many."""
        for _ in range(200):
            before = counted[0]
            call()
            if counted[0] != before:
                break
        return counted[0] - before

    counter = threading.Thread(target=count)
    sys.setswitchinterval(60)
    counter.start()
    try:
        kept = turns(lambda: sum(range(10 ** 4)))
        let = {"a product": turns(lambda: isk.gemm(a, packed)), "a product of plain matrices": turns(lambda: isk.matmul(a, a.T)),
               "a ufunc": turns(lambda: isk.cr_exp(inputs[0].repeat(10))), "a call": turns(lambda: isk.topk(a, k=100))}
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        counter.join()
    ok(kept == 0, "Python itself gives way to no thread here", kept)
    for what, n in let.items():
        ok(n > 0, what + " does", n)


def by_columns():
    """Arrays that lie by columns are reduced as their memory lies."""
    for kind in "fd":
        x = R.standard_normal((30, 700)).astype(kind)
        pairs = [(isk.sum(x.T, axis=0), isk.sum(x, axis=1)), (isk.sum(x.T, axis=1), isk.sum(x, axis=0)), (isk.sum(x.T), isk.sum(x)),
                 (isk.nrm2(X.T.astype(kind), axis=(0, 1)), isk.nrm2(X.astype(kind), axis=(1, 2)))]
        ok(all(np.array_equal(got, wanted) for got, wanted in pairs), "%s by columns has the bits of its transposed" % kind, pairs)
    ok(np.array_equal(isk.argmax(X.T, axis=1), np.argmax(X.T, axis=1)) and isk.argmax(X.T) == np.argmax(X.T), "positions by columns")


def by_long_rows():
    """Columns of a large matrix without gaps, whose rows the kernel reads one at a time, have their bits among few columns."""
    for kind, rows, cols in ("f", 1030, 600), ("d", 1029, 301), ("d", 1000, 1000):
        x = R.uniform(0.5, 1.5, (rows, cols)).astype(kind)
        for name in "sum", "prod", "max", "min", "mean":
            of = getattr(isk, name)
            few = np.concatenate([of(x[:, i:i + 100], axis=0) for i in range(0, cols, 100)])
            ok(np.array_equal(of(x, axis=0), few), "%s of long rows of %s" % (name, kind), (rows, cols))


def vectors():
    """Vectors have the results of rows: short ones, which go to the kernel without numpy, long ones, and any that lie otherwise."""
    for name in "sum", "argmax", "nrm2", "logsumexp", "count_nonzero", "vecdot", "l2sq", "cosine":
        function = getattr(isk, name)
        ufunc = function.ufunc if isinstance(function, Operation) else function.whole
        for kind, n in (("f", 1), ("d", 5), ("f", 4096), ("d", 4097)):
            rows = [R.standard_normal((1, n)).astype(kind) for _ in range(ufunc.nin)]
            wanted = ufunc(*rows)
            for lie in (np.copy, lambda x: np.repeat(x, 2)[::2], lambda x: x.astype(x.dtype.newbyteorder()), lambda x: x.view(Other),
                        lambda x: np.frombuffer(b"." + x.tobytes(), x.dtype, offset=1)):
                got = ufunc(*[lie(x[0]) for x in rows])
                ok(got.dtype == wanted.dtype and got.tobytes() == wanted.tobytes() and np.shape(got) == (), "%s of a vector" % name, (kind, n))
            ok(isinstance(function(*[x[0] for x in rows]), wanted.dtype.type), "%s is a number" % name, (kind, n))
    refused(ValueError, "vecdot: b: 4 elements along an axis, expected 5", "vectors of two lengths", isk.vecdot, np.ones(5), np.ones(4))
    refused(ValueError, "vecdot: b: 0 dimensions, expected at least 1", "a number for a vector", isk.vecdot, np.ones(5), np.float64(1))
    ok(isk.vecdot(np.ones(3, "f4"), np.ones(3)).dtype == "f8", "vectors of two types")


def gaps():
    """Inputs with gaps, and single elements, beside an output that begins or ends within them."""
    for kind in "ilfd":
        x = R.integers(1, 100, 9000).astype(kind)
        for n, step, at in ((3000, 2, 0), (3000, 2, 3000), (2000, 3, 4000), (1, 2, 0), (4000, -2, 8500)):
            one, other = x[at::step][:n], x[::step][:n]
            first = min(at, len(x) - len(one) - 5)
            for out in np.empty_like(one), x[first:][:len(one)], x[first + 5:][:len(one)]:
                kept = x.copy()
                wanted = (np.add(one, other[:len(one)]), np.add(one, other[0]))
                got = isk.add(one, other[:len(one)], out=out)
                ok(np.array_equal(got, wanted[0]), "a sum of %s with gaps" % kind, (n, step, at))
                x[:] = kept
                got = isk.add(one, other[0], out=out)
                ok(np.array_equal(got, wanted[1]), "a sum of %s and an element" % kind, (n, step, at))
                x[:] = kept
            ok(np.array_equal(isk.lt(one, other[:len(one)]), np.less(one, other[:len(one)])), "comparison of %s with gaps" % kind, (n, step, at))
    x, y, z = (R.standard_normal(6000) for _ in range(3))
    ok(np.array_equal(isk.fma(x[::2], y[::-2], z[::2]), isk.fma(x[::2].copy(), y[::-2].copy(), z[::2].copy())), "three inputs with gaps")
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 0.5, -0.5, 1.5, -2.5, 1e-310, 2.0 ** 52 + 1, -1e300, 7.25])
    special.view("u8")[4:6] += 5
    wide = np.concatenate([x, np.repeat(special, 2), y])
    for name, function in vars(isk).items():
        for step in (2, -3) if isinstance(function, np.ufunc) and function.nin == 1 and "d->d" in function.types else ():
            one = wide[::step]
            ok(function(one).tobytes() == function(one.copy()).tobytes(), "%s of elements with gaps" % name, step)


def orders():
    """Rows that make simple sorts slow, or whose elements agree in the bits that are compared first."""
    n = 3000
    up, bits = np.arange(n), R.integers(0, 1 << 16, n).astype("u2")
    rows = {"ascending": up, "descending": up[::-1], "up and down": np.minimum(up, n - up), "saws": up % 50, "one value": up * 0,
            "two ends": np.where(up % 2, up, n - up), "next to 1": 1 + R.integers(0, 1 << 20, n) * 2.0 ** -52,
            "any bits": bits.view("f2"), "random": R.standard_normal(n)}
    for kind in "efd":
        for what, row in rows.items():
            x = row.astype(kind)
            size = np.where(np.isnan(x), np.inf, -x.astype("f8"))
            down = np.lexsort((up, size, ~np.isnan(x)))
            ok(np.array_equal(isk.argsort(x), np.argsort(x, kind="stable")) and np.array_equal(isk.argsort(x, 1), down),
               "argsort of %s: %s" % (kind, what))


numpy_tables()
like_numpy()
by_columns()
by_long_rows()
vectors()
gaps()
orders()
ways_of_ufuncs()
several_axes()
outputs_that_are_inputs()
integers()
masked_arrays()
types_of_results()
values_in_range()
warn_and_refuse()
types_of_others()
told()
threads()
done()
