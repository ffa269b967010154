#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The effect of each ISAKERN_ variable; each mistake in one is reported exactly once."""
import os
import shutil

from kit import BUILT, HERE, IFUNC, INCLUDE, ISAS, KERNELS, LANES, LINK, SHARED, STATIC, Tap, host_isas, run, top

tap = Tap()
HOST = [i for i in host_isas() if i in BUILT]
LENGTH, RELU = KERNELS["get_vec_length"].isas, KERNELS["relu_f32"].isas
NATURAL = {"length": top(HOST, LENGTH), "relu": top(HOST, RELU), "current": top(HOST)}
ALL = ", ".join(ISAS)
NO_BASELINE = ", ".join(ISAS[1:])
PROBE = os.path.join(HERE, "probe.c")
BASE = ["-O1", "-Wall", "-Wextra", "-Werror"] + INCLUDE
lazy = tap.cc("lazy", PROBE, *BASE, "-Wl,-z,lazy", *LINK)
now = tap.cc("now", PROBE, *BASE, "-Wl,-z,now", *LINK)
static = tap.cc("static", PROBE, *BASE, "-static", "-DPROBE_STATIC", *STATIC)
# In this order of loading the library is not relocated when its resolvers run: it reads /proc/self/environ.
importer = tap.cc("importer.so", PROBE, *BASE, "-DPROBE_LIBRARY", "-fPIC", "-shared", "-Wl,-z,now")
loader = tap.cc("loader", os.path.join(HERE, "loader.c"), *BASE)
MODES = {"lazy": [lazy], "now": [now], "static": [static],
         "unrelocated": ["env", "LD_PRELOAD=%s %s" % (SHARED, importer), loader, "global"]}


# If the slots of programs hold entries, ask the library itself.
LENGTH_OF = "length" if IFUNC else "bound_length"


def warned(r):
    return [l[len("isakern: "):] for l in r.warnings() if " -> " not in l]


def check(name, env, warnings=(), modes=MODES, lines=None, **bound):
    """bound: the bindings that differ from NATURAL. lines: the output of ISAKERN_VERBOSE=1."""
    for mode in modes:
        r = run(MODES[mode], **env)
        v = r.values()
        want = dict(NATURAL, **bound)
        if mode == "static" or not IFUNC:
            v["length"], v["relu"] = v.get("bound_length"), v.get("bound_relu")
        wrong = {k: (v.get(k), w) for k, w in want.items() if v.get(k) != w}
        if warned(r) != list(warnings):
            wrong["warnings"] = (warned(r), list(warnings))
        said = sorted(set(l for l in r.warnings() if " -> " in l))
        if said != sorted("isakern: " + l for l in lines or []):
            wrong["lines"] = (said, lines)
        if r.status:
            wrong["status"] = r.status
        tap.ok(not wrong, "%s, %s" % (name, mode), "%r\nwrong (got, expected): %r\n%s" % (env, wrong, r))


def allowed(variable, word, isas):
    return "%s: '%s' ignored; allowed: %s" % (variable, word, isas)


def pins(kernel):
    return ", ".join(i for i in KERNELS[kernel].isas if i in HOST)


check("nothing set", {})
check("empty values", {"ISAKERN_MAX_ISA": "", "ISAKERN_DISABLE": "", "ISAKERN_BIND": "",
                       "ISAKERN_VERBOSE": ""})
check("empty words", {"ISAKERN_DISABLE": ",,", "ISAKERN_BIND": ","})
check("names that only begin alike", {"ISAKERN_MAX_ISAS": "baseline", "ISAKERN_MAX_IS": "baseline",
                                      "ISAKERN_VERBOSES": "1", "XISAKERN_MAX_ISA": "baseline"})

# ISAKERN_MAX_ISA
for cap in ISAS:
    below = [i for i in HOST if ISAS.index(i) <= ISAS.index(cap)]
    check("cap " + cap, {"ISAKERN_MAX_ISA": cap}, length=top(below, LENGTH), relu=top(below, RELU),
          current=top(below))
for word in ("avx9", "AVX2", "avx2 ", "avx", "avx512_", "3"):
    check("unknown cap '%s'" % word, {"ISAKERN_MAX_ISA": word}, [allowed("ISAKERN_MAX_ISA", word, ALL)])
check("cap with more words", {"ISAKERN_MAX_ISA": "baseline,avx2,x"},
      [allowed("ISAKERN_MAX_ISA", "avx2", ALL), allowed("ISAKERN_MAX_ISA", "x", ALL)],
      length="baseline", relu="baseline", current="baseline")
check("the first of two caps", {"ISAKERN_MAX_ISA": ["baseline", ISAS[-1]]}, length="baseline", relu="baseline", current="baseline")
for size in (62, 63, 64, 65, 5000):
    check("cap of %d characters" % size, {"ISAKERN_MAX_ISA": "x" * size},
          [allowed("ISAKERN_MAX_ISA", "x" * min(size, 63), ALL)])
check("cap that begins like an ISA", {"ISAKERN_MAX_ISA": "baseline" + "e" * 5000},
      [allowed("ISAKERN_MAX_ISA", "baseline" + "e" * 55, ALL)])

# ISAKERN_DISABLE
for isa in ISAS[1:]:
    left = [i for i in HOST if i != isa]
    check("disable " + isa, {"ISAKERN_DISABLE": isa}, length=top(left, LENGTH), relu=top(left, RELU),
          current=top(left))
check("disable all", {"ISAKERN_DISABLE": ",".join(ISAS[1:])}, length="baseline", relu="baseline",
      current="baseline")
check("baseline cannot be disabled", {"ISAKERN_DISABLE": "baseline"},
      [allowed("ISAKERN_DISABLE", "baseline", NO_BASELINE)])
check("everything disabled, and baseline", {"ISAKERN_DISABLE": ",".join(reversed(ISAS))},
      [allowed("ISAKERN_DISABLE", "baseline", NO_BASELINE)], length="baseline", relu="baseline",
      current="baseline")
check("unknown names to disable", {"ISAKERN_DISABLE": "sse2,%s,mmx" % ",".join(ISAS[1:])},
      [allowed("ISAKERN_DISABLE", "sse2", NO_BASELINE), allowed("ISAKERN_DISABLE", "mmx", NO_BASELINE)],
      length="baseline", relu="baseline", current="baseline")
long_list = ",".join(ISAS[1:] * 60)
check("a list of %d characters" % len(long_list), {"ISAKERN_DISABLE": long_list},
      length="baseline", relu="baseline", current="baseline")

# ISAKERN_BIND
check("pin", {"ISAKERN_BIND": "relu_f32=baseline"}, relu="baseline")
check("two pins", {"ISAKERN_BIND": "relu_f32=baseline,get_vec_length=baseline"}, relu="baseline",
      length="baseline")
check("the last pin counts", {"ISAKERN_BIND": "relu_f32=%s,relu_f32=baseline" % NATURAL["relu"]},
      relu="baseline")
check("pin that is not well formed", {"ISAKERN_BIND": "relu_f32"},
      ["ISAKERN_BIND: 'relu_f32' ignored; a pin is written KERNEL=ISA"])
kernels = "no such kernel; `isakern kernels` lists those of isakern"
check("pin of no kernel", {"ISAKERN_BIND": "rely_f32=baseline"},
      ["ISAKERN_BIND: 'rely_f32' ignored; " + kernels])
check("pin of the symbol's name", {"ISAKERN_BIND": "isk_relu_f32=baseline"},
      ["ISAKERN_BIND: 'isk_relu_f32' ignored; " + kernels])
check("pin of nothing", {"ISAKERN_BIND": "=baseline"}, ["ISAKERN_BIND: '' ignored; " + kernels])
for isa in ("avx9", "", "AVX2", "baseline=avx2"):
    check("pin to no ISA '%s'" % isa, {"ISAKERN_BIND": "relu_f32=" + isa},
          ["ISAKERN_BIND: 'relu_f32=%s' ignored; no such ISA; allowed: %s" % (isa, pins("relu_f32"))])
check("pin to a variant that does not exist", {"ISAKERN_BIND": "relu_f32=amx"},
      ["ISAKERN_BIND: 'relu_f32=amx' ignored; no such variant; allowed: " + pins("relu_f32")])
missing = [i for i in LENGTH if i in BUILT and i not in HOST]
if missing:
    check("pin above the CPU", {"ISAKERN_BIND": "get_vec_length=" + missing[-1]},
          ["ISAKERN_BIND: 'get_vec_length=%s' ignored; this CPU and OS cannot run it; allowed: %s"
           % (missing[-1], pins("get_vec_length"))])
    check("a pin above the CPU leaves an earlier one", {
        "ISAKERN_BIND": "get_vec_length=baseline,get_vec_length=" + missing[-1]},
        ["ISAKERN_BIND: 'get_vec_length=%s' ignored; this CPU and OS cannot run it; allowed: %s"
         % (missing[-1], pins("get_vec_length"))], length="baseline")
else:
    tap.skip("pin above the CPU", "this CPU runs every row that is built; simulate plays others")
if "avx2" in HOST:
    check("pin above the cap", {"ISAKERN_BIND": "relu_f32=avx2", "ISAKERN_MAX_ISA": "baseline"},
          ["ISAKERN_BIND: 'relu_f32=avx2' ignored; capped or disabled; allowed: baseline"],
          length="baseline", relu="baseline", current="baseline")
    check("a pin at the end of a long list",
          {"ISAKERN_BIND": "relu_f32=avx2," * 400 + "get_vec_length=baseline"},
          relu="avx2", length="baseline")
else:
    tap.skip("pins to avx2", "this CPU has no avx2")
check("a pin of 5000 characters", {"ISAKERN_BIND": "relu_f32=" + "x" * 5000},
      ["ISAKERN_BIND: 'relu_f32=%s' ignored; no such ISA; allowed: %s" % ("x" * 54, pins("relu_f32"))])

# ISAKERN_VERBOSE
check("verbose 0", {"ISAKERN_VERBOSE": "0"})
for word in ("2", "yes", "11", "01"):
    check("verbose '%s'" % word, {"ISAKERN_VERBOSE": word},
          ["ISAKERN_VERBOSE: '%s' ignored; allowed: 0, 1" % word])
verbose = {"ISAKERN_VERBOSE": "1"}
check("verbose, capped", dict(verbose, ISAKERN_MAX_ISA="baseline"), length="baseline", relu="baseline",
      current="baseline",
      lines=["%s -> baseline (%s)" % (k, "avx2: capped by ISAKERN_MAX_ISA=baseline" if "avx2" in HOST else
                                      "avx2: CPU lacks ssse3") for k in ("relu_f32", "get_vec_length")])
check("verbose, pinned", dict(verbose, ISAKERN_BIND="relu_f32=baseline,get_vec_length=baseline"),
      length="baseline",
      relu="baseline", lines=["%s -> baseline (pinned by ISAKERN_BIND)" % k for k in ("relu_f32",
                                                                                      "get_vec_length")])
if "avx512_bf16" in HOST and NATURAL["relu"] == "avx512":
    check("verbose, disabled", dict(verbose, ISAKERN_DISABLE=",".join(ISAS[2:])), length="avx2", relu="avx2",
          current="avx2", lines=["relu_f32 -> avx2 (avx512: disabled by ISAKERN_DISABLE)",
                                 "get_vec_length -> avx2 (avx2_vnni: %s)" % (
                                     "disabled by ISAKERN_DISABLE"
                                     if "avx2_vnni" in HOST else "CPU lacks avxvnni")])
else:
    tap.skip("verbose, disabled", "this CPU or build lacks ISAs")
check("all mistakes at once", {"ISAKERN_MAX_ISA": "a", "ISAKERN_DISABLE": "b", "ISAKERN_BIND": "c",
                               "ISAKERN_VERBOSE": "d"},
      [allowed("ISAKERN_MAX_ISA", "a", ALL), allowed("ISAKERN_DISABLE", "b", NO_BASELINE),
       "ISAKERN_BIND: 'c' ignored; a pin is written KERNEL=ISA",
       "ISAKERN_VERBOSE: 'd' ignored; allowed: 0, 1"])

# /proc/self/environ is read through a window: the variables at every offset in it.
wrong = []
for pad in range(0, 520):
    r = run(["env", "-i", "A=" + "x" * pad, "ISAKERN_MAX_ISA=baseline", "ISAKERN_BIND=c", "LD_PRELOAD=%s %s"
             % (SHARED, importer), loader, "global"])
    v = r.values()
    if v.get(LENGTH_OF) != "baseline" or warned(r) != [
            "ISAKERN_BIND: 'c' ignored; a pin is written KERNEL=ISA"]:
        wrong.append("pad %d: %s" % (pad, r))
tap.ok(not wrong, "unrelocated: the variables anywhere in a long environment", "\n".join(wrong[:2]))
check("unrelocated: a long environment",
      dict({"FILLER_%d" % i: "x" * (97 * i) for i in range(60)}, ISAKERN_MAX_ISA="baseline"),
      modes=["unrelocated"],
      length="baseline", relu="baseline", current="baseline")

# First calls from eight threads, in 200 processes, lazily bound: all agree, and each mistake is reported once.
race = tap.cc("race", os.path.join(HERE, "race.c"), *BASE, "-pthread", "-Wl,-z,lazy", *LINK)
mistakes = {"ISAKERN_MAX_ISA": "a", "ISAKERN_DISABLE": "b", "ISAKERN_BIND": "c,get_vec_length=baseline",
            "ISAKERN_VERBOSE": "2"}
for name, env, isa, lines in (("mistakes", mistakes, "baseline", 4),
                              ("a cap", {"ISAKERN_MAX_ISA": "baseline"}, "baseline", 0),
                              ("nothing", {}, NATURAL["length"], 0)):
    wrong = []
    for _ in range(200 if name == "mistakes" else 50):
        r = run([race], **env)
        if r.status or r.values().get("lanes") != (LANES[isa] + ",") * 8 or len(warned(r)) != lines:
            wrong.append(str(r))
    tap.ok(not wrong, "first calls racing from 8 threads, " + name, "\n".join(wrong[:3]))

# valgrind knows neither all system calls nor all registers, so nothing in isakern may look like an error to it.
valgrind = shutil.which("valgrind")
for name, program in (("lazy", lazy), ("now", now)):
    if not valgrind:
        tap.skip("valgrind, " + name, "no valgrind")
        continue
    r = run([valgrind, "-q", "--error-exitcode=9", program], **mistakes)
    tap.ok(r.status == 0
           and len(warned(r)) == 4 and r.values().get("lanes") == "4" and r.values().get("right") == "1",
           "valgrind, " + name, r)

# A process that may read, write and exit, and is killed for all else: a first call asks Linux for nothing.
strict = tap.cc("strict", os.path.join(HERE, "strict.c"), *BASE, "-Wl,-z,lazy", *LINK)
for env in ({}, {"ISAKERN_MAX_ISA": "baseline"}, {"ISAKERN_DISABLE": HOST[-1]}, {"ISAKERN_VERBOSE": "1"}):
    r = run([strict], **env)
    if r.status == 77:
        tap.skip("strict seccomp", "this kernel or sandbox has none")
        continue
    tap.ok(r.status == 0, "strict seccomp, %s" % (" ".join(env) or "no variable"), r)

# stderr is closed.
r = run(["sh", "-c", "exec 2>&-; exec " + now], **mistakes)
tap.ok(r.status == 0 and r.values().get(LENGTH_OF) == "baseline", "stderr is closed", r)
tap.done()
