#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two libraries of kernels in one program, under each cap; the names of the second one.

    both.py SOURCE BUILD TEST_BOTH ISA,... FAMILY COMPILER...
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD, PROGRAM, ISAS, FAMILY, *COMPILER = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import tables  # noqa: E402
from tap import done, ok  # noqa: E402

LIBDIR = os.path.join(BUILD, "src")
LIBRARY = tables.Library([FAMILY])


def run(*command, **env):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "TST_"))}
    return subprocess.run(command, env={**kept, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def bound(r):
    """The bound ISA of each kernel, and the ISA in force in each library."""
    return dict(re.findall(r"^# bound (\w+) (\w+)$", r.stdout, re.M)), re.findall(r"^# current (\w+) (\w+)$", r.stdout, re.M)


def capped(program, what):
    for cap in LIBRARY.isas:
        r = run(program, ISAKERN_MAX_ISA=cap)
        kernels, current = bound(r)
        # mul_f32 is compiled for the same ISAs.
        ok(r.returncode == 0 and len(kernels) == 2 and kernels["opposite_f32"] == kernels["mul_f32"]
           and len(current) == 1 and current[0][0] == current[0][1]
           and list(LIBRARY.isas).index(kernels["opposite_f32"]) <= list(LIBRARY.isas).index(cap),
           "%s, ISAKERN_MAX_ISA=%s" % (what, cap), r.stdout)
    r = run(program, ISAKERN_MAX_ISA="baseline", ISAKERN_VERBOSE="1")
    ok("isakern: opposite_f32 -> baseline (" in r.stdout and "isakern: mul_f32 -> baseline (" in r.stdout,
       what + ", both tell what they bind", r.stdout)


def pinned(program, what):
    """Each library has its own pins and does not know the other's kernels: only one of them reports a wrong name."""
    r = run(program, ISAKERN_BIND="mul_f32=baseline", TST_BIND="opposite_f32=baseline")
    ok(bound(r)[0] == {"opposite_f32": "baseline", "mul_f32": "baseline"} and "ignored" not in r.stdout,
       what + ", each pinned by its own variable", r.stdout)
    for variable in ("ISAKERN_BIND", "TST_BIND"):
        r = run(program, **{variable: "nag_f32=baseline"})
        told = [line for line in r.stdout.split("\n") if "ignored" in line]
        ok(len(told) == 1 and told[0].startswith("isakern: %s: 'nag_f32' ignored; no such kernel" % variable),
           "%s, a wrong name in %s is told once" % (what, variable), r.stdout)


def symbols(path, *options):
    """(letter, name, version)"""
    out = subprocess.run(["nm", *options, path], text=True, stdout=subprocess.PIPE, check=True).stdout
    return re.findall(r" (\S) ([^@\s]+)(?:@@?(\S+))?$", out, re.M)


capped(PROGRAM, "shared")
pinned(PROGRAM, "shared")
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    program = os.path.join(work, "static")
    generated = [os.path.join(LIBDIR, "gen", name, "include") for name in ("isakern", "tst")]
    r = run(*COMPILER, "-O1", "-static", "-o", program, os.path.join(SOURCE, "test/library/test_both.c"),
            *["-I" + d for d in [os.path.join(SOURCE, "include"), os.path.join(SOURCE, "test/library")] + generated],
            *[os.path.join(LIBDIR, f) for f in ("libtst.a", "libisakern.a")], "-lm")
    ok(r.returncode == 0, "a static program with both archives links", r.stdout)
    if r.returncode == 0:
        capped(program, "static")
        pinned(program, "static")

# Names. Those of other libraries may only be undefined.
kernels = {"tst_" + k for k in LIBRARY.kernels}
dynamic = [s for s in symbols(os.path.join(LIBDIR, "libtst.so"), "-D", "--defined-only") if s[0] != "A"]
indirect = {n for letter, n, _ in dynamic if letter == "i"}
ok(indirect == kernels or not indirect and kernels < {n for letter, n, _ in dynamic if letter == "T"},
   "the indirect functions of libtst are its kernels, or it has none, and they are functions", dynamic)
ok(dynamic and all(n.startswith("tst_") for _, n, _ in dynamic), "libtst exports names with its prefix alone", dynamic)
ok({v for _, _, v in dynamic} == {"TST_0.1"}, "all of version TST_0.1", dynamic)
objects = []
for part in ["tst_" + isa for isa in ISAS.split(",")] + ["tst_%s_%s" % (p, form) for p in ("resolve", "api")
                                                         for form in ("shared", "static")] + ["tst_reference"]:
    objects += glob.glob(os.path.join(LIBDIR, "lib%s.a.p" % part, "*.o"))
wrong = ["%s: %s" % (os.path.basename(path), n) for path in objects for letter, n, _ in symbols(path)
         if re.match(r"_?isk|isakern", n) and (letter.isupper() or letter in "vwui")]
ok(len(objects) > len(LIBRARY.kernels) and not wrong,
   "no object of libtst has a global name of isakern (src/resolve/prefix.h)", "\n".join(wrong) or objects)
done()
