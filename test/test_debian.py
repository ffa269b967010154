#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of debian/ agree with the tables and the build. deb.py tests the packages themselves.

    test_debian.py SOURCE BUILD VERSION
"""
import fnmatch
import glob
import json
import os
import re
import sys

from tap import done, equal, ok

SOURCE, BUILD, VERSION = sys.argv[1:]
DEBIAN = os.path.join(SOURCE, "debian")
# Debian's name for the CPU of each table of ISAs.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The folders that the installation's placeholders stand for.
FOLDERS = {"bindir": "usr/bin", "includedir": "usr/include", "libdir": "usr/lib/T", "libdir_shared": "usr/lib/T",
           "libdir_static": "usr/lib/T", "datadir": "usr/share", "mandir": "usr/share/man", "py_platlib": "usr/lib/python3/dist-packages"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


control = read(DEBIAN, "control")
equal(re.match(r"isakern \(([^-]*)-", read(DEBIAN, "changelog"))[1], VERSION, "the version of its changelog")
built = " ".join(arch for cpu, arch in ARCHITECTURES.items() if os.path.exists(os.path.join(SOURCE, "src/isa", cpu + ".tbl")))
equal(set(re.findall(r"^Architecture: (.*)$", control, re.MULTILINE)), {"all", built}, "architectures are those with a table of ISAs")

# A pattern stands for all symbols of a version; test/abi lists the exported names.
for path in sorted(glob.glob(os.path.join(BUILD, "src/gen/isakern*/isakern*.map"))):
    library = os.path.basename(path)[:-4]
    nodes = set(re.findall(r"^([\w.]+) \{", read(path), re.MULTILINE))
    named = [line for symbols in glob.glob(os.path.join(DEBIAN, "*.symbols")) for block in read(symbols).split("\nlib")
             if re.match(r"(lib)?%s\.so" % library, block) for line in re.findall(r"\(symver\)([\w.]+) ([\d.]+)$", block, re.MULTILINE)]
    equal(dict(named), {node: re.search(r"\d[\d.]*$", node)[0] + ".0" for node in nodes}, "versions of symbols of lib" + library)

patterns = {}
for path in glob.glob(os.path.join(DEBIAN, "*.install")):
    for line in read(path).splitlines():
        patterns.setdefault(line.split()[0], []).append(os.path.basename(path)[:-8])
equal({p: packages for p, packages in patterns.items() if len(packages) > 1}, {}, "nothing is put into two packages")
lost = []
for files in json.loads(read(BUILD, "meson-info", "intro-install_plan.json")).values():
    for file in files.values():
        if file.get("tag") == "node" and "-Dnode=disabled" in read(DEBIAN, "rules"):
            continue
        path = re.sub(r"^\{(\w+)\}", lambda m: FOLDERS[m[1]], file["destination"])
        # Below /usr/local, Debian's Python searches another folder than below /usr.
        path = re.sub(r"^/usr/(?:local/)?(lib/python3)(?:\.\d+)?/", r"usr/\1/", path)
        lost += [] if any(fnmatch.fnmatch(path, p) or fnmatch.fnmatch(path, p + "/*") for p in patterns) else [path]
equal(lost, [], "what is installed is in a package")

for tests in re.findall(r"^Tests: (.*)$", read(DEBIAN, "tests/control"), re.MULTILINE):
    ok(os.access(os.path.join(DEBIAN, "tests", tests), os.X_OK), "its test '%s' is there" % tests)
done()
