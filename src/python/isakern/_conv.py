# SPDX-License-Identifier: MIT
"""Convolutions and their transposes, with weights that are packed once."""
import numpy as np

from . import _core
from ._matrix import check_out, choose, post_of, run
from ._numbers import checked
from ._tables import DTYPES, KERNELS


def _of_shape(name):
    return [k for k in KERNELS if k.shape.name == name]


class _Windows:
    """What both share: the weights, packed by a kernel of _packs, and how their windows move. _run calls a kernel of _kernels."""

    def __init__(self, w, stride, dilation, padding, groups):
        w = np.require(w, requirements="CA")
        if w.ndim != 4:
            raise self._wrong("w: %d dimensions, expected 4" % w.ndim)
        for kernel in self._packs:
            self._type = kernel.types[0]
            if w.dtype in DTYPES.get(self._type, []):
                break
        else:
            raise TypeError("%s: w: no kernel packs %s; there are %s" % (type(self).__name__, w.dtype, ", ".join(
                str(DTYPES[k.types[0]][0]) for k in self._packs if k.types[0] in DTYPES)))
        self.groups, = self._numbers("groups", groups, 1, 1)
        self.stride = self._numbers("stride", stride, 2, 1)
        self.dilation = self._numbers("dilation", dilation, 2, 1)
        self.padding = self._numbers("padding", padding, 4, 0)
        self.shape = w.shape
        if w.shape[0] % self.groups:
            raise self._wrong("groups: %d do not divide %d channels of w" % (self.groups, w.shape[0]))
        self._weights = _core.conv_pack(kernel.library, kernel.number, w, self._conv(1, *self._least()))

    def _wrong(self, text):
        return ValueError("%s: %s" % (type(self).__name__, text))

    def _numbers(self, name, given, count, least):
        """A tuple of `count` integers, from `count` integers or from one that stands for all."""
        numbers = checked(type(self).__name__, name, given, "i4", least=least)
        if numbers.ndim and numbers.shape != (count,):
            raise self._wrong("%s: one integer or %d of them, not %r" % (name, count, given))
        return tuple(np.broadcast_to(numbers, count).tolist())

    def _of_image(self, images, height, width):
        """The members of struct isk_conv after its size, for an image of this size."""
        out_channels, channels, *kernel = self.shape
        return (images, height, width, channels * self.groups, out_channels, *kernel, *self.stride, *self.dilation, *self.padding,
                self.groups, 0, 0)

    def _call(self, x, channels, out, dtype, post):
        name = type(self).__name__
        x = np.require(x, requirements="CA")
        if x.ndim != 4 or x.shape[3] != channels:
            raise self._wrong("x: shape %s, expected images, height, width and %d channels" % (x.shape, channels))
        conv = self._conv(*x.shape[:3])
        shape = self._result(conv)
        check_out(name, out, shape)
        kernel, made = choose(name, self._kernels, x, self._type, out, dtype)
        return run(self._run, kernel, out, made, shape, [x], x, self._weights, conv, post_of(name, shape, made, post))


class Convolution(_Windows):
    """A convolution with weights w (out_channels, channels / groups, kernel_h, kernel_w), of floats or int8.

    stride and dilation are numbers or (vertical, horizontal), padding a number or (top, left, bottom, right). A call takes
    images (images, height, width, channels) and returns images: of the same type for floats, or of float32 for bfloat16 if out or
    dtype says so. For uint8 or int8 with int8 weights, out or dtype chooses int32, float32 or the type of x. Keywords other than
    row_scale and row_zero transform each element, as in isakern.gemm. The contract is in isakern/conv.h.
    """

    _packs, _kernels, _run = _of_shape("conv_pack"), _of_shape("conv"), _core.conv

    def __init__(self, w, *, stride=1, dilation=1, padding=0, groups=1):
        super().__init__(w, stride, dilation, padding, groups)

    _conv = _Windows._of_image

    def _least(self):
        return 1, 1

    def _result(self, conv):
        return (conv[0], *_core.conv_output(conv), self.shape[0])

    def __call__(self, x, *, out=None, dtype=None, **post):
        return self._call(x, self.shape[1] * self.groups, out, dtype, post)


class ConvTranspose(_Windows):
    """The transpose of a convolution, by weights w (channels of x, channels of y / groups, kernel_h, kernel_w), float32 or float64.

    x[i][j] adds w times itself to the pixels of y from (i * stride - top, j * stride - left) on, as torch's conv_transpose2d does
    and ONNX's ConvTranspose. stride and dilation are numbers or (vertical, horizontal), padding, which is cut off y, a number or
    (top, left, bottom, right). y has (size - 1) * stride + (kernel - 1) * dilation + 1 + output_padding - padding rows and columns;
    output_padding, a number or (vertical, horizontal), is below stride. Images and keywords are those of Convolution. The contract
    is in isakern/conv.h.
    """

    _packs, _kernels, _run = _of_shape("transposed_pack"), _of_shape("conv_transpose"), _core.conv

    def __init__(self, w, *, stride=1, dilation=1, padding=0, output_padding=0, groups=1):
        self.output_padding = self._numbers("output_padding", output_padding, 2, 0)
        super().__init__(w, stride, dilation, padding, groups)

    def _least(self):
        """Sizes of an x whose y has pixels: the layout of weights depends on the width of y, but only modulo kernel_w."""
        return tuple(1 + before + after for before, after in zip(self.padding[:2], self.padding[2:]))

    def _conv(self, images, *sizes):
        """That from y to x."""
        result = []
        for size, taps, stride, dilation, more, before, after in zip(sizes, self.shape[2:], self.stride, self.dilation, self.output_padding,
                                                                     self.padding[:2], self.padding[2:]):
            if more >= stride:
                raise self._wrong("output_padding: %d is not below the stride, %d" % (more, stride))
            result.append((size - 1) * stride + (taps - 1) * dilation + 1 + more - before - after)
            if result[-1] < 1:
                raise self._wrong("padding: %d and %d leave no pixels of %d" % (before, after, result[-1] + before + after))
        return self._of_image(images, *result)

    def _result(self, conv):
        return (*conv[:3], self.shape[1] * self.groups)

    def __call__(self, x, *, out=None, dtype=None, **post):
        return self._call(x, self.shape[0], out, dtype, post)
