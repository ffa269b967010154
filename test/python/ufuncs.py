#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every ufunc of the package gives the kernel's results, as called from C, for each type and any layout of arrays. Maps must
also be within their row's bound of the reference.

    ufuncs.py SOURCE BUILD FOLDER:LIBRARY:FAMILY,...        with ISAKERN_MAX_ISA=ISA
"""
import os
import warnings

import numpy as np

import direct
from tap import done, ok, skip_all

import isakern as isk
from isakern._operation import Operation
from isakern._reduce import Reduction

# Sizes by their place in the signature: no multiples of a vector, and more rows than a few but fewer than fill a chunk.
SIZES = (37, 21, 5, 3, 4, 6)
FUNCTIONS = {name: f for name, f in vars(isk).items() if isinstance(f, (np.ufunc, Operation, Reduction))}
# numpy has another function named dot.
FUNCTIONS["dot"] = FUNCTIONS.pop("vecdot")
LIBRARIES = direct.libraries()


def spread(x):
    """The same elements, with gaps and in reverse order."""
    if not x.ndim:
        return x
    wide = np.zeros([2 * n + 1 for n in x.shape], x.dtype)
    view = wide[tuple(slice(2 * n, 0, -2) if n else slice(0, 0) for n in x.shape)]
    view[...] = x
    return view


def turned(x):
    """The same elements, with the first dimension innermost in memory."""
    return np.asfortranarray(x) if x.ndim else x


def try_kernel(library, kernel, function):
    shape = kernel.shape
    arrays = [a for a in shape.arguments if a.role == "in" and not a.null]
    values = [a for a in shape.arguments if a.role == "value"]
    names = [a.name for a in shape.arguments if a.role == "size"]
    # More elements for kernels with a single size.
    sizes = {names[0]: 3001} if len(names) == 1 else dict(zip(names, SIZES))
    given = {a.name: direct.values(direct.dtype(kernel, a), [sizes[size] for size, _ in a.extents], i)
             for i, a in enumerate(arrays)}
    for i, a in enumerate(values):
        kind = np.dtype("i4") if a.type in direct.tables.C_WORDS else direct.lanes(library, direct.element(kernel, a))
        given[a.name] = np.array([0.25, 3][i % 2] if kind.kind == "f" else 1, kind)
    operands = [given[a.name] for a in arrays + values]
    wanted = direct.call(library, kernel, given, sizes)
    kinds = [w.dtype for w in wanted]
    signature = tuple(o.dtype for o in operands) + tuple(kinds)

    def called(*operands, signature, **more):
        if not isinstance(function, Reduction):
            return function(*operands, signature=signature, **more)
        # Over the last axis, and sums of float16 as C returns them.
        named = {"dtype": kinds[0]} if "dtype" in function.names and len(kinds) == 1 else {}
        return function(*operands, axis=-1, **named, **more)

    if isinstance(function, Reduction) and "dtype" not in function.names and kinds[0].kind == "f":
        wanted = [w.astype(operands[0].dtype) for w in wanted]
        kinds = [w.dtype for w in wanted]

    def agree(what, operands=operands, **more):
        got = called(*operands, signature=signature, **more)
        got = got if isinstance(got, tuple) else (got,)
        ok(len(got) == len(wanted) and all(direct.same(g, w) for g, w in zip(got, wanted)),
           "%s: %s" % (kernel.name, what), "%s\ngot %s\nexpected %s" % (list(map(str, signature)), got, wanted))
        return got

    agree("as C has it")
    agree("with gaps, backwards", [spread(o) for o in operands])
    if isinstance(function, Reduction) and function.cols is not None and operands[0].ndim == 2:
        # Reduced as the memory lies: the columns of the transpose.
        lies = function(np.ascontiguousarray(operands[0].T), axis=0)
        got = function(turned(operands[0]), axis=-1)
        lies, got = (one if isinstance(one, tuple) else (one,) for one in (lies, got))
        ok(all(direct.same(g, w) for g, w in zip(got, lies)), kernel.name + ": the first dimension innermost", "got %s\nexpected %s" % (got, lies))
    else:
        agree("the first dimension innermost", [turned(o) for o in operands])
    if not isinstance(function, Reduction) or "out" in function.names:
        outs = tuple(spread(np.zeros(w.shape, w.dtype)) for w in wanted)
        got = agree("out with gaps, backwards", out=outs if len(outs) > 1 else outs[0])
        ok(all(g is o for g, o in zip(got, outs)), kernel.name + ": out is what is returned")
    if shape.is_map:
        plain = direct.call(library, kernel, given, sizes, plain=True)[0]
        bound = 0 if kernel.error == "exact" else float(kernel.error)
        if BASELINE and kernel.baseline != kernel.error:
            bound = 0 if kernel.baseline == "exact" else float(kernel.baseline)
        # The reference is rounded too, by up to half an ulp.
        off = direct.ulps(wanted[0], plain) if plain.dtype.kind in "fV" else 0 if direct.same(wanted[0], plain) else np.inf
        ok(off <= (bound and bound + 0.5), "%s: %s ulp of the reference at most" % (kernel.name, kernel.error), off)
    if isinstance(function, np.ufunc) or isinstance(function, Operation) and function.signature is None:
        chosen = np.arange(sizes[names[0]]) % 3 == 0
        out = np.ones(wanted[0].shape).astype(kinds[0])
        some = out.copy()
        some[chosen] = wanted[0][chosen]
        function(*operands, signature=signature, out=out, where=chosen)
        ok(direct.same(out, some), kernel.name + ": where")
        single = [o[0] if o.ndim else o for o in operands]
        ok(direct.same(function(*single, signature=signature), wanted[0][0]), kernel.name + ": of no dimension")
        tall = np.broadcast_to(operands[0], (3, len(operands[0])))
        ok(direct.same(function(tall, *operands[1:], signature=signature), np.broadcast_to(wanted[0], (3, len(wanted[0])))),
           kernel.name + ": broadcast")
        ok(function(*[o[:0] if o.ndim else o for o in operands], signature=signature).shape == (0,),
           kernel.name + ": of no elements")


cap = os.environ.get("ISAKERN_MAX_ISA", isk.info()["isa"])
if isk.info()["isa"] != cap:
    skip_all("this machine or build has no %s: the cap binds to %s" % (cap, isk.info()["isa"]))
warnings.simplefilter("error")
BASELINE = isk.info()["isa"] == "baseline"
tried = set()
for library in LIBRARIES:
    for kernel in library.tables.kernels.values():
        types = [direct.dtype(kernel, a) for a in kernel.shape.arguments if a.role in ("in", "out")]
        # Not by "in", because numpy takes None for float64.
        if kernel.op in FUNCTIONS and all(t is not None for t in types) and not any(
                a.role == "value" and direct.element(kernel, a) == "s64" for a in kernel.shape.arguments):
            try_kernel(library, kernel, FUNCTIONS[kernel.op])
            tried.add(kernel.op)
ok(tried == set(FUNCTIONS), "every ufunc was tried", set(FUNCTIONS) ^ tried)
maps = {k.op for library in LIBRARIES for k in library.tables.kernels.values() if k.shape.is_map}
ok(maps <= tried, "every map is a ufunc", maps - tried)
done()
