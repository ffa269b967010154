#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The resolver with the greatest number of ISAs: the real ones, and above them invented ones."""
import os
import re
import shutil
import sys

from kit import HERE, IFUNC, ISAS, SOURCE, Tap, host_isas, recipe, run

tap = Tap()
MOST = 32
USABLE, _, _, NO_CPU, _, _, CAPPED, DISABLED, _, PINNED = range(10)
src, made = tap.path("src"), tap.path("made")
for d in ("isa", "resolve"):
    shutil.copytree(os.path.join(SOURCE, "src", d), os.path.join(src, d))
os.symlink(os.path.join(SOURCE, "src/kernels"), os.path.join(src, "kernels"))
os.symlink(os.path.join(SOURCE, "include"), tap.path("include"))
MADE_UP = ["made_up_%d" % i for i in range(len(ISAS), MOST)]
LAST, NOWHERE, BELOW = MADE_UP[-1], MADE_UP[-2], MADE_UP[-3]
RUN = [i for i in ISAS if i in host_isas()] + [i for i in MADE_UP if i != NOWHERE]
NAMES = ISAS + MADE_UP
ROW = "%s sse2 4 16 no - @baseline\n"


def append(table, text):
    with open(os.path.join(src, "isa", table), "a", encoding="utf-8") as f:
        f.write(text)


def generate():
    """Generates a library of the example kernel, which every row has."""
    return run([sys.executable, os.path.join(src, "resolve/generate/gen.py"), "write", "--name", "isakern", "--prefix", "isk",
                "--built", ",".join(NAMES), "--out", made, os.path.join(src, "kernels/query")])


append("x86_64.tbl", "".join(ROW % i for i in MADE_UP))
# All x86-64 CPUs since 2004 have SSE3; CPUID.7.EDX[6] is reserved. No compiler has a longer name than this.
LACKED = "avx512vp2intersect"
append("x86_64.def", 'F("sse3", ISK_1_ECX, 0, 0, ISK_BIT(%s))\nF("%s", ISK_7_EDX, 6, 0, ISK_BIT(%s))\n'
       % (LAST, LACKED, NOWHERE))
r = generate()
if r.status:
    print("Bail out! gen.py: %s" % r.err)
    sys.exit(1)
INTERNAL = ["-DISK_PREFIX=isk", "-I" + made, "-I" + os.path.join(made, "include"), "-I" + tap.path("include")] + [
    "-I" + os.path.join(src, d) for d in recipe.INCLUDE]
BASE = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-mgeneral-regs-only", "-DISK_STATIC", *INTERNAL]
ENTRIES = [] if IFUNC else ["-DISK_POINTER", os.path.join(src, "resolve/bind.c")]
program = tap.cc("isas_32", *BASE, *ENTRIES, os.path.join(HERE, "isas_32.c"), os.path.join(made, "rows/rows_query_vec_length.c"),
                 os.path.join(src, "isa/detect.c"), os.path.join(src, "isa/detect_x86_64.c"), *[os.path.join(src, "resolve", f + ".c") for f in (
                     "choose", "environ", "explain", "policy", "registry", "resolve", "rows", "say")])


def states(r):
    return {m[0]: (int(m[1]), m[2]) for m in re.findall(r"^(\w+): (\d+) (.*)$", r.out, re.M)}


def check(name, env, called, warnings=(), current=None, **expected):
    r = run([program], **env)
    v = r.values()
    bits = hex(sum(1 << NAMES.index(i) for i in RUN))
    want = {"called": str(NAMES.index(called)), "current": current or called, "glibc": bits, "raw": bits, "cpu": LAST,
            "binary": LAST}
    wrong = {k: (v.get(k), w) for k, w in want.items() if v.get(k) != w}
    wrong.update({k: (states(r).get(k), w) for k, w in expected.items() if states(r).get(k) != w})
    if r.warnings() != ["isakern: " + w for w in warnings]:
        wrong["warnings"] = (r.warnings(), warnings)
    tap.ok(r.status == 0 and len(states(r)) == MOST and not wrong, name,
           "wrong (got, expected): %r\n%s" % (wrong, r))


check("nothing set", {}, LAST, **{LAST: (USABLE, "the highest it has"), NOWHERE: (NO_CPU, "CPU lacks " + LACKED),
                                  BELOW: (USABLE, "usable")})
check("cap at the last", {"ISAKERN_MAX_ISA": LAST}, LAST)
check("cap below the last", {"ISAKERN_MAX_ISA": NOWHERE}, BELOW,
      **{LAST: (CAPPED, "capped by ISAKERN_MAX_ISA=" + NOWHERE)})
check("cap at the first", {"ISAKERN_MAX_ISA": "baseline"}, "baseline",
      **{i: (CAPPED, "capped by ISAKERN_MAX_ISA=baseline") for i in (BELOW, LAST)})
check("the last disabled", {"ISAKERN_DISABLE": LAST}, BELOW, **{LAST: (DISABLED, "disabled by ISAKERN_DISABLE")})
check("all disabled", {"ISAKERN_DISABLE": ",".join(NAMES[1:])}, "baseline")
check("pinned to the last", {"ISAKERN_BIND": "get_vec_length=" + LAST, "ISAKERN_VERBOSE": "1"}, LAST,
      ["get_vec_length -> %s (pinned by ISAKERN_BIND)" % LAST],
      **{LAST: (USABLE, "pinned by ISAKERN_BIND"), BELOW: (PINNED, "ISAKERN_BIND chose another one")})
check("pinned below the last", {"ISAKERN_BIND": "get_vec_length=" + BELOW, "ISAKERN_VERBOSE": "1"}, BELOW,
      ["get_vec_length -> %s (pinned by ISAKERN_BIND)" % BELOW], current=LAST,
      **{LAST: (PINNED, "ISAKERN_BIND chose another one")})
check("unknown names", {"ISAKERN_MAX_ISA": "x" * 70, "ISAKERN_DISABLE": "y", "ISAKERN_BIND": "get_vec_length=z"},
      LAST,
      ["ISAKERN_MAX_ISA: '%s' ignored; allowed: %s" % ("x" * 63, ", ".join(NAMES)),
       "ISAKERN_DISABLE: 'y' ignored; allowed: " + ", ".join(NAMES[1:]),
       "ISAKERN_BIND: 'get_vec_length=z' ignored; no such ISA; allowed: " + ", ".join(RUN)])

# One more ISA is refused.
append("x86_64.tbl", ROW % "one_too_many")
r = generate()
tap.ok(r.status == 1 and "isa/x86_64.tbl:" in r.err and "there is room for 32 ISAs" in r.err, "33 ISAs are refused", r)
tap.done()
