# SPDX-License-Identifier: MIT
"""An example of a call for each docstring, from the shape: arrays of ones of the least sizes that show which axis is which."""
from ._defaults import defaults_of
from ._tables import Role

SIZES = (2, 3, 4, 5, 6, 7)
# Values that may not be 1: no pixels of border, activations of a cell, a probability below 1, nothing transposed.
WORDS = {"pad_h": 0, "pad_w": 0, "acts": 41, "p": 0.5, "transposed": 0}


def array(a, kernel, size_of):
    shape = [size_of[size] for size, _ in a.extents]
    kind = "zeros" if a.below or a.ascending else "ones"
    return '%s = np.%s(%s, "%s")' % (a.name, kind, shape[0] if len(shape) == 1 else tuple(shape), name_of(a.dtypes(kernel)[0]))


def name_of(dtype):
    return dtype.str[1:] if dtype.isbuiltin == 1 else dtype.name


def example(op, kernel, dtype=None, out=""):
    """Lines of a call of the kernel. dtype: the type of the result, if the call must say it."""
    arguments = kernel.shape.arguments
    sizes = kernel.shape.numbers(Role.SIZE)
    # As many of one thing as there are, so that any division into groups works.
    size_of = {size: SIZES[i % len(SIZES)] for i, size in enumerate(sizes)}
    inputs = [a for a in arguments if a.role == Role.IN and not a.null or a.inout and not a.null]
    inferred = {size for a in inputs for size, _ in a.extents}
    # Optional arrays are left out, unless they alone tell a size.
    inputs += [a for a in arguments if a.role == Role.IN and a.null and not {size for size, _ in a.extents} <= inferred]
    inferred = {size for a in inputs for size, _ in a.extents}
    # Without the ends of parts, all parts have equal lengths: here one element each.
    size_of.update((size, size_of[a.ascending - 1]) for a in arguments if a.ascending and a not in inputs for size, _ in a.extents)
    values = [a for a in arguments if a.role == Role.VALUE and a.name not in defaults_of(op, kernel.shape)]
    words = ["%s=%s" % (a.name, a.name) if a.null else a.name for a in inputs]
    words += ["%s=%d" % (arguments[size].name, size_of[size]) for size in sizes if size not in inferred]
    words += ["%s=%s" % (a.name, WORDS.get(a.name, 1)) for a in values]
    words += ['dtype="%s"' % name_of(dtype)] if dtype is not None else []
    lines = [">>> " + array(a, kernel, size_of) for a in inputs] + [">>> isakern.%s(%s)" % (op, ", ".join(words))]
    return "\n".join(lines)
