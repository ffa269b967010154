#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Products with packed matrices against numpy; packed matrices in files, pickles and damaged; bad arguments.

    matrices.py SOURCE BUILD
"""
import mmap
import os
import pickle
import tempfile

import numpy as np

import direct
from refusals import refused
from tap import done, ok

import isakern as isk

R = np.random.default_rng(7)
SIZES = [(1, 1, 1), (3, 5, 7), (17, 33, 40), (0, 4, 4), (4, 0, 4), (4, 4, 0), (64, 100, 65)]


# Half an ulp, for results that are rounded once more.
HALVES = {"f2": 2.0 ** -11}
KINDS = [("f4", "f4", "f4"), ("f4", "f2", "f4"), ("f4", "i1", "f4"), ("f2", "f2", "f2"), ("f2", "f2", "f4"),
         ("u1", "i1", "i4"), ("i1", "i1", "i4"), ("u1", "i1", "f4")]
if direct.ml_dtypes:
    BF16 = direct.ml_dtypes.bfloat16
    HALVES[BF16] = 2.0 ** -8
    KINDS += [("f4", BF16, "f4"), (BF16, BF16, "f4"), (BF16, BF16, BF16)]


def near(got, a, b, extra=0, eps=2.0 ** -24, half=0):
    """Within eps * k * the sum of absolute terms, plus half an ulp of a 16-bit result, which is rounded once more."""
    wide = a.astype("f8") @ b.astype("f8")
    bound = eps * (a.shape[1] + extra) * (np.abs(a.astype("f8")) @ np.abs(b.astype("f8"))) + half * np.abs(wide) + 1e-7 * bool(half)
    return bool((np.abs(got.astype("f8") - wide) <= bound).all())


def products(kind, packed_kind, out_kind):
    for m, k, n in SIZES:
        if np.dtype(kind).kind in "fV":
            a, b = R.standard_normal((m, k)).astype(kind), R.standard_normal((k, n)).astype(packed_kind)
        else:
            a = R.integers(np.iinfo(kind).min, np.iinfo(kind).max, (m, k), endpoint=True).astype(kind)
            b = R.integers(-128, 127, (k, n), endpoint=True).astype(packed_kind)
        what = "%s by %s to %s, %d by %d by %d" % (kind, packed_kind, out_kind, m, k, n)
        packed = isk.Packed.of(b)
        got = isk.gemm(a, packed, dtype=out_kind)
        if np.dtype(out_kind).kind in "fV":
            right = near(got, a, b, half=HALVES.get(out_kind, 0))
        else:
            right = np.array_equal(got, a.astype("i8") @ b.astype("i8"))
        ok(right and got.dtype == out_kind and got.shape == (m, n), "gemm, " + what, got)
        ok(np.array_equal(isk.gemm(np.asfortranarray(a), isk.Packed.of(np.asfortranarray(b)), dtype=out_kind), got),
           "the same of turned arrays, " + what)
        ok((packed.k, packed.n, packed.dtype, packed.nbytes) == (k, n, np.dtype(packed_kind), len(bytes(packed))),
           "what is packed, " + what)


for kinds in KINDS:
    products(*kinds)

a, b = R.standard_normal((9, 31)).astype("f4"), R.standard_normal((31, 20)).astype("f4")
packed = isk.Packed.of(b)
plain = isk.gemm(a, packed)
bias, scale, other = R.standard_normal(20).astype("f4"), R.standard_normal(20).astype("f4"), R.standard_normal((9, 20)).astype("f4")
got = isk.gemm(a, packed, scale=scale, bias=bias, activation="relu", binary="add", other=other)
wanted = np.maximum(plain.astype("f8") * scale + bias, 0) + other
ok(np.allclose(got, wanted, rtol=1e-6, atol=1e-6), "gemm with scale, bias, activation and a matrix added", got - wanted)
got = isk.gemm(a, packed, binary="axpy", other=other, other_scale=-2)
ok(np.allclose(got, plain - 2 * other, rtol=1e-6, atol=1e-6), "gemm with a multiple of a matrix added")
out = np.zeros((20, 9), "f4").T
ok(isk.gemm(a, packed, out=out) is out and np.array_equal(out, plain), "out, not contiguous")
u8, s8 = R.integers(0, 256, (4, 12)).astype("u1"), R.integers(-128, 128, (12, 6)).astype("i1")
exact = (u8.astype("i8") - 3) @ (s8.astype("i8") - np.arange(6))
ok(np.array_equal(isk.gemm(u8, isk.Packed.of(s8), dtype="i4", a_zero=3, b_zero=np.arange(6)), exact), "gemm with zero points")
got = isk.gemm(u8, isk.Packed.of(s8), dtype="u1", a_zero=3, out_scale=64, out_zero=128)
wanted = np.clip(np.rint(((u8.astype("i8") - 3) @ s8.astype("i8")) / 64) + 128, 0, 255)
ok(got.dtype == "u1" and np.array_equal(got, wanted), "gemm to 8 bits", got)
for name, (x, y) in {"": (a, b), " of a turned": (np.asfortranarray(a), b), " of b turned": (a, np.asfortranarray(b))}.items():
    ok(np.array_equal(isk.matmul(x, y), plain), "matmul has the bits of gemm" + name)
c = np.ones((20, 20), "f4")
squared = c @ c
ok(isk.matmul(c, c, out=c) is c and np.array_equal(c, squared), "matmul into its input")

again = pickle.loads(pickle.dumps(packed))
ok(isinstance(again, isk.Packed) and np.array_equal(isk.gemm(a, again), plain), "pickled")
with tempfile.NamedTemporaryFile() as f:
    f.write(packed)
    f.flush()
    mapped = isk.Packed(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ))
    ok(np.array_equal(isk.gemm(a, mapped), plain), "mapped from a file")
    del mapped
ok(memoryview(packed).readonly and memoryview(packed).nbytes == packed.nbytes, "a buffer of bytes, read-only")
whole = bytes(packed)
for at in (0, 4, 6, 20, 40, 64, len(whole) - 1):
    damaged = bytearray(whole)
    damaged[at] ^= 0x10
    refused(ValueError, "buffer", "damaged at byte %d" % at, isk.Packed, damaged)
for length in (0, 63, 64, len(whole) - 1):
    refused(ValueError, "buffer", "cut to %d bytes" % length, isk.Packed, whole[:length])
refused(TypeError, "bytes-like", "no buffer", isk.Packed, 3)
refused(ValueError, "b: 1 dim", "a vector packed", isk.Packed.of, np.ones(3, "f4"))
refused(TypeError, "b: no kernel packs complex", "complex numbers packed", isk.Packed.of, np.ones((3, 3), "c8"))
refused(TypeError, "packed", "weights that are not packed", isk.gemm, a, b)
refused(ValueError, "a: 20 columns", "another k", isk.gemm, np.ones((2, 20), "f4"), packed)
refused(TypeError, "no kernel for float64", "another type", isk.gemm, a.astype("f8"), packed)
refused(TypeError, "no kernel", "an output of another type", isk.gemm, a, packed, dtype="i4")
refused(ValueError, "out: expected an array of 9 by 20", "out of another shape", isk.gemm, a, packed, out=np.zeros((9, 21), "f4"))
still = np.zeros((9, 20), "f4")
still.flags.writeable = False
refused(ValueError, "out: the array is read-only", "out that is read-only", isk.gemm, a, packed, out=still)
refused(ValueError, "bias: shape (19,)", "a bias of another length", isk.gemm, a, packed, bias=bias[1:])
refused(ValueError, "activation: no 'step'; there are relu", "an unknown activation", isk.gemm, a, packed, activation="step")
refused(TypeError, "binary and other", "an operation without its operand", isk.gemm, a, packed, binary="add")
refused(ValueError, "other: expected 9 by 20", "another of another shape", isk.gemm, a, packed, binary="add", other=other.T)
refused(ValueError, "gemm_u8s8_s32: ", "a bias where there is none", isk.gemm, u8, isk.Packed.of(s8), dtype="i4", bias=np.ones(6, "f4"))
ok(not still.any(), "nothing was written")
ok(os.path.dirname(isk.__file__) == os.path.join(direct.BUILD, "src", "python", "isakern"), "the package is that of the build")
done()
