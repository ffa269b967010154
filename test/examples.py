#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of the manual compile without a warning and print the output that their comments state.

    examples.py SOURCE BUILD COMPILER...
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

from tap import done, ok

SOURCE, BUILD, COMPILER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve", "generate"))
import tables  # noqa: E402


def run(*command):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_"))}
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=kept)
    return r.returncode, r.stdout


# folder of families -> library
LIBRARIES = {"kernels": "isakern", "sleef": "isakern-sleef"}


def of_built(pattern):
    """(path, library) of the example files in the families of the built libraries."""
    for folder, library in LIBRARIES.items():
        if os.path.exists(os.path.join(BUILD, "src", "lib%s.so" % library)):
            for path in sorted(glob.glob(os.path.join(SOURCE, "src", folder, "*", pattern))):
                yield path, library


LIBRARY = tables.Library([os.path.dirname(path) for path, _ in of_built("kernels.tbl")])
shown = []
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    program = os.path.join(work, "example")
    for path, library in of_built("example*.c"):
        name = os.path.relpath(path, SOURCE)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        shown += [k.shape for k in LIBRARY.kernels.values() if "isk_%s(" % k.name in text]
        wanted = re.sub(r"(?m)^ \* {5}", "", re.search(r"/\*\n \* prints\n \*\n(.*) \*/\n\Z", text, re.DOTALL)[1])
        status, said = run(*COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror",
                           "-I" + os.path.join(SOURCE, "include"),
                           *["-I" + os.path.join(BUILD, "src", "gen", name, "include") for name in ("isakern", library)], path,
                           os.path.join(BUILD, "src", "lib%s.so" % library),
                           "-Wl,-rpath," + os.path.join(BUILD, "src"), "-o", program)
        if ok(status == 0, name + " compiles", said):
            status, said = run(program)
            ok(status == 0 and said == wanted, name + " prints what it says", "exit status %d\n%s" % (status, said))
# A kernel without arguments needs no example.
missing = {k.shape.name for k in LIBRARY.kernels.values()
           if k.shape.arguments and not any(k.shape.is_called_like(other) for other in shown)}
ok(not missing, "each shape is in an example", "in none: " + ", ".join(sorted(missing)))
done()
