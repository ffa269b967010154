#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernels.py LIBRARY ISAKERN ISA,... PROGRAM...: at each ISA that has fused multiply-add, the programs of test_kernels.c pass on
the library. At baseline a kernel rounds products that routines of the BLAS fuse."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import stand_in
from tap import done, ok

with stand_in.folder(*sys.argv[1:3]) as there:
    for isa in sys.argv[3].split(","):
        for program in sys.argv[4:]:
            if isa == "baseline":
                continue
            result = subprocess.run([os.path.abspath(program)], text=True, capture_output=True, check=False,
                                    env=dict(os.environ, LD_LIBRARY_PATH=there, ISAKERN_MAX_ISA=isa,
                                             ISAKERN_NUM_THREADS="1"))
            lines = result.stdout.splitlines()
            name = os.path.basename(program)
            ok(result.returncode == 0 and lines[-1:] == ["1..%d" % (len(lines) - 1)], "%s at %s" % (name, isa),
               "\n".join(line for line in lines if not line.startswith("ok")) + result.stderr)
done()
