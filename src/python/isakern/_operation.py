# SPDX-License-Identifier: MIT
"""ufuncs that need more than numpy does for them before the kernel is called."""
import re

import numpy as np

from ._defaults import defaults_of
from ._numbers import AxisError, checked
from ._tables import Role

OF_NUMPY = {"out", "where", "axes", "axis", "keepdims", "casting", "order", "dtype", "subok", "signature", "sig", "extobj"}
# What numpy says about the dimensions of a generalized ufunc's operands, which it counts.
LENGTHS = re.compile(r": (In|Out)put operand (\d+) has a mismatch in its core dimension .* \(size (\d+) is different from (\d+)\)")
DIMENSIONS = re.compile(r": (In|Out)put operand (\d+) does not have enough dimensions \(has (\d+), .* requires (\d+)\)")


def named(function, names, reason):
    """A ufunc's exception, with the function and the argument; names are those of the inputs."""
    if isinstance(reason, AxisError):
        return AxisError("%s: axis: %s" % (function, reason))
    for pattern, words in (LENGTHS, "%s elements along an axis, expected %s"), (DIMENSIONS, "%s dimensions, expected at least %s"):
        match = pattern.search(str(reason))
        if match:
            name = names[int(match[2])] if match[1] == "In" else "out"
            return ValueError("%s: %s: %s" % (function, name, words % match.groups()[2:]))
    return reason


class Operation:
    """Is called as its ufunc is, and has the ufunc's attributes. Before the call it does five things that numpy does not do:

    - Values may be keywords, and some have defaults.
    - Values of a fixed type, such as a scale or a window, are checked against the contract.
    - If kernels make several types from the same ones, dtype or out must say which.
    - axis of a reduction may be None or a tuple.
    - Inputs of a generalized ufunc that share memory with an output are copied.
    """

    def __init__(self, op, ufunc, planned, kernels, makes):
        """makes maps the type of the first result to the kernel that makes it and the types of all results. It is empty if the
        types of the inputs determine those of the results."""
        self.op, self.ufunc, self.makes, self.kernel = op, ufunc, makes, kernels[0]
        self.__name__ = self.__qualname__ = op
        self.__module__ = "isakern"
        # By kernel, the arguments of checked() but the number, and which operand that is.
        self.values = {k.name: [(i, a.name, a.dtypes(k)[0], a.limits(k)) for i, a in values_of(planned, k.shape)] for k in kernels}
        self.value_names = [a.name for a in (kernels[0].shape.arguments[i] for i in planned.inputs) if a.role == Role.VALUE]
        self.names = [kernels[0].shape.arguments[i].name for i in planned.inputs]
        self.defaults = defaults_of(op, kernels[0].shape)
        self.__doc__ = self.described(ufunc.__doc__)
        self.is_plain = not makes and not self.values[self.kernel.name]
        self.inputs = ufunc.nin
        # The core dimensions of each operand, as text.
        self.cores = [one.strip("()") for one in (planned.signature or "").replace("->", ",").replace("),(", ") (").split()]

    def described(self, text):
        """numpy's docstring of the ufunc, in whose first line the inputs have their names, and values their defaults."""
        arrays = self.names[:len(self.names) - len(self.value_names)]
        values = ["%s=%s" % (name, self.defaults[name]) if name in self.defaults else name for name in self.value_names]
        return re.sub(r"\(.*?/", "(" + ", ".join([*arrays, "/", *values]), text, count=1)

    def __getattr__(self, name):
        return getattr(self.ufunc, name)

    def __repr__(self):
        return "<isakern function '%s'>" % self.op

    def __reduce__(self):
        return self.op

    def __call__(self, *operands, **keywords):
        ufunc = self.ufunc
        # The shortest calls are short enough for the rest to be felt.
        if self.is_plain and not keywords and len(operands) == self.inputs:
            try:
                return ufunc(*operands)
            except (TypeError, ValueError) as reason:
                raise self.named(operands, reason) from None
        if self.value_names:
            operands = self.completed(operands, keywords)
        if ufunc.nin < len(operands) <= ufunc.nargs and "out" not in keywords:
            keywords["out"] = operands[ufunc.nin:] + (None,) * (ufunc.nargs - len(operands))
            operands = operands[:ufunc.nin]
        if len(operands) != ufunc.nin:
            return ufunc(*operands, **keywords)
        outs = keywords.get("out")
        outs = outs if isinstance(outs, tuple) else (outs,) * ufunc.nout
        if self.makes:
            keywords, kernel = self.told(outs, keywords)
        else:
            kernel = self.kernel
        operands = list(operands)
        for i, name, dtype, limits in self.values[kernel.name]:
            operands[i] = checked(self.op, name, operands[i], dtype, **limits)
        if self.cores:
            if "axis" in keywords and (keywords["axis"] is None or isinstance(keywords["axis"], tuple)):
                return self.over(operands, outs, **keywords)
            if "out" in keywords:
                operands = self.apart(operands, outs, keywords)
        try:
            return ufunc(*operands, **keywords)
        except (TypeError, ValueError) as reason:
            raise self.named(operands, reason) from None

    def named(self, operands, reason):
        """The ufunc's exception, with the argument that it is about."""
        for name, value in zip(self.value_names, operands[self.inputs - len(self.value_names):]):
            if value is None or isinstance(value, (str, bytes)):
                return TypeError("%s: %s: expected a number, not %r" % (self.op, name, value))
        if str(reason) == "return arrays must be of ArrayType":
            return TypeError("%s: out: expected an array%s" % (self.op, "; axis is a keyword" if self.cores else ""))
        return named(self.op, self.names, reason)

    def completed(self, operands, keywords):
        """The operands with the values that are keywords, which are taken out of these, or have a default."""
        arrays = self.ufunc.nin - len(self.value_names)
        for name in self.value_names[:max(0, len(operands) - arrays)]:
            if name in keywords:
                raise TypeError("%s: multiple values for argument '%s'" % (self.op, name))
        if not arrays <= len(operands) < self.ufunc.nin:
            return operands
        more = []
        for name in self.value_names[len(operands) - arrays:]:
            if name not in keywords and name not in self.defaults:
                unknown = [one for one in keywords if one not in OF_NUMPY and one not in self.value_names]
                if unknown:
                    raise TypeError("%s: got an unexpected keyword argument '%s'; values are %s" % (
                        self.op, unknown[0], ", ".join(self.value_names)))
                raise TypeError("%s: missing a required argument: '%s'" % (self.op, name))
            more.append(keywords.pop(name, self.defaults.get(name)))
        return operands + tuple(more)

    def told(self, outs, keywords):
        """The keywords with the types of the results, and the kernel that makes them."""
        signature = keywords.get("signature")
        kind = keywords.pop("dtype", None) if signature is None else signature[-self.ufunc.nout]
        if kind is None and outs[0] is not None:
            kind = outs[0].dtype
        if kind is None:
            raise TypeError("%s: dtype or out must say which type to make; there are %s" % (self.op, ", ".join(map(str, self.makes))))
        if np.dtype(kind) not in self.makes:
            raise TypeError("%s: no kernel makes %s; there are %s" % (self.op, np.dtype(kind), ", ".join(map(str, self.makes))))
        kernel, types = self.makes[np.dtype(kind)]
        return keywords if signature is not None else {**keywords, "signature": (None,) * self.ufunc.nin + types}, kernel

    def over(self, operands, outs, *, axis, keepdims=False, **keywords):
        """A reduction over several axes, or all: as over one axis that has their elements."""
        if any(self.cores[self.ufunc.nin:]) or len(set(self.cores[:self.ufunc.nin])) != 1 or "," in self.cores[0]:
            raise TypeError("%s: axis: expected an integer, not %r" % (self.op, axis))
        arrays = np.broadcast_arrays(*operands, subok=True)
        dimensions = arrays[0].ndim
        axes = tuple(range(dimensions)) if axis is None else axis
        np.moveaxis(arrays[0], axes, axes)  # raises if one of them is wrong
        axes = sorted(one % dimensions for one in axes)
        flat = []
        for x in arrays:
            x = np.moveaxis(x, axes, range(dimensions - len(axes), dimensions))
            kept = x.shape[:dimensions - len(axes)]
            flat.append(x.reshape(*kept, int(np.prod(x.shape[len(kept):], dtype=int))))
        if "out" in keywords:
            keywords["out"] = tuple(None if out is None else np.squeeze(out, tuple(axes)) if keepdims else out for out in outs)
        made = self(*flat, **keywords)
        made = made if isinstance(made, tuple) else (made,)
        made = tuple(out if out is not None else np.expand_dims(one, axes) if keepdims else one for one, out in zip(made, outs))
        return made[0] if len(made) == 1 else made

    def apart(self, operands, outs, keywords):
        """The operands, with copies of those that share memory with an output. numpy makes these copies as well, except of an input
        that is the output: it assumes that such an input is read element by element, just before the output is written. This is
        wrong if the input has other core dimensions than the output, because it is then broadcast, and read again later."""
        operands = [np.asanyarray(x) for x in operands]
        for i, x in enumerate(operands):
            for j, out in enumerate(outs, len(operands)):
                if isinstance(out, np.ndarray) and np.may_share_memory(x, out):
                    in_place = (self.cores[i] == self.cores[j] and "axes" not in keywords and x.dtype == out.dtype
                                and x.__array_interface__["data"] == out.__array_interface__["data"]
                                and x.shape == out.shape and x.strides == out.strides)
                    operands[i] = operands[i] if in_place else x.copy()
        return operands


def values_of(planned, shape):
    """The values of a type that is not the kernel's, by their places among the operands."""
    arguments = [shape.arguments[i] for i in planned.inputs]
    return [(i, a) for i, a in enumerate(arguments) if a.role == Role.VALUE and not a.variable]


def makes_of(found, inputs):
    """The argument makes of Operation. found holds the types of the operands and the kernel of each loop."""
    if len({types[:inputs] for types, _ in found}) == len(found):
        return {}
    return {types[inputs]: (kernel, types[inputs:]) for types, kernel in found}
