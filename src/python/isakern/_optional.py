# SPDX-License-Identifier: MIT
"""Functions of rows with optional inputs: a generalized ufunc for each choice of the inputs that are given."""
import inspect
import operator

from . import _ufuncs
from ._defaults import defaults_of
from ._numbers import bound
from ._operation import named
from ._tables import Role


class RowFunction:
    """Called like a generalized ufunc, but values are keywords. numpy's keywords, such as out and axis, work too."""

    def __init__(self, op, kernels):
        self.op, self.kernels, self.ufuncs = op, kernels, {}
        self.__name__ = self.__qualname__ = op
        self.__module__ = "isakern"
        shape = self.shape = kernels[0].shape
        self.inputs = [i for i in shape.numbers(Role.IN)]
        self.values = [shape.arguments[i].name for i in shape.numbers(Role.VALUE)]
        self.defaults = defaults_of(op, shape)
        arguments = [shape.arguments[i] for i in self.inputs]
        keyword, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(a.name, either) for a in arguments if not a.null]
            + [inspect.Parameter(a.name, either, default=None) for a in arguments if a.null]
            + [inspect.Parameter(name, keyword, default=self.defaults.get(name, inspect.Parameter.empty)) for name in self.values]
            + [inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD)])
        self.__doc__ = "%s%s\n\n%s" % (op, self.__signature__, _ufuncs.describe(op, kernels, tuple(self.inputs), values_last=False))

    def __repr__(self):
        return "<isakern function '%s'>" % self.op

    def __reduce__(self):
        return self.op

    def ufunc(self, present):
        """The generalized ufunc for the optional inputs that are given, by their numbers."""
        if present not in self.ufuncs:
            self.ufuncs[present] = _ufuncs.make(self.op, self.kernels, present)
        return self.ufuncs[present]

    def __call__(self, *args, **keywords):
        call = bound(self.op, self.__signature__, args, keywords)
        call.apply_defaults()
        given, more = call.arguments, call.arguments["more"]
        there = [i for i in self.inputs if given[self.shape.arguments[i].name] is not None]
        for i in self.inputs:
            a = self.shape.arguments[i]
            if i not in there and not a.null:
                raise TypeError("%s: %s must not be None" % (self.op, a.name))
        present = tuple(i for i in there if self.shape.arguments[i].null)
        operands = [given[self.shape.arguments[i].name] for i in there] + [given[name] for name in self.values]
        if "axis" in more:
            try:
                axis = operator.index(more["axis"])
            except TypeError:
                raise TypeError("%s: axis: expected an integer, not %r" % (self.op, more["axis"])) from None
            more = {**more, "axes": self.axes(present, axis)}
            del more["axis"]
        names = [self.shape.arguments[i].name for i in there] + self.values
        try:
            return self.ufunc(present)(*operands, **more)
        except ValueError as reason:
            raise named(self.op, names, reason) from None

    def axes(self, present, axis):
        """numpy's axes for an axis: arrays with rows use it, and arrays that are one row use their last axis."""
        plan = _ufuncs.plan(self.shape, present)

        def of(i):
            sizes = [size for size, _ in self.shape.arguments[i].extents]
            cores = [size for size in sizes if size != plan.batch]
            if len(cores) > 1:
                raise TypeError("%s: axis: this is a function of several; use axes" % self.op)
            return () if not cores else (axis,) if plan.batch in sizes else (-1,)

        return [of(i) for i in plan.inputs + plan.outputs]
