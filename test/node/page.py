#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of docs/node.md, as one program.

    page.py SOURCE NODE PACKAGE
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import done, ok  # noqa: E402

SOURCE, NODE, PACKAGE = sys.argv[1:]
with open(os.path.join(SOURCE, "docs", "node.md"), encoding="utf-8") as f:
    TEXT = f.read()
BLOCKS = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in re.findall(r"^\n((?:    .*\n|\n(?=    ))+)", TEXT, re.MULTILINE)]
PROGRAMS = [block for block in BLOCKS if "isk." in block and not block.startswith("apt-get")]
MESSAGES = next(block for block in BLOCKS if "must have n" in block).strip().split("\n")
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    os.makedirs(os.path.join(work, "node_modules"))
    os.symlink(PACKAGE, os.path.join(work, "node_modules", "isakern"))
    program = "\n".join(PROGRAMS) + "\nconsole.log('ran', y.length);\n"
    program += "\n".join("try { %s } catch (e) { console.log(e.message); }" % call
                         for call in ("isk.add(x, new Float32Array(2))", "isk.softmax(x, {cols: NaN})"))
    r = subprocess.run([NODE, "-e", program], cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    ok(len(PROGRAMS) == 5 and r.returncode == 0 and r.stdout.split("\n")[0] == "ran 8", "the programs of docs/node.md", r.stdout)
    ok(r.stdout.split("\n")[1:-1] == MESSAGES, "its messages", r.stdout)
done()
