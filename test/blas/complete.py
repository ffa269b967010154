#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""complete.py LIBRARY: our libblas.so.3 exports each name of reference BLAS (Debian: libblas3), each with a form for
integers of 64 bits, and nothing else. Programs find it by the name that they ask for."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from tap import done, equal, skip

REFERENCE = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"
VARIABLES = {"RowMajorStrg", "CBLAS_CallFromC"}


def exported(path):
    said = subprocess.run(["nm", "-D", "--defined-only", path], text=True, capture_output=True, check=True).stdout
    return {line.split()[-1] for line in said.split("\n") if line}


def of_64_bits(name):
    """sgemm_64_ as well as cblas_sgemm64_, the names of OpenBLAS and numpy."""
    return name + "64_"


ours = exported(sys.argv[1])
wide = {name for name in ours if name.endswith("64_")}
equal(sorted(wide), sorted(of_64_bits(name) for name in ours - wide - VARIABLES), "each routine has a form for 64 bits")
if os.path.exists(REFERENCE):
    reference = exported(REFERENCE)
    equal(sorted(reference - ours), [], "no name of reference BLAS is missing")
    equal(sorted(ours - wide - reference), [], "no other name is exported")
else:
    skip("the names are those of reference BLAS", "no libblas3")
dynamic = subprocess.run(["readelf", "-dW", sys.argv[1]], text=True, capture_output=True, check=True).stdout
equal(re.findall(r"SONAME.*\[(.*)\]", dynamic), ["libblas.so.3"], "its SONAME is that of any BLAS")
done()
