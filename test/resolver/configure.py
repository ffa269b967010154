#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults that the configure step refuses, and its messages."""
import os
import re
import shutil
import sys

from kit import SOURCE, Tap, run

tap = Tap()
MESON = sys.argv[1:]
LIBRARIES = ["-D%s=disabled" % part for part in ("tests", "tools", "examples", "benchmarks", "python")] + ["-Ddocs=false"]


def setup(name, *options, source=SOURCE, **env):
    # A cross or native file of the outer build must not choose the compiler here.
    return run(MESON + ["setup", tap.path(name), source, *options], timeout=300, **env)


def said(r):
    return r.out + r.err


if shutil.which("musl-gcc"):
    r = setup("musl", "-Ddispatch=ifunc", CC="musl-gcc")
    errors = [l for l in said(r).split("\n") if "ERROR" in l]
    tap.ok(r.status
           and len(errors) == 1
           and "-Ddispatch=ifunc: GNU indirect functions (STT_GNU_IFUNC) are missing in this C library or compiler; "
           "pointer does without" in errors[0], "musl has no ifunc: one clear sentence", said(r))
    shutil.rmtree(tap.path("musl"))
    r = setup("musl", "-Disa=avx2", *LIBRARIES, CC="musl-gcc")
    tap.ok(r.status == 0 and re.search(r"dispatch *: pointer", r.out), "musl: by itself there are pointers", said(r))
else:
    tap.skip("musl", "no musl-gcc (package musl-tools)")

r = setup("unknown", "-Disa=avx2,avx9")
tap.ok(r.status and "-Disa: no ISA avx9 here; there are baseline, avx2" in said(r), "-Disa=avx9", said(r))
r = setup("some", "-Disa=avx2", *LIBRARIES)
tap.ok(r.status == 0 and "ISA avx512: not asked for by -Disa" in said(r),
       "-Disa=avx2 names what it leaves out", said(r))

# A compiler that does not know one row's flags: the row is dropped with a message, and the others stay.
old = tap.path("old-cc")
with open(old, "w", encoding="utf-8") as f:
    f.write('#!/bin/sh\ncase " $* " in *" -mavx512fp16 "*) echo "unknown -mavx512fp16" >&2; exit 1;; esac\n'
            'exec gcc "$@"\n')
os.chmod(old, 0o755)
r = setup("old", *LIBRARIES, CC=old)
tap.ok(r.status == 0 and "ISA avx512_fp16: left out, this compiler does not take" in said(r)
       and "ISA amx: left out" not in said(r), "a row the compiler cannot build is dropped aloud", said(r))

# A malformed row stops the configure step itself.
copy = tap.path("copy")
shutil.copytree(SOURCE, copy, symlinks=True, ignore=lambda d, names: [
    n for n in names if n.startswith((".git", "build")) or (d == SOURCE and n == "shared")])
for table, row, reason in (
        ("src/kernels/elementwise/kernels.tbl", "bad mapp f32 relu.c baseline same exact 0.1 a bad row",
         "unknown shape 'mapp'"),
        ("src/isa/x86_64.tbl", "avx11 avx2 8 16 yes - -fast", "'-fast' is no -m flag")):
    path = os.path.join(copy, table)
    with open(path, encoding="utf-8") as f:
        good = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(good + row + "\n")
    r = setup("malformed", source=copy)
    where = "%s:%d: %s" % (table, good.count("\n") + 1, reason)
    tap.ok(r.status and where in said(r), "a malformed row of %s stops the configure step" % table,
           "expected '%s'\n%s" % (where, said(r)[-2000:]))
    with open(path, "w", encoding="utf-8") as f:
        f.write(good)
    shutil.rmtree(tap.path("malformed"), ignore_errors=True)
tap.done()
