# SPDX-License-Identifier: MIT
"""Variances and standard deviations, called as numpy's are. meanm2 gives sums of squared distances from the mean, which are
divided here."""
import math

import numpy as np

from ._numbers import array_of, axes_of
from ._reduce import MADE, mask_of, returned

# The kernel with one more step than others, by the type of its input.
WIDE = "meanm2_wide"


def _variance(function, x, axes, dtype, ddof, where):
    kind = np.dtype(dtype) if dtype is not None else x.dtype if x.dtype.kind not in "biu" else np.dtype("f8")
    if kind not in MADE["meanvar"].types:
        raise TypeError("%s: a: no kernel for %s; there are %s" % (
            function, kind, ", ".join(k.name for k in MADE["meanvar"].kernels)))
    if not isinstance(ddof, (int, float, np.number)):
        raise TypeError("%s: ddof: expected a number, not %r" % (function, ddof))
    x = x.astype(kind, copy=False)
    if where is not None:
        where = mask_of(function, where, x.shape)
        wide = x.astype(np.result_type(kind, "f4"), copy=False)
        count = MADE["mask_count"](where, axis=axes)
        mean = MADE["mean"](wide, axis=axes, keepdims=True, where=where)
        m2 = MADE["sumsq"](MADE["sub"](wide, mean), axis=axes, where=where)
    elif ddof in (0, 1):
        return MADE["meanvar" if ddof == 0 else "meanvar_unbiased"].by_kernel(x, axes)[1]
    else:
        count = np.int64(math.prod(x.shape[i] for i in axes))
        _, m2 = MADE["meanm2" if kind in MADE["meanm2"].types else WIDE].by_kernel(x, axes)
    return MADE["div"](m2, np.maximum(count - ddof, 0).astype(m2.dtype)).astype(kind)


def _finish(function, made, axes, out, keepdims):
    made = np.expand_dims(made, axes) if keepdims else np.asarray(made)
    return made[()] if out is None else returned(function, [made], out)


def _given(where):
    return None if where is True or where is np._NoValue else where


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None):
    """The variance of the elements: the sum of squared distances from the mean, divided by their number less ddof.

    Parameters are those of numpy.var. Types are float16, bfloat16, float32 and float64, which the result has too; integers
    become float64. Without where, the result has the bits of isk_meanvar_f32 (ddof=0), of isk_meanvar_unbiased_f32 (ddof=1),
    or is that of isk_meanm2_f32, divided. Of no elements the result is NaN.

    >>> isakern.var(np.array([1, 2, 3], "f4"), ddof=1)
    1.0
    """
    a = array_of("var", "a", a)
    axes = axes_of("var", axis, a.ndim)
    return _finish("var", _variance("var", a, axes, dtype, ddof, _given(where)), axes, out, keepdims)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None):
    """The standard deviation of the elements: the root of isakern.var, with its parameters, which are those of numpy.std.

    >>> isakern.std(np.array([1, 3], "f4"))
    1.0
    """
    a = array_of("std", "a", a)
    axes = axes_of("std", axis, a.ndim)
    return _finish("std", MADE["sqrt"](_variance("std", a, axes, dtype, ddof, _given(where))), axes, out, keepdims)
