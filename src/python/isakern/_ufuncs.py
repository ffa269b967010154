# SPDX-License-Identifier: MIT
"""ufuncs and generalized ufuncs from shapes: all kernels that compute arrays from arrays and values, and cannot fail."""
import dataclasses
import itertools

import numpy as np

from . import _core
from ._examples import example
from ._names import COMMUTES, NEGATES, ONE_RESULT, QUOTIENTS, REDUCED_BY, VALUED, WITHOUT_NUMPYS_LOOPS, keeps_integers, ufunc_of_numpy
from ._operation import Operation, makes_of
from ._tables import BY_OP, DTYPES, RETURNED, Returns, Role, S64, described

RESULT = -1
NO_BATCH = -1
OF_NUMPY = -1  # in place of a library
# Narrow types come first, because numpy takes the first loop to which all operands can be cast safely.
INTEGERS = "?bBhHiIlL"
FLOATS = "efd"
ORDER = INTEGERS + FLOATS + "F"


@dataclasses.dataclass
class Plan:
    """A shape as a ufunc. Arguments are given by their numbers."""
    inputs: list
    outputs: list
    batch: int  # the size that becomes numpy's loop
    cores: list  # the sizes that become core dimensions
    signature: str  # numpy's signature; None: elementwise


def may_be_ufunc(shape):
    """Whether a shape can be a ufunc. Shapes with s64 values cannot: such a value counts elements or is a position in a
    sequence, so pieces of an array would not be computed alike."""
    arguments = shape.arguments
    inferred = {size for a in arguments if a.role == Role.IN for size, _ in a.extents}
    return (shape.returns != Returns.STATUS and any(a.role == Role.IN for a in arguments)
            and inferred >= set(shape.numbers(Role.SIZE))
            and not any(a.inout or a.packed or a.measured or a.turned or a.role == Role.STRUCT
                        or a.role == Role.VALUE and a.type == S64 for a in arguments))


def batch_of(shape):
    """The size that is the outermost extent of outputs and no inner extent: rows, or elements. There is none if rows have no
    stride of their own, because they then belong together."""
    outs = [shape.arguments[i] for i in shape.numbers(Role.OUT)]
    firsts = {a.extents[0][0] for a in outs}
    if len(firsts) != 1 or shape.returns != Returns.NOTHING:
        return NO_BATCH
    batch = firsts.pop()
    for a in shape.arguments:
        sizes = [size for size, _ in a.extents]
        if batch in sizes[1:] or batch in sizes and len(sizes) > 1 and a.extents[0][1] < 0:
            return NO_BATCH
    return batch


def plan(shape, present):
    """The plan of a shape. present: the numbers of the optional inputs that are given."""
    arguments = shape.arguments
    inputs = [i for i in shape.numbers(Role.IN) if not arguments[i].null or i in present] + shape.numbers(Role.VALUE)
    outputs = shape.numbers(Role.OUT) if shape.returns == Returns.NOTHING else [RESULT]
    batch, cores = batch_of(shape), []

    def dimensions(i):
        sizes = [] if i == RESULT else [size for size, _ in arguments[i].extents if size != batch]
        cores.extend(size for size in dict.fromkeys(sizes) if size not in cores)
        return "(%s)" % ",".join(arguments[size].name for size in sizes)

    signature = "%s->%s" % (",".join(map(dimensions, inputs)), ",".join(map(dimensions, outputs)))
    return Plan(inputs, outputs, batch, cores, signature if cores else None)


def reducer(kernel):
    """The number of the kernel that reduces an array of the same type by this one (sum_f32 for add_f32), or -1."""
    return next((k.number for k in BY_OP.get(REDUCED_BY.get(kernel.op), ()) if k.library == kernel.library
                 and k.types[0] == kernel.types[0] and k.result_dtypes() == DTYPES.get(k.types[0])), -1)


def strided(kernel):
    """The number of the kernel that does the same with elements a stride apart (sum_strided_f32), or -1."""
    op = REDUCED_BY.get(kernel.op, kernel.op)
    return next((k.number for k in BY_OP.get(op + "_strided", ()) if k.library == kernel.library and k.types == kernel.types), -1)


def valued(kernel):
    """The number of the kernel that takes the second input as a value of its type (add_scalar_f32), or -1."""
    number = kernel.types[0]
    # 64-bit integers are no values, as in loops(); 16-bit floats are f32 as values.
    if number not in DTYPES or number == S64 or DTYPES[number] != DTYPES.get(RETURNED[number]):
        return -1
    return next((k.number for k in BY_OP.get(VALUED.get(kernel.op, kernel.op + "_scalar"), ())
                 if k.library == kernel.library and k.types == kernel.types), -1)


def loops(kernel, plan):
    """Yields a loop for each choice of numpy's types. Bits of a width have several choices, the same for all operands."""
    operands = plan.inputs + plan.outputs
    choices = [kernel.result_dtypes() if i == RESULT else kernel.shape.arguments[i].dtypes(kernel) for i in operands]
    if any(a.role == Role.VALUE and a.type_of(kernel) == S64 for a in kernel.shape.arguments):
        return  # the struct of arguments has a double for such a value, which cannot hold all s64
    widest = max(map(len, choices))
    for types in itertools.zip_longest(*[c * widest if len(c) == 1 else c for c in choices]):
        if all(t is not None for t in types):  # not ==, because np.dtype(None) is float64, which thus equals None
            yield (kernel.library, kernel.number, tuple(t.num for t in types), tuple(operands), plan.batch,
                   tuple(plan.cores), reducer(kernel), strided(kernel), valued(kernel), kernel.op in COMMUTES, kernel.op in NEGATES,
                   kernel.op in ONE_RESULT), types


def loops_of_numpy(op, made):
    """The same for the types of integers for which numpy's function has loops, unless kernels do; made holds the types of these.
    Integers are exact, so that the result is the same, and a conversion would take several times as long. Quotients of floats are
    numpy's too."""
    theirs = ufunc_of_numpy(op)
    kinds = ("" if op in WITHOUT_NUMPYS_LOOPS else INTEGERS) + (FLOATS if op in QUOTIENTS else "")
    for text in theirs.types if theirs is not None and theirs.signature is None else ():
        types = tuple(map(np.dtype, text.replace("->", "")))
        if all(t.char in kinds for t in types) and len(types) == len(made[0]) and types not in made:
            yield (OF_NUMPY, 0, tuple(t.num for t in types), (), NO_BATCH, (), -1, -1, -1, False, False, False), types


def make(op, kernels, present=()):
    """The ufunc of an operation, or None if none of its types is one of numpy's."""
    found = []
    for kernel in kernels:
        planned = plan(kernel.shape, present)
        found += [(types, loop, planned, kernel) for loop, types in loops(kernel, planned)]
    if not found:
        return None
    planned = found[0][2]
    rows = [(types, loop) for types, loop, _, _ in found]
    rows += [(types, loop) for loop, types in loops_of_numpy(op, [types for types, _ in rows])]
    for one in found, rows:
        one.sort(key=lambda row: [ORDER.find(t.char) for t in row[0]])
    ufunc = _core.ufunc(op, describe(op, kernels, present), planned.signature, [loop for _, loop in rows],
                        len(planned.inputs), len(planned.outputs), ufunc_of_numpy(op), keeps_integers(op))
    makes = makes_of([(types, kernel) for types, _, _, kernel in found], len(planned.inputs))
    if planned.signature or makes or any(a.role == Role.VALUE for a in found[0][3].shape.arguments):
        return Operation(op, ufunc, planned, [kernel for _, _, _, kernel in found], makes)
    return ufunc


def describe(op, kernels, present=(), values_last=True, of_rows=True):
    """The docstring of a ufunc. numpy adds the signature, but not the dimensions that a generalized ufunc takes."""
    shape = kernels[0].shape
    lines = [described(kernels), ""]
    signature = plan(shape, present).signature
    lines += ["The last dimensions: %s." % signature, ""] if signature and of_rows else []
    values = [a.name for a in shape.arguments if a.role == Role.VALUE]
    if values and values_last:
        lines += ["The last operands, or keywords, are %s." % ", ".join(values), ""]
    lines += ["%s (shape %s, since %s): %s." % (k.name, k.shape.name, k.since, k.promise) for k in kernels]
    planned = plan(shape, present)
    kernel = next((k for k in kernels if any(loops(k, planned))), None)
    if kernel:
        found = [types for k in kernels for _, types in loops(k, planned)]
        makes = makes_of([(types, None) for types in found], len(planned.inputs))
        lines += ["", example(op, kernel, next(loops(kernel, planned))[1][len(planned.inputs)] if makes else None)]
    return "\n".join(lines)
