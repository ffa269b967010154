#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolutions against sums in double, tap by tap; bad arguments.

    convolutions.py SOURCE BUILD
"""
import pickle

import numpy as np

import direct
from refusals import refused
from tap import done, ok

import isakern as isk

R = np.random.default_rng(3)


def plainly(x, w, stride, dilation, padding, groups):
    """The sums, and the sums of their terms' absolute values."""
    top, left, bottom, right = padding
    x = np.pad(x.astype("f8"), ((0, 0), (top, bottom), (left, right), (0, 0)))
    out_channels, per_group, kernel_h, kernel_w = w.shape
    height = (x.shape[1] - (kernel_h - 1) * dilation[0] - 1) // stride[0] + 1
    width = (x.shape[2] - (kernel_w - 1) * dilation[1] - 1) // stride[1] + 1
    sums = np.zeros((2, x.shape[0], height, width, out_channels))
    for o in range(out_channels):
        first = o // (out_channels // groups) * per_group
        for u in range(kernel_h):
            for v in range(kernel_w):
                rows = slice(u * dilation[0], u * dilation[0] + (height - 1) * stride[0] + 1, stride[0])
                cols = slice(v * dilation[1], v * dilation[1] + (width - 1) * stride[1] + 1, stride[1])
                terms = x[:, rows, cols, first:first + per_group] * w[o, :, u, v].astype("f8")
                sums[0, ..., o] += terms.sum(-1)
                sums[1, ..., o] += np.abs(terms).sum(-1)
    return sums


CASES = [((2, 9, 8, 6), 10, (3, 3), 1, 1, 1, 1), ((1, 7, 12, 4), 8, (2, 3), (2, 1), 1, (0, 1, 2, 3), 2),
         ((1, 9, 9, 5), 5, (3, 3), 1, 2, 2, 5), ((3, 1, 20, 3), 4, (1, 5), (1, 2), 1, 0, 1), ((1, 4, 4, 33), 17, (1, 1), 1, 1, 0, 1)]
for shape, out_channels, kernel, stride, dilation, padding, groups in CASES:
    what = "%s, %d channels of %s, stride %s, dilation %s, padding %s, %d groups" % (
        shape, out_channels, kernel, stride, dilation, padding, groups)
    pairs = [n if isinstance(n, tuple) else (n,) * count for n, count in ((stride, 2), (dilation, 2), (padding, 4))]
    weights = (out_channels, shape[3] // groups, *kernel)
    how = {"stride": stride, "dilation": dilation, "padding": padding, "groups": groups}
    terms = np.prod(weights[1:])
    for dtype, name, eps in (("f4", "f32", 2.0 ** -24), ("f8", "f64", 2.0 ** -53)):
        x, w = R.standard_normal(shape).astype(dtype), R.standard_normal(weights).astype(dtype)
        y = isk.Convolution(w, **how)(x)
        wanted, sizes = plainly(x, w, *pairs, groups)
        # numpy's sums have the same eps as those of f64.
        bound = eps * terms * sizes * (2 if dtype == "f8" else 1)
        ok(y.dtype == dtype and y.shape == wanted.shape and (np.abs(y - wanted) <= bound).all(), name + ": " + what, y)
    for half, eps in [(np.dtype("f2"), 2.0 ** -11)] + ([(np.dtype(direct.ml_dtypes.bfloat16), 2.0 ** -8)] if direct.ml_dtypes else []):
        xh, wh = x.astype(half), w.astype(half)
        y = isk.Convolution(wh, **how)(xh)
        wanted, sizes = plainly(xh, wh, *pairs, groups)
        bound = 2.0 ** -24 * terms * sizes + eps * np.abs(wanted)
        ok(y.dtype == half and (np.abs(y.astype("f8") - wanted) <= bound).all(), "%s: %s" % (half, what), y.astype("f4"))
    for dtype, least in (("u1", 0), ("i1", -128)):
        x8, w8 = R.integers(least, least + 256, shape).astype(dtype), R.integers(-128, 128, weights).astype("i1")
        y8 = isk.Convolution(w8, **how)(x8, dtype="i4")
        ok(y8.dtype == "i4" and np.array_equal(y8, plainly(x8, w8, *pairs, groups)[0]), dtype + " and i1: " + what, y8)

shape, out_channels, kernel, stride, dilation, padding, groups = CASES[0]
x, w = R.standard_normal(shape).astype("f4"), R.standard_normal((out_channels, shape[3], *kernel)).astype("f4")
conv = isk.Convolution(w, padding=1)
y, bias, other = conv(x), R.standard_normal(out_channels).astype("f4"), R.standard_normal((2, 9, 8, out_channels)).astype("f4")
got = conv(x, bias=bias, activation="relu", binary="mul", other=other)
ok(np.allclose(got, np.maximum(y + bias, 0) * other, rtol=1e-5, atol=1e-5), "with bias, activation and a product")
f8 = [a.astype("f8") for a in (w, x, bias, other)]
got = isk.Convolution(f8[0], padding=1)(f8[1], bias=f8[2], activation="relu", binary="mul", other=f8[3])
wanted = np.maximum(plainly(f8[1], f8[0], (1, 1), (1, 1), (1, 1, 1, 1), 1)[0] + f8[2], 0) * f8[3]
ok(got.dtype == "f8" and np.allclose(got, wanted, rtol=1e-13, atol=1e-13), "f64 with bias, activation and a product")
out = np.zeros(y.shape[::-1], "f4").T
ok(conv(np.asfortranarray(x), out=out) is out and np.array_equal(out, y), "arrays that lie otherwise, and out")
ok(np.array_equal(pickle.loads(pickle.dumps(conv))(x), y), "pickled")
refused(ValueError, "w: 2 dimensions", "weights of a matrix", isk.Convolution, w[0, 0])
refused(TypeError, "w: no kernel packs int16", "weights of another type", isk.Convolution, w.astype("i2"))
refused(ValueError, "Convolution: stride: 0 is not from 1 to 2147483647", "no stride", isk.Convolution, w, stride=0)
refused(ValueError, "Convolution: dilation: 4294967297 is not from 1", "a dilation of 2^32 + 1", isk.Convolution, w, dilation=2 ** 32 + 1)
refused(TypeError, "Convolution: groups: expected an integer, not None", "no groups", isk.Convolution, w, groups=None)
refused(ValueError, "padding: one integer or 4", "two paddings", isk.Convolution, w, padding=(1, 1))
refused(ValueError, "groups: 3 do not divide 10", "groups that do not divide", isk.Convolution, w, groups=3)
refused(ValueError, "expected images, height, width and 6 channels", "another number of channels", conv, x[..., 1:])
refused(TypeError, "no kernel for float64", "images of another type", conv, x.astype("f8"))
refused(ValueError, "out: expected an array of 2 by 9 by 8 by 10", "out of another shape", conv, x, out=np.zeros((2, 9, 8, 9), "f4"))
refused(ValueError, "bias: shape (9,)", "a bias of another length", conv, x, bias=bias[1:])
refused(ValueError, "conv_f32: ", "scales of rows", conv, x, row_scale=np.ones(2, "f4"))
ok(isk.Convolution(w)(x[:, :2, :2]).size == 0, "images smaller than the kernel have no pixels")
refused(TypeError, "Convolution: no keyword 'scales'; there are dtype, out, a_zero, act_a", "a keyword that there is not", conv, x, scales=1)
refused(ValueError, "Convolution: out_zero: 4294967301 is not from", "a zero point of 2^32 + 5", conv, x, out_zero=2 ** 32 + 5)


def scattered(x, w, stride, dilation, padding, more, groups):
    """The sums of a transpose, each element of x times its weights added where it belongs, and those of absolute values."""
    top, left, bottom, right = padding
    in_channels, out_group, *kernel = w.shape
    height, width = [(size - 1) * s + (k - 1) * d + 1 + m for size, s, k, d, m in zip(x.shape[1:3], stride, kernel, dilation, more)]
    sums = np.zeros((2, x.shape[0], height, width, out_group * groups))
    for c in range(in_channels):
        first = c // (in_channels // groups) * out_group
        for u in range(kernel[0]):
            for v in range(kernel[1]):
                rows = slice(u * dilation[0], u * dilation[0] + (x.shape[1] - 1) * stride[0] + 1, stride[0])
                cols = slice(v * dilation[1], v * dilation[1] + (x.shape[2] - 1) * stride[1] + 1, stride[1])
                terms = x[..., c, None].astype("f8") * w[c, :, u, v].astype("f8")
                sums[0, :, rows, cols, first:first + out_group] += terms
                sums[1, :, rows, cols, first:first + out_group] += np.abs(terms)
    return sums[:, :, top:height - bottom, left:width - right]


TRANSPOSES = [((2, 5, 6, 4), 3, (2, 2), 2, 1, 0, 0, 1), ((1, 4, 5, 6), 2, (4, 3), (2, 1), 1, (1, 0, 1, 2), 0, 2), ((1, 5, 5, 8), 8, (4, 4), 2, 1, 1, 0, 8),
              ((1, 3, 4, 5), 7, (3, 3), 3, 2, 2, (2, 1), 1), ((2, 1, 9, 16), 32, (1, 2), (1, 2), 1, 0, 0, 1), ((1, 6, 7, 5), 5, (3, 3), 1, 1, 1, 0, 5),
              ((1, 2, 2, 3), 2, (2, 2), 2, 1, 1, 0, 1), ((1, 4, 4, 6), 12, (2, 3), 2, 1, 0, (0, 1), 6)]
for shape, out_channels, kernel, stride, dilation, padding, more, groups in TRANSPOSES:
    how = {"stride": stride, "dilation": dilation, "padding": padding, "output_padding": more, "groups": groups}
    pairs = [n if isinstance(n, tuple) else (n,) * count for n, count in ((stride, 2), (dilation, 2), (padding, 4), (more, 2))]
    for dtype, eps in (("f4", 2.0 ** -24), ("f8", 2.0 ** -52)):
        x, w = R.standard_normal(shape).astype(dtype), R.standard_normal((shape[3], out_channels // groups, *kernel)).astype(dtype)
        y = isk.ConvTranspose(w, **how)(x)
        wanted, sizes = scattered(x, w, *pairs, groups)
        ok(y.dtype == dtype and y.shape == wanted.shape and (np.abs(y - wanted) <= eps * shape[3] * kernel[0] * kernel[1] * sizes).all(),
           "transpose of %s: %s, %s channels of %s, %s" % (dtype, shape, out_channels, kernel, how), y)
w, x = R.standard_normal((6, 12, 2, 2)).astype("f4"), R.standard_normal((1, 4, 4, 6)).astype("f4")
transpose = isk.ConvTranspose(w, stride=2, padding=1)
y = transpose(x, bias=np.ones(12), activation="relu")
ok(np.array_equal(y, np.maximum(transpose(x) + 1, 0)) and np.array_equal(pickle.loads(pickle.dumps(transpose))(x), transpose(x)),
   "a transpose with a bias and an activation, and pickled")
refused(ValueError, "ConvTranspose: output_padding: 2 is not below the stride, 2", "output_padding of a stride", isk.ConvTranspose, w, stride=2, output_padding=2)
refused(ValueError, "ConvTranspose: padding: 9 and 9 leave no pixels of 8", "padding without pixels", isk.ConvTranspose(w, stride=2, padding=9), x)
refused(TypeError, "no kernel packs int8", "a transpose of bytes", isk.ConvTranspose, np.ones((2, 3, 2, 2), "i1"))
refused(ValueError, "expected images, height, width and 6 channels", "x of other channels", transpose, x[..., 1:])
done()
