#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_onnxrun.py ONNXRUN [fuzz CASES | models]: tests examples/onnx, in TAP.

Without more, with tiny models that it writes: each operator and each pass against a reference in plain Python, and refusals.
"fuzz" runs damaged models. "models" compares the networks that fetch.sh fetches with the outputs of an independent
implementation, which onnx_record.mjs recorded.
"""
import json
import math
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile

import target
from onnx_file import FLOAT16, INT8, UINT8, graph, model, node, read_npy, typed, write_npy
from tap import done, equal, ok, skip

HERE = os.path.dirname(os.path.abspath(__file__))
EXE = sys.argv[1]
RNG = random.Random(35)
SCRATCH = tempfile.TemporaryDirectory()
TOLERANCE = 2e-5


def path(name):
    return os.path.join(SCRATCH.name, name)


def run(*args, **env):
    return subprocess.run([EXE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env})


def small_files():
    """In a child: a file that would have more than 4096 bytes is cut short, as by a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def save(made):
    with open(path("m.onnx"), "wb") as f:
        f.write(made)
    return path("m.onnx")


def numbers(*dims):
    return [round(RNG.uniform(-2, 2), 4) for _ in range(math.prod(dims))]


class Array:
    """Elements in the order of C."""

    def __init__(self, dims, values):
        self.dims, self.values = list(dims), list(values)
        assert len(self.values) == math.prod(dims)

    def places(self):
        def go(at):
            if len(at) == len(self.dims):
                yield tuple(at)
            else:
                for i in range(self.dims[len(at)]):
                    yield from go(at + [i])
        return go([])

    def __getitem__(self, at):
        index = 0
        for i, d in zip(at, self.dims):
            index = index * d + i
        return self.values[index]

    def map(self, f):
        return Array(self.dims, map(f, self.values))

    def zip(self, other, f):
        """other is broadcast, from the last axis on."""
        rank = len(other.dims)
        tail = [at[len(at) - rank:] for at in self.places()]
        return Array(self.dims, [f(v, other[tuple(0 if d == 1 else i for i, d in zip(t, other.dims))]) for v, t in zip(self.values, tail)])

    def transpose(self, perm):
        y = Array([self.dims[p] for p in perm], [0] * len(self.values))
        y.values = [self[tuple(at[perm.index(i)] for i in range(len(perm)))] for at in y.places()]
        return y


def conv(x, w, bias=None, pad=0, stride=1, groups=1):
    n, c, h, width = x.dims
    o, per, kh, kw = w.dims
    oh, ow = (h + 2 * pad - kh) // stride + 1, (width + 2 * pad - kw) // stride + 1
    y = []
    for at in Array([n, o, oh, ow], [0] * (n * o * oh * ow)).places():
        first = at[1] // (o // groups) * per
        total = bias[at[1]] if bias else 0
        for i, u, v in Array([per, kh, kw], [0] * (per * kh * kw)).places():
            r, s = at[2] * stride + u - pad, at[3] * stride + v - pad
            if 0 <= r < h and 0 <= s < width:
                total += x[at[0], first + i, r, s] * w[at[1], i, u, v]
        y.append(total)
    return Array([n, o, oh, ow], y)


def conv_transpose(x, w, size, pad=(0, 0), stride=(1, 1), dilation=(1, 1), groups=1):
    """Adds each pixel of x times the weights to an output of `size`, whose padding before is given."""
    n, c, h, width = x.dims
    per = w.dims[1]
    y = [0] * (n * per * groups * size[0] * size[1])
    for a, i, r, s in x.places():
        for o, u, v in Array(w.dims[1:], [0] * math.prod(w.dims[1:])).places():
            p, q = r * stride[0] + u * dilation[0] - pad[0], s * stride[1] + v * dilation[1] - pad[1]
            if 0 <= p < size[0] and 0 <= q < size[1]:
                y[((a * per * groups + i // (c // groups) * per + o) * size[0] + p) * size[1] + q] += x[a, i, r, s] * w[i, o, u, v]
    return Array([n, per * groups, *size], y)


def test_conv_transpose():
    x, one = Array([2, 4, 3, 5], numbers(2, 4, 3, 5)), Array([1, 2, 4], numbers(1, 2, 4))
    w, grouped, line = ([4, 3, 3, 2], numbers(4, 3, 3, 2)), ([4, 2, 2, 3], numbers(4, 2, 2, 3)), ([2, 3, 4], numbers(2, 3, 4))
    for name, attributes, size, given in (
            ("that overlaps", {"strides": [2, 1]}, (7, 6), {"stride": (2, 1)}),
            ("with pads and output_padding", {"strides": [2, 3], "pads": [1, 0, 0, 1], "output_padding": [1, 2]}, (7, 15),
             {"stride": (2, 3), "pad": (1, 0)}),
            ("with dilations", {"strides": [3, 2], "dilations": [2, 4], "pads": [2, 3, 1, 0]}, (8, 10),
             {"stride": (3, 2), "dilation": (2, 4), "pad": (2, 3)}),
            ("of an output_shape", {"strides": [2, 2], "output_shape": [6, 9]}, (6, 9), {"stride": (2, 2), "pad": (1, 1)}),
            ("with auto_pad", {"strides": [1, 1], "auto_pad": "SAME_UPPER"}, (3, 5), {"pad": (1, 0)})):
        check("ConvTranspose " + name, [node("ConvTranspose", ["x", "w"], ["y"], **attributes)], x, {"w": w},
              conv_transpose(x, Array(*w), size, **given), kernels=["conv_transpose_f32"])
    flat = conv_transpose(Array([1, 2, 1, 4], one.values), Array([2, 3, 1, 4], line[1]), (1, 10), stride=(1, 2))
    check("ConvTranspose of a line", [node("ConvTranspose", ["x", "w"], ["y"], strides=[2])], one, {"w": line}, Array([1, 3, 10], flat.values))
    want = conv_transpose(x, Array(*grouped), (6, 15), stride=(2, 3), groups=2)
    factor = numbers(4)
    check("ConvTranspose by groups, scaled, with a residual", [
        node("ConvTranspose", ["x", "w"], ["t"], strides=[2, 3], group=2), node("Mul", ["t", "f"], ["u"]),
        node("Resize", ["x", "", "s"], ["r"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
        node("Add", ["u", "r"], ["v"]), node("Relu", ["v"], ["y"])], x,
          {"w": grouped, "f": ([1, 4, 1, 1], factor), "s": ([4], [1.0, 1.0, 2.0, 3.0])},
          Array(want.dims, [max(0, want[n, c, i, j] * factor[c] + x[n, c, i // 2, j // 3]) for n, c, i, j in want.places()]))


def matmul(a, b):
    m, k, n = a.dims[-2], a.dims[-1], b.dims[-1]
    batch, y = math.prod(a.dims[:-2]), []
    for i in range(batch):
        first = 0 if len(b.dims) == 2 else i * k * n
        y += [sum(a.values[(i * m + r) * k + j] * b.values[first + j * n + c] for j in range(k)) for r in range(m) for c in range(n)]
    return Array(a.dims[:-1] + [n], y)


def rows(x, f):
    """f of each row of the last axis."""
    cols = x.dims[-1]
    return Array(x.dims, [v for r in range(len(x.values) // cols) for v in f(x.values[r * cols:(r + 1) * cols])])


def softmax(row):
    e = [math.exp(v - max(row)) for v in row]
    return [v / sum(e) for v in e]


def sigmoid(v):
    return 1 / (1 + math.exp(-v))


def hard_swish(v):
    return v * min(max(v + 3, 0), 6) / 6


def gelu(v):
    return v / 2 * (1 + math.erf(v / math.sqrt(2)))


def told(r):
    """What --explain printed: the nodes of the file, as (call, operator), and the calls of kernels, as (kernel, operators)."""
    before, after = r.stdout.decode().split("Calls of kernels, and the nodes that each computes:\n")
    nodes = re.findall(r"(?m)^ *(\S.*?)  (\w+) ", before.split("\n", 1)[1])
    calls = re.findall(r"(?m)^ *\d+  (.+?)  +\S.*(?:: (.*)| for .*)$", after)
    return nodes, calls


def kernels_of(r):
    return [kernel for kernel, _ in told(r)[1]]


def check(name, nodes, x, constants, want, kernels=(), opset=13):
    """Both with passes and without, the output y is as wanted; with passes, the kernels are those named, and no others."""
    inputs = {"x": x.dims}
    file = save(model(nodes, inputs, ["y"], constants, opset))
    write_npy(path("x.npy"), x.dims, x.values)
    for plain in ([], ["--plain"]):
        r = run(file, "--input", "x=" + path("x.npy"), "--output", "y=" + path("y.npy"), "--explain", *plain)
        fine = r.returncode == 0
        if fine:
            dims, got = read_npy(path("y.npy"))
            most = max([1e-3] + [abs(v) for v in want.values])
            fine = dims == want.dims and all(abs(g - w) <= TOLERANCE * most for g, w in zip(got, want.values))
        if fine and kernels and not plain:
            fine = [k for k in kernels_of(r) if k != "copy"] == list(kernels)
        ok(fine, name + (", node by node" if plain else ""), r)


IMAGE = Array([1, 4, 5, 6], numbers(1, 4, 5, 6))
W3 = ([6, 4, 3, 3], numbers(6, 4, 3, 3))
W1 = ([6, 4, 1, 1], numbers(6, 4, 1, 1))
DEPTHWISE = ([4, 1, 3, 3], numbers(4, 1, 3, 3))


def scalar(v):
    return ([], [float(v)])


def swish_nodes(x, y):
    return [node("Add", [x, "three"], ["a"]), node("Clip", ["a", "zero", "six"], ["c"]), node("Mul", [x, "c"], ["m"]),
            node("Div", ["m", "six"], [y])]


NUMBERS = {"zero": scalar(0), "one": scalar(1), "two": scalar(2), "three": scalar(3), "six": scalar(6), "half": scalar(0.5)}


def test_activations():
    x, w, b = IMAGE, W3, ([6], numbers(6))
    y = conv(x, Array(*w), b[1], pad=1)
    first = node("Conv", ["x", "w", "b"], ["v"], pads=[1, 1, 1, 1])
    check("hard swish behind a convolution", [first, *swish_nodes("v", "y")], x, {"w": w, "b": b, **NUMBERS}, y.map(hard_swish),
          ["conv_f32+bias+hardswish"])
    check("SiLU behind a convolution", [first, node("Sigmoid", ["v"], ["s"]), node("Mul", ["v", "s"], ["y"])], x, {"w": w, "b": b},
          y.map(lambda v: v * sigmoid(v)), ["conv_f32+bias+silu"])
    check("hard sigmoid of another alpha", [first, node("HardSigmoid", ["v"], ["y"], alpha=0.2, beta=0.5)], x, {"w": w, "b": b},
          y.map(lambda v: min(max(v / 5 + 0.5, 0), 1)), ["conv_f32+bias+hardsigmoid"])
    check("a Clip behind a convolution", [first, node("Clip", ["v", "zero", "six"], ["y"])], x, {"w": w, "b": b, **NUMBERS},
          y.map(lambda v: min(max(v, 0), 6)), ["conv_f32+bias+hardtanh"])
    t, weights = Array([2, 3, 8], numbers(2, 3, 8)), ([8, 5], numbers(8, 5))
    check("GELU behind a product",
          [node("MatMul", ["x", "w"], ["v"]), node("Div", ["v", "root"], ["d"]), node("Erf", ["d"], ["e"]), node("Add", ["e", "one"], ["p"]),
           node("Mul", ["v", "p"], ["m"]), node("Mul", ["m", "half"], ["y"])], t, {"w": weights, "root": scalar(math.sqrt(2)), **NUMBERS},
          matmul(t, Array(*weights)).map(gelu), ["gemm_f32+gelu"])


def test_channels():
    x, w = IMAGE, Array(*W1)
    scale, bias, mean, variance = numbers(6), numbers(6), numbers(6), [abs(v) + 0.5 for v in numbers(6)]
    factor = [s / math.sqrt(v + 1e-5) for s, v in zip(scale, variance)]
    constants = {"w": W1, "s": ([6], scale), "b": ([6], bias), "m": ([6], mean), "v": ([6], variance)}

    def norm(y):
        channel = Array([6, 1, 1], factor)
        return y.zip(channel, lambda a, f: a * f).zip(Array([6, 1, 1], [b - m * f for b, m, f in zip(bias, mean, factor)]), lambda a, b: a + b)
    batch_norm = node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"], epsilon=1e-5)
    check("batch norm, then ReLU", [node("Conv", ["x", "w"], ["c"]), batch_norm, node("Relu", ["n"], ["y"])], x, constants,
          norm(conv(x, w)).map(lambda v: max(v, 0)), ["conv_f32+bias+relu"])
    factors = {"p": ([1], [0.75]), "q": ([1], [-0.5]), "w": W1, "w3": W3, "d": DEPTHWISE}
    check("scalars into the convolution behind", [node("Mul", ["p", "x"], ["a"]), node("Add", ["a", "q"], ["b"]), node("Conv", ["b", "w"], ["y"])],
          x, factors, conv(x.map(lambda v: 0.75 * v - 0.5), w), ["conv_f32+bias"])
    check("scalars stay before a padded convolution",
          [node("Mul", ["p", "x"], ["a"]), node("Add", ["a", "q"], ["b"]), node("Conv", ["b", "w3"], ["y"], pads=[1, 1, 1, 1])], x, factors,
          conv(x.map(lambda v: 0.75 * v - 0.5), Array(*W3), pad=1), ["axpb_f32", "conv_f32"])
    check("a depthwise convolution, then scalars", [node("Conv", ["x", "d"], ["a"], group=4, strides=[2, 2]), node("Mul", ["a", "p"], ["b"]),
                                                    node("Sub", ["b", "q"], ["y"])], x, factors,
          conv(x, Array(*DEPTHWISE), stride=2, groups=4).map(lambda v: 0.75 * v + 0.5), ["conv_f32 (groups)+bias"])
    check("a residual", [node("Conv", ["x", "w"], ["a"]), node("Relu", ["a"], ["b"]), node("Conv", ["x", "w"], ["c"]), node("Add", ["c", "b"], ["y"])],
          x, factors, conv(x, w).zip(conv(x, w).map(lambda v: max(v, 0)), lambda a, b: a + b), ["conv_f32", "conv_f32+relu+add"])


def largest(x, size):
    """Of windows of size by size, side by side."""
    def pixel(a, c, r, s):
        return max(x[a, c, r * size + u, s * size + v] for u in range(size) for v in range(size))
    dims = [*x.dims[:2], x.dims[2] // size, x.dims[3] // size]
    return Array(dims, [pixel(*at) for at in Array(dims, [0] * math.prod(dims)).places()])


def test_pools():
    """Tanh moves behind a pool that makes fewer values, if nothing else takes it."""
    first, tanh = node("Conv", ["x", "w"], ["v"]), node("Tanh", ["v"], ["t"])
    pool = node("MaxPool", ["t"], ["y"], kernel_shape=[2, 2], strides=[2, 2])
    t = conv(IMAGE, Array(*W1)).map(math.tanh)
    check("Tanh before MaxPool", [first, tanh, pool], IMAGE, {"w": W1}, largest(t, 2), ["conv_f32", "maxpool_2d_nhwc_f32", "tanh_f32"])
    check("Tanh before MaxPool and a sum", [first, tanh, node("MaxPool", ["t"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
                                            node("ReduceSum", ["t"], ["s"], keepdims=0), node("Mul", ["p", "s"], ["y"])],
          IMAGE, {"w": W1}, largest(t, 2).map(lambda v: v * sum(t.values)), ["conv_f32+tanh", "maxpool_2d_nhwc_f32", "sum_rows_f32", "mul_f32"])
    check("Tanh before as many windows as pixels", [first, tanh, node("MaxPool", ["t"], ["y"], kernel_shape=[1, 1])], IMAGE, {"w": W1}, t,
          ["conv_f32+tanh", "maxpool_2d_nhwc_f32"])


def test_places():
    """Parts of a Concat are computed in place: one copy brings the input's channels last, one takes the output's back."""
    x, w, d = IMAGE, Array(*W1), Array(*DEPTHWISE)
    first, second = conv(x, w), conv(x, d, pad=1, groups=4)
    both = Array([1, 10, 5, 6], first.values + second.values)
    nodes = [node("Conv", ["x", "w"], ["a"]), node("Conv", ["x", "d"], ["b"], group=4, pads=[1, 1, 1, 1]), node("Concat", ["a", "b"], ["c"], axis=1),
             node("Concat", ["a", "b", "a"], ["e"], axis=1), node("Relu", ["e"], ["y"])]
    three = Array([1, 16, 5, 6], both.values + first.values)
    check("a part that is there twice", nodes, x, {"w": W1, "d": DEPTHWISE}, three.map(lambda v: max(v, 0)))
    check("a Concat that begins as another one",
          [*nodes[:4], node("GlobalAveragePool", ["c"], ["m"]), node("ReduceMax", ["m"], ["n"], keepdims=0), node("Sub", ["e", "n"], ["y"])], x,
          {"w": W1, "d": DEPTHWISE}, three.map(lambda v: v - max(sum(both.values[c * 30:c * 30 + 30]) / 30 for c in range(10))))
    check("parts of a Concat", nodes[:3] + [node("Relu", ["c"], ["y"])], x, {"w": W1, "d": DEPTHWISE}, both.map(lambda v: max(v, 0)))
    r = run(path("m.onnx"), "--random", "1", "--explain")
    ok(kernels_of(r).count("copy") == 2, "they are not copied", r)


def test_gates():
    x, w = IMAGE, ([4, 4, 1, 1], numbers(4, 4, 1, 1))

    def gate(a):
        means = Array([1, 4, 1, 1], [sum(a.values[c * 30:c * 30 + 30]) / 30 for c in range(4)])
        return conv(means, Array(*w)).map(sigmoid)
    squeeze = [node("GlobalAveragePool", ["a"], ["m"]), node("Conv", ["m", "w"], ["c"]), node("Sigmoid", ["c"], ["g"]),
               node("Mul", ["a", "g"], ["p"])]
    a = x.map(lambda v: max(v, 0))
    gated = a.zip(Array([4, 1, 1], gate(a).values), lambda v, g: v * g)
    check("x + x * gate", [node("Relu", ["x"], ["a"]), *squeeze, node("Add", ["a", "p"], ["y"])], x, {"w": w},
          a.zip(gated, lambda u, v: u + v), ["relu_f32", "mean_rows_f32", "conv_f32+sigmoid", "axpb_f32", "mul_f32"])
    a = x.map(lambda v: 0.5 * max(v, 0) + 2)
    gated = a.zip(Array([4, 1, 1], gate(a).values), lambda v, g: v * g)
    check("scalars before a gate", [node("Relu", ["x"], ["r"]), node("Mul", ["r", "half"], ["h"]), node("Add", ["h", "two"], ["a"]), *squeeze,
                                    node("Relu", ["p"], ["y"])], x, {"w": w, **NUMBERS}, gated.map(lambda v: max(v, 0)), 
          ["relu_f32", "mean_rows_f32", "conv_f32+bias+sigmoid", "axpb_f32", "axpb_f32", "batchnorm_nhwc_f32", "relu_f32"])


def test_norms():
    x = Array([2, 3, 8], numbers(2, 3, 8))
    weight, bias = numbers(8), numbers(8)

    def layer(row):
        mean = sum(row) / 8
        root = math.sqrt(sum((v - mean) ** 2 for v in row) / 8 + 1e-5)
        return [(v - mean) / root * w + b for v, w, b in zip(row, weight, bias)]

    def rms(row):
        root = math.sqrt(sum(v * v for v in row) / 8 + 1e-5)
        return [v / root * w for v, w in zip(row, weight)]
    constants = {"w": ([8], weight), "b": ([8], bias), "e": scalar(1e-5), **NUMBERS}
    check("layer norm", [node("ReduceMean", ["x"], ["m"], axes=[-1]), node("Sub", ["x", "m"], ["d"]), node("Pow", ["d", "two"], ["q"]),
                         node("ReduceMean", ["q"], ["v"], axes=[-1]), node("Add", ["v", "e"], ["f"]), node("Sqrt", ["f"], ["r"]),
                         node("Div", ["d", "r"], ["n"]), node("Mul", ["n", "w"], ["s"]), node("Add", ["s", "b"], ["y"])], x, constants,
          rows(x, layer), ["layernorm_f32"])
    check("RMS norm", [node("Pow", ["x", "two"], ["q"]), node("ReduceMean", ["q"], ["v"], axes=[-1]), node("Add", ["v", "e"], ["f"]),
                       node("Sqrt", ["f"], ["r"]), node("Div", ["one", "r"], ["i"]), node("Mul", ["x", "i"], ["n"]), node("Mul", ["w", "n"], ["y"])],
          x, constants, rows(x, rms), ["rmsnorm_f32"])


def attention(mask):
    """softmax(scale * q * k^T + mask) * v, of parts of one product, as PP-OCR has it."""
    x, w = Array([1, 5, 6], numbers(1, 5, 6)), ([6, 18], numbers(6, 18))
    all_ = matmul(x, Array(*w))
    parts = [Array([2, 5, 3], [all_[0, t, p * 6 + h * 3 + d] for h in range(2) for t in range(5) for d in range(3)]) for p in range(3)]
    logits = matmul(parts[0].map(lambda v: v / math.sqrt(3)), parts[1].transpose([0, 2, 1]))
    added = numbers(5, 5) if mask else [0] * 25
    logits = Array([2, 5, 5], [v + added[i % 25] for i, v in enumerate(logits.values)])
    y = matmul(rows(logits, softmax), parts[2]).transpose([1, 0, 2])
    slices = [node("Slice", ["t", "i%d" % i, "i%d" % (i + 1), "i0"], ["s%d" % i]) for i in range(3)]
    squeezes = [node("Squeeze", ["s%d" % i, "i0"], [n]) for i, n in enumerate("qkv")]
    masking = [node("Add", ["l", "mask"], ["lm"])] if mask else []
    check("attention, with a mask" if mask else "attention",
          [node("MatMul", ["x", "w"], ["a"]), node("Reshape", ["a", "five"], ["r"]), node("Transpose", ["r"], ["t"], perm=[2, 0, 3, 1, 4]),
           *slices, *squeezes, node("Mul", ["q", "scale"], ["qs"]), node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
           node("MatMul", ["qs", "kt"], ["l"]), *masking, node("Softmax", ["lm" if mask else "l"], ["p"], axis=3),
           node("MatMul", ["p", "v"], ["o"]), node("Transpose", ["o"], ["ot"], perm=[0, 2, 1, 3]), node("Reshape", ["ot", "three_"], ["y"])], x,
          {"w": w, "five": ([5], [0, -1, 3, 2, 3]), "three_": ([3], [0, 5, 6]), "scale": scalar(1 / math.sqrt(3)), "mask": ([1, 1, 5, 5], added),
           **{"i%d" % i: ([1], [i]) for i in range(4)}}, Array([1, 5, 6], y.values),
          ["gemm_f32", "attention_f32"])


def test_attention():
    attention(mask=False)
    attention(mask=True)


def test_copies():
    x = Array([2, 3, 4], numbers(2, 3, 4))
    for perm in ([0, 2, 1], [2, 0, 1], [1, 0, 2], [2, 1, 0]):
        check("Transpose %s" % perm, [node("Transpose", ["x"], ["y"], perm=perm)], x, {}, x.transpose(perm))
    swapped = x.transpose([0, 2, 1])
    check("Reshape of a Transpose", [node("Transpose", ["x"], ["t"], perm=[0, 2, 1]), node("Reshape", ["t", "s"], ["y"])], x, {"s": ([2], [4, -1])},
          Array([4, 6], swapped.values))
    check("Concat", [node("Relu", ["x"], ["r"]), node("Concat", ["x", "r"], ["y"], axis=1)], x, {},
          Array([2, 6, 4], x.values[:12] + [max(v, 0) for v in x.values[:12]] + x.values[12:] + [max(v, 0) for v in x.values[12:]]))
    check("Slice with steps", [node("Slice", ["x", "b", "e", "a", "s"], ["y"])], x, {"b": ([1], [0]), "e": ([1], [99]), "a": ([1], [-1]), "s": ([1], [3])},
          Array([2, 3, 2], [x[i, j, k] for i in range(2) for j in range(3) for k in (0, 3)]))
    check("Slice backwards", [node("Slice", ["x", "b", "e", "a", "s"], ["y"])], x,
          {"b": ([1], [-1]), "e": ([1], [-(1 << 63) + 1]), "a": ([1], [2]), "s": ([1], [-2])},
          Array([2, 3, 2], [x[i, j, k] for i in range(2) for j in range(3) for k in (3, 1)]))
    check("Split", [node("Split", ["x", "s"], ["a", "b"], axis=2), node("Sub", ["b", "a"], ["y"])], Array([2, 3, 4], x.values), {"s": ([2], [2, 2])},
          Array([2, 3, 2], [x[i, j, k + 2] - x[i, j, k] for i in range(2) for j in range(3) for k in range(2)]))
    check("Pad by reflection", [node("Pad", ["x", "p"], ["y"], mode="reflect")], x, {"p": ([6], [0, 0, 1, 0, 0, 2])},
          Array([2, 3, 7], [x[i, j, k] for i in range(2) for j in range(3) for k in (1, 0, 1, 2, 3, 2, 1)]))
    image = Array([1, 2, 2, 3], numbers(1, 2, 2, 3))
    check("Resize by the nearest pixel", [node("Resize", ["x", "", "s"], ["y"], mode="nearest", coordinate_transformation_mode="asymmetric",
                                               nearest_mode="floor")], image, {"s": ([4], [1.0, 1.0, 2.0, 3.0])},
          Array([1, 2, 4, 9], [image[0, c, i // 2, j // 3] for c in range(2) for i in range(4) for j in range(9)]))
    w = ([2, 3, 2, 2], numbers(2, 3, 2, 2))
    check("ConvTranspose", [node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])], image, {"w": w},
          Array([1, 3, 4, 6], [sum(image[0, c, i // 2, j // 2] * Array(*w)[c, o, i % 2, j % 2] for c in range(2))
                               for o in range(3) for i in range(4) for j in range(6)]))
    check("PRelu", [node("PRelu", ["x", "s"], ["y"])], image, {"s": ([2, 1, 1], [0.25, -0.5])},
          Array(image.dims, [v if v > 0 else v * s for s, half in zip((0.25, -0.5), (image.values[:6], image.values[6:])) for v in half]))
    check("MaxPool that ends early", [node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)], image, {},
          Array([1, 2, 1, 2], [max(image[0, c, i, j] for i in range(2) for j in cols) for c in range(2) for cols in ((0, 1), (2,))]))


def test_quantization():
    """Of numbers from -20 to 43.75 by 1/8: the scale is 1/4, so that every second number is a tie, which goes to even."""
    x = Array([2, 256], [i / 8 - 20 for i in range(511)] + [0.125])
    quantize = node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"])
    check("DynamicQuantizeLinear", [quantize, node("Cast", ["q"], ["y"], to=1)], x, {}, x.map(lambda v: min(255, round(v * 4) + 80)))
    check("its scale and zero point", [quantize, node("Cast", ["z"], ["f"], to=1), node("Mul", ["x", "s"], ["m"]), node("Add", ["m", "f"], ["y"])],
          x, {}, x.map(lambda v: v / 4 + 80))


def test_signed_inputs():
    """Inputs of INT8, with a zero point, as integers and scaled."""
    x = Array([1, 3, 4, 5], [RNG.randrange(-128, 128) for _ in range(60)])
    w, zero = [RNG.randrange(-128, 128) for _ in range(2 * 3 * 2 * 2)], -7
    moved = Array(x.dims, [v - zero for v in x.values])
    exact = conv(moved, Array([2, 3, 2, 2], w))
    constants = {"w": typed(INT8, [2, 3, 2, 2], w), "z": typed(INT8, [], [zero]), "s": ([], [.125])}
    cast, to_float = node("Cast", ["x"], ["q"], to=3), node("Cast", ["i"], ["f"], to=1)
    check("ConvInteger of INT8", [cast, node("ConvInteger", ["q", "w", "z"], ["i"]), to_float, node("Mul", ["f", "s"], ["y"])], x, constants,
          exact.map(lambda v: v / 8))
    flat, columns = Array([4, 15], x.values), [RNG.randrange(-128, 128) for _ in range(15 * 3)]
    want = [sum((flat[r, i] - zero) * columns[i * 3 + c] for i in range(15)) for r in range(4) for c in range(3)]
    check("MatMulInteger of INT8", [cast, node("MatMulInteger", ["q", "w", "z"], ["i"]), node("Cast", ["i"], ["y"], to=1)], flat,
          {"w": typed(INT8, [15, 3], columns), "z": constants["z"]}, Array([4, 3], want))


def test_weights8():
    """Products with weights of 8 bits that are large enough to stay so."""
    x = Array([3, 512], numbers(3, 512))
    for name, kind, zero, low in (("u8", UINT8, 127, 0), ("u8, zero in the middle", UINT8, 128, 0), ("s8", INT8, -3, -128), ("u8, zero 0", UINT8, 0, 0)):
        w = [RNG.randrange(low, low + 256) for _ in range(512 * 512)]
        w[0], w[-1] = low, low + 255
        wide = [(v - zero) * 0.03125 for v in w]
        columns = [wide[c::512] for c in range(512)]
        want = Array([3, 512], [sum(a * b for a, b in zip(x.values[r * 512:r * 512 + 512], columns[c])) for r in range(3) for c in range(512)])
        check("a product with weights of " + name, [node("DequantizeLinear", ["w", "s", "z"], ["d"]), node("MatMul", ["x", "d"], ["y"])], x,
              {"w": typed(kind, [512, 512], w), "s": ([], [0.03125]), "z": typed(kind, [], [zero])}, want,
              kernels=["gemm_f32s8+scale" if zero else "gemm_f32"])


def bf16(v):
    """v rounded to bf16, to nearest even; v is no NaN and not too large."""
    bits = struct.unpack("<I", struct.pack("<f", v))[0]
    return struct.unpack("<f", struct.pack("<I", (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000))[0]


def test_weights16():
    """--weights bf16: products of rounded inputs by rounded weights, within 2^-8 of the sum of |terms| of those by f32."""
    x, w, v = Array([5, 90], numbers(5, 90)), ([90, 20], numbers(90, 20)), ([90, 7], numbers(90, 7))
    file = save(model([node("MatMul", ["x", "w"], ["p"]), node("Gemm", ["x", "v", "c"], ["q"]), node("Concat", ["p", "q"], ["y"], axis=1)],
                      {"x": x.dims}, ["y"], {"w": w, "v": v, "c": ([7], numbers(7))}))
    write_npy(path("x.npy"), x.dims, x.values)
    kept = [path("kept." + t) for t in ("f32", "bf16")]
    got = []
    for args in (["f32", "--save-packed", kept[0]], ["bf16", "--save-packed", kept[1]], ["bf16", "--packed", kept[1], "--threads", "2"]):
        r = run(file, "--input", path("x.npy"), "--output", path("y.npy"), "--explain", "--weights", *args)
        ok(r.returncode == 0, "products with weights of " + " ".join(args[:1]), r)
        got.append((read_npy(path("y.npy"))[1], kernels_of(r)))
    wide, narrow = got[0][0], got[1][0]
    bound = [2**-8 * 1.01 * sum(abs(a * b) for a, b in zip(x.values[r * 90:r * 90 + 90], m[c::n])) for r in range(5) for m, n in ((w[1], 20), (v[1], 7))
             for c in range(n)]
    want = [sum(bf16(a) * bf16(b) for a, b in zip(x.values[r * 90:r * 90 + 90], w[1][c::20])) for r in range(5) for c in range(20)]
    ok(all(abs(a - b) <= most for a, b, most in zip(wide, narrow, bound)) and wide != narrow, "weights of bf16 change products by no more than their rounding")
    ok(all(abs(narrow[i // 20 * 27 + i % 20] - want[i]) <= 1e-4 for i in range(100)), "inputs and weights are rounded to nearest, and nothing else")
    kernels = [k for k in got[1][1] if "bf16" in k]
    ok(kernels == ["cvt_f32_bf16", "gemm_bf16_f32", "gemm_bf16_f32+bias"], "an input is converted once", kernels)
    equal([got[2][0], os.path.getsize(kept[1]) < .6 * os.path.getsize(kept[0])], [narrow, True], "weights of bf16 are saved, in half the bytes, and mapped")
    bias = numbers(6)
    file = save(model([node("Conv", ["x", "w", "b"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["y"]), node("Conv", ["x", "d"], ["z"], group=4)],
                      {"x": IMAGE.dims}, ["y", "z"], {"w": W3, "b": ([6], bias), "d": DEPTHWISE}))
    write_npy(path("x.npy"), IMAGE.dims, IMAGE.values)
    r = run(file, "--input", path("x.npy"), "--output", "y=" + path("y.npy"), "--explain", "--weights", "bf16")
    exact = conv(IMAGE.map(bf16), Array(W3[0], map(bf16, W3[1])), bias, pad=1)
    kernels = [k for k in kernels_of(r) if k.startswith("conv")]
    ok(r.returncode == 0 and all(abs(a - max(0, b)) <= 1e-4 for a, b in zip(read_npy(path("y.npy"))[1], exact.values))
       and kernels == ["conv_bf16_f32+bias+relu", "conv_f32 (groups)"], "a convolution with weights of bf16; one of groups stays as it is", r)
    refuses("weights of bf16 without a product", model([node("Relu", ["x"], ["y"])], {"x": [1, 4]}, ["y"], {}), ["--weights bf16", "no product"],
            "--random", "1", "--weights", "bf16")
    refuses("weights of another type", model([node("Relu", ["x"], ["y"])], {"x": [1, 4]}, ["y"], {}), ["--weights 's4'", "f32 and bf16"],
            "--random", "1", "--weights", "s4")


def between(rows, size, scale, aligned):
    """Rows of the output of a linear Resize, half_pixel or align_corners: mixtures of rows, which are lists of numbers."""
    made = []
    for i in range(size):
        at = i * (len(rows) - 1) / (size - 1) if aligned else min(max((i + .5) / scale - .5, 0), len(rows) - 1)
        low = int(at)
        made.append([a + (at - low) * (b - a) for a, b in zip(rows[low], rows[min(low + 1, len(rows) - 1)])])
    return made


def test_resize():
    x = Array([2, 3, 4, 5], numbers(2, 3, 4, 5))
    for name, scale, aligned in (("larger", (2.0, 2.0), 0), ("smaller", (.5, .6), 0), ("by odd factors", (1.75, 2.6), 0),
                                 ("in one direction", (1.0, 3.0), 0), ("with corners that meet", (2.0, 1.6), 1)):
        h, w = int(4 * scale[0]), int(5 * scale[1] + 1e-9)
        y = []
        for plane in range(6):
            rows = [x.values[plane * 20 + r * 5:plane * 20 + r * 5 + 5] for r in range(4)]
            columns = between([list(c) for c in zip(*between(rows, h, scale[0], aligned))], w, scale[1], aligned)
            y += [columns[j][i] for i in range(h) for j in range(w)]
        check("linear Resize, " + name, [node("Resize", ["x", "", "s"], ["y"], mode="linear",
                                                   coordinate_transformation_mode="align_corners" if aligned else "half_pixel")],
              x, {"s": ([4], [1.0, 1.0, *scale])}, Array([2, 3, h, w], y), ["resize_linear_f32"])
    x = Array([1, 1, 1, 3], [1.0, 2.0, 4.0])
    # The weights of the pixels at 1/4 and 3/4 between two: (-27, 225, 67, -9) / 256 with a = -3/4, edges repeated.
    down, up = [-27 / 256, 225 / 256, 67 / 256, -9 / 256], [-9 / 256, 67 / 256, 225 / 256, -27 / 256]
    want = [sum(w * x.values[min(max(low - 1 + k, 0), 2)] for k, w in enumerate(weights))
            for low, weights in ((-1, up), (0, down), (0, up), (1, down), (1, up), (2, down))]
    check("cubic Resize", [node("Resize", ["x", "", "s"], ["y"], mode="cubic")], x, {"s": ([4], [1.0, 1.0, 1.0, 2.0])}, Array([1, 1, 1, 6], want),
          ["resize_cubic_f32"])
    check("Resize by the nearest pixel, halves down", [node("Resize", ["x", "", "s"], ["y"])], x, {"s": ([4], [1.0, 1.0, 1.0, 1.5])},
          Array([1, 1, 1, 4], [1.0, 1.0, 2.0, 4.0]))


def test_order_and_halves():
    """Nodes in any order, and FLOAT16 inside a graph, which is computed in f32."""
    x = Array([2, 3], numbers(2, 3))
    check("a node before the one that computes its input", [node("Relu", ["n"], ["y"]), node("Neg", ["x"], ["n"])], x, {}, x.map(lambda v: max(-v, 0)))
    check("FLOAT16 inside", [node("Cast", ["x"], ["h"], to=10), node("Add", ["h", "c"], ["s"]), node("Cast", ["s"], ["y"], to=1)], x,
          {"c": typed(FLOAT16, [3], [1.5, -2.0, 0.25])}, Array([2, 3], [v + (1.5, -2.0, 0.25)[i % 3] for i, v in enumerate(x.values)]))
    refuses("nodes that wait for each other", model([node("Relu", ["b"], ["a"]), node("Neg", ["a"], ["b"]), node("Add", ["x", "b"], ["y"])], {"x": [2]}, ["y"], {}),
            ["node 'a'", "nothing computes input 'b'"])


def test_branches():
    x = Array([1, 3], [1.0, 2.0, 4.0])
    branches = {b: graph([node(op, ["x", "two"], ["z"])], {}, ["z"], {"two": scalar(2)}) for b, op in (("then_branch", "Mul"), ("else_branch", "Sub"))}
    for limit, want in ((5, [2.0, 4.0, 8.0]), (9, [-1.0, 0.0, 2.0])):
        check("If of a sum against %d" % limit, [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "limit"], ["c"]),
                                                  node("If", ["c"], ["y"], **branches)], x, {"limit": scalar(limit)}, Array([1, 3], want), opset=12)


def test_packed():
    """Weights that a file keeps give the same outputs; the file is not believed blindly."""
    def made(w, fold):
        return save(model([node("Neg", ["f"], ["g"]), node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("Flatten", ["c"], ["d"]),
                           node("MatMul", ["d", "g"], ["y"])], {"x": IMAGE.dims}, ["y"], {"w": w, "f": fold}))
    fold = ([180, 8], numbers(180, 8))
    write_npy(path("x.npy"), IMAGE.dims, IMAGE.values)
    kept = path("packed.isk")

    def sums(file, *args):
        r = run(file, "--input", "x=" + path("x.npy"), "--checksum", *args)
        return r.stdout if r.returncode == 0 else r
    file = made(W3, fold)
    want = sums(file)
    r = subprocess.run([EXE, file, "--input", "x=" + path("x.npy"), "--save-packed", kept], capture_output=True, preexec_fn=small_files, check=False)
    ok(r.returncode == 1 and b"packed.isk: File too large" in r.stderr and not [f for f in os.listdir(path("")) if "packed.isk" in f],
       "nothing is left of a file that cannot be written whole", r)
    ok(want and sums(file, "--save-packed", kept) == want and os.path.getsize(kept) > 2 * 4 * 180 * 8, "weights are saved", want)
    with open(kept, "rb") as f:
        whole = f.read()
    mapped = [sums(file, "--packed", kept, "--save-packed", path("again.isk"))] + [sums(file, "--packed", kept, "--threads", "2")]
    with open(path("again.isk"), "rb") as f:
        equal(mapped + [f.read()], [want, want, whole], "weights are mapped, and saved again they are the same")
    for name, w, f in (("a convolution", (W3[0], numbers(6, 4, 3, 3)), fold), ("a folded constant", W3, (fold[0], numbers(180, 8)))):
        file = made(w, f)
        equal(sums(file, "--packed", kept), sums(file), "the file of a model with %s of other weights changes nothing" % name)
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    for name, content in (("nothing", b""), ("a text", b"these are no weights at all" * 9), ("half", whole[:len(whole) // 2]), ("one bit more", damaged)):
        with open(kept, "wb") as f:
            f.write(content)
        r = run(file, "--input", "x=" + path("x.npy"), "--packed", kept, "--output", "y=" + path("refused.npy"))
        ok(r.returncode == 1 and b"packed.isk: " in r.stderr and r.stderr.count(b"\n") == 1 and not os.path.exists(path("refused.npy")),
           "refused as packed weights: " + name, r)


def refuses(name, made, words, *args):
    r = run(save(made), *(args or ("--random", "1")), "--output", "y=" + path("refused.npy"))
    said = r.stderr.decode("utf-8", "replace")
    ok(r.returncode == 1 and not os.path.exists(path("refused.npy")) and said.startswith("onnxrun: ") and said.count("\n") == 1
       and all(w in said for w in words), "refused: " + name, r)


def test_explain():
    """Each node of the file is told with the call that computes it, and each call with its nodes."""
    nodes = [node("Add", ["one", "two"], ["k"]), node("Identity", ["x"], ["i"]), node("Conv", ["i", "w"], ["p"]), node("Mul", ["p", "k"], ["v"]),
             *swish_nodes("v", "h"), node("Reshape", ["h", "s"], ["r"]), node("Softmax", ["r"], ["y"], axis=1), node("Relu", ["h"], ["z"])]
    file = save(model(nodes, {"x": IMAGE.dims}, ["y"], {"w": W1, "s": ([2], [6, 30]), **NUMBERS}))
    r = run(file, "--random", "1", "--explain")
    before, calls = told(r)
    number = {kernel: str(i + 1) for i, (kernel, _) in enumerate(calls)}
    equal(before, [("constant", "Add"), *[(number["conv_f32+bias+hardswish"], op) for op in ("Identity", "Conv", "Mul", "Add", "Clip", "Mul", "Div")],
                   ("a view", "Reshape"), (number["softmax_axis_f32"], "Softmax"), ("not needed", "Relu")], "nodes of the file")
    equal(dict(calls)["conv_f32+bias+hardswish"], "Identity + Conv + Mul + Add + Clip + Mul + Div", "nodes of a call")


def test_profile():
    """The table of --profile: time, share, and for a product the share of the peak."""
    file = save(model([node("MatMul", ["x", "w"], ["m"]), node("Softmax", ["m"], ["y"], axis=1)], {"x": [4, 64]}, ["y"], {"w": ([64, 64], numbers(64, 64))}))
    r = run(file, "--random", "1", "--profile", "3")
    rows = [line.split() for line in r.stdout.decode().splitlines()]
    ok(r.returncode == 0 and len(rows) == 3 and {row[3 + row[3].endswith("%")] for row in rows[:2]} == {"gemm_f32", "softmax_f32"}
       and abs(sum(float(row[2][:-1]) for row in rows[:2]) - 100) < .2 and "peaks:" in rows[2]
       and [row[3] for row in rows[:2] if "gemm_f32" in row][0].endswith("%"), "--profile names kernels, times and shares", r)


def test_full_disk():
    with open("/dev/full", "wb") as full:
        r = subprocess.run([EXE, "--operators"], stdout=full, stderr=subprocess.PIPE, check=False)
    ok(r.returncode == 1 and b"standard output" in r.stderr, "a full disk is told", r)


def test_refusals():
    x = {"x": [1, 4]}
    small = model([node("Relu", ["x"], ["y"])], x, ["y"], {})
    refuses("nothing", b"", ["without nodes"])
    refuses("a text", b"this is no model", ["not a model"])
    refuses("half of a file", small[:len(small) // 2], ["not a model"])
    refuses("no input", small, ["'x'", "--input"], "--explain")
    refuses("an input of that name", small, ["no such input"], "--input", "z=z.npy")
    refuses("an unknown operator", model([node("Frobnicate", ["x"], ["y"])], x, ["y"], {}), ["node 'y'", "Frobnicate", "not supported"])
    refuses("an input that nothing computes", model([node("Relu", ["z"], ["y"])], x, ["y"], {}), ["node 'y'", "'z'"])
    refuses("an output that nothing computes", model([node("Relu", ["x"], ["z"])], x, ["y"], {}), ["'y'"])
    refuses("two values of a name", model([node("Relu", ["x"], ["x"])], x, ["y"], {}), ["two values", "'x'"])
    refuses("operators of version 1", model([node("Relu", ["x"], ["y"])], x, ["y"], {}, 1), ["version 1", "7 to 21"])
    refuses("shapes that do not fit", model([node("Add", ["x", "w"], ["y"])], x, ["y"], {"w": ([3], [1.0] * 3)}), ["node 'y' (Add)", "1x4", "3"])
    refuses("2^40 elements", model([node("Expand", ["x", "s"], ["y"])], {"x": [1]}, ["y"], {"s": ([1], [1 << 40])}), ["node 'y'", "more than"])
    refuses("a constant without its data", model([node("Add", ["x", "w"], ["y"])], x, ["y"], {"w": ([1 << 40], [])}), ["'w'"])
    refuses("an axis that is not there", model([node("Softmax", ["x"], ["y"], axis=2)], x, ["y"], {}), ["axis is 2", "2 dimensions"])
    refuses("a kernel of another shape", model([node("Conv", ["x", "w"], ["y"], kernel_shape=[5, 5])], {"x": [1, 4, 5, 5]}, ["y"], {"w": W1}),
            ["node 'y' (Conv)", "kernel_shape"])
    refuses("strides of 0", model([node("Conv", ["x", "w"], ["y"], strides=[0, 1])], {"x": [1, 4, 5, 5]}, ["y"], {"w": W1}), ["strides has 0"])
    refuses("an output_shape of no input", model([node("ConvTranspose", ["x", "w"], ["y"], output_shape=[9, 9])], {"x": [1, 6, 5, 5]}, ["y"], {"w": W1}),
            ["node 'y' (ConvTranspose)", "9x9", "5x5"])
    refuses("groups that do not divide", model([node("Conv", ["x", "w"], ["y"], group=3)], {"x": [1, 4, 5, 5]}, ["y"], {"w": W1}), ["group 3"])
    refuses("a mode of Resize", model([node("Resize", ["x", "", "s"], ["y"], mode="area")], {"x": [1, 1, 2, 2]}, ["y"], {"s": ([4], [1.0, 1.0, 2.0, 2.0])}),
            ["Resize", "nearest"])
    refuses("an index beyond", model([node("Gather", ["x", "i"], ["y"], axis=1)], x, ["y"], {"i": ([1], [4])}), ["index 4", "-4 to 3"])


def fuzz(cases):
    """Models with bytes changed: each runs or is refused in one line; none crashes, and of each fourth none loses memory, if gcc has its leak sanitizer."""
    lsan = subprocess.run(["gcc", "-print-file-name=liblsan.so"], stdout=subprocess.PIPE).stdout.decode().strip()
    preload = {"LD_PRELOAD": lsan} if os.path.isabs(lsan) else {}
    nodes = [node("Conv", ["x", "w", "b"], ["v"], pads=[1, 1, 1, 1]), *swish_nodes("v", "u"),
             node("ConvTranspose", ["u", "t"], ["o"], strides=[2, 1], pads=[1, 0, 0, 1], output_padding=[1, 0]), node("Reshape", ["o", "s"], ["r"]), node("MatMul", ["r", "k"], ["p"]), node("Softmax", ["p"], ["y"], axis=1)]
    made = model(nodes, {"x": [1, 4, 5, 6]}, ["y"],
                 {"w": W3, "b": ([6], numbers(6)), "t": ([6, 2, 3, 2], numbers(6, 2, 3, 2)), "s": ([2], [4, 33]), "k": ([33, 3], numbers(33, 3)), **NUMBERS})
    good = run(save(made), "--random", "1", "--checksum")
    ok(good.returncode == 0, "the model runs before it is damaged", good)
    crashed, refused = None, 0
    for case in range(cases):
        broken = bytearray(made)
        for _ in range(RNG.randint(1, 4)):
            at = RNG.randrange(len(broken))
            if RNG.random() < 0.2:
                del broken[at:at + RNG.randint(1, 20)]
            else:
                broken[at] = RNG.randrange(256)
        r = run(save(bytes(broken)), "--random", "1", "--checksum", "--weights", ("f32", "bf16")[case % 2], **(preload if case % 8 < 2 else {}))
        refused += r.returncode == 1
        if r.returncode not in (0, 1) or (r.returncode == 1 and not (r.stderr.startswith(b"onnxrun: ") and r.stderr.count(b"\n") == 1)):
            crashed = r
            break
    ok(crashed is None and refused > cases // 10, "%d damaged models, of which %d were refused, %s the leak sanitizer" % (cases, refused, "with" if preload else "without"), crashed)


def pixel(i, width, height):
    """As in onnx_record.mjs."""
    col, row = i % width, i // width % height
    return -2.0 if (row >> 4) % 3 == 1 and ((col >> 2) * 7 + (row >> 2) * 3) % 5 < 2 else 2 + i % 7 / 50


def models():
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "isakern", "ocr")
    with open(os.path.join(HERE, "onnx_outputs.json")) as f:
        recorded = json.load(f)
    for name, r in recorded.items():
        file = os.path.join(folder, name)
        if not os.path.exists(file):
            skip(name, "examples/ocr/fetch.sh has not fetched it")
            continue
        count = math.prod(r["input"])
        write_npy(path("x.npy"), r["input"], [pixel(i, *r["input"][:1:-1]) for i in range(count)])
        ran = run(file, "--input", "x=" + path("x.npy"), "--out", SCRATCH.name)
        fine = ran.returncode == 0
        if fine:
            dims, got = read_npy(path("0.npy"))
            fine = dims == r["output"] and all(abs(got[i] - w) <= 1e-4 * r["most"] for i, w in r["samples"])
        ok(fine, name + " as recorded from ONNX Runtime", ran)
        sums = {(isa, threads): run(file, "--input", "x=" + path("x.npy"), "--checksum", "--threads", threads, ISAKERN_MAX_ISA=isa).stdout
                for isa in target.ALIKE for threads in "12"}
        ok(len(set(sums.values())) == 1 and b"  " in sums[target.ALIKE[0], "1"],
           "%s: the same bits at every ISA from %s up, with 1 and 2 threads" % (name, target.ALIKE[0]), sums)


def minilm():
    """The graph of bench/models/minilm.py gives the embedding that an independent implementation computes."""
    weights = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "isakern", "all-MiniLM-L6-v2", "model.fp16.safetensors")
    if not os.path.exists(weights):
        skip("minilm.py", "examples/semsearch/fetch.sh has not fetched its weights")
        return
    subprocess.run([sys.executable, os.path.join(HERE, "..", "bench", "models", "minilm.py"), weights, path("minilm.onnx")], check=True)
    with open(os.path.join(HERE, "semsearch_embeddings.json"), encoding="utf-8") as f:
        want = next(e["embedding"] for e in json.load(f) if e["text"] == "This is an example sentence")
    tokens = [101, 2023, 2003, 2019, 2742, 6251, 102]
    write_npy(path("ids.npy"), [1, 7], tokens, "<i8")
    write_npy(path("places.npy"), [1, 7], range(7), "<i8")
    ran = run(path("minilm.onnx"), "--input", "input_ids=" + path("ids.npy"), "--input", "position_ids=" + path("places.npy"), "--out", SCRATCH.name)
    fine = ran.returncode == 0
    if fine:
        dims, got = read_npy(path("0.npy"))
        fine = dims == [1, 384] and all(abs(g - w) <= 1e-6 for g, w in zip(got, want))
    ok(fine, "MiniLM as a graph of minilm.py", ran)


if sys.argv[2:3] == ["fuzz"]:
    fuzz(int(sys.argv[3]))
elif sys.argv[2:3] == ["models"]:
    models()
    minilm()
else:
    for test in [f for n, f in sorted(globals().items()) if n.startswith("test_")]:
        test()
    fuzz(200)
done()
