# SPDX-License-Identifier: MIT
"""numpy's functions of other names than isakern's, which are those of C."""
import numpy as np

NUMPY = {
    "abs": "absolute", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "bit_and": "bitwise_and", "bit_not": "invert", "bit_or": "bitwise_or",
    "bit_xor": "bitwise_xor", "div": "divide", "eq": "equal", "floor_div": "floor_divide", "floor_mod": "remainder",
    "ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less", "mask_and": "logical_and",
    "mask_not": "logical_not", "mask_or": "logical_or", "mask_xor": "logical_xor", "mul": "multiply", "ne": "not_equal",
    "neg": "negative", "pow": "power", "recip": "reciprocal", "round": "rint", "shl": "left_shift", "shr": "right_shift",
    "sub": "subtract",
}
# Functions of numpy's that do something else. numpy's remainder, for instance, is that of floor division, ours that of C.
OTHERS = {"remainder", "copy", "select", "compress", "transpose", "info", "random"}
# The operation that reduces an array by another one, as add.reduce does.
REDUCED_BY = {"add": "sum", "mul": "prod", "maximum": "max", "minimum": "min", "bit_xor": "xor_sum"}

# Operations whose result has the type of the operands, or is a truth, for every integer type. If no kernel has a type, numpy's
# own loop computes it: integers are exact, so the result is the same, and a conversion would take several times as long.
LIKE_NUMPY = {op: "?bBhHIL" for op in (
    "eq", "ne", "lt", "le", "gt", "ge", "minimum", "maximum", "bit_and", "bit_or", "bit_xor", "bit_not")}
# For narrower integers, these make int32, and of uint32 int64, so that nothing wraps.
LIKE_NUMPY.update({op: "L" for op in ("add", "sub", "mul")})


def of_numpy(op):
    """numpy's function that computes what an operation does, or None."""
    return None if op in OTHERS else getattr(np, NUMPY.get(op, op), None)


def ufunc_of_numpy(op):
    theirs = of_numpy(op)
    return theirs if isinstance(theirs, np.ufunc) else None


# Not a ufunc of numpy, or a function of PyTorch.
KEEP_INTEGERS = ("clip", "clamp", "relu", "relu6")


def keeps_integers(op):
    """Whether integers have integers as results, so that they must not become floats."""
    theirs = ufunc_of_numpy(op)
    return op in KEEP_INTEGERS or theirs is not None and "l" * theirs.nin + "->" + "l" * theirs.nout in theirs.types
