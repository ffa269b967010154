#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks README.md and the other pages for people: lists, names, files, and the kernel that CONTRIBUTING.md adds.

    test_readme.py SOURCE BUILD COMPILER...
"""
import ctypes
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import readme
from tap import done, ok, skip

SOURCE, BUILD, COMPILER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
GENERATED = os.path.join(BUILD, "src", "gen", "isakern")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve", "generate"))
import recipe  # noqa: E402
import tables  # noqa: E402


def run(*command):
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as f:
        return f.read()


listed = {architecture: list(tables.read_isas(tables.isa_table(architecture))) for architecture in tables.ARCHITECTURES}
ok(readme.ISAS == listed, "docs/environment.md lists the ISAs of all tables", readme.ISAS)
kernels = len(tables.Library(sorted(os.path.dirname(p) for p in glob.glob(os.path.join(SOURCE, "src/*/*/kernels.tbl")))).kernels)
ok(readme.KERNELS == kernels, "README counts the kernels", (readme.KERNELS, kernels))
isas = tables.read_isas(tables.isa_table())

# Names of files, of C, of tests and of commands.
PAGES = ["README.md", "CONTRIBUTING.md", "src/isa/README.md", "src/kernels/README.md", "src/resolve/README.md"] + sorted(
    os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "docs", "*.md"))
    + glob.glob(os.path.join(SOURCE, "examples", "*", "README.md")))
# A user's own library is called my.
PLACEHOLDERS = r"ARCH|FAMILY|NAME|KERNEL|LIBRARY|\bmy[._]"
files = {"/" + readme.SOURCE_FILE}
words = {"isk_%s_%s" % (readme.ROW.split()[0], t) for t in readme.ROW.split()[2].split(",")}
for root in [os.path.join(SOURCE, folder) for folder in ("src", "include", "test", "tools", "bench", "docs", "examples", "packaging")] + [
        os.path.join(BUILD, "src", "gen"), SOURCE]:
    for path in glob.glob(os.path.join(root, "*" if root == SOURCE else "**"), recursive=True):
        if os.path.isfile(path):
            files.add("/" + os.path.relpath(path, SOURCE))
        if re.search(r"\.(c|h|hpp|in|py|def|tbl)$", path):
            words |= set(re.findall(r"\w+", read(path)))
with open(os.path.join(BUILD, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
    tests = {test["name"] for test in json.load(f)}
commands = set(re.findall(r"(?m)^\.B isakern (\w+)$", read("tools", "isakern.1")))
for page in PAGES:
    text = read(page)
    named = {re.sub(r"^(\.\./)+", "", a or b).rstrip("/") for a, b in re.findall(
        r"`([\w./-]+\.(?:c|h|in|py|tbl|def|build|md)|[\w./-]+/)`|\]\(([\w./-]+)\)", text)}
    gone = [n for n in named if not re.search(PLACEHOLDERS, n) and not any("/%s/" % n in f + "/" for f in files)]
    ok(not gone, page + " names files that are there", gone)
    named = {re.sub(r"__(%s)$" % "|".join(isa for rows in listed.values() for isa in rows), "", n)
             for n in re.findall(r"\b(?:isk|tst|ISK|ISAKERN)_\w*[a-zA-Z0-9]\b(?![*_])", text)}
    ok(not named - words, page + " names what there is in C", named - words)
    named = set(re.findall(r"meson test -C build ([a-z][\w-]*)", text))
    ok(not named - tests, page + " names tests that there are", named - tests)
    named = set(re.findall(r"(?m)^    build/tools/isakern (\w+)", text))
    ok(not named - commands, page + " names commands of isakern that there are", named - commands)

# All columns of the kernels' tables are explained, and no others.
explained = re.findall(r"(?m)^\| (\w+) \| ", read("src/kernels/README.md").split("## The columns of kernels.tbl")[1].split("\n## ")[0])
ok(not re.search(r"(?m)^\n {4}", re.sub(r"(?ms)^```.*?^```$", "", readme.page("docs/rust.md"))), "docs/rust.md indents no text, because rustdoc would compile it")
for path in sorted(f for f in files if f.endswith("/kernels.tbl")):
    columns = re.findall(r"(?m)^# (op +.*)$", read(path[1:]))[-1].split()
    ok(columns == [c for c in explained if c != "column"], path[1:] + ": its columns are explained", columns)

with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    def put(name, text):
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
    public = ["-I" + os.path.join(SOURCE, "include"), "-I" + os.path.join(GENERATED, "include")]
    path = put("matrices.c", "#include <isakern.h>\n#include <stdlib.h>\n"
               "void layer(float *y, const float *x, const isk_f16 *weights, const float *bias, size_t m, size_t n, size_t k);\n"
               "void layer(float *y, const float *x, const isk_f16 *weights, const float *bias, size_t m, size_t n, size_t k)\n{\n"
               + readme.MATRICES + "free(w);\n}\n")
    status, said = run(*COMPILER, *warnings, *public, "-fsyntax-only", path)
    ok(status == 0, "the packed product of docs/kernels.md compiles", said)

    # The kernel that CONTRIBUTING.md adds, in a library of its own.
    op, shape, types, file = readme.ROW.split()[:4]
    ok(os.path.basename(readme.SOURCE_FILE) == file, "CONTRIBUTING's row names its source", readme.SOURCE_FILE)
    put("own/kernels.tbl", readme.ROW + "\n")
    put("own/" + file, readme.SOURCE_TEXT)
    put("own/oracle.h", readme.ORACLE + "\n")
    put("own/include/own.h", "#include <own/own.h>\n")
    put("own/own.md", "# own: the kernel of README\n\n" + readme.CONTRACT)
    put("own/own.h.in", "/* SPDX-License-Identifier: MIT */\n#include <isakern/types.h>\n\n@KERNELS@\n")
    built = [isa for isa in isas if os.path.exists(os.path.join(BUILD, "src", "libisakern_%s.a" % isa))]
    status, said = run(sys.executable, "-B", os.path.join(SOURCE, "src", "resolve", "generate", "gen.py"), "write", "--name", "own",
                       "--prefix", "own", "--built", ",".join(built), "--out", os.path.join(work, "gen"), os.path.join(work, "own"))
    ok(status == 0, "CONTRIBUTING's row and its contract are those of a kernel", said)
    flags = {line.split()[1]: line.split()[2:] for line in said.split("\n") if line.startswith("flags ")}
    folders = ["gen", "gen/include", "gen/sources", "own", "own/include"]
    private = ["-I" + os.path.join(work, f) for f in folders] + public + [
        "-I" + os.path.join(SOURCE, "src", f) for f in recipe.INCLUDE]
    status, said = run(*COMPILER, *warnings, *private, "-DISK_PREFIX=own", "-O2", "-shared", "-fPIC",
                       os.path.join(work, "gen", "references.c"), "-lm", "-o", os.path.join(work, "references.so"))
    ok(status == 0, "CONTRIBUTING's oracle is one of all types", said)
    libraries = {}
    for isa, words in flags.items():
        path = os.path.join(work, isa + ".so")
        status, said = run(*COMPILER, *warnings, *words, *private, "-DISK_PREFIX=own", "-O2", "-ffp-contract=off",
                           "-fno-math-errno", "-shared", "-fPIC", os.path.join(work, "own", file), "-o", path)
        if ok(status == 0, "CONTRIBUTING's kernel compiles for " + isa, said):
            libraries[isa] = path

    # People copy it, so at avx2 it must not be slower than at baseline, as a loop with a mask in each step would be.
    cpu = ctypes.CDLL(os.path.join(BUILD, "src", "libisakern.so"))
    cpu.isk_isa_cpu.restype = ctypes.c_char_p
    name = "CONTRIBUTING's kernel is no slower at avx2 than at baseline"
    if "avx2" not in libraries or list(isas).index(cpu.isk_isa_cpu().decode()) < list(isas).index("avx2"):
        skip(name, "no avx2 here")
    else:
        # In the first-level cache, and many times in one call from Python.
        n, often = 1023, 100
        caller = os.path.join(work, "caller.so")
        status, said = run(*COMPILER, *warnings, "-O2", "-shared", "-fPIC", put("caller.c", "#include <stddef.h>\n"
            "typedef void kernel(float *y, const float *x, size_t n);\n"
            "void call(kernel *fn, float *y, const float *x, size_t n, size_t often);\n"
            "void call(kernel *fn, float *y, const float *x, size_t n, size_t often)\n"
            "{\n\twhile (often--)\n\t\tfn(y, x, n);\n}\n"), "-o", caller)
        ok(status == 0, "what calls it compiles", said)
        call = ctypes.CDLL(caller).call
        x, y = ((ctypes.c_float * n)(*range(n)) for _ in range(2))
        best = {}
        functions = {isa: ctypes.CDLL(libraries[isa])["own_%s_f32__%s" % (op, isa)] for isa in ("baseline", "avx2")}
        for _ in range(300):
            for isa, function in functions.items():
                start = time.perf_counter()
                call(function, y, x, ctypes.c_size_t(n), ctypes.c_size_t(often))
                best[isa] = min(best.get(isa, 1), (time.perf_counter() - start) / n / often * 1e9)
        ok(best["avx2"] < 1.25 * best["baseline"], name, "ns for an element: %s" % best)
        ok(all(abs(y[i] - x[i] ** 3) <= x[i] ** 3 * 2 ** -22 for i in range(n)), "and right")
done()
