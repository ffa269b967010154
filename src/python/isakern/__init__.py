# SPDX-License-Identifier: MIT
"""The kernels of isakern for numpy.

Each operation is a function here, for all types that it has: isakern.exp(x) is isk_exp_f32 of an array of float32. Maps are
ufuncs, reductions and functions of rows generalized ufuncs. Their docstrings come from the tables of the library.
"""
import builtins

from . import _core, _functions, _names, _optional, _reduce, _tables, _ufuncs, _where

__version__ = _core.isas()["version"]


def _make(op, kernels):
    """The function of an operation; None if it takes a packed matrix or if numpy has none of its types."""
    kernels = [k for k in kernels if all(a.dtypes(k) for a in k.shape.arguments if a.is_array)]
    if not kernels:
        return None
    if all(_ufuncs.may_be_ufunc(k.shape) for k in kernels):
        if any(a.null and a.role == _tables.Role.IN for a in kernels[0].shape.arguments):
            return _optional.RowFunction(op, kernels)
        return _ufuncs.make(op, kernels)
    return _functions.Function(op, kernels) if _functions.may_be_function(kernels[0].shape) else None


# numpy's function of the name is of another kind.
_RENAMED = {"dot": "vecdot"}
_made = {_RENAMED.get(op, op): _make(_RENAMED.get(op, op), kernels) for op, kernels in _tables.BY_OP.items()}
_made = {op: function for op, function in _made.items() if function is not None}
_made.update(_reduce.reductions(_made))
_reduce.MADE.update(_made)
_where.use(_made["select"])
_core.set_reduce(_reduce.reduce, _reduce.reduces_of_numpy(_made))
globals().update(_made)
from ._conv import ConvTranspose, Convolution  # noqa: E402
from ._matrix import Packed, dot, gemm, matmul  # noqa: E402
from ._scan import cumsum  # noqa: E402
from ._statistics import std, var  # noqa: E402


def info():
    """A dict: the version of the library, the highest ISA that kernels are bound to, the highest of the CPU, the highest of
    this build, and the number of kernels."""
    return {**_core.isas(), "kernels": len(_tables.KERNELS)}


def why(kernel):
    """For each variant of a kernel, such as "exp_f32", lowest ISA first: (ISA, whether calls reach it, the reason)."""
    if kernel in _tables.BY_OP:
        raise ValueError("kernel: there is no kernel '%s'; the operation has %s" % (
            kernel, ", ".join(k.name for k in _tables.BY_OP[kernel])))
    return _core.candidates(kernel)


def __getattr__(name):
    """Where numpy's users look in vain, and those who mistype."""
    ours = next((ours for ours, theirs in _names.NUMPY.items() if theirs == name and ours in globals()), None)
    if ours:
        reason = "; numpy's %s is isakern.%s" % (name, ours)
    elif name == "errstate":
        reason = ", and needs none: kernels give no warnings of floating-point errors"
    else:
        import difflib  # here, because few programs need it
        near = [] if name.startswith("_") else difflib.get_close_matches(name, [*_made, *__all__], 1)
        reason = "; the nearest name is isakern.%s" % near[0] if near else ""
    raise AttributeError("isakern has no '%s'%s" % (name, reason))


# "from isakern import *" does not replace Python's own abs, sum and the like.
__all__ = sorted({"info", "why", "Convolution", "Packed", "cumsum", "dot", "gemm", "matmul", "std", "var", *_made} - set(dir(builtins)))
