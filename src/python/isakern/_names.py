# SPDX-License-Identifier: MIT
"""numpy's functions of other names than isakern's, which are those of C."""
import numpy as np

try:
    from numpy._core import umath
except ImportError:  # numpy 1
    from numpy.core import umath

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
# The kernels' remainders of a division by 0 are the dividends, numpy's are 0. All integer types shall have the same.
WITHOUT_NUMPYS_LOOPS = {"floor_mod"}
# Functions of integers alone, whose names numpy has for floats too.
QUOTIENTS = {"floor_div", "floor_mod"}
# The operation that reduces an array by another one, as add.reduce does.
REDUCED_BY = {"add": "sum", "mul": "prod", "maximum": "max", "minimum": "min", "bit_xor": "xor_sum"}

# VALUED names the operation that takes its second operand as a value; for all others that is op + "_scalar". Operations in COMMUTES
# take the first operand as the value too. Those in NEGATES take a value of floats with the other sign.
VALUED = {"mul": "scale", "sub": "add_scalar"}
COMMUTES = {"add", "mul", "eq", "ne"}
NEGATES = {"sub"}
# Operations whose results are exact or correctly rounded, and some of whose calls numpy's loops of float32 and float64 run in less time:
# quotients by one number, and elements of 8 bytes with gaps between them.
ONE_RESULT = {"abs", "ceil", "div", "floor", "round", "square", "trunc"}


def ufunc_of_numpy(op):
    """numpy's ufunc that computes what an operation does, or None. np.clip itself is a function around one."""
    theirs = None if op in OTHERS else getattr(umath, NUMPY.get(op, op), None)
    return theirs if isinstance(theirs, np.ufunc) else None


# Functions of PyTorch.
KEEP_INTEGERS = ("clamp", "relu", "relu6")


def keeps_integers(op):
    """Whether integers have integers as results, so that they must not become floats."""
    theirs = ufunc_of_numpy(op)
    return op in KEEP_INTEGERS or theirs is not None and "l" * theirs.nin + "->" + "l" * theirs.nout in theirs.types
