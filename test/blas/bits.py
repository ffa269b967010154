#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py LIBRARY ISAKERN ISA,... PROGRAM...: the programs of test_large.c and test_level1.c pass at each ISA, and their
results have the bits that bits.tbl records, at all ISAs that have fused multiply-add, thus at all but baseline, and on any
number of threads.

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
MANY = (2, 5)
HEAD = """# The results of the programs of bits.py: a SHA-256 of what each prints, which ends with checksums of all results. They are
# the same on every CPU with fused multiply-add, and change only if README.md of src/blas states another order.
"""


def run(folder, program, **more):
    # There may be more threads than CPUs, so waiting ones must not take time from working ones.
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, OMP_WAIT_POLICY="passive", OMP_DYNAMIC="false", **more)
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
        for isa, threads in [(isa, 1) for isa in isas] + [(isas[-1], n) for n in MANY]:
            result = run(folder, program, ISAKERN_MAX_ISA=isa, ISAKERN_NUM_THREADS=str(threads))
            lines = result.stdout.split("\n")
            where = "%s at %s on %d thread%s" % (name, isa, threads, "s" * (threads > 1))
            ok(result.returncode == 0 and lines[-2].startswith("1.."), where,
               "\n".join(line for line in lines if not line.startswith("ok")) + result.stderr)
            if isa != "baseline":
                first = first or lines
                equal(digest(result.stdout), recorded.get(name), where + ": the bits of bits.tbl",
                      "\n".join(a + "   first: " + b for a, b in zip(lines, first) if a != b))


with stand_in.folder(*sys.argv[1:3]) as there:
    if sys.argv[3] == "record":
        record(there, sys.argv[4:])
    else:
        compare(there, sys.argv[3].split(","), sys.argv[4:])
        done()
