#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The form of libisakern-omp: its symbols, and what it and libisakern need.

    library.py LIBISAKERN_OMP LIBISAKERN SOURCE BUILT_ISAS
"""
import re
import subprocess
import sys

OMP, PLAIN, SOURCE, BUILT = sys.argv[1:]
count = failed = 0


def equal(got, wanted, name):
    global count, failed
    count += 1
    failed += got != wanted
    print("%sok %d - %s" % ("" if got == wanted else "not ", count, name))
    if got != wanted:
        print("# got %r, expected %r" % (got, wanted))


def tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needs(path):
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-dW", path)))


header = tool(sys.executable, SOURCE + "/src/resolve/gen.py", "parallel", BUILT)
declared = sorted(re.findall(r"\b(isk_parallel_\w+)\(", header))
symbols = re.findall(r" (\S) (\S+?)(?:@@?(\S+))?$", tool("nm", "-D", "--defined-only", OMP), re.M)
with open(SOURCE + "/src/kernels/kernels.tbl", encoding="utf-8") as table:
    rows = [line.split() for line in table if line.strip() and not line.startswith("#")]
kernels = {"isk_parallel_" + row[0] for row in rows if row[1] in ("gemm", "matmul", "matmul_batch", "conv")}
equal(sorted(name for letter, name, _ in symbols if letter != "A"), declared, "it exports what its header declares")
equal(sorted(kernels), declared, "a form for each kernel of the matrix shapes")
equal({version for letter, _, version in symbols if letter != "A"}, {"ISAKERN_0.1"},
      "every symbol has the version ISAKERN_0.1")
equal(re.findall(r"\(SONAME\).*\[(.*)\]", tool("readelf", "-dW", OMP)), ["libisakern-omp.so.0"], "soname")
equal([n for n in needs(OMP) if not re.match(r"lib(isakern|gomp|omp|iomp5|pthread|c|m)\.so", n)], [],
      "it needs nothing unexpected")
equal("libisakern.so.0" in needs(OMP), True, "it needs libisakern")
equal([n for n in needs(PLAIN) if re.match(r"lib(gomp|omp|iomp5|isakern)", n)], [], "libisakern needs no OpenMP")
undefined = re.findall(r" U (isk_\w+)", tool("nm", "-D", "--undefined-only", OMP))
equal([n for n in undefined if "__" in n], [], "it calls kernels by their public names")
print("1..%d" % count)
sys.exit(failed != 0)
