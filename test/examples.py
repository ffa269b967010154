#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs on the manual pages of families compile without a warning and print what they say they print.

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


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    program = os.path.join(work, "example")
    for path, library in of_built("example*.c"):
        name = os.path.relpath(path, SOURCE)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        wanted = re.sub(r"(?m)^ \* {5}", "", re.search(r"/\*\n \* prints\n \*\n(.*) \*/\n\Z", text, re.DOTALL)[1])
        status, said = run(*COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror",
                           "-I" + os.path.join(SOURCE, "include"),
                           *["-I" + os.path.join(BUILD, "src", "gen", name, "include") for name in ("isakern", library)], path,
                           os.path.join(BUILD, "src", "lib%s.so" % library),
                           "-Wl,-rpath," + os.path.join(BUILD, "src"), "-o", program)
        if ok(status == 0, name + " compiles", said):
            status, said = run(program)
            ok(status == 0 and said == wanted, name + " prints what it says", "exit status %d\n%s" % (status, said))
done()
