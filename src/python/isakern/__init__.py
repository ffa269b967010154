# SPDX-License-Identifier: MIT
"""The kernels of isakern for numpy.

Each operation is a function here, for all types that it has: isakern.exp(x) is isk_exp_f32 of an array of float32. Maps are
ufuncs, reductions and functions of rows generalized ufuncs. Their docstrings come from the tables of the library.
"""
from . import _core, _tables, _ufuncs

__version__ = _core.isas()["version"]


def _make():
    made = {}
    for op, kernels in _tables.BY_OP.items():
        if all(_ufuncs.may_be_ufunc(k.shape) for k in kernels):
            made[op] = _ufuncs.make(op, kernels)
    return {op: function for op, function in made.items() if function is not None}


_functions = _make()
globals().update(_functions)


def info():
    """A dict: the version of the library, the highest ISA that kernels are bound to, that of the CPU, that of this build, and
    how many kernels there are."""
    return {**_core.isas(), "kernels": len(_tables.KERNELS)}


def why(kernel):
    """For each variant of a kernel, such as "exp_f32", lowest ISA first: (ISA, whether calls reach it, the reason)."""
    return _core.candidates(kernel)


__all__ = ["info", "why", *_functions]
