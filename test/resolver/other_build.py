#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""other_build.py NAME EMULATOR MESON: builds isakern in another way, then runs checks of objects and linking on it.

EMULATOR is that of AMX, to be preloaded; it is the same for every build.
"""
import os
import re
import shutil
import subprocess
import sys

from kit import BUILD, CALLS, HERE, INTERNAL, ISAS, LINK, SOURCE, Tap, clean_environment, run

tap = Tap()
NAME, EMULATOR, MESON = sys.argv[1], sys.argv[2], sys.argv[3:]
# name -> compiler, environment, Meson options, tests to run on it
TESTS = ["object_check", "link_matrix", "library_form", "lookup", "pins", "emulated", "simulate"]
BUILDS = {
    "clang-14": ("clang-14", {}, [], TESTS),
    "clang-14 -O0": ("clang-14", {}, ["-Dbuildtype=plain", "-Dc_args=-O0"], TESTS),
    "clang-19": ("clang-19", {}, [], TESTS),
    "clang-19 -O3": ("clang-19", {}, ["-Dbuildtype=release"], TESTS),
    "gcc -O0": ("gcc", {}, ["-Dbuildtype=plain", "-Dc_args=-O0"], TESTS),
    "gcc -O3": ("gcc", {}, ["-Dbuildtype=release"], TESTS),
    "CFLAGS=-march=native": ("gcc", {"CFLAGS": "-O2 -march=native"}, ["-Dbuildtype=plain"], TESTS),
    "hardened": ("gcc", {"CFLAGS": "-O2 -fstack-protector-all -fcf-protection=full -D_FORTIFY_SOURCE=2"},
                 ["-Dbuildtype=plain"], ["object_check", "link_matrix"]),
    "CFLAGS with instrumentation": ("gcc", {
        # Instrumented code can break resolvers, which are the same for any number of ISAs. Two ISAs suffice, because gcc
        # 12 takes an hour for all of them: it instruments each inlined tile. It also loses track of what the GEMM's
        # unrolled loops initialise.
        "CFLAGS": "-O1 -fprofile-generate -finstrument-functions"
                  " -finstrument-functions-exclude-file-list=src/isa,matrix/micro.h,matrix/tile.h"
                  " -fstack-protector-all -Wno-maybe-uninitialized",
        "LDFLAGS": "-fprofile-generate"},
        ["-Dbuildtype=plain", "-Disa=avx2"], ["object_check", "link_matrix"]),
    "sanitizers": ("gcc", {}, ["-Db_sanitize=address,undefined", "-Dbuildtype=plain", "-Dc_args=-O1"],
                   ["object_check"]),
    "lto": ("gcc", {}, ["-Db_lto=true"], TESTS),
    "coverage": ("gcc", {}, ["-Db_coverage=true"], ["object_check", "link_matrix", "emulated"]),
    "unity": ("gcc", {}, ["--unity=on"], ["object_check"]),
    "-Disa=avx2": ("gcc", {}, ["-Disa=avx2"], TESTS),
}
compiler, env, options, tests = BUILDS[NAME]
if not shutil.which(compiler):
    tap.skip(NAME, "no " + compiler)
    tap.done()

build = tap.path("build")
r = run(MESON + ["setup", build, SOURCE, "-Dtests=disabled", *options], timeout=300, CC=compiler, **env)
if not tap.ok(r.status == 0, "configure", r.out[-2000:] + r.err):
    tap.done()
r = run(["ninja", "-C", build, "-j2", "-k0"], timeout=2100, **env)
said = [l for l in r.out.split("\n") if re.search(r"error:|warning:|FAILED|undefined", l)]
tap.ok(not any("warning:" in l for l in said), "no warning", "\n".join(said))
if not tap.ok(r.status == 0, "build", "\n".join(said)):
    tap.done()
with open(os.path.join(build, "meson-info/intro-targets.json"), encoding="utf-8") as f:
    libraries = set(re.findall(r'"name": "isakern_(\w+)"', f.read()))
built = [i for i in ISAS if i in libraries]
instrumented = {"sanitizers": "b_sanitize", "coverage": "b_coverage",
                "CFLAGS with instrumentation": "b_coverage"}.get(NAME, "")
child = clean_environment(ISK_SOURCE=SOURCE, ISK_BUILD=build, ISK_FAMILIES=os.environ["ISK_FAMILIES"], ISK_CC=compiler, ISK_ISAS=",".join(built),
                          ISK_INSTRUMENTED=instrumented, ISK_LTO="1" if NAME == "lto" else "")
# Every kernel once, in a program built in the same way, so that sanitizers watch over the kernels as well.
flags = ["-fsanitize=address,undefined"] if NAME == "sanitizers" else []
program = tap.cc("all_kernels", *flags, "-std=gnu11", "-O1", os.path.join(HERE, "all_kernels.c"),
                 *[word.replace(BUILD, build) for word in INTERNAL + [CALLS] + LINK], "-lm", compiler=[compiler])
for cap in built:
    r = run([program], ISAKERN_MAX_ISA=cap, ASAN_OPTIONS="detect_leaks=0", timeout=300)
    tap.ok(r.status == 0 and "kernels=" in r.out and not r.err, "every kernel runs, cap " + cap, r)
cpuidsim = tap.cc("cpuidsim", "-std=gnu11", "-O1", '-DCPUS_TABLE="%s"' % os.path.join(HERE, "cpus.tbl"),
                  os.path.join(HERE, "cpuidsim.c"))
arguments = {"library_form": MESON, "simulate": [cpuidsim, EMULATOR]}
for test in tests:
    r = subprocess.run([sys.executable, os.path.join(HERE, test + ".py")] + arguments.get(test, []),
                       capture_output=True,
                       text=True, env=child, timeout=600)
    lines = r.stdout.split("\n")
    bad = [i for i, l in enumerate(lines) if l.startswith(("not ok", "Bail out"))]
    good = sum(1 for l in lines if l.startswith("ok") and "# SKIP" not in l)
    tap.ok(r.returncode == 0 and not bad and good, "%s: %d passed" % (test, good),
           "\n".join(l for i in bad[:4] for l in lines[i:i + 9]) + r.stderr)
    for line in lines:
        if "# SKIP" in line:
            name, reason = re.match(r"ok \d+ - (.*) # SKIP (.*)", line).groups()
            tap.skip("%s: %s" % (test, name), reason)
tap.done()
