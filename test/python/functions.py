#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The functions that are not ufuncs: functions of rows with and without their optional inputs, and kernels with arrays as in
C. All are compared with the kernel called by ctypes.

    functions.py SOURCE BUILD FOLDER:LIBRARY:FAMILY,...
"""
import itertools

import numpy as np

import direct
from refusals import refused
from tap import done, ok

import isakern as isk
from isakern._functions import Function
from isakern._optional import RowFunction

SIZES = (7, 21, 5, 3, 4, 6, 2, 3)
# Values for integers of a shape that may not be any number: the window of a pool, activations of a cell (ISK_CELL_ACTS).
WORDS = {"kernel_h": 3, "kernel_w": 2, "stride_h": 2, "stride_w": 1, "pad_h": 1, "pad_w": 0,
         "acts": 1 | 2 << 2 | 2 << 4}


def given_for(library, kernel, sizes, seed):
    """Inputs and values by name: indices and ends in range, numbers from 0 to 1."""
    r, given = np.random.default_rng(seed), {}
    for a in kernel.shape.arguments:
        shape = [sizes[size] for size, _ in a.extents]
        if a.is_array and (a.role == "in" or a.inout):
            kind = direct.dtype(kernel, a)
            if a.below:
                given[a.name] = r.integers(0, sizes[a.below], shape).astype(kind)
            elif a.ascending:
                given[a.name] = np.sort(r.integers(0, sizes[a.ascending] + 1, shape)).astype(kind)
            else:
                drawn = r.random(shape) if kind.kind in "fV" else r.integers(0, 2, shape)
                given[a.name] = drawn.astype(kind)
        elif a.role == "value":
            c = a.type in direct.tables.C_WORDS
            kind = np.dtype("i4") if c else direct.lanes(library, direct.element(kernel, a))
            given[a.name] = np.array(WORDS.get(a.name, 0) if c else 0.5 if kind.kind == "f" else 2, kind)
    return given


def sizes_of(kernel):
    return dict(zip([a.name for a in kernel.shape.arguments if a.role == "size"], SIZES))


def without(given, names):
    return {name: None if name in names else array for name, array in given.items()}


def left_out(kernel):
    """Each subset of the optional inputs, to be left out."""
    may = [a.name for a in kernel.shape.arguments if a.null and a.is_array and (a.role == "in" or a.inout)]
    return [set(names) for n in range(len(may) + 1) for names in itertools.combinations(may, n)]


def equal(got, wanted):
    got = got if isinstance(got, tuple) else (got,)
    return len(got) == len(wanted) and all(direct.same(g, w) for g, w in zip(got, wanted))


def try_rows(library, kernel, function):
    for absent in left_out(kernel):
        sizes = sizes_of(kernel)
        given = without(given_for(library, kernel, sizes, 1), absent)
        wanted = direct.call(library, kernel, given, sizes)
        what = "%s without %s" % (kernel.name, ", ".join(sorted(absent)) or "nothing")
        got = function(**given, **({"dtype": wanted[0].dtype} if len(wanted) == 1 else {}))
        ok(equal(got, wanted), what, "got %s\nexpected %s" % (got, wanted))


def try_function(library, kernel, function):
    arguments = kernel.shape.arguments
    inout = [a.name for a in arguments if a.inout]
    makes = any(a.role == "out" and not a.inout for a in arguments)
    for absent in left_out(kernel):
        sizes = sizes_of(kernel)
        if "ends" in absent:
            sizes["bags"] = sizes["count"]  # one bag for each index
        given = without(given_for(library, kernel, sizes, 2), absent)
        # An array that is changed in place is an input of the call in C too.
        theirs = {name: None if x is None else x.copy() for name, x in given.items()}
        wanted = direct.call(library, kernel, theirs, sizes)
        ours = {name: None if x is None else x.item() if not x.ndim else x.copy() for name, x in given.items()}
        free = {a.name: sizes[a.name] for a in function.free}
        kind = {"dtype": wanted[0].dtype} if makes else {}
        if "ends" in absent and makes:
            kind = {"out": np.empty_like(wanted[0])}
        got = function(**ours, **free, **kind)
        what = "%s without %s" % (kernel.name, ", ".join(sorted(absent)) or "nothing")
        if wanted and (makes or kernel.shape.result != "void"):
            right = equal(got, wanted) if kernel.shape.result in ("void", "status") else got == wanted[0].item()
            ok(right, what, "got %s\nexpected %s" % (got, wanted))
        for name in inout:
            if name not in absent:
                ok(direct.same(ours[name], theirs[name]), "%s: %s as C leaves it" % (what, name),
                   "%s\n%s" % (ours[name], theirs[name]))
    if makes and len(wanted) == 1 and "ends" not in {a.name for a in arguments}:
        given = given_for(library, kernel, sizes, 2)
        ours = {name: x.item() if not x.ndim else np.asfortranarray(np.repeat(x, 2, axis=0)[::2]) for name, x in given.items()}
        wanted = direct.call(library, kernel, given, sizes)
        out = np.zeros([2 * n for n in wanted[0].shape], wanted[0].dtype)[tuple(slice(None, None, 2) for _ in wanted[0].shape)]
        got = function(**ours, **free, out=out)
        ok(got is out and direct.same(out, wanted[0]), kernel.name + " with gaps, and out", "%s\n%s" % (out, wanted[0]))


tried = set()
for library in direct.libraries():
    for kernel in library.tables.kernels.values():
        function = getattr(isk, kernel.op, None)
        arrays = [a for a in kernel.shape.arguments if a.is_array]
        if any(a.packed or a.measured or direct.dtype(kernel, a) is None for a in arrays) or kernel.op == "matmul":
            continue
        if isinstance(function, RowFunction):
            try_rows(library, kernel, function)
        elif isinstance(function, Function) and kernel.shape.arguments:
            try_function(library, kernel, function)
        tried.add(function)
every = {f for f in vars(isk).values() if isinstance(f, (RowFunction, Function))} - {isk.get_vec_length}
ok(every <= tried, "every function was tried", [f.op for f in every - tried])
ok(isk.get_vec_length() in (4, 8, 16), "a kernel without arguments")

x, w = np.random.default_rng(3).random((4, 5, 6), "f4"), np.arange(5, dtype="f4")
moved = isk.layernorm(np.moveaxis(x, 1, -1), w, epsilon=1e-5)
ok(direct.same(np.moveaxis(moved, -1, 1), isk.layernorm(x, w, epsilon=1e-5, axis=1)), "an axis, and weights along it")
y = np.ones(5, "f4")
ok(direct.same(isk.layernorm(x), isk.layernorm(x, epsilon=1e-5)), "a value that has a default")
window = {"out_height": 2, "out_width": 3, "kernel_h": 2, "kernel_w": 3, "stride_h": 2, "stride_w": 1}
for pool, given in ((isk.avgpool_2d_nhwc, {"include_pad": 1}), (isk.maxpool_2d_nhwc, {})):
    ok(direct.same(pool(x[None], **window), pool(x[None], pad_h=0, pad_w=0, **given, **window)), "a pool without padding")
refused(TypeError, "dropout_mask: missing a required argument: 'seed'", "a value that is missing", isk.dropout_mask, n=3)
refused(TypeError, "x must not be None", "an input that may not be left out", isk.layernorm, None, w, epsilon=1)
refused(ValueError, "layernorm: weight: 5 elements along an axis, expected 6", "weights of another length", isk.layernorm, x, w, epsilon=1)
refused(TypeError, "axpy: y: it is changed in place", "a list to be changed", isk.axpy, [1., 2.], y, alpha=1)
refused(TypeError, "there are axpy_f32", "types that differ", isk.axpy, y, y.astype("f8"), alpha=1)
refused(ValueError, "axpy: x: n is 4 here and 5 elsewhere", "lengths that differ", isk.axpy, y, y[1:], alpha=1)
refused(ValueError, "axpy: x: 2 dimensions, expected 1: n", "dimensions too many", isk.axpy, y, x[0], alpha=1)
refused(TypeError, "axpy: alpha: expected a number, not 'much'", "a value that is no number", isk.axpy, y, y, alpha="much")
refused(ValueError, "axpy: alpha: 1e+39 is not within float32", "a value that float32 does not hold", isk.axpy, y, y, alpha=1e39)
refused(ValueError, "axpy: alpha: one number, not an array of (2,)", "two values", isk.axpy, y, y, alpha=[1, 2])
for name, one in {"2^32": 2 ** 32, "2^70": 2 ** 70, "-1": -1}.items():
    refused(ValueError, "argsort: descending: %d is not from 0 to 2147483647" % one, "a flag of " + name, isk.argsort, x[0], one)
refused(TypeError, "argsort: descending: expected an integer, not 1.0", "a flag of 1.0", isk.argsort, x[0], 1.0)
for name, one in {"2^63": 2 ** 63, "-2^63 - 1": -2 ** 63 - 1, "2^63 of numpy": np.uint64(2 ** 63)}.items():
    refused(ValueError, "uniform: seed: %d is not from" % one, "a seed of " + name, isk.uniform, n=1, seed=one, offset=0, dtype="f4")
ok(isk.uniform(n=2, seed=-2 ** 63, offset=2 ** 63 - 2, dtype="f4").shape == (2,), "the least seed")
refused(ValueError, "dropout_mask: p: 1e+39 is not within float32", "a probability that float32 does not hold", isk.dropout_mask, n=1, p=1e39,
        seed=0, offset=0)
refused(TypeError, "axpy: missing a required argument: 'alpha'", "a value that is missing", isk.axpy, y, y)
refused(TypeError, "layernorm: axis: expected an integer, not None", "no axis", isk.layernorm, x, epsilon=1, axis=None)
refused(IndexError, "index", "an index out of range", isk.gather, y, np.array([0, 5]))
refused(IndexError, "index", "a negative index", isk.gather, y, np.array([-1]))
refused(ValueError, "topk: k: -1 is not from 0 to ", "a negative size", isk.topk, x[0], k=-1)
refused(TypeError, "topk: k: expected an integer, not 1.5", "a size that is no integer", isk.topk, x[0], k=1.5)
refused((ValueError, MemoryError), "", "more than there is memory", isk.uniform, n=1 << 60, seed=1, offset=0, dtype="f8")
refused(TypeError, "out: 1 arrays, expected 2", "one output of two", isk.topk, x[0], k=2, out=(np.zeros((5, 2), "f4"),))
refused(ValueError, "topk: out: they overlap", "outputs that overlap", isk.topk, x[0], k=2,
        out=(np.zeros((5, 4), "f4")[:, :2],) * 2)
refused(TypeError, "bag_sum: bags is not known", "a size that nothing tells", isk.bag_sum, x[0], np.array([1, 2]))
still = y.copy()
still.flags.writeable = False
refused(ValueError, "axpy: y: the array is read-only", "a read-only array to be changed", isk.axpy, still, y, alpha=1)
refused(ValueError, "out: the array is read-only", "a read-only output", isk.gather, y, np.array([0] * 5), out=still)
ok((still == 1).all() and (y == 1).all(), "nothing was written")
times, pairs = np.arange(4).astype("M8[s]"), np.zeros(4, "i2,i2")
refused(TypeError, "gather: no kernel for x datetime64[s]", "times, which docs/python.md says are moved as integers", isk.gather, times,
        np.array([3, 0]))
refused(TypeError, "gather: no kernel for x", "structs of 4 bytes", isk.gather, pairs, np.array([3, 0]))
ok((isk.gather(times.view("i8"), np.array([3, 0])).view(times.dtype) == times[[3, 0]]).all(), "times as integers")
y = np.arange(6, dtype="f4")
ok(list(isk.gather(y, np.array([5, 4, 3, 2, 1, 0]), out=y)) == [5, 4, 3, 2, 1, 0], "an output that is the input")
done()
