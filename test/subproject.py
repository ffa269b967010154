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


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    os.mkdir(os.path.join(work, "subprojects"))
    os.symlink(SOURCE, os.path.join(work, "subprojects", "isakern"))
    with open(os.path.join(work, "first.c"), "w", encoding="utf-8") as f:
        f.write(readme.PROGRAM)
    with open(os.path.join(work, "meson.build"), "w", encoding="utf-8") as f:
        f.write("project('user', 'c')\n" + "".join(
            "executable('%s', 'first.c', dependencies: dependency(%s))\n" % (name, words)
            for name, (words, _, _) in PROGRAMS.items()))
    for form, default in DEFAULT.items():
        build = os.path.join(work, form)
        # One ISA, not optimised, because only linking is tested.
        status, said = run(MESON, "setup", build, work, "-Ddefault_library=" + form, "-Dbuildtype=plain",
                           "-Disakern:isa=" + target.LOWEST)
        if not ok(status == 0, "configured with default_library=" + form, said):
            continue
        for what in ("tests", "benchmarks"):
            status, said = run(MESON, "introspect", "--" + what, build)
            ok(status == 0 and json.loads(said) == [], "no %s are configured" % what, said)
        for name, (words, library, suffix) in PROGRAMS.items():
            wanted = library + (suffix or default)
            ok(wanted in linked(build, name), "dependency(%s) gives %s" % (words, wanted), linked(build, name))
        if BUILD:
            status, said = run("ninja", "-C", build, "-j2")
            ok(status == 0, "it builds", said)
            for name in PROGRAMS:
                status, said = run(os.path.join(build, name))
                ok(status == 0 and said.endswith("bound to %s\n" % target.LOWEST), "a program with %s runs" % name, said)
done()
