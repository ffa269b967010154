# SPDX-License-Identifier: MIT
"""Numbers on their way from Python to C. Each is checked here against the range of its type and of its contract, because the
conversions of Python and numpy wrap, round or cut a number that does not fit."""
import functools
import inspect
import operator

import numpy as np

AxisError = getattr(np, "exceptions", np).AxisError


def array_of(function, name, given):
    """The array that is reduced. numpy leaves masked elements out, and no kernel does."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError("%s: %s: a masked array; its filled() or compressed() is an array" % (function, name))
    return np.asarray(given)


def bound(function, signature, args, keywords):
    """The arguments of a call, bound to a signature. An exception names the function, and says what it takes."""
    kinds = {name: one.kind for name, one in signature.parameters.items()}
    unknown = [name for name in keywords if name not in kinds]
    if unknown and inspect.Parameter.VAR_KEYWORD not in kinds.values():
        raise TypeError("%s: got an unexpected keyword argument '%s'; there are %s" % (function, unknown[0], ", ".join(kinds)))
    places = [name for name, kind in kinds.items() if kind == inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(places):
        rest = [name + "=" for name, kind in kinds.items() if kind == inspect.Parameter.KEYWORD_ONLY]
        raise TypeError("%s: too many positional arguments, %d; it takes %s%s" % (
            function, len(args), ", ".join(places) or "none", ", and as keywords " * bool(rest) + ", ".join(rest)))
    try:
        return signature.bind(*args, **keywords)
    except TypeError as reason:
        raise TypeError("%s: %s" % (function, reason)) from None


@functools.lru_cache(maxsize=None)
def _type(dtype):
    """A dtype, the least number of an integer type or the least normal one of a float type, and the greatest."""
    dtype = np.dtype(dtype)
    if dtype.kind == "i" or dtype.kind == "u":
        return dtype, int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return dtype, float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)


def checked(function, name, given, dtype, *, least=None, most=None, positive=False):
    """An array of dtype that holds the given numbers; an exception names the function, the argument and the numbers allowed.
    least and most narrow the range of an integer, positive asks for finite floats above 0."""
    dtype, low, high = _type(dtype)
    if dtype.kind != "f":
        low, high = low if least is None else least, high if most is None else most
        if isinstance(given, int) and low <= given <= high:
            return np.array(given, dtype)
    # One number that is certain to fit needs no arrays to be looked at.
    elif isinstance(given, float) and low <= given <= high:
        return np.array(given, dtype)
    array = np.asarray(given)
    # Integers of more than 64 bits are objects to numpy.
    wide = array.dtype == object and all(isinstance(one, int) for one in array.flat)
    if not (wide or array.dtype.kind in "biu" or dtype.kind == "f" and array.dtype.kind in "fV"):
        raise TypeError("%s: %s: expected %s, not %r" % (function, name, "a number" if dtype.kind == "f" else "an integer", given))
    if dtype.kind == "f":
        made = _floats(array, dtype)
        lost = ~np.isfinite(made) & (True if wide else np.isfinite(array))
        wrong = array[lost | ~((made > 0) & np.isfinite(made)) if positive else lost]
        allowed = "positive and finite" if positive else "within %s" % dtype
    else:
        wrong = [one for one in (array.min(), array.max()) if not low <= int(one) <= high] if array.size else []
        allowed = "from %d to %d" % (low, high)
        made = None if wrong else array.astype(dtype)
    if len(wrong):
        raise ValueError("%s: %s: %s is not %s" % (function, name, wrong[0], allowed))
    return made


def _floats(array, dtype):
    try:
        with np.errstate(over="ignore"):
            return array.astype(dtype)
    except OverflowError:
        return np.full(array.shape, np.inf, dtype)


def number(function, name, given, dtype, **limits):
    """One number, as Python has it."""
    array = checked(function, name, given, dtype, **limits)
    if array.ndim:
        raise ValueError("%s: %s: one number, not an array of %s" % (function, name, array.shape))
    return array.item()


def axes_of(function, given, dimensions):
    """The axes that `axis` means, ascending, each from 0 on; None means all."""
    if given is None:
        return tuple(range(dimensions))
    if type(given) is int and 0 <= given < dimensions:
        return (given,)
    try:
        axes = [operator.index(one) for one in (given if isinstance(given, tuple) else (given,))]
    except TypeError:
        raise TypeError("%s: axis: expected an integer, a tuple of integers or None, not %r" % (function, given)) from None
    if not dimensions and given in (0, -1):
        return ()  # numpy takes these for a number too
    for one in axes:
        if not -dimensions <= one < dimensions:
            raise AxisError(one, dimensions, "%s: axis" % function)
    axes = sorted(one % dimensions for one in axes)
    if len(set(axes)) != len(axes):
        raise ValueError("%s: axis: %r names an axis twice; repeated axes are not allowed" % (function, given))
    return tuple(axes)
