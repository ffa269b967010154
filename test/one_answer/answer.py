#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products and decompositions by numpy: a line for each, with its name and the MD5 of its results' bits.

The inputs are integers times a power of 2, the same in each language, so that no function of libm makes them. The results are those that BLAS and LAPACK return. Matrices are digested row by row, little-endian.
"""
import hashlib
import re

import numpy as np

# Odd shapes: m, k and n of products.
SHAPES = [(67, 129, 35), (130, 3, 61), (31, 300, 7), (151, 190, 170)]
START = 100000


drawn = START


def integers(count):
    """i^3 mod (2^31 - 1) for the next i, about 0. All products are below 2^53."""
    global drawn
    i = np.arange(drawn, drawn + count)
    drawn += count
    return i * i % 2147483647 * i % 2147483647 - 1073741824


def matrix(rows, cols, dtype=np.float64):
    """Elements between -1 and 1. Those of floats have 24 bits."""
    count = rows * cols * (2 if np.dtype(dtype).kind == "c" else 1)
    narrow = np.dtype(dtype).char in "fF"
    elements = (integers(count) >> 7) * 2.0**-23 if narrow else integers(count) * 2.0**-30
    return elements.astype(np.float32 if narrow else np.float64).view(dtype).reshape(rows, cols)


def view(a, offset):
    """The same elements, `offset` elements after the beginning of a buffer, in rows that are `offset` elements longer."""
    rows, cols = a.shape
    buffer = np.zeros(offset + rows * (cols + offset), a.dtype)
    there = buffer[offset:].reshape(rows, cols + offset)[:, :cols]
    there[...] = a
    return there


def show(name, *results):
    digest = hashlib.md5()
    for r in results:
        digest.update(np.ascontiguousarray(r).tobytes())
    print("%-26s %s" % (name, digest.hexdigest()))


def products(name, dtype):
    pairs = [(matrix(m, k, dtype), matrix(k, n, dtype)) for m, k, n in SHAPES]
    show(name, *[a @ b for a, b in pairs])
    for offset in 1, 3:
        show("%s of views %d" % (name, offset), *[view(a, offset) @ view(b, offset) for a, b in pairs])
    show(name + " transposed", *[(b.T @ a.T).T for a, b in pairs])
    show(name + " with itself", *[a @ a.T for a, b in pairs])
    a, row, column = matrix(129, 67, dtype), matrix(1, 129, dtype), matrix(67, 1, dtype)
    show(name + " with vector", row @ a, a @ column)


def libraries():
    """Those of BLAS and LAPACK that this program has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as f:
        return sorted(set(re.findall(r"/\S*/lib(?:blas|lapack|openblas|blis|isakern)\S*", f.read())))


def main():
    print("numpy", np.__version__)
    products("product", np.float64)
    a, b = matrix(197, 197), matrix(197, 3)
    show("solve", np.linalg.solve(a, b))
    show("inverse", np.linalg.inv(a))
    show("cholesky", np.linalg.cholesky(a @ a.T))
    show("qr", *np.linalg.qr(matrix(111, 75)))
    a = matrix(131, 131)
    show("eigen symmetric", *np.linalg.eigh(a + a.T))
    show("eigen", *np.linalg.eig(a))
    show("svd", *np.linalg.svd(matrix(111, 75)))
    show("least squares", np.linalg.lstsq(matrix(131, 29), matrix(131, 2), rcond=None)[0])
    products("product c128", np.complex128)
    products("product f32", np.float32)
    products("product c64", np.complex64)
    a, b = matrix(197, 197, np.complex128), matrix(197, 3, np.complex128)
    show("solve c128", np.linalg.solve(a, b))
    a, b = matrix(197, 197, np.float32), matrix(197, 3, np.float32)
    show("solve f32", np.linalg.solve(a, b))
    print(*libraries(), sep="\n")


main()
