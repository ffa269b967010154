#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each kernel of the library is in one test: that of its shape.

    shapes.py SOURCE TEST_KERNELS BUILD FAMILY...
"""
import json
import os
import subprocess
import sys

SOURCE, PROGRAM, BUILD, *FAMILIES = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve"))
import tables  # noqa: E402

count = failed = 0


def ok(condition, name, detail=""):
    global count, failed
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, name))
    if not condition:
        print("# " + str(detail).replace("\n", "\n# "))


shapes = {k.shape.name for k in tables.Library(FAMILIES).kernels.values()}
with open(os.path.join(BUILD, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
    commands = [test["cmd"] for test in json.load(f) if "slow" not in " ".join(test["suite"])]
tested = [cmd[2] for cmd in commands if os.path.samefile(cmd[0], PROGRAM) and cmd[1:2] == ["--shape"]]
ok(sorted(tested) == sorted(shapes), "%d shapes have one test each" % len(shapes),
   "tested are %s, in the table are %s" % (sorted(tested), sorted(shapes)))
r = subprocess.run([PROGRAM, "--shape", "no_such_shape"], capture_output=True, text=True)
ok(r.returncode == 2 and not r.stdout and "no_such_shape" in r.stderr, "a shape that no kernel has is refused", r)
print("1..%d" % count)
sys.exit(failed != 0)
