# SPDX-License-Identifier: MIT
"""Running sums along an axis, called as numpy's are. The kernel takes any array as three dimensions: those before the axis, the
axis, and those after it."""
import math

import numpy as np

from ._numbers import array_of, axes_of
from ._reduce import MADE, returned, types_of
from ._tables import BY_OP

TYPES = types_of(BY_OP["cumsum"])
NO = np.array(0, "i4")


def cumsum(a, axis=None, dtype=None, out=None, *, exclusive=0, reverse=0):
    """The sums of the elements up to each one, along an axis; axis=None takes all elements in their order.

    Parameters are those of numpy.cumsum. With exclusive, an element itself is left out, so that the first sum is 0. With reverse,
    sums begin at the end. Types are float32 and float64, which the result has too; dtype converts the elements first. The
    result has the bits of isk_cumsum_f32. Integers are numpy's int64 or uint64, without the two options.

    >>> isakern.cumsum(np.array([1, 2, 3], "f4"))
    array([1., 3., 6.], dtype=float32)
    """
    a = array_of("cumsum", "a", a)
    a = a if dtype is None else a.astype(dtype, copy=False)
    if a.dtype.kind in "biu" and not exclusive and not reverse:
        return np.cumsum(a, axis, out=out)  # exact, so the result is that of a kernel
    if a.dtype not in TYPES:
        raise TypeError("cumsum: a: no kernel for %s; there are %s" % (a.dtype, ", ".join(map(str, TYPES))))
    if isinstance(axis, tuple):
        raise TypeError("cumsum: axis: expected an integer or None, not %r" % (axis,))
    axes = axes_of("cumsum", axis, a.ndim)
    if axis is None or a.ndim == 0:
        a, axes = a.reshape(-1), (0,)
    at, = axes
    as_three = a.reshape(math.prod(a.shape[:at]), a.shape[at], math.prod(a.shape[at + 1:]))
    if type(exclusive) is type(reverse) is int and exclusive == reverse == 0:
        made = MADE["cumsum"].ufunc(as_three, NO, NO)  # options that need no check, which takes as long as the sums of a short array
    else:
        made = MADE["cumsum"](as_three, exclusive, reverse)
    made = made.reshape(a.shape)
    return made if out is None else returned("cumsum", [made], out)
