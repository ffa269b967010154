# SPDX-License-Identifier: MIT
"""Variances and standard deviations, called as numpy's are. meanm2 gives sums of squared distances from the mean, which are
divided here."""
import numpy as np

from ._numbers import array_of, axes_of
from ._reduce import MADE, mask_of, returned

# The kernel with one more step than others, by the type of its input.
WIDE = "meanm2_wide"


def _moments(function, x, axis, dtype, ddof, where):
    """The variance over axes, kept as axes of one element."""
    kind = np.dtype(dtype) if dtype is not None else x.dtype if x.dtype.kind not in "biu" else np.dtype("f8")
    if kind not in MADE["meanvar"].types:
        raise TypeError("%s: a: no kernel for %s; there are %s" % (
            function, kind, ", ".join(k.name for k in MADE["meanvar"].kernels)))
    if not isinstance(ddof, (int, float, np.number)):
        raise TypeError("%s: ddof: expected a number, not %r" % (function, ddof))
    x = x.astype(kind, copy=False)
    axes = axes_of(function, axis, x.ndim)
    if where is not None:
        where = mask_of(function, where, x.shape)
        wide = x.astype(np.result_type(kind, "f4"), copy=False)
        count = MADE["mask_count"](where, axis=axes, keepdims=True)
        mean = MADE["mean"](wide, axis=axes, keepdims=True, where=where)
        m2 = MADE["sumsq"](MADE["sub"](wide, mean), axis=axes, keepdims=True, where=where)
    elif ddof in (0, 1):
        return MADE["meanvar" if ddof == 0 else "meanvar_unbiased"](x, axis=axes, keepdims=True)[1]
    else:
        count = np.int64(np.prod([x.shape[i] for i in axes], dtype=int))
        _, m2 = MADE["meanm2" if kind in MADE["meanm2"].types else WIDE](x, axis=axes, keepdims=True)
    return MADE["div"](m2, np.maximum(count - ddof, 0).astype(m2.dtype)).astype(kind)


def _finish(function, x, axis, made, out, keepdims):
    axes = axes_of(function, axis, x.ndim)
    made = np.asarray(made)
    return returned(function, [made if keepdims else made.reshape([n for i, n in enumerate(x.shape) if i not in axes])], out)


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
    return _finish("var", a, axis, _moments("var", a, axis, dtype, ddof, _given(where)), out, keepdims)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None):
    """The standard deviation of the elements: the root of isakern.var, with its parameters, which are those of numpy.std.

    >>> isakern.std(np.array([1, 3], "f4"))
    1.0
    """
    a = array_of("std", "a", a)
    return _finish("std", a, axis, MADE["sqrt"](_moments("std", a, axis, dtype, ddof, _given(where))), out, keepdims)
