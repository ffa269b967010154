# SPDX-License-Identifier: MIT
"""Kernels that cannot be ufuncs, because they change arrays in place, take indices, or do not determine the sizes of their
outputs."""
import inspect
import itertools

import numpy as np

from . import _core
from ._defaults import defaults_of
from ._examples import example
from ._numbers import bound, number
from ._tables import Returns, Role, described

# More than memory has, and a byte for each of them can still be counted.
MOST_ELEMENTS = (1 << 62) - 1


def may_be_function(shape):
    return not any(a.packed or a.measured or a.role == Role.STRUCT and not a.null for a in shape.arguments)


class Function:
    """A kernel whose arrays have exactly the dimensions of the shape, as in C, without broadcasting."""

    def __init__(self, op, kernels):
        self.op, self.kernels = op, kernels
        self.__name__ = self.__qualname__ = op
        self.__module__ = "isakern"
        shape = self.shape = kernels[0].shape
        arguments = self.arguments = shape.arguments
        self.inputs = [a for a in arguments if a.role == Role.IN or a.inout]
        self.outputs = [a for a in arguments if a.role == Role.OUT and not a.inout]
        inferred = {size for a in self.inputs for size, _ in a.extents}
        self.free = [arguments[i] for i in shape.numbers(Role.SIZE) if i not in inferred]
        self.values = [a for a in arguments if a.role == Role.VALUE]
        keyword, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(a.name, either) for a in self.inputs if not a.null]
        parameters += [inspect.Parameter(a.name, either, default=None) for a in self.inputs if a.null]
        self.defaults = defaults_of(op, shape)
        self.by_rows = self.is_by_rows()
        parameters += [inspect.Parameter(a.name, keyword, default=self.defaults.get(a.name, inspect.Parameter.empty))
                       for a in self.free + self.values]
        if self.outputs:
            parameters += [inspect.Parameter("out", keyword, default=None), inspect.Parameter("dtype", keyword, default=None)]
        self.__signature__ = inspect.Signature(parameters)
        self.__doc__ = self.describe()

    def __repr__(self):
        return "<isakern function '%s'>" % self.op

    def __reduce__(self):
        return self.op

    def describe(self):
        def array(a):
            text = "%s (%s)" % (a.name, ", ".join(self.arguments[size].name for size, _ in a.extents))
            return text + (", which may be None" if a.null else "") + (", which is changed" if a.inout else "")

        lines = ["%s%s" % (self.op, self.__signature__), "", described(self.kernels), ""]
        lines += ["Takes %s." % "; ".join(map(array, self.inputs))] if self.inputs else []
        lines += ["Makes %s." % "; ".join(map(array, self.outputs))] if self.outputs else []
        lines += [""] + ["%s (shape %s, since %s): %s." % (k.name, k.shape.name, k.since, k.promise) for k in self.kernels]
        kernel = self.kernels[0]
        return "\n".join([*lines, "", example(self.op, kernel, self.outputs[0].dtypes(kernel)[0] if self.outputs else None)])

    def error(self, kind, name, reason):
        return kind("%s: %s: %s" % (self.op, name, reason))

    def __call__(self, *args, **keywords):
        call = bound(self.op, self.__signature__, args, keywords)
        call.apply_defaults()
        given = call.arguments
        arrays = {a.name: None if given[a.name] is None else self.array(a, given[a.name]) for a in self.inputs}
        arrays.update(self.given_outputs(given.get("out")))
        lead = self.lead(arrays)
        if lead is not None:
            arrays = {name: x if x is None else self.as_rows(name, x, lead) for name, x in arrays.items()}
        kernel, types = self.choose(arrays, given.get("dtype"))
        values = {a.name: self.value(a, kernel, given[a.name]) for a in self.values}
        sizes = self.sizes(arrays, values, {a.name: given[a.name] for a in self.free})
        for a in self.outputs:
            unknown = [name for name in self.dimensions(a, values) if name not in sizes]
            if unknown:
                raise TypeError("%s: %s is not known: give out" % (self.op, ", ".join(unknown)))
            if arrays[a.name] is None:
                arrays[a.name] = np.empty(self.extents(a, sizes, values), types.get(a.variable, a.dtypes(kernel)[0]))
        made = self.run(kernel, arrays, sizes, values)
        if lead is None:
            return made
        made = tuple(x.reshape(lead + x.shape[1:]) if one is None else one for x, one in zip(
            made if isinstance(made, tuple) else (made,), self.given_outputs(given.get("out")).values()))
        return made[0] if len(made) == 1 else made

    def is_by_rows(self):
        """Whether all arrays have the same outermost extent, so that it may be left out, or be several."""
        arrays = self.inputs + self.outputs
        return (bool(self.outputs) and all(a.extents and not a.inout and not a.turned for a in arrays)
                and len({a.extents[0][0] for a in arrays}) == 1 and max(len(a.extents) for a in arrays) > 1)

    def lead(self, arrays):
        """The axes that are in the place of rows, if these are not one: none for a vector. None if there is nothing to do."""
        if not self.by_rows:
            return None
        leads = {arrays[a.name].shape[:max(0, arrays[a.name].ndim - len(a.extents) + 1)] for a in self.inputs if arrays[a.name] is not None}
        lead = leads.pop()
        return None if leads or len(lead) == 1 else lead

    def as_rows(self, name, x, lead):
        if x.shape[:len(lead)] != lead:
            raise self.error(ValueError, name, "shape %s, expected %s first" % (x.shape, lead))
        rows = x.reshape((-1 if x.size else int(np.prod(lead, dtype=int)),) + x.shape[len(lead):])
        if not np.may_share_memory(rows, x) and name in {a.name for a in self.outputs}:
            raise self.error(ValueError, "out", "an array of more axes than rows and columns must have no gaps")
        return rows

    def array(self, a, given):
        if not a.inout:
            return np.asarray(given)
        if not isinstance(given, np.ndarray):
            raise self.error(TypeError, a.name, "it is changed in place and must be an array, not %s" % type(given).__name__)
        return self.writable(a.name, given)

    def writable(self, name, array):
        if not array.flags.writeable:
            raise self.error(ValueError, name, "the array is read-only")
        return array

    def given_outputs(self, out):
        outs = out if isinstance(out, tuple) else (out,) if out is not None else (None,) * len(self.outputs)
        if len(outs) != len(self.outputs):
            raise self.error(TypeError, "out", "%d arrays, expected %d" % (len(outs), len(self.outputs)))
        for one in outs:
            if one is not None and not isinstance(one, np.ndarray):
                raise self.error(TypeError, "out", "an array, not %s" % type(one).__name__)
            if one is not None:
                self.writable("out", one)
        if any(np.may_share_memory(a, b) for a, b in itertools.combinations([one for one in outs if one is not None], 2)):
            raise self.error(ValueError, "out", "they overlap")
        return {a.name: one for a, one in zip(self.outputs, outs)}

    def choose(self, arrays, dtype):
        """The kernel that takes exactly these types, because nothing is converted here, and numpy's type of each variable.
        Bits may have any type of their width, the same for all arrays."""
        for kernel in self.kernels:
            found = {}
            given = {a.name: arrays[a.name].dtype for a in self.inputs + self.outputs if arrays[a.name] is not None}
            if dtype is not None and self.outputs:
                given.setdefault(self.outputs[0].name, np.dtype(dtype))
            if all(a.dtypes(kernel) and (a.name not in given or given[a.name] in a.dtypes(kernel) and (
                    not a.variable or found.setdefault(a.variable, given[a.name]) == given[a.name]))
                   for a in self.inputs + self.outputs):
                return kernel, found
        types = ", ".join("%s %s" % one for one in given.items())
        raise TypeError("%s: no kernel for %s; there are %s" % (self.op, types, ", ".join(k.name for k in self.kernels)))

    def value(self, a, kernel, given):
        return number(self.op, a.name, given, a.dtypes(kernel)[0], **a.limits(kernel))

    def dimensions(self, a, values):
        """The names of the sizes of an array, outermost first. The last two are exchanged if the array is transposed."""
        sizes = [self.arguments[size].name for size, _ in a.extents]
        if a.turned:
            word = values[self.arguments[a.turned - 1].name]
            if word & a.bit if a.bit else word:
                sizes[-2:] = sizes[:-3:-1]
        return sizes

    def sizes(self, arrays, values, free):
        sizes = {}
        for name, size in free.items():
            sizes[name] = number(self.op, name, size, "i8", least=0, most=MOST_ELEMENTS)
        for a in self.inputs + self.outputs:
            array = arrays[a.name]
            if array is None:
                continue
            names = self.dimensions(a, values)
            if array.ndim != len(names):
                raise self.error(ValueError, a.name, "%d dimensions, expected %d: %s" % (array.ndim, len(names), ", ".join(names)))
            for name, size in zip(names, array.shape):
                if sizes.setdefault(name, size) != size:
                    raise self.error(ValueError, a.name, "%s is %d here and %d elsewhere" % (name, size, sizes[name]))
        return sizes

    def extents(self, a, sizes, values):
        return [sizes[name] for name in self.dimensions(a, values)]

    def run(self, kernel, arrays, sizes, values):
        outs = [a for a in self.arguments if a.role == Role.OUT and arrays[a.name] is not None]
        # A kernel gets no output that is also an input, except the arrays that it changes in place.
        placed = {}
        for a in outs:
            array = arrays[a.name]
            placed[a.name] = array if array.flags.carray else np.array(array, order="C") if a.inout else np.empty(
                array.shape, array.dtype)
        for a in self.inputs:
            array = arrays[a.name]
            if array is not None and not a.inout:
                shared = any(np.may_share_memory(array, one) for one in placed.values())
                placed[a.name] = np.array(array, order="C") if shared or not array.flags.carray else array
        strides = {}
        for a in self.arguments:
            if a.role in (Role.IN, Role.OUT) and placed.get(a.name) is not None:
                shape = placed[a.name].shape
                for i, (_, stride) in enumerate(a.extents):
                    if stride >= 0:
                        strides.setdefault(self.arguments[stride].name, int(np.prod(shape[i + 1:], dtype=int)))
        call = {**placed, **sizes, **strides, **values}
        result = _core.call(kernel.library, kernel.number, [
            call.get(a.name, 0 if a.role == Role.STRIDE else None) for a in self.arguments])
        for a in outs:
            if placed[a.name] is not arrays[a.name]:
                arrays[a.name][...] = placed[a.name]
        if self.shape.returns not in (Returns.NOTHING, Returns.STATUS):
            return result
        made = tuple(arrays[a.name] for a in (self.outputs or self.inputs) if a.inout or a in self.outputs)
        return made[0] if len(made) == 1 else made
