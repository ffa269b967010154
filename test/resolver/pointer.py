#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""-Ddispatch=pointer: small libraries with this build's compiler or with musl's, and programs that call them.

    pointer.py own|musl MESON...

The sources are the same for both, and each library takes a minute to configure and build: the fast suite has musl's, for which
the pointers are made, and the slow suite this build's own.
"""
import glob
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys

from kit import CC, GLIBC, HERE, INCLUDE, INTERNAL, LANES, Result, SOURCE, Tap, clean_environment, host_isas, run, top
from objects import relocations, resolver_complaints, sections, symbols, tool

tap = Tap()
WHICH, *MESON = sys.argv[1:]
NOBODY = 65534
CALLED = ["axpby_f32", "dot_f32", "get_vec_length", "relu_f32"]
UNUSED = "sum_f32"
BEST = top(host_isas(), ["baseline", "avx2"])
WARN = ["-O2", "-Wall", "-Wextra", "-Werror"]


def entries():
    """pointer.h and bind.c alone, for each architecture with a compiler and an emulator."""
    files = [os.path.join(HERE, "entry.c"), os.path.join(SOURCE, "src", "resolve", "bind.c")]
    expected = {"first": "1", "once": "1", "of_probe": "1", "second": "1", "still": "1", "other": "1", "asked": "2",
                "of_alias": "1", "aligned": "1", "same": "1"}
    for name, compiler, emulator, branches, landing in (
            ("x86-64", CC, [], "-fcf-protection=full", "endbr64"),
            ("AArch64", ["aarch64-linux-gnu-gcc"], ["qemu-aarch64"], "-mbranch-protection=standard", "bti c")):
        missing = [c[0] for c in (compiler, emulator) if c and not shutil.which(c[0])]
        if missing:
            tap.skip("entry of " + name, "no " + missing[0])
            continue
        words = [*WARN, *INTERNAL, "-DISK_POINTER", "-UISK_PREFIX", "-DISK_PREFIX=tst"]
        for kind in (["-static"], ["-fno-pie", "-no-pie", "-static", branches]):
            program = tap.cc("entry", *files, *words, *kind, compiler=compiler)
            r = run([*emulator, program])
            tap.equal(r.values(), expected, "entry of %s, %s" % (name, kind[-1]), r)
        code = tool(compiler[0].replace("gcc", "objdump") if emulator else "objdump", "-d", "--no-show-raw-insn", program)
        first = code.split("<tst_probe>:\n")[1].split("\n")[0]
        tap.equal(first.split()[1:], landing.split(), "%s: %s, and an entry begins with %s" % (name, branches, landing))


def configure(name, compiler, *options):
    build = tap.path(name)
    r = run(MESON + ["setup", build, SOURCE, "-Dkernels=" + ",".join(CALLED + [UNUSED]), "-Disa=avx2", "-Ddocs=false",
                     "-Dpython=disabled", *options], timeout=300, CC=shlex.join(compiler))
    said = re.search(r"^ +dispatch *: (\w+)$", r.out, re.M)
    if not tap.ok(r.status == 0 and said and said[1] == "pointer", name + ": dispatch is pointer", r):
        return None
    r = run(["ninja", "-C", build, "-j2"], timeout=900)
    return build if tap.ok(r.status == 0, name + ": builds", r) else None


def form(name, lib):
    """The symbols and sections of the library and its objects."""
    shared = os.path.join(lib, "libisakern.so")
    kinds = dict((n.split("@")[0], letter) for letter, n in symbols(shared))
    tap.equal({kinds.get("isk_" + k) for k in CALLED}, {"T"}, name + ": kernels are functions")
    moved = [r for r in relocations(shared) if r[1] not in ("R_X86_64_GLOB_DAT", "R_X86_64_JUMP_SLOT")]
    tap.equal(moved, [], name + ": no relocation but of names")
    tap.equal([s for s in sections(shared) if "init" in s or "fini" in s], [], name + ": no constructor")
    for kind in ("shared", "static"):
        objects = [o for part in ("resolve", "rows")
                   for o in sorted(glob.glob(os.path.join(lib, "libisakern_%s_%s.a.p" % (part, kind), "*.o")))]
        complaints = resolver_complaints(objects)
        tap.ok(objects and not complaints, "%s: %d resolver objects, %s" % (name, len(objects), kind), "\n".join(complaints))


def environment(name, programs):
    """First calls heed the environment."""
    for how, command in programs.items():
        for env, lanes, length, relu in (
                ({}, BEST, BEST, BEST),
                ({"ISAKERN_MAX_ISA": "baseline"}, "baseline", "baseline", "baseline"),
                ({"ISAKERN_DISABLE": "avx2"}, "baseline", "baseline", "baseline"),
                ({"ISAKERN_BIND": "get_vec_length=baseline"}, "baseline", "baseline", BEST)):
            r = run(command, **env)
            got = r.values()
            tap.ok(r.status == 0 and got.get("lanes") == LANES[lanes] and got.get("length") == length
                   and got.get("relu") == relu and got.get("right") == got.get("reference") == "1" and not r.err,
                   "%s, %s, %s" % (name, how, " ".join("%s=%s" % e for e in env.items()) or "nothing set"), r)
        r = run(command, ISAKERN_VERBOSE="1")
        bound = sorted(w.split()[1] for w in r.warnings() if " -> " in w)
        tap.equal(bound, CALLED, "%s, %s: each kernel is bound once, at its first call" % (name, how), r)
        r = run(command, ISAKERN_MAX_ISA="nonsense")
        tap.equal(len(r.warnings()), 1, "%s, %s: a wrong name is told once" % (name, how), r)


def threads(name, program):
    outcomes = set()
    for _ in range(40):
        r = run([program])
        outcomes.add(r.out)
    tap.equal(outcomes, {"lanes=%s current=%s\n" % ((LANES[BEST] + ",") * 8, BEST)},
              name + ": eight threads at the first call agree, 40 times")


def rights(name, programs):
    """A program with another user's rights ignores the environment."""
    if os.geteuid() or os.statvfs(tap.dir).f_flag & os.ST_NOSUID:
        tap.skip(name + ", set-user-id", "only root can make such programs, and not where it is mounted nosuid")
        return
    for how, (path,) in programs.items():
        victim = shutil.copy(path, tap.path("victim"))
        for mode, isa in ((0o755, "baseline"), (0o4755, BEST)):
            os.chown(victim, pwd.getpwnam("daemon").pw_uid, -1)
            os.chmod(victim, mode)
            r = Result(subprocess.run([victim], capture_output=True, text=True, cwd="/", timeout=60, user=NOBODY, group=NOBODY,
                                      extra_groups=[], env=clean_environment(ISAKERN_MAX_ISA="baseline")))
            tap.ok(r.values().get("lanes") == LANES[isa], "%s, %s, mode %o" % (name, how, mode), r)


def library(name, compiler, static, *options):
    build = configure(name, compiler, *options)
    if not build:
        return
    lib = os.path.join(build, "src")
    form(name, lib)
    # A place that the user nobody can read, whatever the rights of the build folder.
    at = tap.path(name + "-lib")
    os.mkdir(at)
    shutil.copy(os.path.join(lib, "libisakern.so"), os.path.join(at, "libisakern.so.0"))
    shared, references = os.path.join(at, "libisakern.so.0"), shutil.copy(os.path.join(lib, "libisakern-ref.so"), at)
    archive = [os.path.join(lib, "libisakern.a"), "-lm"]
    pointed, race = (os.path.join(HERE, f) for f in ("pointed.c", "race.c"))

    def cc(what, *words):
        return tap.cc("%s-%s" % (name, what), *WARN, *INCLUDE, *words, compiler=compiler)

    programs = {"bound lazily": [cc("lazy", pointed, shared, "-Wl,-rpath," + at, "-Wl,-z,lazy")],
                "bound at load": [cc("now", pointed, shared, "-Wl,-rpath," + at, "-Wl,-z,now", "-fno-plt")]}
    for flag in static:
        programs[flag] = [cc(flag, "-DSTATIC", pointed, flag, *archive)]
        # References and their forms are one object and not kernels; a weak row stands for a kernel that is missing.
        unused = [n for letter, n in symbols(programs[flag][0]) if UNUSED in n and letter not in "UwW"
                  and n not in ("isk_%s__ref" % UNUSED, "form_" + UNUSED)]
        tap.equal(unused, [], "%s, %s: no kernel that nobody calls" % (name, flag))
    rights(name, programs)
    programs["dlopen"] = [programs["bound lazily"][0], shared]
    environment(name, programs)
    threads(name, cc("race", "-pthread", race, shared, "-Wl,-rpath," + at))
    r = run(programs["bound lazily"], LD_PRELOAD=references, ISAKERN_VERBOSE="1")
    tap.ok(r.status == 0 and r.values().get("right") == "1" and not r.err, name + ": LD_PRELOAD of the references", r)


entries()
if WHICH == "own" or not GLIBC:
    library("pointer", CC, ["-static", "-static-pie"] if GLIBC else ["-static"], "-Ddispatch=pointer")
elif shutil.which("musl-gcc"):
    library("musl", ["musl-gcc"], ["-static"])
else:
    tap.skip("musl", "no musl-gcc (package musl-tools)")
tap.done()
