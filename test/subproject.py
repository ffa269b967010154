#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""isakern as a Meson subproject: its user gets the libraries and programs asked for, and no more is configured.

    subproject.py SOURCE MESON [build]      build: builds and runs the programs as well
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import done, ok

import readme
import target

SOURCE, MESON, BUILD = sys.argv[1], sys.argv[2], sys.argv[3:] == ["build"]
# program -> its dependency, and the library that it must be linked with; DEFAULT follows default_library
DEFAULT = {"shared": ".so", "static": ".a"}
PROGRAMS = {
    "default": ("'isakern'", "libisakern", None),
    "shared": ("'isakern', static: false", "libisakern", ".so"),
    "archive": ("'isakern', static: true", "libisakern", ".a"),
    "omp": ("'isakern-omp'", "libisakern-omp", None),
    "omp_archive": ("'isakern-omp', static: true", "libisakern-omp", ".a"),
}


def run(*command):
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout


def linked(build, program):
    """The libraries of isakern among the inputs of a program in build.ninja."""
    with open(os.path.join(build, "build.ninja"), encoding="utf-8") as f:
        edge = re.search(r"^build %s: (.*)$" % program, f.read(), re.MULTILINE)[1]
    return re.findall(r"/(libisakern[a-z-]*\.(?:so|a))\b", edge)


def compiled(build):
    """The command line of each kernel source."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        return [entry["command"].split() for entry in json.load(f) if "/libisakern_%s.a" % target.LOWEST in entry["output"]]


def has_own_flags(words):
    """Whether the last flag of each kind is the kernels' own, although Meson and the parent have others."""
    level = [word for word in words if re.fullmatch("-O.*", word)]
    return level[0] == "-O0" and level[-1] == "-O2" and "-g" in words and words.index("-ffast-math") < words.index("-fno-fast-math")


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    os.mkdir(os.path.join(work, "subprojects"))
    os.symlink(SOURCE, os.path.join(work, "subprojects", "isakern"))
    with open(os.path.join(work, "first.c"), "w", encoding="utf-8") as f:
        f.write(readme.PROGRAM)
    with open(os.path.join(work, "meson.build"), "w", encoding="utf-8") as f:
        f.write("project('user', 'c')\nadd_global_arguments('-ffast-math', language: 'c')\n" + "".join(
            "executable('%s', 'first.c', dependencies: dependency(%s))\n" % (name, words)
            for name, (words, _, _) in PROGRAMS.items()))
    status, said = run("env", "CFLAGS=-Ofast", MESON, "setup", os.path.join(work, "fast"), work)
    ok(status != 0 and "ERROR: Problem encountered: CFLAGS: -Ofast, " in said, "CFLAGS=-Ofast is refused", said)
    # The first form in the fast suite, both with `build`: a configure step takes 10 s of CPU time.
    for form, default in list(DEFAULT.items())[:2 if BUILD else 1]:
        build = os.path.join(work, form)
        # One ISA: it is about what is linked, and about flags.
        status, said = run(MESON, "setup", build, work, "-Ddefault_library=" + form, "-Disakern:isa=" + target.LOWEST)
        if not ok(status == 0, "configured with default_library=" + form, said):
            continue
        for what in ("tests", "benchmarks"):
            status, said = run(MESON, "introspect", "--" + what, build)
            ok(status == 0 and json.loads(said) == [], "no %s are configured" % what, said)
        kernels = compiled(build)
        bad = [words for words in kernels if not has_own_flags(words)]
        ok(kernels and not bad, "%d kernels of a debug build are optimized and exact, with symbols" % len(kernels), bad[:1])
        for name, (words, library, suffix) in PROGRAMS.items():
            wanted = library + (suffix or default)
            ok(wanted in linked(build, name), "dependency(%s) gives %s" % (words, wanted), linked(build, name))
        if BUILD:
            status, said = run("ninja", "-C", build, "-j2")
            ok(status == 0, "it builds", said)
            for name in PROGRAMS:
                status, said = run(os.path.join(build, name))
                ok(status == 0 and readme.first_right(said), "a program with %s runs" % name, said)
done()
