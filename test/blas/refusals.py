#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refusals.py LIBRARY: wrong arguments in a program without an xerbla_ of its own."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from tap import done, equal

PROGRAM = """
import ctypes, sys
blas = ctypes.CDLL(sys.argv[1])
n = lambda x: ctypes.byref(ctypes.c_int(x))
wide = lambda x: ctypes.byref(ctypes.c_int64(x))
number = ctypes.byref(ctypes.c_double(1))
%s
print("returned")
"""
CALLS = [
    # A Fortran name, with its position in Fortran
    ("blas.dgemv_(b'N', n(2), n(3), number, number, n(1), number, n(1), number, number, n(1))", 1,
     " ** On entry to DGEMV  parameter number  6 had an illegal value\n"),
    ("blas.dgemv_64_(b'X', wide(2), wide(3), number, number, wide(2), number, wide(1), number, number, wide(1))", 1,
     " ** On entry to DGEMV  parameter number  1 had an illegal value\n"),
    # In C the order comes first, and positions are the caller's, also where m and n change places.
    ("blas.cblas_dgemv(102, 111, 2, 3, ctypes.c_double(1), number, 1, number, 1, ctypes.c_double(1), number, 1)", 1,
     "Parameter 7 to routine cblas_dgemv was incorrect\n"),
    ("blas.cblas_dgemv(101, 111, -2, 3, ctypes.c_double(1), number, 3, number, 1, ctypes.c_double(1), number, 1)", 1,
     "Parameter 3 to routine cblas_dgemv was incorrect\n"),
    ("blas.cblas_dgemm64_(101, 111, 7, 1, 1, 1, ctypes.c_double(1), number, 1, number, 1, ctypes.c_double(1), number, 1)", 1,
     "Parameter 3 to routine cblas_dgemm was incorrect\n"),
    ("blas.cblas_dgemm(7, 111, 111, 1, 1, 1, ctypes.c_double(1), number, 1, number, 1, ctypes.c_double(1), number, 1)", 1,
     "Parameter 1 to routine cblas_dgemm was incorrect\nIllegal Order setting\n"),
    ("blas.dgemv_(b'n', n(0), n(3), number, number, n(1), number, n(1), number, number, n(1))", 0, ""),
]
for call, status, said in CALLS:
    result = subprocess.run([sys.executable, "-c", PROGRAM % call, sys.argv[1]], text=True, capture_output=True, check=False)
    equal((result.returncode, result.stderr), (status, said), call.split("(")[0])
done()
