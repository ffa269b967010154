#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The flags of each row of x86_64.tbl agree with its features in x86_64.def: the CPU is asked for exactly the features that
the compiler may emit."""
import os
import re
import subprocess
import sys

from kit import BUILT, CC, INTERNAL, ISAS, SOURCE, Tap, run

tap = Tap()
# Macros of a compiler that are not features.
NO_FEATURE = re.compile(r"__(FP_FAST_\w+|FLT16_\w+|GCC_\w+|EVEX\d+)_*$")
# Features with another name in the compiler: XSAVE is present if the OS uses it, CRC32 belongs to SSE4.2.
SAME_AS = {"XSAVE": "osxsave", "CRC32": "sse42"}


def plain(name):
    """One spelling for __AMX_TILE__, __AMXTILE__ and amx-tile."""
    return re.sub(r"[_.-]", "", name).upper()


def macros(flags):
    text = subprocess.run(CC + flags + ["-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True,
                          check=True).stdout
    return {line.split()[1] for line in text.split("\n") if line.endswith(" 1")}


def disagreements(flags, base, features):
    have = {plain(m) for m in macros(flags) - base if not NO_FEATURE.match(m) and m.isupper()}
    have = {plain(SAME_AS.get(m, m)) for m in have}
    asked = {plain(f) for f in features}
    return (["the compiler may emit %s, the CPU is not asked for it" % m for m in sorted(have - asked)]
            + ["the CPU is asked for %s, the compiler does not use it" % m for m in sorted(asked - have)])


dump = tap.path("dump.c")
with open(dump, "w", encoding="utf-8") as f:
    f.write('#include <stdio.h>\n#include "detect.h"\nint main(void)\n{\n'
            '#define F(name, word, bit, state, isas) printf("%s %u\\n", name, (unsigned)(isas));\n'
            '#include "x86_64.def"\n\treturn 0;\n}\n')
needs = {isa: [] for isa in ISAS}
for line in run([tap.cc("dump", *INTERNAL, dump)]).out.split("\n"):
    if line:
        name, mask = line.split()
        for i, isa in enumerate(ISAS):
            if int(mask) >> i & 1:
                needs[isa].append(name)

gen = [sys.executable, os.path.join(SOURCE, "src/resolve/generate/gen.py"), "isas"]
flags = {row.split()[0]: row.split()[2:] for row in run(gen).out.strip().split("\n")}
base = macros(flags["baseline"])
tap.equal(needs["baseline"], [], "baseline asks for nothing")
tap.equal(sorted(m for m in base if re.match(r"__(SSE3|SSSE3|SSE4|AVX|POPCNT|BMI|FMA)", m)), [],
          "baseline compiles for any x86-64")
for isa in ISAS[1:]:
    if isa in BUILT:
        tap.equal(disagreements(flags[isa], base, needs[isa]), [], isa)
    else:
        tap.skip(isa, "not built: this compiler lacks its flags, or -Disa leaves it out")
# A disagreement must be seen, in both directions.
tap.ok(disagreements(flags["avx2"] + ["-mavx512f"], base, needs["avx2"]), "a flag too many is seen")
tap.ok(disagreements(flags["avx2"] + ["-mavx512vp2intersect"], base, needs["avx2"]),
       "a flag unknown to x86_64.def is seen")
tap.ok(disagreements(flags["avx2"], base, needs["avx512"]), "a feature too many is seen")
tap.ok(disagreements(flags["avx2"], base, [f for f in needs["avx2"] if f != "bmi2"]),
       "a feature that is forgotten is seen")
tap.done()
