#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kernel on CPUs that qemu-user emulates, which stops at any instruction its CPU lacks.

    emulated.py fewest|others

fewest: this CPU at every cap, and for each ISA the model with the fewest features that runs it; others: the other models, in the
slow suite.
"""
import os
import re
import shutil
import sys

from kit import BUILT, CALLS, FEATURES, HERE, INTERNAL, ISAS, KERNELS, LINK, Tap, demoted, host, host_isas, run, top

tap = Tap()
HOST = int(host("cpu family")), int(host("model"))  # a demotion concerns variants that no model below runs
QEMU = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
program = tap.cc("all_kernels", os.path.join(HERE, "all_kernels.c"), "-std=gnu11", "-O1", "-Wall", "-Wextra",
                 "-Werror", *INTERNAL, CALLS, *LINK, "-lm")


def bound(r):
    return {k: (isa, called) for k, isa, called in re.findall(r"^bound (\w+) (\w+) (\w*)$", r.out, re.M)}


def all_of(name, command, runs, **env):
    r = run(command + [program], timeout=240, **env)
    runs = [i for i in runs if i in BUILT]
    expected = {name: (top(set(runs) - demoted(name, *HOST), k.isas), "called") for name, k in KERNELS.items()}
    wrong = {k: (bound(r).get(k), v) for k, v in expected.items() if bound(r).get(k) != v}
    calls = r.values()
    tap.ok(r.status == 0
           and not wrong and "level " + top(runs) in r.out and calls.get("kernels") == str(len(KERNELS)),
           "%s: %d kernels, %s calls" % (name, len(KERNELS), calls.get("calls")), "%r\n%s" % (wrong, r))


# On this CPU, at every cap, so that something is tested without an emulator too.
for i, isa in enumerate(ISAS if sys.argv[1] == "fewest" else []):
    all_of("this CPU, cap " + isa, [], [j for j in host_isas() if j in ISAS[:i + 1]], ISAKERN_MAX_ISA=isa)
NEHALEM = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"}
SANDY_BRIDGE = NEHALEM | {"avx"}
HASWELL = SANDY_BRIDGE | {"avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"}
MODELS = {"Nehalem": NEHALEM, "SandyBridge": SANDY_BRIDGE, "Haswell": HASWELL, "core2duo": {"sse3", "ssse3"},
          "qemu64": {"sse3"}}
RUNS = {model: [i for i in ISAS if features.issuperset(FEATURES[i])] for model, features in MODELS.items()}
FEWEST = {runs[-1]: model for model, runs in sorted(RUNS.items(), key=lambda one: -len(MODELS[one[0]]))}
for model, runs in RUNS.items():
    if (model in FEWEST.values()) != (sys.argv[1] == "fewest"):
        continue
    name = "qemu-user -cpu " + model
    if not QEMU:
        tap.skip(name, "no qemu-x86_64 (package qemu-user)")
        continue
    all_of(name, [QEMU, "-cpu", model], runs)
    # The emulator must stop: the lowest variant that the model cannot run.
    above = [i for i in KERNELS["relu_f32"].isas if i not in runs and i in BUILT]
    if above:
        r = run([QEMU, "-cpu", model, program, above[0]])
        tap.ok(r.status in (-4, 132) or "Illegal instruction" in r.err, "%s stops at %s" % (name, above[0]),
               r)
if sys.argv[1] == "fewest":
    tap.skip("avx512 and above on an emulator",
             "qemu-user has no AVX-512; object_check reads every instruction of those rows")
tap.done()
