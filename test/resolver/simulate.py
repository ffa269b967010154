#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real loader and the real library on every CPU of cpus.tbl, simulated by cpuidsim."""
import os
import re
import sys

from cpus import CPUS, STATES, TABLE
from kit import (BUILT, FAMILIES, FEATURES, HERE, INCLUDE, INTERNAL, ISAS, KERNELS, LINK, SOURCE, STATIC, Tap, demoted,
                 host_isas, run, tables, top)
import write

tap = Tap()
SIM = sys.argv[1]
USABLE, NOT_BUILT, _, NO_CPU, NO_OS, NO_PERMISSION, CAPPED, DISABLED, DEMOTED, PINNED = range(10)
BASE = ["-O1", "-Wall", "-Wextra", "-Werror", os.path.join(HERE, "simulated.c")]
LIB = LINK + ["-Wl,-z,now"]
program = tap.cc("simulated", *BASE, "-DDETECT", *INTERNAL, os.path.join(SOURCE, "src/isa/detect.c"),
                 os.path.join(SOURCE, "src/isa/detect_x86_64.c"), *LIB)
relu_only = tap.cc("relu_only", *BASE, "-DRELU_ONLY", *INCLUDE, *LIB)
static = tap.cc("static", *BASE, *INCLUDE, "-static", *STATIC)
product = tap.cc("product", *BASE, "-DPRODUCT", *INCLUDE, *LIB)
LENGTH_ISAS, RELU_ISAS = KERNELS["get_vec_length"].isas, KERNELS["relu_f32"].isas


def family_model(signature):
    base, extended = signature >> 8 & 15, signature >> 20 & 255
    return (base + extended if base == 15 else base,
            (signature >> 4 & 15) | (signature >> 12 & 0xf0 if base in (6, 15) else 0))


def cpu(name):
    return next(c for c in CPUS if name in c.name)


def simulate(model, command, *options, **env):
    report = tap.path("report")
    if os.path.exists(report):
        os.unlink(report)
    r = run([SIM, "--sites", tap.path("sites"), "--report", report, *options, "@%d" % model.number, *command],
            **env)
    r.report = {}
    if os.path.exists(report):
        with open(report, encoding="utf-8") as f:
            r.report = {k: int(v) for k, v in (w.split("=") for w in f.read().split())}
    return r


def told(r):
    """(current, cpu, binary), slots by kernel, candidates by kernel/isa"""
    level = re.search(r"^level (\S+) (\S+) (\S+)$", r.out, re.M)
    slots = dict(re.findall(r"^slot (\S+) (\S+)$", r.out, re.M))
    found = {m[0]: (int(m[1]), int(m[2]), m[3]) for m in re.findall(
        r"^(\S+/\S+) state=(\d+) bound=(\d+) fn=\d+ same=\d+ reason=(.*)$", r.out, re.M)}
    return level.groups() if level else None, slots, found


def states_wrong(found, expected):
    return {k: (found.get("get_vec_length/" + k), v) for k, v in expected.items()
            if found.get("get_vec_length/" + k, (None,))[0] != v}


def bound_lines(r):
    return dict(re.findall(r"^isakern: (\w+) -> (\w+) \(", r.err, re.M))


def play(model, name, *options, cut=None, amx=True, **env):
    """cut: the bits of XCR0 that the OS enables."""
    os_able = model.set if cut is None else model.isas(cut)
    granted = os_able if amx else os_able - {"amx"}
    r = simulate(model, [program, "all"], *options, "--amx", "grant" if amx else "refuse", **env)
    if r.status == 77:
        tap.skip(name, r.err.strip().replace("cpuidsim: ", ""))
        return
    if "CPU ISA level is lower than required" in r.err:
        # glibc detects no features of an unknown maker. In a static program isakern asks the CPU itself.
        r = simulate(model, [static, "all"])
        tap.ok(told(r)[0] == (top(model.set & set(BUILT)), top(model.set), top(BUILT)),
               name + ", static: glibc's ld.so refuses it", r)
        return
    level, slots, found = told(r)
    length, relu = top(granted & set(BUILT), LENGTH_ISAS), top(granted & set(BUILT), RELU_ISAS)
    expected = {isa: NO_CPU if isa not in model.set else NO_OS if isa not in os_able else NO_PERMISSION
                if isa not in granted else USABLE for isa in LENGTH_ISAS}
    expected.update({isa: NOT_BUILT for isa in LENGTH_ISAS if isa not in BUILT})
    wrong = {}
    bound = dict(re.findall(r"^bound (\S+) (\S+)$", r.out, re.M))
    for name, k in KERNELS.items():
        best = top((granted & set(BUILT)) - demoted(name, *family_model(model.signature)), k.isas)
        if bound.get(name) != best:
            wrong[name] = (bound.get(name), best)
    if level != (top(granted & set(BUILT)), top(os_able), top(BUILT)):
        wrong["level"] = level
    if slots != {"get_vec_length": length, "relu_f32": relu}:
        wrong["slots"] = (slots, length, relu)
    if [k for k, v in found.items() if v[1]] != ["relu_f32/" + relu, "get_vec_length/" + length]:
        wrong["bound"] = [k for k, v in found.items() if v[1]]
    wrong.update(states_wrong(found, expected))
    if "same=1" not in r.out or re.search(r"bound=(\d) fn=\d same=(?!\1)", r.out):
        wrong["isk_bound"] = "differs from the candidates"
    detected = dict(w.split("=") for w in re.search(r"^glibc=.*$", r.out,
                                                    re.M)[0].split()) if "glibc=" in r.out else {}
    bits = sum(1 << i for i, isa in enumerate(ISAS) if isa in os_able)
    cpu_bits = sum(1 << i for i, isa in enumerate(ISAS) if isa in model.set)
    if [detected.get(k) for k in ("glibc", "raw", "glibc_cpu", "raw_cpu", "signature", "differ")] != [
            hex(bits), hex(bits), hex(cpu_bits), hex(cpu_bits), "1", ""]:
        wrong["detected"] = (detected, hex(bits), hex(cpu_bits))
    if r.status or not r.report.get("cpuid_other"):
        wrong["run"] = r.report
    if r.report.get("cpuid_library") != 0:
        wrong["cpuid executed although glibc knew"] = r.report
    tap.ok(not wrong, name, "%r\n%s" % (wrong, r))


r = simulate(cpu("Gulftown"), ["/bin/true"])
if r.status and ("cannot trace" in r.err or "ptrace" in r.err):
    tap.skip("every CPU of cpus.tbl", "this system does not let ptrace: " + r.err.strip())
    tap.done()

# Every CPU of the table, unchanged.
for model in CPUS:
    play(model, "%s, line %d" % (model.name, model.number))

# The OS enables less than the CPU has.
spr, skx, icx, adl, haswell = (cpu(n) for n in ("SapphireRapids", "SkylakeXeon", "ICX", "AlderLake_03",
                                                "Haswell2"))
for model in (spr, skx, icx):
    play(model, model.name + ", OS without AVX-512", "--xcr0", "7", cut=7)
    play(model, model.name + ", OS without AVX", "--xcr0", "3", cut=3)
play(spr, spr.name + ", OS without tiles", "--xcr0", "2e7", cut=0x2e7)
for bit in STATES:
    play(spr, "%s, OS without bit %d of XCR0 alone" % (spr.name, bit.bit_length() - 1), "--xcr0", "%x" % (spr.xcr0 & ~bit),
         cut=spr.xcr0 & ~bit)
play(haswell, haswell.name + ", OS without AVX", "--xcr0", "3", cut=3)
for model in (spr, cpu("EmeraldRapids")):
    play(model, model.name + ", AMX refused", amx=False)

# An unknown maker: glibc detects no features, its ld.so refuses the CPU, and in a static program isakern asks the CPU
# itself.
with open(TABLE, encoding="utf-8") as table, open(tap.path("stranger.tbl"), "w", encoding="utf-8") as stranger:
    row = table.read().split("\n")[haswell.number - 1]
    stranger.write("NobodysChips" + row[len("GenuineIntel"):] + "\n")
r = run([SIM, "--table", tap.path("stranger.tbl"), "@1", static, "all"])
if r.status == 77:
    tap.skip("a maker glibc does not know", r.err.strip().replace("cpuidsim: ", ""))
else:
    tap.ok(told(r)[0] == (top(haswell.set & set(BUILT)), top(haswell.set), top(BUILT)),
           "a maker glibc does not know, static", r)

# Features that GLIBC_TUNABLES hides stay hidden, in a static program too.
for name, command in (("dynamic", program), ("static", static)):
    for tunable, kept in (("-AVX2", [i for i in ISAS if "avx2" not in FEATURES[i]]),
                          ("-AVX512F", [i for i in ISAS if "avx512f" not in FEATURES[i]])):
        for model in (haswell, spr):
            r = simulate(model, [command, "all"], GLIBC_TUNABLES="glibc.cpu.hwcaps=" + tunable)
            what = "GLIBC_TUNABLES %s, %s, %s" % (tunable, name, model.name)
            if r.status == 77:
                tap.skip(what, r.err.strip().replace("cpuidsim: ", ""))
                continue
            able = model.set & set(kept)
            tap.ok(told(r)[0] == (top(able & set(BUILT)), top(able), top(BUILT)), what, r)

# AMX is requested once, by kernels that have it, if nothing better remains; it is dropped if refused.
ABOVE = ISAS[ISAS.index("amx") + 1:]
BELOW = top(spr.set - {"amx", *ABOVE}, LENGTH_ISAS)
BEST, RELU = top(spr.set, LENGTH_ISAS), top(spr.set, RELU_ISAS)
NONE_ABOVE = {"ISAKERN_DISABLE": ",".join(ABOVE), "ISAKERN_VERBOSE": "1"}
CAP_AMX = {"ISAKERN_MAX_ISA": "amx", "ISAKERN_VERBOSE": "1"}


def asks(name, command, options, env, bound, asked, answer=0):
    if "amx" not in BUILT:
        tap.skip(name, "amx is not built")
        return
    r = simulate(spr, command, *options, **env)
    if r.status == 77:
        tap.skip(name, r.err.strip().replace("cpuidsim: ", ""))
        return
    got = bound_lines(r)
    tap.ok(r.status == 0 and got == bound and (r.report.get("amx_asked"),
                                               r.report.get("amx_answer")) == (asked, answer),
           name, "%r, expected %r\nasked %r, expected %d times, answer %d\n%s" % (got, bound, r.report, asked,
                                                                                  answer, r))


for name, env in (("cap amx", CAP_AMX), ("none above amx", NONE_ABOVE)):
    asks(name + ": granted", [program], [], env, {"relu_f32": RELU, "get_vec_length": "amx"}, 1)
    asks(name + ": refused", [program], ["--amx", "refuse"], env, {"relu_f32": RELU, "get_vec_length": BELOW}, 1, -28)
    asks(name + ": a kernel without AMX does not ask", [relu_only], [], env, {"relu_f32": RELU}, 0)
    asks(name + ": static, granted", [static], [], env, {"relu_f32": RELU, "get_vec_length": "amx"}, 1)
    asks(name + ": static, refused", [static], ["--amx", "refuse"], env,
         {"relu_f32": RELU, "get_vec_length": BELOW}, 1, -28)
    asks(name + ": OS without tiles is not asked", [program], ["--xcr0", "2e7"], env,
         {"relu_f32": RELU, "get_vec_length": BELOW}, 0)
asks("another above amx: not asked", [program], [], {"ISAKERN_VERBOSE": "1"},
     {"relu_f32": RELU, "get_vec_length": BEST}, 0)
asks("cap below amx: not asked", [program, "all"], [], {"ISAKERN_VERBOSE": "1", "ISAKERN_MAX_ISA": BELOW},
     {"relu_f32": RELU, "get_vec_length": BELOW}, 0)
asks("amx disabled: not asked", [program, "all"], [],
     {"ISAKERN_VERBOSE": "1", "ISAKERN_DISABLE": ",".join(["amx"] + ABOVE)},
     {"relu_f32": RELU, "get_vec_length": BELOW}, 0)
asks("pinned to amx: asked", [program], [], {"ISAKERN_VERBOSE": "1", "ISAKERN_BIND": "get_vec_length=amx"},
     {"relu_f32": RELU, "get_vec_length": "amx"}, 1)
asks("pinned to amx and refused: the highest that is left", [program], ["--amx", "refuse"],
     {"ISAKERN_VERBOSE": "1", "ISAKERN_BIND": "get_vec_length=amx"},
     {"relu_f32": RELU, "get_vec_length": BEST}, 1, -28)
asks("pinned below amx: not asked", [program], [],
     {"ISAKERN_VERBOSE": "1", "ISAKERN_BIND": "get_vec_length=avx2", "ISAKERN_MAX_ISA": "amx"},
     {"relu_f32": RELU, "get_vec_length": "avx2"}, 0)
for name, options, level in (("granted", [], "amx"), ("refused", ["--amx", "refuse"], BELOW)):
    r = simulate(spr, [relu_only, "level"], *options, ISAKERN_MAX_ISA="amx")
    if r.status == 77 or "amx" not in BUILT:
        tap.skip("isk_isa_current where amx is " + name, "not on this CPU or not built")
    else:
        tap.ok(told(r)[0][0] == level, "isk_isa_current where amx is " + name, r)

# A product through its indirect function: on tiles if they are granted, which the emulator runs here.
EMULATOR, PRODUCT_ISAS = sys.argv[2], KERNELS["gemm_bf16_f32"].isas
for where, options, asked, answer in (("AMX is granted", [], 1, 0),
                                      ("AMX is refused", ["--amx", "refuse"], 1, -28),
                                      ("the OS has no tiles", ["--xcr0", "2e7"], 0, 0)):
    able = set(BUILT) - demoted("gemm_bf16_f32", *family_model(spr.signature)) - ({"amx"} if options else set())
    best, name = top(able, PRODUCT_ISAS), "a product where " + where
    if "amx" not in BUILT or "avx512_bf16" not in host_isas():
        tap.skip(name, "this CPU or build lacks ISAs")
        continue
    r = simulate(spr, [product], *options, LD_PRELOAD=EMULATOR, ISAKERN_VERBOSE="1")
    if r.status == 77:
        tap.skip(name, r.err.strip().replace("cpuidsim: ", ""))
        continue
    tap.ok(r.status == 0 and r.out == "20 20 40 40 40 80\n" and bound_lines(r).get("gemm_bf16_f32") == best
           and ("\nemulator: " in "\n" + r.err) == (not options and "amx" not in host_isas())
           and (r.report.get("amx_asked"), r.report.get("amx_answer")) == (asked, answer),
           "%s runs %s" % (name, best), r)

# The kernel's own answers: through a seccomp filter that refuses, and without a filter.
refuse = tap.cc("refuse", "-Wall", "-Wextra", "-Werror", os.path.join(HERE, "refuse.c"))
asks("seccomp refuses AMX", [refuse, "amx", program], ["--amx", "pass"], CAP_AMX,
     {"relu_f32": RELU, "get_vec_length": BELOW}, 1, -1)
probe = run([refuse, "amx", "/bin/true"])
tap.equal(probe.status, 0, "the filter can be set", probe)

# Caps, disabling and pins on a CPU that has every row.
for env, expected in (
        ({"ISAKERN_MAX_ISA": "avx512"}, {"avx512": USABLE, "avx512_vnni": CAPPED, "amx": CAPPED,
                                         "avx512_fp16": CAPPED}),
        ({"ISAKERN_DISABLE": "avx512_fp16,amx"}, {"avx512_fp16": DISABLED, "amx": DISABLED,
                                                  "avx512_bf16": USABLE}),
        ({"ISAKERN_BIND": "get_vec_length=avx512"}, {"avx512": USABLE, "avx512_vnni": PINNED, "avx2": PINNED,
                                                     "avx512_fp16": PINNED})):
    name = "states under %s=%s" % next(iter(env.items()))
    r = simulate(spr, [program, "all"], **env)
    if r.status == 77 or set(ISAS) != set(BUILT):
        tap.skip(name, "this CPU or build lacks ISAs")
        continue
    wrong = states_wrong(told(r)[2], expected)
    tap.ok(not wrong, name, "%r\n%s" % (wrong, r))

# Demotion: a row for one family and a range of models, linked in place of the archive's own.
if "avx512" in BUILT:
    REASON = "measured at 2.1 times the time: " + "x" * 43  # the greatest length
    # Everything that icx, model 106, runs above avx2, and avx512 on its neighbours.
    rows = ["avx512 6 100-110 slow", "avx512 6 85-85 measured"]
    rows += ["%s 6 106-106 %s" % (i, REASON) for i in LENGTH_ISAS if i in icx.set - {"baseline", "avx2", "avx512"}]
    with open(tap.path("tuning.tbl"), "w", encoding="utf-8") as f:
        f.write("".join("get_vec_length %s\n" % row for row in rows))
    library = tables.Library(FAMILIES, tap.path("tuning.tbl"))
    length_kernel = library.kernels["get_vec_length"]
    family = next(f for f in library.families if f.name == length_kernel.family)
    source = write.Writer(library, "isakern", "isk", BUILT, tap.path("made")).rows(family, length_kernel.file)
    row = tap.cc("row.o", "-c", "-O2", "-fPIC", "-mgeneral-regs-only", *INTERNAL, "-DISK_STATIC", source)
    by_model = tap.cc("demoted", *BASE, *INCLUDE, row, *STATIC)
    for model, states in (
            (icx, {i: DEMOTED for i in icx.set - {"baseline", "avx2"}}),
            (cpu("SkylakeXeon"), {"avx512": DEMOTED, "avx512_vnni": NO_CPU}),
            (cpu("CascadeLakeSP"), {"avx512": DEMOTED, "avx512_vnni": USABLE}),
            (cpu("CannonLake"), {"avx512": DEMOTED}),
            (cpu("TigerLake"), {"avx512": USABLE, "avx512_vnni": USABLE}),
            (cpu("CNS_04"), {"avx512": USABLE}),
            (cpu("Raphael"), {"avx512": USABLE, "avx512_vnni": USABLE})):
        length = top(model.set - {i for i, state in states.items() if state == DEMOTED}, LENGTH_ISAS)
        r = simulate(model, [by_model, "all"], ISAKERN_VERBOSE="1")
        name = "demotion on " + model.name
        if r.status == 77 or set(ISAS) != set(BUILT):
            tap.skip(name, "this CPU or build lacks ISAs")
            continue
        level, slots, found = told(r)
        wrong = states_wrong(found, states)
        tap.ok(not wrong and bound_lines(r).get("get_vec_length") == length
               and found["get_vec_length/" + length][1] == 1 and slots["relu_f32"] == top(model.set, RELU_ISAS),
               name, "%r, expected %s\n%s" % (wrong, length, r))
        if model is icx:
            tap.ok("reason=slower on this CPU: " + REASON + "\n" in r.out
                   and "-> avx2 (avx2_vnni: CPU lacks avxvnni)" in r.err,
                   "the reason is told", r)
        # The other kernel has no row; a pin overrides a demotion.
        r = simulate(model, [by_model], ISAKERN_VERBOSE="1", ISAKERN_BIND="get_vec_length=avx512")
        tap.equal(bound_lines(r).get("get_vec_length"), "avx512", "a pin overrides " + name, r)
else:
    tap.skip("demotion", "avx512 is not built")

# cpuidsim itself: a model that does not exist, and the exit status of the program that it runs.
r = run([SIM, "No such CPU", program])
tap.ok(r.status == 2 and "no such model: No such CPU" in r.err, "cpuidsim: no such model", r)
r = simulate(haswell, ["/bin/sh", "-c", "exit 7"])
tap.equal(r.status, 7, "cpuidsim: the exit status is the program's", r)
r = simulate(haswell, ["/bin/sh", "-c", "kill -SEGV $$"])
tap.equal(r.status, 128 + 11, "cpuidsim: so is death by a signal", r)
tap.done()
