#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The libraries for LD_PRELOAD in front of libisakern-sleef: each kernel is seen, right ones pass, wrong ones are reported.

    sleef.py PROGRAM TRACE CHECK WRONG
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import target  # noqa: E402
from tap import done, equal, ok  # noqa: E402

PROGRAM, TRACE, CHECK, WRONG = sys.argv[1:]


def run(*preloaded, **env):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_PRELOAD"))}
    return target.run([PROGRAM], env={**kept, **env, "LD_PRELOAD": ":".join(preloaded)}, text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)


r = run()
ok(r.returncode == 0, "the program runs", r)
count = int(r.stdout.split()[0])
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    path = os.path.join(work, "seen.json")
    r = run(TRACE, ISAKERN_TRACE=path)
    with open(path, encoding="utf-8") as f:
        report = json.load(f)
    calls = [k["calls"] for k in report["kernels"]]
    equal((r.returncode, r.stderr, calls), (0, "", [1] * count), "every kernel is traced")
for isa in target.LOWEST, target.HIGHER, "":
    r = run(CHECK, **({"ISAKERN_MAX_ISA": isa} if isa else {}))
    equal((r.returncode, r.stderr), (0, "isakern-sleef-check: %d calls, %d checked, 0 wrong\n" % (count, count)),
          "every kernel is checked, and right at %s" % (isa or "the best ISA"))
r = run(CHECK, WRONG)
told = re.findall(r"^isakern-sleef-check: (\w+)/libwrong-sleef\.so: y\[0\]: got ", r.stderr, re.M)
equal((r.returncode, len(set(told))), (99, count), "one bit that is wrong is found in every kernel", r.stderr[-2000:])
done()
