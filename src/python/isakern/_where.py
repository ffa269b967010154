# SPDX-License-Identifier: MIT
"""Elementwise calls with where=: all elements are computed, a block at a time, and those chosen are copied. Kernels raise no
warnings, so that nobody notices the others."""
import numpy as np

from . import _core

BLOCK = 1 << 15
SELECT = []
PLACED = [np.dtype(one) for one in ("f2", "f4", "f8", "i4", "i8", "?", "i1", "u1")]


class Passed(np.ndarray):
    """A mask that is not for called()."""


def use(select):
    """select: the ufunc that copies the chosen elements."""
    SELECT[:] = [select]
    _core.set_where(called)


def called(ufunc, *operands, where, out=None, **keywords):
    """A call of a ufunc with a mask, which is an array of bool."""
    outs = out if isinstance(out, tuple) else (out,)
    if len(operands) == ufunc.nargs and out is None:
        operands, outs = operands[:-1], operands[-1:]
    made = target_of(ufunc, operands, where, outs, keywords) if ufunc.nout == len(outs) == 1 else None
    if made is None:
        # numpy says what is wrong, or lets another class of arrays do it.
        outs = {} if all(one is None for one in outs) else {"out": outs}
        return ufunc(*operands, where=where.view(Passed), **outs, **keywords)
    arrays = [x for x in operands if np.ndim(x)] + [where]
    flat = all(x.shape == made.shape and x.flags.c_contiguous for x in arrays + [made])
    if not flat or any(np.may_share_memory(x, made) and x is not made for x in arrays):
        place(made, ufunc(*operands, **keywords), where)
        return made
    flats = [x.reshape(-1) if np.ndim(x) else x for x in operands]
    chosen, to = where.reshape(-1), made.reshape(-1)
    # One array for all blocks, because the system would clear the memory of each.
    block = np.empty(min(BLOCK, made.size), made.dtype)
    for first in range(0, made.size, BLOCK):
        part = slice(first, first + BLOCK)
        target = to[part]
        ufunc(*[x[part] if np.ndim(x) else x for x in flats], out=block[:len(target)], **keywords)
        place(target, block[:len(target)], chosen[part])
    return made


def target_of(ufunc, operands, where, outs, keywords):
    """The array for the results, or None if this call is one for numpy, of other classes of arrays, or a wrong one."""
    target = outs[0]
    classes = (np.ndarray, int, float, bool, np.float32, np.float64)
    if len(operands) != ufunc.nin or any(type(x) not in classes for x in operands) or not (
            target is None or type(target) is np.ndarray and target.flags.writeable):
        return None
    try:
        kind = ufunc(*[x.reshape(-1)[:0] if np.ndim(x) else x for x in operands], **keywords).dtype
        shape = np.broadcast_shapes(where.shape, *map(np.shape, operands))
    except (TypeError, ValueError):
        return None
    if target is None:
        return np.empty(shape, kind)
    return target if target.dtype == kind and target.shape == shape else None


def place(target, made, where):
    """Copies the chosen elements of made to target."""
    if target.dtype in PLACED and target.shape == made.shape:
        SELECT[0](where, made, target, out=target)
    else:
        np.copyto(target, made, where=where)
