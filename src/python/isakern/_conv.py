# SPDX-License-Identifier: MIT
"""Convolutions, with weights that are packed once."""
import numpy as np

from . import _core
from ._matrix import check_out, choose, post_of, run
from ._numbers import checked
from ._tables import DTYPES, KERNELS

PACKS = {k.types[0]: k for k in KERNELS if k.shape.name == "conv_pack"}
CONVS = [k for k in KERNELS if k.shape.name == "conv"]


def _numbers(name, given, count, least):
    """A tuple of `count` integers, from `count` integers or from one that stands for all."""
    numbers = checked("Convolution", name, given, "i4", least=least)
    if numbers.ndim and numbers.shape != (count,):
        raise ValueError("Convolution: %s: one integer or %d of them, not %r" % (name, count, given))
    return tuple(np.broadcast_to(numbers, count).tolist())


class Convolution:
    """A convolution with weights w (out_channels, channels / groups, kernel_h, kernel_w), float32, bfloat16 or int8.

    stride and dilation are numbers or (vertical, horizontal), padding a number or (top, left, bottom, right). A call takes
    images (images, height, width, channels) and returns images: of the same type for floats, or of float32 for bfloat16 if out or
    dtype says so. For uint8 or int8 with int8 weights, out or dtype chooses int32, float32 or the type of x. Keywords other than
    row_scale and row_zero transform each element, as in isakern.gemm. The contract is in isakern/conv.h.
    """

    def __init__(self, w, *, stride=1, dilation=1, padding=0, groups=1):
        w = np.require(w, requirements="CA")
        if w.ndim != 4:
            raise ValueError("Convolution: w: %d dimensions, expected 4" % w.ndim)
        for self._type, kernel in PACKS.items():
            if w.dtype in DTYPES.get(self._type, []):
                break
        else:
            raise TypeError("Convolution: w: no kernel packs %s; there are %s" % (w.dtype, ", ".join(
                str(DTYPES[t][0]) for t in PACKS if t in DTYPES)))
        self.groups, = _numbers("groups", groups, 1, 1)
        self.stride = _numbers("stride", stride, 2, 1)
        self.dilation = _numbers("dilation", dilation, 2, 1)
        self.padding = _numbers("padding", padding, 4, 0)
        self.shape = w.shape
        if w.shape[0] % self.groups:
            raise ValueError("Convolution: groups: %d do not divide %d output channels" % (self.groups, w.shape[0]))
        self._weights = _core.conv_pack(kernel.library, kernel.number, w, self._conv(1, 1, 1))

    def _conv(self, images, height, width):
        """The members of struct isk_conv after its size."""
        out_channels, channels, *kernel = self.shape
        return (images, height, width, channels * self.groups, out_channels, *kernel, *self.stride, *self.dilation, *self.padding,
                self.groups, 0, 0)

    def __call__(self, x, *, out=None, dtype=None, **post):
        x = np.require(x, requirements="CA")
        channels = self.shape[1] * self.groups
        if x.ndim != 4 or x.shape[3] != channels:
            raise ValueError("Convolution: x: shape %s, expected images, height, width and %d channels" % (x.shape, channels))
        conv = self._conv(*x.shape[:3])
        shape = (x.shape[0], *_core.conv_output(conv), self.shape[0])
        check_out("Convolution", out, shape)
        kernel, made = choose("Convolution", CONVS, x, self._type, out, dtype)
        return run(_core.conv, kernel, out, made, shape, [x], x, self._weights, conv, post_of("Convolution", shape, made, post))
