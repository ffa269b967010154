#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each kernel of the library is in one test: that of its shape.

    shapes.py ISK_TABLES_H TEST_KERNELS BUILD
"""
import json
import os
import re
import subprocess
import sys

TABLES, PROGRAM, BUILD = sys.argv[1:]
count = failed = 0


def ok(condition, name, detail=""):
    global count, failed
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, name))
    if not condition:
        print("# " + str(detail).replace("\n", "\n# "))


with open(TABLES, encoding="utf-8") as f:
    kernels = re.search(r"#define ISK_KERNELS\(X\)(.*?[^\\])\n", f.read(), re.DOTALL)[1]
shapes = set(re.findall(r"\tX\(\w+, (\w+), ", kernels))
with open(os.path.join(BUILD, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
    commands = [test["cmd"] for test in json.load(f)]
tested = [cmd[2] for cmd in commands if os.path.samefile(cmd[0], PROGRAM) and cmd[1:2] == ["--shape"]]
ok(sorted(tested) == sorted(shapes), "%d shapes have one test each" % len(shapes),
   "tested are %s, in the table are %s" % (sorted(tested), sorted(shapes)))
r = subprocess.run([PROGRAM, "--shape", "no_such_shape"], capture_output=True, text=True)
ok(r.returncode == 2 and not r.stdout and "no_such_shape" in r.stderr, "a shape that no kernel has is refused", r)
print("1..%d" % count)
sys.exit(failed != 0)
