#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py LIBRARY ISAKERN ISA,... PROGRAM...: the programs of test_large.c and test_level1.c pass at each ISA, and their
results have the bits that bits.tbl records, at all ISAs that have fused multiply-add, thus at all but baseline.

With "record" in place of the ISAs, it writes bits.tbl from the ISA in force.
"""
import hashlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir))
import stand_in
from tap import done, equal, ok

TABLE = os.path.join(HERE, "bits.tbl")
HEAD = """# The results of the programs of bits.py: a SHA-256 of what each prints, which ends with checksums of all results. They are
# the same on every CPU with fused multiply-add, and change only if README.md of src/blas states another order.
"""


def run(folder, program, **more):
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, **more)
    return subprocess.run([os.path.abspath(program)], text=True, capture_output=True, env=environment, check=False)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def record(folder, programs):
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(HEAD)
        f.writelines("%s %s\n" % (os.path.basename(p), digest(run(folder, p).stdout)) for p in programs)


def compare(folder, isas, programs):
    with open(TABLE, encoding="utf-8") as f:
        recorded = dict(line.split() for line in f if not line.startswith("#"))
    for program in programs:
        first, name = None, os.path.basename(program)
        for isa in isas:
            result = run(folder, program, ISAKERN_MAX_ISA=isa)
            lines = result.stdout.split("\n")
            ok(result.returncode == 0 and lines[-2].startswith("1.."), "%s at %s" % (name, isa),
               "\n".join(line for line in lines if not line.startswith("ok")) + result.stderr)
            if isa != "baseline":
                first = first or lines
                equal(digest(result.stdout), recorded.get(name), "%s at %s: the bits of bits.tbl" % (name, isa),
                      "\n".join(a + "   first: " + b for a, b in zip(lines, first) if a != b))


with stand_in.folder(*sys.argv[1:3]) as there:
    if sys.argv[3] == "record":
        record(there, sys.argv[4:])
    else:
        compare(there, sys.argv[3].split(","), sys.argv[4:])
        done()
