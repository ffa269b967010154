#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The form of the library: its symbols, relocations and sections; its header; its installed files."""
import glob
import os
import re
import shutil
import subprocess
import sys

from kit import (ARCHIVE, BUILD, CC, GENERATED, HERE, IFUNC, INCLUDE, INSTRUMENTED, KERNELS, LIBDIR, LINK, SHARED, SOURCE, STATIC,
                 Tap, host_isas, run, top)
from objects import tool

tap = Tap()
HEADER = os.path.join(SOURCE, "include/isakern.h")
MESON = sys.argv[1:]


def declared():
    """The functions that isakern.h declares, kernels included."""
    text = subprocess.run(CC + ["-E", "-P", *INCLUDE, HEADER], capture_output=True, text=True,
                          check=True).stdout
    return set(re.findall(r"\b(isk_\w+)\s*\((?=[^;{}]*\)[^;{}]*;)", text))


def dynamic_symbols(path):
    """name -> (type letter, version)"""
    found = {}
    for line in tool("nm", "-D", "--defined-only", path).split("\n"):
        m = re.match(r"[0-9a-f]+ (\S) ([^@\s]+)(?:@@?(\S+))?$", line)
        if m and m[1] != "A":
            found[m[2]] = (m[1], m[3])
    return found


kernels = {"isk_" + k for k in KERNELS}
functions = declared()
symbols = dynamic_symbols(SHARED)
tap.equal(sorted(kernels - functions), [], "the header declares every kernel of the table")
tap.equal(sorted(n for n, (t, _) in symbols.items() if t == "i"), sorted(kernels if IFUNC else []),
          "the kernels of the table are the indirect functions of the library, and no other; none with -Ddispatch=pointer")
tap.equal(sorted(n for n, (t, _) in symbols.items() if t == "T"), sorted(functions - (kernels if IFUNC else set())),
          "what else the header declares is there, and nothing more")
tap.equal(sorted(n for n, (t, _) in symbols.items() if t not in "iT"), [],
          "no other kind of symbol is exported")
versions = {n: "ISAKERN_" + KERNELS[n[len("isk_"):]].since for n in kernels}
tap.equal({n: v for n, (_, v) in symbols.items() if v != versions.get(n, "ISAKERN_0.1")}, {},
          "every kernel has the version since which it is there, all else ISAKERN_0.1")
ref = os.path.join(LIBDIR, "libisakern-ref.so")
tap.equal({n: t for n, (t, _) in dynamic_symbols(ref).items()}, {**{n: "T" for n in kernels}, "isakern_description": "D"},
          "libisakern-ref has the same kernels, as plain functions, and their description")

dynamic = tool("readelf", "-dW", SHARED)
tags = re.findall(r"\((\w+)\)\s+(.*)", dynamic)
for tag in ("TEXTREL", "INIT", "INIT_ARRAY", "FINI", "FINI_ARRAY", "PREINIT_ARRAY"):
    tap.ok(tag not in dict(tags), "no DT_" + tag, dynamic)
tap.ok("BIND_NOW" in dict(tags).get("FLAGS", ""), "BIND_NOW", dynamic)
tap.equal(dict(tags).get("SONAME"), "Library soname: [libisakern.so.0]", "soname")
needed = [re.search(r"\[(.*)\]", v)[1] for t, v in tags if t == "NEEDED"]
for name in ("libc.so.6", "ld-linux-x86-64.so.2"):
    tap.ok(name in needed, "needs " + name, needed)
tap.equal(sorted(set(needed) - {"libc.so.6", "ld-linux-x86-64.so.2", "libdl.so.2"}), [],
          "needs nothing that takes long to load")
RELOCATION = re.compile(r"^[0-9a-f]{12,}\s+\S+\s+(R_X86_64_\w+)\s+(?:[0-9a-f]+\s+)?(\S+)", re.M)
relocations = RELOCATION.findall(tool("readelf", "-rW", SHARED))
tap.equal([r for r in relocations if r[0] in ("R_X86_64_RELATIVE", "R_X86_64_IRELATIVE", "R_X86_64_64")], [],
          "no relocation for a table, none against its own functions")
tap.equal([r for r in relocations if r[1].split("@")[0] in symbols], [], "no call of its own public symbols")
tap.equal(sorted(r[1].split("@")[0] for r in relocations if r[0] == "R_X86_64_GLOB_DAT"),
          ["__libc_stack_end", "__x86_get_cpuid_feature_leaf", "environ"], "the three addresses from outside")
calls = [r for r in relocations if r[0] == "R_X86_64_JUMP_SLOT"]
tap.equal(len(relocations), 3 + len(calls), "what else is relocated: %d calls of other libraries" % len(calls))
segments = tool("readelf", "-lW", SHARED)
tap.ok(re.search(r"GNU_STACK.*\bRW\b", segments), "no executable stack", segments)
tap.ok(not re.search(r"LOAD.*\bRWE\b", segments), "nothing is writable and executable", segments)
undefined = set(re.findall(r" [Uwv] (\S+?)@?(?:@\S+)?$", tool("nm", "-D", "--undefined-only", SHARED), re.M))
tap.equal(sorted(n for n in undefined if n.startswith("isk_")), [], "no symbol of its own is left undefined")
if not INSTRUMENTED:
    tap.equal([n for n in undefined if re.search(r"asan|ubsan|gcov|stack_chk", n)], [], "nothing instrumented")
for name in ("isk_relu_f32", "isk_candidates"):
    if os.environ.get("ISK_LTO"):
        tap.skip(name + " is hidden in the archive", "link-time optimisation: readelf sees no symbols there")
        continue
    lines = tool("readelf", "-sW", ARCHIVE).split("\n")
    visible = [l for l in lines if l.endswith(" " + name) and " UND " not in l]
    tap.ok(visible and all(" HIDDEN " in l for l in visible), name + " is hidden in the archive", visible)

# The header alone.
for name, compiler, flags in (
        ("C99", CC, ["-std=c99", "-x", "c"]), ("C11", CC, ["-std=c11", "-x", "c"]),
        ("C23", CC, ["-std=c2x", "-x", "c"]),
        ("C++", ["g++"], ["-std=c++11", "-x", "c++"]), ("C++20", ["g++"], ["-std=c++20", "-x", "c++"])):
    if not shutil.which(compiler[0]):
        tap.skip("the header compiles alone as " + name, "no " + compiler[0])
        continue
    r = subprocess.run(compiler + flags + ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                           *INCLUDE, HEADER],
                       capture_output=True, text=True)
    errors = r.stderr.replace("warning: #pragma once in main file", "")
    tap.ok(r.returncode == 0, "the header compiles alone as " + name, errors)
text = open(HEADER, encoding="utf-8").read()
tap.ok("ifunc" not in re.sub(r"/\*.*?\*/", "", text, flags=re.S), "the header has no ifunc attribute")

# Installed, found by pkg-config, used from C, dynamic and static.
if not MESON or not shutil.which("pkg-config"):
    tap.skip("installed tree", "no meson to install with, or no pkg-config")
else:
    root = tap.path("root")
    r = subprocess.run(MESON + ["install", "-C", BUILD, "--no-rebuild", "--destdir", root],
                       capture_output=True, text=True)
    tap.ok(r.returncode == 0, "meson install", r.stdout + r.stderr)
    pc = subprocess.run(["find", root, "-name", "isakern.pc"], capture_output=True, text=True).stdout.strip()
    tap.ok(pc.count("\n") == 0 and pc, "one isakern.pc", pc)
    pc_path = run(["pkg-config", "--variable=pc_path", "pkg-config"]).out.strip()
    config = {"PKG_CONFIG_LIBDIR": os.path.dirname(pc) + ":" + pc_path,
              "PKG_CONFIG_SYSROOT_DIR": root}

    def flags(*options):
        r = run(["pkg-config", *options, "isakern"], **config)
        if r.status:
            tap.ok(False, "pkg-config " + " ".join(options), r)
        return r.out.split()

    probe = os.path.join(HERE, "probe.c")
    tap.equal(flags("--modversion"), ["0.1.0"], "pkg-config: the version")
    libdir = run(["pkg-config", "--variable=libdir", "isakern"],
                 **dict(config, PKG_CONFIG_SYSROOT_DIR="")).out.strip()
    program = tap.cc("dynamic", "-Wall", probe, *flags("--cflags", "--libs"))
    r = run([program], LD_LIBRARY_PATH=root + libdir)
    tap.ok(r.status == 0 and r.values().get("cpu") == top(host_isas()) and r.values().get("right") == "1",
           "a program built against the installed library runs", r)
    archive = os.path.join(root + libdir, "libisakern.a")
    static = ["-static", "-DPROBE_STATIC", probe, *flags("--static", "--cflags", "--libs")]
    r = run([tap.cc("static", "-Wall", *static)])
    tap.ok(r.status == 0 and r.values().get("cpu") == top(host_isas()), "and a static one", r)
    installed = os.path.join(root + libdir.split("/lib")[0], "include", "isakern")
    generated = [name for library in glob.glob(os.path.join(LIBDIR, "gen", "isakern*"))
                 for name in os.listdir(os.path.join(library, "include", "isakern"))]
    by_hand = [name for name in os.listdir(os.path.join(SOURCE, "include", "isakern")) if not name.endswith(".in")]
    tap.equal(sorted(os.listdir(installed)), sorted(generated + by_hand), "all headers beside isakern.h are installed")

# An executable that exports a kernel from the archive would keep a BIND_NOW plugin from loading.
plugin = tap.cc("plugin.so", os.path.join(HERE, "probe.c"), "-DPROBE_LIBRARY", *INCLUDE, "-fPIC", "-shared",
                "-Wl,-z,now", *LINK)
main = tap.path("main.c")
with open(main, "w", encoding="utf-8") as f:
    f.write('#include "isakern.h"\nvoid probe(void);\n'
            "int main(void)\n{\n\tprobe();\n\treturn isk_get_vec_length() < 4;\n}\n")
for name, link in (("-rdynamic", ["-rdynamic"]), ("-rdynamic -u", ["-rdynamic", "-Wl,-u,isk_relu_f32"])):
    program = tap.cc("exports", main, *INCLUDE, "-fPIE", "-pie", *link, plugin, "-Wl,-rpath," + tap.dir,
                     *STATIC)
    r = run([program])
    tap.ok(r.status == 0 and "right=1" in r.out, "static archive with %s and a BIND_NOW plugin" % name, r)
    tap.equal([n for n in dynamic_symbols(program) if n.startswith("isk_")], [],
              "such a program exports no kernel, " + name)
# This system has the problem: the same happens with an exported indirect function.
with open(tap.path("trap.c"), "w", encoding="utf-8") as f:
    f.write('void probe(void);\nstatic int f(void) { return 0; }\n'
            'static void *pick(void) { return (void *)f; }\n'
            '__attribute__((ifunc("pick"))) int isk_get_vec_length(void);\n'
            "int main(void)\n{\n\tprobe();\n\treturn isk_get_vec_length();\n}\n")
program = tap.cc("trap", tap.path("trap.c"), "-fPIE", "-pie", "-rdynamic", plugin, "-Wl,-rpath," + tap.dir)
r = run([program])
tap.ok(r.status == 127 and "unsatisfiable circular dependency" in r.err, "an exported one does trip it", r)
tap.done()
