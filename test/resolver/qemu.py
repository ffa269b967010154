#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""AArch64: the bindings on CPUs of QEMU, in every form of a program, and that the environment is heeded there."""
import os

from kit import BUILT, HERE, INCLUDE, ISAS, KERNELS, LINK, STATIC, Tap, run, top

tap = Tap()
NEON, DOT = ["neon"], ["neon", "neon_dot", "neon_fp16"]
I8MM = ["neon", "neon_dot", "neon_i8mm", "neon_fp16"]
# The ISAs by the manuals of these CPUs, independently of aarch64.def.
CPUS = {"cortex-a53": NEON, "cortex-a57": NEON, "cortex-a72": NEON, "cortex-a76": DOT, "neoverse-n1": DOT, "a64fx": ["neon", "neon_fp16", "sve_512"],
        "max,sve=off": I8MM, "max,sve128=on": I8MM + ["sve_128"], "max,sve256=on": I8MM + ["sve_256"],
        "max,sve384=on,sve128=on,sve256=on": I8MM, "max,sve512=on": I8MM + ["sve_512"]}
PROBE = os.path.join(HERE, "probe.c")
BASE = ["-O1", "-Wall", "-Wextra", "-Werror"] + INCLUDE
STATICALLY = ["-DPROBE_STATIC", *STATIC]
FORMS = {
    "lazy": tap.cc("lazy", PROBE, *BASE, "-Wl,-z,lazy", *LINK),
    "now": tap.cc("now", PROBE, *BASE, "-Wl,-z,now", *LINK),
    "no PLT": tap.cc("no_plt", PROBE, *BASE, "-fno-plt", *LINK),
    "no PIE": tap.cc("no_pie", PROBE, *BASE, "-fno-pie", "-no-pie", *LINK),
    "static": tap.cc("static", PROBE, *BASE, "-static", *STATICALLY),
    "static-pie": tap.cc("static_pie", PROBE, *BASE, "-fPIE", "-static-pie", *STATICALLY),
}
LENGTH, RELU = KERNELS["get_vec_length"].isas, KERNELS["relu_f32"].isas


def check(name, cpu, form, isas, warnings=(), length=None, relu=None, current=None, **env):
    r = run(["qemu-aarch64", FORMS[form]], QEMU_CPU=cpu, **env)
    isas = [isa for isa in isas if isa in BUILT]
    v = r.values()
    want = {"bound_length": length or top(isas, LENGTH), "bound_relu": relu or top(isas, RELU), "current": current or top(isas),
            "cpu": top(CPUS[cpu]), "right": "1"}
    wrong = {k: (v.get(k), w) for k, w in want.items() if v.get(k) != w}
    # The loader chooses which kernel is bound first.
    said = sorted(w[len("isakern: "):] for w in r.warnings())
    if said != sorted(warnings):
        wrong["warnings"] = (said, warnings)
    tap.ok(r.status == 0 and not wrong, "%s, %s, %s" % (name, cpu, form), "wrong (got, expected): %r\n%s" % (wrong, r))


for cpu, isas in CPUS.items():
    for form in FORMS:
        check("nothing set", cpu, form, isas)
CPU, HAS = "max,sve256=on", CPUS["max,sve256=on"]
REFUSED = "this CPU and OS cannot run it" if "sve_512" in BUILT else "no such variant"
for form in FORMS:
    check("a cap", CPU, form, ["neon", "neon_dot"], ISAKERN_MAX_ISA="neon_dot")
    check("some disabled", CPU, form, I8MM, ISAKERN_DISABLE="sve_256,sve_512")
    check("all disabled", CPU, form, NEON, ISAKERN_DISABLE=",".join(ISAS[1:]))
    check("a pin", CPU, form, HAS, relu="neon", ISAKERN_BIND="relu_f32=neon")
    check("an ISA of another architecture", CPU, form, HAS,
          ["ISAKERN_MAX_ISA: 'avx2' ignored; allowed: " + ", ".join(ISAS)], ISAKERN_MAX_ISA="avx2")
    check("a pin that the CPU cannot have", CPU, form, HAS,
          ["ISAKERN_BIND: 'relu_f32=sve_512' ignored; %s; allowed: neon, sve_256" % REFUSED],
          ISAKERN_BIND="relu_f32=sve_512")
    check("verbose", CPU, form, NEON, ["%s -> neon (%s: capped by ISAKERN_MAX_ISA=neon)" % pair for pair in (
        ("get_vec_length", "neon_dot"), ("relu_f32", "sve_256"))], ISAKERN_MAX_ISA="neon", ISAKERN_VERBOSE="1")
tap.done()
