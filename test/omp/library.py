#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The form of libisakern-omp: its symbols, and the dependencies of it and of libisakern.

    library.py LIBISAKERN_OMP LIBISAKERN SOURCE BUILD FAMILY...
"""
import os
import re
import subprocess
import sys

OMP, PLAIN, SOURCE, BUILD, *FAMILIES = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import tables  # noqa: E402
from tap import done, equal  # noqa: E402


def tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needs(path):
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-dW", path)))


with open(os.path.join(BUILD, "src/gen/isakern/include/isakern/parallel.h"), encoding="utf-8") as f:
    declared = sorted(re.findall(r"\b(isk_parallel_\w+)\(", f.read()))
symbols = re.findall(r" (\S) (\S+?)(?:@@?(\S+))?$", tool("nm", "-D", "--defined-only", OMP), re.M)
kernels = {"isk_parallel_" + k.name: k for k in tables.Library(FAMILIES).kernels.values() if k.is_parallel}
with open(os.path.join(SOURCE, "include/isakern_omp.h"), encoding="utf-8") as f:
    own = re.findall(r"^void (isk_\w+)\(", f.read(), re.M)
equal(sorted(name for letter, name, _ in symbols if letter != "A"), sorted(declared + own), "it exports what its headers declare")
equal(sorted(kernels), declared, "a form for each kernel whose work splits")
equal({name: version for letter, name, version in symbols if letter != "A" and name not in own},
      {name: "ISAKERN_" + k.since for name, k in kernels.items()}, "every symbol has the version of its kernel")
equal(re.findall(r"\(SONAME\).*\[(.*)\]", tool("readelf", "-dW", OMP)), ["libisakern-omp.so.0"], "soname")
equal([n for n in needs(OMP) if not re.match(r"lib(isakern|gomp|omp|iomp5|pthread|c|m)\.so", n)], [],
      "it needs nothing unexpected")
equal("libisakern.so.0" in needs(OMP), True, "it needs libisakern")
equal([n for n in needs(PLAIN) if re.match(r"lib(gomp|omp|iomp5|isakern)", n)], [], "libisakern needs no OpenMP")
undefined = re.findall(r" U (isk_\w+)", tool("nm", "-D", "--undefined-only", OMP))
equal([n for n in undefined if "__" in n], [], "it calls kernels by their public names")
done()
