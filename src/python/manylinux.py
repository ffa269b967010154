#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manylinux tag of libraries, by the rules of PEP 600 that auditwheel checks: which libraries they need beside each other,
and the newest symbol version of glibc.

    manylinux.py LIBRARY...        prints the tag; status 1 and the reason if there is none
"""
import os
import re
import subprocess
import sys

# Libraries of the system that a wheel may need. auditwheel has some more, of X11 and of C++.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}
# The first glibc of an architecture.
FIRST = {"x86_64": (2, 5), "aarch64": (2, 17)}


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], check=True, text=True, stdout=subprocess.PIPE,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def refusal(paths):
    """Why libraries have no tag; empty if they have one."""
    inside = {os.path.basename(path) for path in paths}
    for path in paths:
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)))
        other = sorted(needed - SYSTEM - inside)
        if other:
            return "%s needs %s, which is neither of the system nor inside" % (os.path.basename(path), ", ".join(other))
    return ""


def tag(paths, machine):
    versions = [tuple(map(int, one.split("."))) for path in paths
                for one in re.findall(r"\bGLIBC_([0-9.]+)", readelf("-V", path))]
    newest = max([FIRST[machine], *(version[:2] for version in versions)])
    return "manylinux_%d_%d_%s" % (*newest, machine)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if refusal(sys.argv[1:]):
        sys.exit("manylinux.py: " + refusal(sys.argv[1:]))
    print(tag(sys.argv[1:], os.uname().machine))
