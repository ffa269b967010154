#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The small examples and the programs of docs/c-and-cpp.md compile without a warning with gcc and clang, and print the
output that their comments state.

    small.py SOURCE BUILD LIBISAKERN
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD, LIBRARY = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, ok, skip  # noqa: E402

FLAGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-I" + os.path.join(SOURCE, "include")] + [
    "-I" + os.path.join(BUILD, "src", "gen", name, "include") for name in ("isakern", "isakern-sleef")]
# The library behind each header that a program includes.
LIBRARIES = {"isakern_omp.h": "libisakern-omp.so", "isakern/sleef": "src/libisakern-sleef.so"}


def run(folder, *command):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_"))}
    r = target.run(command, cwd=folder, env=kept, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout


def tried(name, path, text, wanted, after=None):
    """Compiles and runs a program with each compiler of its language, in its own folder; then runs its further checks."""
    needed = [os.path.join(BUILD, library) for header, library in LIBRARIES.items() if header in text]
    for compiler in target.CPP if path.endswith(".cpp") else target.C:
        missing = [] if target.has(compiler) else [compiler]
        missing += [p for p in needed if not os.path.exists(p)]
        if missing:
            skip("%s, %s" % (name, compiler), "no %s here" % ", ".join(missing))
            continue
        with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
            program = os.path.join(work, "program")
            status, said = run(work, *compiler.split(), "-std=c++17" if path.endswith(".cpp") else "-std=gnu11", *FLAGS, path, "-o", program,
                               "-Wl,-rpath,%s:%s" % (BUILD, os.path.join(BUILD, "src")), *needed,
                               os.path.abspath(LIBRARY))
            if ok(status == 0, "%s, %s compiles" % (name, compiler), said):
                status, said = run(work, program)
                ok(status == 0 and said == wanted, "%s, %s prints what it says" % (name, compiler), "exit status %d\n%s" % (status, said))
                if after:
                    after(work, program, "%s, %s" % (name, compiler), wanted)


def again(work, program, name, wanted):
    """The packed file now exists: it is mapped, then truncated, then replaced by something else."""
    path = os.path.join(work, "weights.isk")
    ok(run(work, program) == (0, wanted), name + " maps the file that it finds")
    with open(path, "rb") as f:
        data = f.read()
    for what, content in (("a file that was cut off", data[:-1]), ("a file of something else", b"x" * len(data)), ("an empty file", b"")):
        with open(path, "wb") as f:
            f.write(content)
        status, said = run(work, program)
        ok(status == 1 and said.startswith("weights.isk: ") and said.count("\n") == 1, "%s refuses %s" % (name, what), said)
    os.remove(path)
    os.mkdir(path)
    status, said = run(work, program)
    ok(status == 1 and said.startswith("weights.isk: "), name + " says what is wrong with a folder", said)


found = sorted(glob.glob(os.path.join(SOURCE, "examples", "small", "*.c")))
for path in found:
    with open(path, encoding="utf-8") as f:
        text = f.read()
    wanted = re.sub(r"(?m)^ \* {5}", "", re.search(r"/\*\n \* prints\n \*\n(.*) \*/\n\Z", text, re.DOTALL)[1])
    tried(os.path.relpath(path, SOURCE), path, text, wanted, again if path.endswith("packed_file.c") else None)
ok(found, "there are examples")

with open(os.path.join(SOURCE, "docs", "c-and-cpp.md"), encoding="utf-8") as f:
    programs = re.findall(r"^```(c|cpp)\n(.*?)^```\n\nprints\n\n```\n(.*?)^```\n", f.read(), re.M | re.S)
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    for i, (language, text, wanted) in enumerate(programs, 1):
        path = os.path.join(work, "program%d.%s" % (i, language))
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        tried("docs/c-and-cpp.md, program %d" % i, path, text, wanted)
ok({language for language, _, _ in programs} == {"c", "cpp"}, "the page has programs in C and in C++")
done()
