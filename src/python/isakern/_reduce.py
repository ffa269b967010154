# SPDX-License-Identifier: MIT
"""Reductions of one array, called as numpy's are: over all axes, one or several, into out, with an initial value, where a mask
is true.

An operation has up to three ufuncs: of an array (sum_f32), of rows (sum_rows_f32), which gives a row the bits of the first, and
of columns (sum_cols_f32), which reduces an outer axis in place.
"""
import dataclasses
import inspect
import math

import numpy as np

from ._names import REDUCED_BY, ufunc_of_numpy
from ._numbers import array_of, axes_of, bound
from ._operation import Operation
from ._tables import BY_OP, Role
from ._where import PLACED
from . import _ufuncs


@dataclasses.dataclass
class Rule:
    """What numpy's arguments mean for an operation."""
    join: str = ""  # the operation that adds an initial value to a result
    neutral: bool = False  # the result of no elements, as an element, changes no result: where= puts it in place of others
    refuses_nothing: bool = False  # no elements and no initial value are an error, as in numpy
    integers: str = "none"  # the method of Reduction that reduces integers for which there is no kernel
    widens: bool = False  # sums of integers are of 64 bits, as in numpy
    has_no_order: bool = False  # results of parts, reduced again, are the result


RULES = {
    "sum": Rule("add", neutral=True, integers="numpys"),
    "prod": Rule("mul", neutral=True, integers="joined", widens=True),
    "max": Rule("maximum", neutral=True, refuses_nothing=True, integers="numpys", has_no_order=True),
    "min": Rule("minimum", neutral=True, refuses_nothing=True, integers="numpys", has_no_order=True),
    "xor_sum": Rule("bit_xor", neutral=True, integers="joined"),
    "argmax": Rule(refuses_nothing=True, integers="numpys"),
    "argmin": Rule(refuses_nothing=True, integers="numpys"),
    "count_nonzero": Rule("add", neutral=True, integers="truths"),
    "asum": Rule("add", neutral=True),
    "sumsq": Rule("add", neutral=True),
    "sum_exact": Rule("add", neutral=True),
    "nrm2": Rule(neutral=True, integers="floats"),
    "logsumexp": Rule(neutral=True, integers="floats"),
    "mean": Rule(integers="floats"),
    "meanvar": Rule(integers="floats"),
    "meanvar_unbiased": Rule(integers="floats"),
    "meanm2": Rule(integers="floats"),
    "mask_any": Rule(neutral=True),
    "mask_all": Rule(neutral=True),
    "mask_count": Rule("add", neutral=True),
}
FORMS = ("_rows", "_cols", "_strided")
LONG_ROW = 512  # in bytes
LONG_COLUMN = 64  # in elements
FEW = 4096  # elements
# In elements: rows of integers for which a call of the kernel takes longer than numpy.
SHORT_ROW = {"sum": 16, "argmax": 64, "argmin": 64}
MOST_GAP = 4
# The keywords of a call of ufunc.reduce() that a reduction answers.
PLAIN = {"axis", "keepdims"}
EXACT_BITS = 53  # the integers of as many bits or fewer are float64
# In bytes: a copy that a second-level cache of 1 MiB holds beside what is copied. Smaller ones take more calls.
COPIED = 1 << 19


def is_reduction(op, kernels):
    """Whether an operation makes one number, or two, of the elements of an array, and is not the form of rows or columns."""
    shape = kernels[0].shape
    plan = _ufuncs.plan(shape, ())
    return (len(plan.inputs) == 1 and len(plan.cores) == 1 and shape.arguments[plan.inputs[0]].role == Role.IN
            and plan.signature.split("->")[1].replace("()", "").strip(",") == ""
            and not any(op.endswith(form) and op[:-len(form)] in BY_OP for form in FORMS))


def reductions(made):
    """The Reductions of the operations that have functions, by name."""
    def ufunc(name):
        return made[name].ufunc if name in made else None

    return {op: Reduction(op, BY_OP[op], ufunc(op), ufunc(op + "_rows"), ufunc(op + "_cols")) for op in made
            if isinstance(made[op], Operation) and op in BY_OP and is_reduction(op, BY_OP[op])}


def types_of(kernels):
    """The types of the results by that of the input."""
    plan = _ufuncs.plan(kernels[0].shape, ())
    return {types[0]: types[1:] for k in kernels for _, types in _ufuncs.loops(k, plan)}


def mask_of(function, given, shape):
    """The mask `where`, for an array of a shape."""
    where = np.asarray(given)
    if where.dtype != bool:
        raise TypeError("%s: where: expected bool, not %s" % (function, where.dtype))
    try:
        return np.broadcast_to(where, shape)
    except ValueError:
        raise ValueError("%s: where: shape %s, which does not broadcast to %s" % (function, where.shape, shape)) from None


def returned(function, made, out, is_position=False):
    """The results, as numpy's reductions return them: in out where that is an array, and a result of no dimension as a number."""
    outs = out if isinstance(out, tuple) else (out,) * len(made) if out is None else (out,)
    if len(outs) != len(made):
        raise TypeError("%s: out: %d arrays, expected %d" % (function, len(outs), len(made)))
    for one, target in zip(made, outs):
        if target is None:
            continue
        if not isinstance(target, np.ndarray):
            raise TypeError("%s: out: expected an array, not %s" % (function, type(target).__name__))
        if target.shape != one.shape:
            raise ValueError("%s: out: shape %s, expected %s" % (function, target.shape, one.shape))
        if is_position and not np.can_cast(one.dtype, target.dtype, "same_kind"):
            raise TypeError("%s: out: %s cannot hold results of %s" % (function, target.dtype, one.dtype))
        if not target.flags.writeable:
            raise ValueError("%s: out: the array is read-only" % function)
    for one, target in zip(made, outs):
        if target is not None:
            np.copyto(target, one, casting="unsafe")  # as numpy's reductions do
    made = tuple(one[()] if target is None else target for one, target in zip(made, outs))
    return made[0] if len(made) == 1 else made


class Reduction:
    """Takes the parameters of numpy's function of the same name; if there is none, those of numpy's sum."""

    def __init__(self, op, kernels, whole, rows, cols):
        """whole, rows and cols are ufuncs; rows and cols may be None."""
        self.op, self.whole, self.rows, self.cols = op, whole, rows, cols
        self.__name__ = self.__qualname__ = op
        self.__module__ = "isakern"
        self.rule = RULES.get(op, Rule())
        self.kernels = kernels
        self.types = types_of(kernels)
        self.floats = {kind for kind in self.types if kind.kind not in "biu"}
        self.rows_types = types_of(BY_OP[op + "_rows"]) if rows else {}
        # The types of vectors to which the kernel of arrays gives the result of rows.
        own = set(self.types) if self.rule.integers == "numpys" else self.floats
        self.of_vectors = {kind for kind in own if self.types[kind] == self.rows_types.get(kind, self.types[kind])}
        self.cols_types = types_of(BY_OP[op + "_cols"]) if cols else {}
        self.outputs = whole.nout
        self.of_nothing = {}  # the results of no elements, by type
        self.of_integers = getattr(self, "of_" + self.rule.integers, None)
        self.is_position = op in ("argmax", "argmin")
        self.join_of_numpy = ufunc_of_numpy(self.rule.join) if self.rule.join else None
        self.__signature__ = self.parameters()
        self.names = tuple(self.__signature__.parameters)
        self.keywords = set(self.names[1:])
        self.plain_names = {"axis", "keepdims"} & self.keywords
        self.__doc__ = "%s%s\n\n%s" % (op, self.__signature__, _ufuncs.describe(op, kernels, of_rows=False))

    def parameters(self):
        theirs = getattr(np, self.op, None)
        if callable(theirs):
            return inspect.signature(theirs)
        either, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        names = [("axis", either, None), ("dtype", either, None), ("out", either, None), ("keepdims", keyword, False)]
        names += [("initial", keyword, None)] if self.rule.join else []
        names += [("where", keyword, None)] if self.rule.neutral else []
        return inspect.Signature([inspect.Parameter("x", either)] + [
            inspect.Parameter(name, kind, default=default) for name, kind, default in names])

    def __repr__(self):
        return "<isakern function '%s'>" % self.op

    def __reduce__(self):
        return self.op

    def __call__(self, *args, **keywords):
        # To sum a thousand elements takes less time than to find their axes, or to bind arguments to a signature.
        if len(args) == 1 and not keywords:
            x, = args
            if type(x) is np.ndarray and x.ndim == 1 and x.dtype in self.of_vectors and x.size and x.strides[0] == x.itemsize:
                return self.whole(x)
        if len(args) == 1 and keywords.keys() <= self.plain_names:
            return self.reduce(args[0], **keywords)
        if len(args) == 1 and keywords.keys() <= self.keywords:
            given = {self.names[0]: args[0], **keywords}
        else:
            given = bound(self.op, self.__signature__, args, keywords).arguments
        # numpy has a word of its own for an argument that is left out.
        given = {name: one for name, one in given.items() if one is not np._NoValue}
        return self.reduce(given.pop(self.names[0]), **given)

    def reduce(self, x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
        x = array_of(self.op, self.names[0], x)
        axes = axes_of(self.op, axis, x.ndim)
        if dtype is None and out is None and initial is None and where is None and not keepdims and x.size:
            made = (self.by_kernel(x, axes) if x.dtype in self.floats
                    else self.of_integers(x, axes) if self.of_integers and self.is_integer(x) else None)
            if made is not None:
                return made[0][()] if len(made) == 1 else tuple(one[()] for one in made)
        dtype = None if dtype is None else np.dtype(dtype)
        if where is True:
            where = None
        where = None if where is None else mask_of(self.op, where, x.shape)
        if where is not None and not self.rule.neutral:
            return self.mean_of(x, where, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
        if where is not None:
            x = self.chosen(x, where, initial)
        shape = [n for i, n in enumerate(x.shape) if i not in axes]
        if self.rule.refuses_nothing and initial is None and x.size == 0 and 0 not in shape:
            raise ValueError("%s: %s: no elements, so there is no result%s" % (
                self.op, self.names[0], "; initial would be it" if self.rule.join else ""))
        made = self.results(x, axes, dtype)
        if initial is not None:
            made = [self.joined_to(made[0], initial)]
        if dtype is not None:
            made = [made[0].astype(dtype, copy=False), *made[1:]]
        if keepdims:
            made = [np.expand_dims(one, axes) for one in made]
        return returned(self.op, made, out, self.is_position)

    def mean_of(self, x, where, *, axis, dtype, out, keepdims):
        """A mean of chosen elements: nothing stands for an element without a change of the mean."""
        wide = np.result_type(x.dtype if x.dtype.kind == "f" else "f8", "f4") if dtype is None else dtype
        total = MADE["sum"].reduce(x, axis=axis, dtype=wide, keepdims=keepdims, where=where)
        count = MADE["mask_count"].reduce(where, axis=axis, keepdims=keepdims)
        kind = dtype or (x.dtype if x.dtype in self.types else wide)
        return returned(self.op, [np.asarray(MADE["div"](total, count.astype(wide))).astype(kind)], out)

    def chosen(self, x, where, initial):
        """x with neutral elements where the mask is false."""
        if self.rule.refuses_nothing and initial is None:
            raise ValueError("%s: where: initial must be given too, because there is no result of no elements" % self.op)
        if self.is_integer(x) and self.rule.refuses_nothing:
            return picked(where, x, self.of_no_integers(x.dtype))
        if x.dtype not in self.of_nothing:
            kinds = [x.dtype] + [self.carrier(x.dtype)] * self.is_integer(x)
            kind = next((kind for kind in kinds if kind in self.types), "f8")
            self.of_nothing[x.dtype] = self.whole(np.empty(0, kind)).astype(x.dtype)
        return picked(where, x, self.of_nothing[x.dtype])

    def of_no_integers(self, dtype):
        """The result of no elements, as max and min have it: the least or the greatest number."""
        least, greatest = (False, True) if dtype == bool else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        return dtype.type(least if self.op == "max" else greatest)

    def joined_to(self, made, initial):
        initial = np.asarray(initial)
        if initial.ndim:
            raise ValueError("%s: initial: one number, not an array of %s" % (self.op, initial.shape))
        initial = np.broadcast_to(initial.astype(made.dtype), made.shape)
        if made.dtype.kind in "bu":
            return self.results(np.stack([made, initial]), (0,), None)[0].astype(made.dtype, copy=False)
        return np.asarray(MADE[self.rule.join](made, initial)).astype(made.dtype, copy=False)

    @staticmethod
    def is_integer(x):
        return x.dtype.kind in "biu"

    def results(self, x, axes, dtype):
        """The results, before `initial`."""
        kind = x.dtype.newbyteorder("=")
        if dtype is not None and dtype != kind and dtype not in self.types.get(kind, ()) and self.outputs == 1 and not self.is_position:
            x = x.astype(dtype)
            kind = dtype.newbyteorder("=")
        if kind in self.types and not self.is_integer(x):
            return self.by_kernel(x, axes, dtype)
        if self.is_integer(x) and self.of_integers:
            return self.of_integers(x, axes)
        if kind in self.types:
            return self.by_kernel(x, axes, dtype)
        raise TypeError("%s: %s: no kernel for %s%s; there are %s" % (
            self.op, self.names[0], "integers of " * self.is_integer(x), x.dtype, ", ".join(k.name for k in self.kernels)))

    def in_place(self, x, axes):
        """The results over all axes or adjacent ones that a view has as one, the last or the last but one; otherwise None."""
        by_rows, by_columns = x.flags.c_contiguous, x.flags.f_contiguous
        if len(axes) == x.ndim and (by_rows or not by_columns or self.cols is None):
            return self.of_rows(x.reshape(-1))
        if not by_rows and (by_columns or len(axes) != 1) or not axes or not x.size or axes[-1] - axes[0] != len(axes) - 1:
            return None
        outer, inner = x.shape[:axes[0]], x.shape[axes[-1] + 1:]
        if not inner:
            return self.of_rows(x if len(axes) == 1 else x.reshape(*outer, -1))
        if x.dtype not in self.cols_types or not by_rows and len(inner) > 1:
            return None
        if len(axes) == len(inner) == 1:
            return self.of_columns(x)
        made = self.of_columns(x.reshape(*outer, -1, math.prod(inner)))
        return tuple(one.reshape(outer + inner) for one in made) if isinstance(made, tuple) else made.reshape(outer + inner)

    def by_kernel(self, x, axes, dtype=None):
        """The results of a type for which there are kernels."""
        if dtype is None or dtype == x.dtype:
            made = self.in_place(x, axes)
            if made is not None:
                return list(made) if isinstance(made, tuple) else [np.asarray(made)]
        # A matrix that lies by columns is reduced as its memory lies, as numpy does. A position in several axes counts by rows.
        mirrored = (self.cols is not None and x.ndim > 1 and x.flags.f_contiguous and not x.flags.c_contiguous
                    and (dtype is None or dtype == x.dtype) and not (self.is_position and len(axes) > 1))
        if mirrored:
            made = self.by_kernel(x.T, tuple(x.ndim - 1 - i for i in reversed(axes)))
            return [one.T for one in made]
        rows = self.last_of(axes, x.ndim) if self.rule.has_no_order and x.flags.c_contiguous else ()
        if 0 < len(rows) < len(axes):
            return self.by_kernel(self.by_kernel(x, rows)[0], axes[:-len(rows)], dtype)
        kept = [i for i in range(x.ndim) if i not in axes]
        order = [i for i in kept if i < axes[-1]] + list(axes) + [i for i in kept if i > axes[-1]] if axes else kept
        inner = x.shape[axes[-1] + 1:] if axes else ()
        wide = dtype is not None and dtype != x.dtype and self.outputs == 1 and not self.is_position
        if inner and wide:
            x, wide = x.astype(dtype), False
        by_columns = inner and x.dtype in self.cols_types
        if inner and not by_columns:
            order = kept + list(axes)
        shape = [x.shape[i] for i in kept]
        outer = shape[:len(shape) - len(inner)] if by_columns else shape
        matrix = (math.prod(x.shape[i] for i in axes), math.prod(inner) if by_columns else 1)

        def made_of(x):
            made = self.of_columns(x) if by_columns else self.of_rows(x[..., 0], wide)
            return made if isinstance(made, tuple) else (made,)

        x = arranged(x, order)
        matrices = (*x.shape[:len(outer)], *matrix)
        if outer and not x.flags.c_contiguous and (len(axes) > 1 or by_columns and len(inner) > 1) and x.nbytes > COPIED:
            made = [np.concatenate(parts) for parts in zip(*map(made_of, copies(x, matrices)))]
        else:
            made = made_of(x.reshape(matrices))
        return [np.asarray(one).reshape(shape) for one in made]

    @staticmethod
    def last_of(axes, dimensions):
        """Those of the axes that are the last of an array."""
        first = next((i for i, axis in enumerate(axes) if axis == dimensions - len(axes) + i), len(axes))
        return axes[first:]

    def of_rows(self, x, wide=False):
        """The results of the last axis."""
        if x.ndim == 1 and x.dtype in self.of_vectors and not wide:
            return self.whole(x)
        return (self.rows if x.dtype in self.rows_types and not wide and not self.in_parts(x) else self.whole)(x)

    def in_parts(self, x):
        """Whether the kernel of arrays takes less time than that of rows, for which rows whose elements are apart are copied. A
        position in a short row is found sooner in a copy."""
        return (x.strides[-1] != x.itemsize and x.shape[-1] * x.itemsize >= LONG_ROW and not (self.is_position and x.ndim > 1)
                and self.types[x.dtype] == self.rows_types[x.dtype])

    def of_columns(self, x):
        """The results of the columns of matrices. Columns that are a few elements apart lie in the same cache lines as those
        between them, so that it takes less time to reduce these too than to copy the others."""
        gap = x.strides[-1] // x.itemsize
        if not (2 <= gap <= MOST_GAP and x.strides[-1] % x.itemsize == 0 and x.shape[-1] > 1):
            return self.cols(x)
        wide = np.lib.stride_tricks.as_strided(
            x, (*x.shape[:-1], (x.shape[-1] - 1) * gap + 1), (*x.strides[:-1], x.itemsize), writeable=False)
        made = self.cols(wide)
        return tuple(one[..., ::gap] for one in made) if isinstance(made, tuple) else made[..., ::gap]

    @staticmethod
    def carrier(dtype):
        """The type of a kernel that holds all of an integer type, or all bits of uint64."""
        return np.dtype("i4" if np.can_cast(dtype, "i4") else "i8")

    def of_joined(self, x, axes):
        """Integers, joined one by one: sums and products modulo 2^64, as numpy's. It is faster by parts of axes."""
        if len(axes) < x.ndim:
            return [np.asarray(self.join_of_numpy.reduce(x, axis=axes))]
        kind = x.dtype
        carrier = np.dtype("i8") if self.rule.widens else self.carrier(kind)
        x = x.view("i8") if kind == np.uint64 and x.flags.c_contiguous else x.astype(carrier, copy=False)
        made = np.asarray(np.ufunc.reduce(MADE[self.rule.join], x, axis=axes, dtype=carrier))
        if self.rule.widens:
            kind = np.dtype("u8" if kind.kind == "u" else "i8")
        return [made.astype(kind, copy=False)]

    def of_numpys(self, x, axes):
        """Integers by a kernel of rows if there is one of their type, otherwise by numpy: they are exact, so the result is the same."""
        if not x.size and self.rule.refuses_nothing:
            shape = [n for i, n in enumerate(x.shape) if i not in axes]
            return [np.zeros(shape, "i8") if self.is_position else np.full(shape, self.of_no_integers(x.dtype))]
        is_short = x.ndim > 1 and x.shape[-1] < SHORT_ROW.get(self.op, 0)
        if x.dtype in self.types and axes and x.strides[-1] == x.itemsize and axes[0] == x.ndim - len(axes) and not is_short:
            return self.by_kernel(x, axes)
        if not self.is_position:
            return [np.asarray(self.join_of_numpy.reduce(x, axis=axes))]
        if x.dtype.itemsize < 4 and x.ndim > 1 and len(axes) == 1:
            return self.by_kernel(x.astype("f4"), axes)  # exact, and faster by rows and by columns
        if 1 < len(axes) < x.ndim:  # numpy takes one axis or all
            kept = [i for i in range(x.ndim) if i not in axes]
            x, axes = x.transpose(kept + list(axes)).reshape(*[x.shape[i] for i in kept], -1), (-1,)
        return [np.asarray(getattr(x, self.op)(axes[0] if len(axes) == 1 else None))]

    def of_floats(self, x, axes):
        """Integers as numpy's mean takes them: as float64. numpy converts those that are no rows without a copy of the array; if their
        sum is exact, so that its order does not matter, the mean is the same."""
        are_rows = x.flags.c_contiguous and axes and axes[0] == x.ndim - len(axes)
        count = math.prod(x.shape[i] for i in axes)
        if self.op == "mean" and not are_rows and count and 8 * x.itemsize + count.bit_length() <= EXACT_BITS:
            return [np.asarray(np.add.reduce(x, axis=axes, dtype="f8") / count)]
        return self.by_kernel(x.astype("f8"), axes)

    def of_truths(self, x, axes):
        """Integers that are counted. numpy reads all narrow ones faster, because it makes no truths of them, and few in less time."""
        are_rows, is_all = axes and axes[0] == x.ndim - len(axes), len(axes) == x.ndim
        if (is_all and (x.size < FEW or x.dtype != bool and (x.dtype.itemsize < 4 or not x.flags.c_contiguous)) or
                not are_rows and x.ndim > 1 and (x.ndim > 2 or x.shape[0] < LONG_COLUMN)):
            return [np.asarray(np.count_nonzero(x, axis=None if is_all else axes))]
        return MADE["mask_count"].by_kernel(x if x.dtype == bool else x != 0, axes)


def reduces_of_numpy(made):
    """By ufunc, reduce() of numpy's function of the same name."""
    return {ufunc: ufunc_of_numpy(op).reduce for op, ufunc in made.items() if isinstance(ufunc, np.ufunc) and ufunc_of_numpy(op)}


def reduce(ufunc, x, *args, **keywords):
    """ufunc.reduce(), or NotImplemented if it is left to numpy, which calls a loop for each row."""
    x = np.asarray(x)
    made = MADE.get(REDUCED_BY.get(ufunc.__name__))
    # Integers are exact in any order, and kernels of integers take rows.
    theirs = ufunc_of_numpy(ufunc.__name__) if x.dtype.kind in "biu" else None
    axis = args[0] if args else keywords.get("axis", 0)
    if theirs and (not made or x.dtype not in made.types or isinstance(axis, int) and 0 <= axis < x.ndim - 1):
        return theirs.reduce(x, *args, **keywords)
    if made and len(args) < 2 and keywords.keys() <= PLAIN and x.size and x.ndim and (
            x.dtype in made.floats or made.rule.integers == "numpys" and made.is_integer(x)):
        return made.reduce(x, *args, **keywords) if args or "axis" in keywords else made.reduce(x, 0, **keywords)
    return theirs.reduce(x, *args, **keywords) if theirs else NotImplemented


def arranged(x, order):
    """x with its axes in an order. A matrix that lies by columns is copied to rows by a kernel, in blocks."""
    x = x.transpose(order)
    if x.ndim == 2 and x.flags.f_contiguous and not x.flags.c_contiguous:
        return MADE["transpose"](x.T)
    return x


def picked(where, x, other):
    """numpy.where() of an array and a number of its type, by the kernel, which takes a tenth of the time, if it has the type."""
    return (MADE["select"] if x.dtype in PLACED else np.where)(where, x, other)


def copies(x, shape):
    """Copies of x, some of its first axis at a time, as parts of an array of that shape. All are in the same memory, because the system
    would clear that of each."""
    step = max(1, COPIED * len(x) // x.nbytes)
    copy = np.empty((step, *x.shape[1:]), x.dtype)
    reshaped = copy.reshape(step, *shape[1:])
    for i in range(0, len(x), step):
        n = min(step, len(x) - i)
        np.copyto(copy[:n], x[i:i + n])
        yield reshaped[:n]


# By name, the functions of all operations, which __init__ fills in.
MADE = {}
