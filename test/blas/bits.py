#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py LIBRARY ISAKERN ISA,... PROGRAM...: the programs of test_large.c and test_level1.c pass at each ISA, and their
results have the same bits at all that have fused multiply-add, thus at all but baseline."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import stand_in
from tap import done, ok

ISAS, PROGRAMS = sys.argv[3].split(","), sys.argv[4:]
with stand_in.folder(*sys.argv[1:3]) as folder:
    for program in PROGRAMS:
        first, name = None, os.path.basename(program)
        for isa in ISAS:
            environment = dict(os.environ, ISAKERN_MAX_ISA=isa, LD_LIBRARY_PATH=folder)
            result = subprocess.run([os.path.abspath(program)], text=True, capture_output=True, env=environment, check=False)
            lines = result.stdout.split("\n")
            ok(result.returncode == 0 and lines[-2].startswith("1.."), "%s at %s" % (name, isa),
               "\n".join(line for line in lines if not line.startswith("ok")) + result.stderr)
            if isa == "baseline":
                continue
            first = first or lines
            ok(lines == first, "%s at %s: the bits of the first ISA" % (name, isa),
               "\n".join(a + "   there: " + b for a, b in zip(lines, first) if a != b))
done()
