# SPDX-License-Identifier: MIT
"""The kernels and their shapes, as compiled into the extension, and numpy's types for their element types."""
import dataclasses
import enum
import glob
import json
import os

import numpy as np

from . import _core


class Role(enum.IntEnum):
    OUT, IN, SIZE, STRIDE, VALUE, STRUCT = range(6)


class Returns(enum.IntEnum):
    NOTHING, ELEMENT, SIZE, STATUS = range(4)


try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

TYPES = {row["name"]: row for row in _core.types()}
U8, S64 = TYPES["u8"]["number"], TYPES["s64"]["number"]
# By its number, the number of the type as which an element is returned.
RETURNED = {row["number"]: row["returned"] for row in TYPES.values()}
# A u8 that a shape itself names, instead of a variable, is a truth value.
TRUTHS = [np.dtype("?")]
C_INT = [np.dtype("i4")]
# The types of numpy that have the width of bits.
PLAIN = [np.dtype(one) for one in ("?", "i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8")]


def _dtypes():
    """numpy's types by the number of an element type. Bits may be of any type of their width."""
    named = {row["number"]: getattr(np, row["numpy"], None) or getattr(ml_dtypes, row["numpy"], None)
             for row in TYPES.values() if row["numpy"]}
    found = {number: [np.dtype(one)] for number, one in named.items() if one}
    everything = PLAIN + [one for (one,) in found.values() if one not in PLAIN]
    found.update((row["number"], [one for one in everything if one.itemsize == row["bytes"]])
                 for row in TYPES.values() if row["is_bits"])
    return found


DTYPES = _dtypes()


@dataclasses.dataclass
class Argument:
    name: str
    role: Role
    type: int  # the element type, if the shape names it
    variable: int  # the variable that stands for the element type, counted from 1; 0: none
    extents: tuple  # (size, stride) each, as numbers of arguments; stride -1: none
    measured: str
    packed: bool
    null: bool
    inout: bool
    below: int
    ascending: int
    turned: int
    bit: int
    positive: bool
    within: int  # the variable of the integers that a value must be one of, counted from 1; 0: none

    @property
    def is_array(self):
        return self.role in (Role.OUT, Role.IN)

    def type_of(self, kernel):
        return kernel.types[self.variable - 1] if self.variable else self.type

    def dtypes(self, kernel):
        """numpy's types for the argument; empty if numpy has none."""
        number = self.type_of(kernel)
        if self.role == Role.VALUE:
            return DTYPES[RETURNED[number]] if number else C_INT
        return TRUTHS if number == U8 and not self.variable else DTYPES.get(number, [])


    def limits(self, kernel):
        """The range that a contract gives a value, as keywords of _numbers.checked()."""
        if self.within:
            info = np.iinfo(DTYPES[kernel.types[self.within - 1]][0])
            return {"least": info.min, "most": info.max}
        # Words of C are flags, distances and numbers of pixels.
        return {"positive": bool(self.positive)} if self.type_of(kernel) else {"least": 0}


@dataclasses.dataclass
class Shape:
    name: str
    returns: Returns
    variable: int
    arguments: list

    def numbers(self, *roles):
        return [i for i, a in enumerate(self.arguments) if a.role in roles]


@dataclasses.dataclass
class Kernel:
    library: int
    number: int
    name: str
    op: str
    shape: Shape
    types: tuple
    family: str
    since: str
    bits: str
    error: str
    error_baseline: str
    summary: str

    @property
    def contract(self):
        """What FAMILY.md says about its operation."""
        return CONTRACTS.get(self.family, {}).get(self.op, self.summary)

    def result_dtypes(self):
        if self.shape.returns == Returns.SIZE:
            return DTYPES[S64]
        number = self.types[self.shape.variable - 1]
        return DTYPES[RETURNED[number]]

    @property
    def promise(self):
        """The promise of the kernel's row on errors and bits."""
        words = "error %s" % self.error
        if self.error_baseline != self.error:
            words += " (%s at baseline)" % self.error_baseline
        return words + {"same": ", the same bits at every ISA from avx2 up",
                        "same-amx": ", the same bits at every ISA from avx2 up but amx", "bound": ""}[self.bits]


def _read():
    shapes, kernels = {}, []
    for row in _core.kernels():
        s = row["shape"]
        if s["name"] not in shapes:
            arguments = [Argument(**{**a, "role": Role(a["role"])}) for a in s["arguments"]]
            shapes[s["name"]] = Shape(s["name"], Returns(s["returns"]), s["variable"], arguments)
        kernels.append(Kernel(**{**row, "shape": shapes[s["name"]]}))
    return kernels


def _contracts():
    """By family and operation."""
    found = {}
    for path in glob.glob(os.path.join(glob.escape(os.path.dirname(os.path.abspath(__file__))), "*_contracts.json")):
        with open(path, encoding="utf-8") as f:
            found.update(json.load(f))
    return found


def described(kernels):
    """The contracts of the kernels of an operation: one, or one for each family that has some of its types."""
    texts = {}
    for kernel in kernels:
        texts.setdefault(kernel.contract, []).append(kernel.name[len(kernel.op) + 1:])
    if len(texts) == 1:
        return next(iter(texts))
    return "\n\n".join("For %s: %s" % (", ".join(types), text) for text, types in texts.items())


CONTRACTS = _contracts()
KERNELS = _read()
BY_OP = {}
for _kernel in KERNELS:
    BY_OP.setdefault(_kernel.op, []).append(_kernel)
