#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""References of a kernel without an oracle do not compile.

    no_oracle.py SOURCE FAMILY,... COMPILER...

A family beside those of the library has one operation of each shape. Without oracles the compiler must name each missing
one, and nothing else. With an oracle the same command succeeds.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE, FAMILIES, COMPILER = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import recipe  # noqa: E402
import tables  # noqa: E402
from tap import done, ok  # noqa: E402
from target import LOWEST  # noqa: E402

# The types in a kernel's name; a shape that is not listed has one f32 for each letter.
TYPES = {"AB_C": "f32", "-": "-"}


def compiled(root, family):
    """The compiler's messages about the references of all families; empty if it has none."""
    families = FAMILIES + [family]
    gen = [sys.executable, os.path.join(SOURCE, "src/resolve/generate/gen.py"), "write", "--name", "isakern", "--prefix", "isk",
           "--built", LOWEST, "--out", os.path.join(root, "generated"), *families]
    subprocess.run(gen, stdout=subprocess.DEVNULL, check=True)
    folders = [os.path.join(root, d) for d in ("generated", "generated/include")] + [
        os.path.join(SOURCE, "src", d) for d in ["../include"] + recipe.INCLUDE] + families
    all_errors = "-ferror-limit=0" if any("clang" in word for word in COMPILER) else "-fmax-errors=0"
    flags = ["-std=gnu11", "-O0", "-fsyntax-only", all_errors, "-DISK_PREFIX=isk"] + ["-I" + d for d in folders]
    run = subprocess.run(COMPILER + flags + [os.path.join(root, "generated/forms.c")], stderr=subprocess.PIPE,
                         text=True, env=dict(os.environ, LC_ALL="C"))
    return run.stderr if run.returncode else ""


with tempfile.TemporaryDirectory(prefix="isakern-test-") as root:
    family = os.path.join(root, "none")
    os.mkdir(family)

    def put(name, text):
        with open(os.path.join(family, name), "w", encoding="utf-8") as f:
            f.write(text)

    put("none.h.in", "@KERNELS@\n")
    put("none.c", "")
    put("oracle.h", "")
    operations = {"none%d" % i: shape for i, shape in enumerate(tables.Library(FAMILIES).shapes.values())}
    put("kernels.tbl", "".join("%s %s %s none.c vector same 1 0.1 nothing\n" % (
        name, shape.name, TYPES.get(shape.types, "_".join("f32" for _ in shape.variables))) for name, shape in operations.items()))
    errors = compiled(root, family)
    # Behind a semicolon the compiler suggests another name.
    named = {line: set(re.findall(r"\boracle_(none\d+)_", line.split(";")[0])) for line in errors.split("\n") if "error:" in line}
    for name, shape in operations.items():
        ok(any(name in names for names in named.values()), "a %s without an oracle does not compile" % shape.name, errors)
    ok(named and all(named.values()), "every kernel of the tables has an oracle", "\n".join(l for l, names in named.items() if not names))
    put("kernels.tbl", "none map f32,f64 none.c vector same 1 0.1 nothing\n")
    put("oracle.h", "MAP(none, x)\n")
    errors = compiled(root, family)
    ok(not errors, "with an oracle it compiles", errors)
done()
