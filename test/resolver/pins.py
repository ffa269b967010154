#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ISAKERN_BIND is read once, at the first look, and from one environment as a whole, whatever changes later."""
import os

from kit import BUILT, HERE, IFUNC, INCLUDE, KERNELS, LANES, LINK, Tap, host_isas, run, top

tap = Tap()
HOST = [i for i in host_isas() if i in BUILT]
if "avx2" not in HOST:
    tap.skip("pins", "this CPU or build has no avx2: one pin cannot be told from another")
    tap.done()
TOP = top(HOST)
pins = tap.cc("pins", os.path.join(HERE, "pins.c"), "-O1", "-Wall", "-Wextra", "-Werror", *([] if IFUNC else ["-DPOINTER"]), *INCLUDE, "-pthread",
              "-Wl,-z,lazy", *LINK)
PIN = "get_vec_length=%s,relu_f32=%s"


def bound(length, relu, current=TOP):
    return "%s %s %s" % (LANES[length], relu, current)


for length, relu in (("baseline", "avx2"), ("avx2", "baseline")):
    r = run([pins, "unmapped", PIN % (length, relu)])
    tap.equal((r.status, r.out.strip()), (0, bound(length, relu)),
              "%s, relu_f32 bound after the variable is gone" % (PIN % (length, relu)), r)
# There is room for every kernel, with each of its ISAs; the last pin of a kernel wins.
r = run([pins, "unmapped", ",".join("%s=%s" % (k.name, isa) for isa in ("avx2", "baseline")
                                    for k in KERNELS.values() if isa in k.isas)])
tap.equal((r.status, r.out.strip(), r.err), (0, bound("baseline", "baseline"), ""), "every kernel is pinned", r)

r = run([pins, "full", PIN % ("baseline", "baseline")])
tap.equal((r.status, r.out.strip(), r.warnings()),
          (0, bound(top(HOST, KERNELS["get_vec_length"].isas), top(HOST, KERNELS["relu_f32"].isas)),
           ["isakern: ISAKERN_BIND: '%s=baseline' ignored; no memory for pins" % k
            for k in ("get_vec_length", "relu_f32")]),
          "no memory", r)

# All threads find the cap and the pins that one of them read.
environments = {"ISAKERN_MAX_ISA=baseline": bound("baseline", "baseline", "baseline"),
                "ISAKERN_BIND=" + PIN % ("baseline", "avx2"): bound("baseline", "avx2"),
                "ISAKERN_BIND=" + PIN % ("avx2", "baseline"): bound("avx2", "baseline")}
wrong, seen = [], set()
for _ in range(200):
    r = run([pins, "race", *environments])
    lines = r.out.strip().split("\n")
    seen.update(lines)
    if r.status or len(lines) != 8 or len(set(lines)) != 1 or lines[0] not in environments.values():
        wrong.append(str(r))
tap.ok(not wrong, "first looks racing from 8 threads, each at another environment",
       "%d of 200 wrong\n%s" % (len(wrong), "\n".join(wrong[:3])))
tap.ok(len(seen) > 1, "more than one environment won", seen)

# A look in the middle of another look wins, and nobody waits.
both = list(environments)[1:]
for first, second in (both, both[::-1]):
    r = run([pins, "signal", first, second])
    tap.equal((r.status, r.out.strip().split("\n")), (0, [environments[second]] * 2),
              "a signal handler looks first, and at %s" % second, r)
tap.done()
