#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public headers under the warnings of strict users: each by itself in C99, and in C++ those that include all others.

    headers.py SOURCE BUILD
"""
import glob
import os
import subprocess
import sys
import tempfile

SOURCE, BUILD = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
from target import C, CPP, has  # noqa: E402
from tap import done, ok, skip  # noqa: E402

STRICT = ["-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only"]
FOLDERS = [os.path.join(SOURCE, "include"), *glob.glob(os.path.join(BUILD, "src/gen/isakern*/include"))]


def headers(ending):
    """As programs name them. A header without a guard belongs to another one, which includes it."""
    found = []
    for folder in FOLDERS:
        for path in glob.glob(os.path.join(folder, "**/*" + ending), recursive=True):
            with open(path, encoding="utf-8") as f:
                if "#ifndef " in f.read():
                    found.append(os.path.relpath(path, folder))
    return sorted(found)


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    def programs(names, language):
        paths = []
        for name in names:
            paths.append(os.path.join(work, name.replace("/", "_") + "." + language))
            with open(paths[-1], "w", encoding="utf-8") as f:
                f.write("#include <%s>\nextern int unused;\n" % name)
        return paths

    plain, cpp = headers(".h"), headers(".hpp")
    first = [name for name in plain if "/" not in name]
    # g++ has warnings that gcc and clang have not.
    for compilers, standard, names, language in ((C, "c99", plain, "c"), (CPP[:1], "c++11", first, "cpp"),
                                                 (CPP[:1], "c++17", first + [n for n in cpp if "/" not in n], "cpp")):
        for compiler in compilers:
            what = "%s -std=%s: %d headers" % (compiler, standard, len(names))
            if not has(compiler):
                skip(what, "there is no %s" % compiler.split()[0])
                continue
            r = subprocess.run([*compiler.split(), "-std=" + standard, *STRICT, *("-I" + folder for folder in FOLDERS),
                                *programs(names, language)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            ok(names and r.returncode == 0, what, r.stdout)
done()
