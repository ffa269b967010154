#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""minilm.py MODEL.safetensors OUT.onnx: writes all-MiniLM-L6-v2 as a graph of ONNX, because it is fetched as weights alone.

The graph takes input_ids and position_ids, 1 by n, and gives the embedding of the sentence, of length 1. Norms, attention and GELU
are spelled out in small operators, as exporters spell them, and weights stay in FLOAT16, behind a Cast.
"""
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test"))
from onnx_file import FLOAT16, INT64, model, node, raw  # noqa: E402

LAYERS, HEADS, WIDTH = 6, 12, 384


def read_safetensors(path):
    """{name: (dims, bytes)} of all tensors of f16."""
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        content = f.read()
    return {name: (t["shape"], content[slice(*t["data_offsets"])]) for name, t in header.items() if t.get("dtype") == "F16"}


class Graph:
    """Nodes and constants; each function adds some and returns the name of their result."""

    def __init__(self, weights):
        self.weights, self.nodes, self.constants = weights, [], {}

    def add(self, op, *inputs, **attributes):
        name = "%s_%d" % (op, len(self.nodes))
        self.nodes.append(node(op, inputs, [name], **attributes))
        return name

    def constant(self, value):
        """A number of f32, or a list of whole numbers."""
        name = str(value)
        self.constants[name] = ([len(value)], value) if isinstance(value, list) else ([], [float(value)])
        return name

    def weight(self, name):
        dims, content = self.weights[name]
        self.constants[name] = raw(FLOAT16, dims, content)
        return self.add("Cast", name, to=1)

    def linear(self, x, name):
        product = self.add("MatMul", x, self.add("Transpose", self.weight(name + ".weight"), perm=[1, 0]))
        return self.add("Add", product, self.weight(name + ".bias"))

    def norm(self, x, name):
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes=[-1]))
        variance = self.add("ReduceMean", self.add("Mul", centred, centred), axes=[-1])
        scaled = self.add("Div", centred, self.add("Sqrt", self.add("Add", variance, self.constant(1e-12))))
        return self.add("Add", self.add("Mul", scaled, self.weight(name + ".weight")), self.weight(name + ".bias"))

    def gelu(self, x):
        erf = self.add("Erf", self.add("Div", x, self.constant(2 ** .5)))
        return self.add("Mul", self.add("Mul", x, self.add("Add", erf, self.constant(1))), self.constant(.5))

    def heads(self, x, perm):
        return self.add("Transpose", self.add("Reshape", x, self.constant([0, -1, HEADS, WIDTH // HEADS])), perm=perm)

    def attention(self, x, name):
        q, v = (self.heads(self.linear(x, "%s.self.%s" % (name, part)), [0, 2, 1, 3]) for part in ("query", "value"))
        k = self.heads(self.linear(x, name + ".self.key"), [0, 2, 3, 1])
        scores = self.add("Mul", self.add("MatMul", q, k), self.constant((WIDTH // HEADS) ** -.5))
        mixed = self.add("Transpose", self.add("MatMul", self.add("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        return self.linear(self.add("Reshape", mixed, self.constant([0, -1, WIDTH])), name + ".output.dense")


def sentence(weights):
    g = Graph(weights)
    kinds, content = weights["embeddings.token_type_embeddings.weight"]
    weights["first kind"] = ([kinds[1]], content[:2 * kinds[1]])
    x = g.add("Gather", g.weight("embeddings.word_embeddings.weight"), "input_ids")
    x = g.add("Add", x, g.add("Gather", g.weight("embeddings.position_embeddings.weight"), "position_ids"))
    x = g.norm(g.add("Add", x, g.weight("first kind")), "embeddings.LayerNorm")
    for i in range(LAYERS):
        layer = "encoder.layer.%d" % i
        x = g.norm(g.add("Add", g.attention(x, layer + ".attention"), x), layer + ".attention.output.LayerNorm")
        inner = g.gelu(g.linear(x, layer + ".intermediate.dense"))
        x = g.norm(g.add("Add", g.linear(inner, layer + ".output.dense"), x), layer + ".output.LayerNorm")
    mean = g.add("ReduceMean", x, axes=[1], keepdims=0)
    square = g.add("ReduceMean", g.add("Mul", mean, mean), axes=[1])
    length = g.add("Sqrt", g.add("Mul", square, g.constant(WIDTH)))
    g.nodes.append(node("Div", [mean, length], ["embedding"]))
    return g


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    g = sentence(read_safetensors(sys.argv[1]))
    with open(sys.argv[2] + ".part", "wb") as f:
        f.write(model(g.nodes, {name: (INT64, [1, "n"]) for name in ("input_ids", "position_ids")}, ["embedding"], g.constants))
    os.replace(sys.argv[2] + ".part", sys.argv[2])


main()
