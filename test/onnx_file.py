# SPDX-License-Identifier: MIT
"""Writes models of ONNX and files of NumPy, so that tests and bench/models need neither package."""
import struct

FLOAT, UINT8, INT8, INT64, FLOAT16 = 1, 2, 3, 7, 10


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def data(field, b):
    b = b.encode() if isinstance(b, str) else b
    return varint(field << 3 | 2) + varint(len(b)) + b


def tensor(dims, values, kind=FLOAT, name=""):
    raw = values if isinstance(values, bytes) else struct.pack("<%d%s" % (len(values), {FLOAT: "f", INT64: "q", FLOAT16: "e", UINT8: "B", INT8: "b"}[kind]), *values)
    return b"".join(number(1, d) for d in dims) + number(2, kind) + data(8, name) + data(9, raw)


def attribute(name, value):
    head = data(1, name)
    if isinstance(value, float):
        return head + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, int):
        return head + number(3, value) + number(20, 2)
    if isinstance(value, str):
        return head + data(4, value) + number(20, 3)
    if isinstance(value, bytes):
        return head + data(6, value) + number(20, 5)
    return head + b"".join(number(8, v) for v in value) + number(20, 7)


def node(op, inputs, outputs, **attributes):
    return (b"".join(data(1, i) for i in inputs) + b"".join(data(2, o) for o in outputs) + data(3, outputs[0]) + data(4, op)
            + b"".join(data(5, attribute(k, v)) for k, v in attributes.items()))


def value_info(name, dims, kind=FLOAT):
    """A size that is a text is open, and has this name."""
    shape = b"".join(data(1, data(2, d) if isinstance(d, str) else number(1, d)) for d in dims)
    return data(1, name) + data(2, data(1, number(1, kind) + data(2, shape)))


class Typed(list):
    """Numbers that are stored as this type."""
    kind = FLOAT


class Raw(bytes):
    """The bytes of numbers of this type."""
    kind = FLOAT


def raw(kind, dims, content):
    content = Raw(content)
    content.kind = kind
    return dims, content


def typed(kind, dims, values):
    numbers = Typed(values)
    numbers.kind = kind
    return dims, numbers


def graph(nodes, inputs, outputs, constants):
    """Inputs are {name: dims} or {name: (type, dims)}, constants {name: (dims, values)}, typed() or raw(); constants of ints are
    INT64. A graph of a branch too."""
    made = b"".join(data(1, n) for n in nodes) + data(2, "test")
    for name, (dims, values) in constants.items():
        kind = values.kind if isinstance(values, (Typed, Raw)) else INT64 if values and isinstance(values[0], int) else FLOAT
        made += data(5, tensor(dims, values, kind, name))
    for name, dims in inputs.items():
        kind, dims = dims if isinstance(dims, tuple) else (FLOAT, dims)
        made += data(11, value_info(name, dims, kind))
    return made + b"".join(data(12, data(1, o)) for o in outputs)


def model(nodes, inputs, outputs, constants, opset=13):
    return number(1, 8) + data(7, graph(nodes, inputs, outputs, constants)) + data(8, number(2, opset))


def write_npy(path, dims, values, kind="<f4"):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (kind, "".join("%d," % d for d in dims))
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%d%s" % (len(values), {"<f4": "f", "<i8": "q"}[kind]), *values))


def read_npy(path):
    """Its dims and elements."""
    with open(path, "rb") as f:
        b = f.read()
    end = 10 + struct.unpack("<H", b[8:10])[0]
    head = b[10:end].decode()
    dims = [int(d) for d in head.split("(")[1].split(")")[0].split(",") if d.strip()]
    kind, size = {"<f4": ("f", 4), "<i8": ("q", 8), "|b1": ("?", 1), "|u1": ("B", 1), "<i4": ("i", 4)}[head.split("'")[3]]
    return dims, list(struct.unpack("<%d%s" % ((len(b) - end) // size, kind), b[end:]))
