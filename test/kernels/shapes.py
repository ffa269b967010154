#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each kernel of the library is in exactly one test, that of its shape.

    shapes.py SOURCE TEST_KERNELS BUILD FAMILY...
"""
import json
import os
import subprocess
import sys

SOURCE, PROGRAM, BUILD, *FAMILIES = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import tables  # noqa: E402
from tap import done, ok  # noqa: E402


shapes = {k.shape.name for k in tables.Library(FAMILIES).kernels.values()}
with open(os.path.join(BUILD, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
    commands = [test["cmd"] for test in json.load(f) if "slow" not in " ".join(test["suite"])]
tested = [cmd[2] for cmd in commands if os.path.realpath(cmd[0]) == os.path.realpath(PROGRAM) and cmd[1:2] == ["--shape"]]
ok(sorted(tested) == sorted(shapes), "%d shapes have one test each" % len(shapes),
   "tested are %s, in the table are %s" % (sorted(tested), sorted(shapes)))
r = subprocess.run([PROGRAM, "--shape", "no_such_shape"], capture_output=True, text=True)
ok(r.returncode == 2 and not r.stdout and "no_such_shape" in r.stderr, "a shape that no kernel has is refused", r)
done()
