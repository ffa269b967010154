#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""References of a kernel without an oracle do not compile.

    no_oracle.py SOURCE FAMILY,... COMPILER...

For each shape in turn a family is made with one operation of that shape. Without an oracle the compiler must name the
missing one. With an oracle the same command succeeds, and it succeeds for all families of the library.
"""
import os
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


def compiled(root, families):
    """The compiler's messages about the references of these families; empty if it has none."""
    gen = [sys.executable, os.path.join(SOURCE, "src/resolve/generate/gen.py"), "write", "--name", "isakern", "--prefix", "isk",
           "--built", LOWEST, "--out", os.path.join(root, "generated"), *families]
    subprocess.run(gen, stdout=subprocess.DEVNULL, check=True)
    folders = [os.path.join(root, d) for d in ("generated", "generated/include")] + [
        os.path.join(SOURCE, "src", d) for d in ["../include"] + recipe.INCLUDE] + families
    flags = ["-std=gnu11", "-O0", "-fsyntax-only", "-DISK_PREFIX=isk"] + ["-I" + d for d in folders]
    run = subprocess.run(COMPILER + flags + [os.path.join(root, "generated/references.c")], stderr=subprocess.PIPE,
                         text=True, env=dict(os.environ, LC_ALL="C"))
    return run.stderr if run.returncode else ""


def owner(shape):
    """The family whose table declares the shape; None if that is the common table."""
    for family in FAMILIES:
        path = os.path.join(family, "shapes.tbl")
        if os.path.exists(path) and any(line.split()[0] == shape.name for _, line in tables.lines_of(path)):
            return [family]
    return []


with tempfile.TemporaryDirectory(prefix="isakern-test-") as root:
    family = os.path.join(root, "none")
    os.mkdir(family)

    def put(name, text):
        with open(os.path.join(family, name), "w", encoding="utf-8") as f:
            f.write(text)

    put("none.h.in", "@KERNELS@\n")
    put("none.c", "")
    put("oracle.h", "")
    errors = compiled(root, FAMILIES)
    ok(not errors, "every kernel of the tables has an oracle", errors)
    for shape in tables.Library(FAMILIES).shapes.values():
        put("kernels.tbl", "none %s %s none.c vector same 1 0.1 nothing\n" % (shape.name, TYPES.get(shape.types, "_".join("f32" for _ in shape.variables))))
        errors = compiled(root, owner(shape) + [family])
        ok("oracle_none_" in errors, "a %s without an oracle does not compile" % shape.name, errors or "it compiles")
    put("kernels.tbl", "none map f32,f64 none.c vector same 1 0.1 nothing\n")
    put("oracle.h", "MAP(none, x)\n")
    errors = compiled(root, FAMILIES + [family])
    ok(not errors, "with an oracle it compiles", errors)
done()
