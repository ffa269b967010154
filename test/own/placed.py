# SPDX-License-Identifier: MIT
"""An installed isakern for examples/own-kernel, in the working folder of a test.

    TEST.py SOURCE LIBISAKERN MESON COMPILER...
"""
import os
import re
import shutil
import sys

SOURCE, LIBRARY, MESON, *COMPILER = sys.argv[1:]
BUILD = os.path.dirname(os.path.dirname(os.path.abspath(LIBRARY)))
sys.path.insert(0, os.path.join(SOURCE, "test"))
from tap import ok  # noqa: E402
from work import path, run  # noqa: E402

EXAMPLE = os.path.join(SOURCE, "examples", "own-kernel")
CC = " ".join(COMPILER)


def option(name):
    found = re.search(r'"name": "%s", "value": "(.*?)",' % name, run([MESON, "introspect", "--buildoptions", BUILD])[1])
    return found[1]


def power():
    """The output of mix, computed from the definitions."""
    total = 0
    for i in range(1000):
        x = -0.5 + i * 0.002
        t = min(max(x, 0), 1)
        total += (x - 0.5 * t * t * (3 - 2 * t)) ** 2
    return total


def right(text):
    found = re.fullmatch(r"(\d+\.\d+), by (\w+)\n", text)
    return bool(found) and abs(float(found[1]) - power()) < 0.01


def example(folder):
    shutil.copytree(EXAMPLE, path(folder))


ROOT = path("root")
status, said = run([MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", ROOT])
if not ok(status == 0, "meson install", said):
    print("Bail out! nothing is installed")
    sys.exit(1)
PREFIX = ROOT + option("prefix")
BIN, LIBDIR = os.path.join(PREFIX, option("bindir")), os.path.join(PREFIX, option("libdir"))
ISAKERN = os.path.join(BIN, "isakern")
ENV = {"PKG_CONFIG_SYSROOT_DIR": ROOT, "PKG_CONFIG_PATH": os.path.join(LIBDIR, "pkgconfig"), "LD_LIBRARY_PATH": LIBDIR,
       "PATH": BIN + ":" + os.environ["PATH"], "CC": CC}
