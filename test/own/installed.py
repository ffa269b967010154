#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/own-kernel with an installed isakern: by make, Meson and CMake; and the isakern command on its library.

    installed.py SOURCE LIBISAKERN MESON COMPILER...

A build for another machine is tested with make alone, because Meson and CMake would need files that describe the machine.
"""
import json
import os
import re
import shutil
import sys

SOURCE, LIBRARY, MESON, *COMPILER = sys.argv[1:]
BUILD = os.path.dirname(os.path.dirname(os.path.abspath(LIBRARY)))
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, ok, skip  # noqa: E402
from work import path, put, run  # noqa: E402

EXAMPLE = os.path.join(SOURCE, "examples", "own-kernel")
CC = " ".join(COMPILER)
# One ISA, because make builds all of them.
MESON_BUILD = """
project('user', 'c')
isakern = dependency('isakern')
my = custom_target(output: ['libmy.so', 'libmy-ref.so', 'my.h', 'my.pc'], input: ['my.tbl', 'my_step.c', 'my_mix.c'],
  command: [isakern.get_variable('isakern_cc'), '--prefix', 'my', '--isa', '%s', '-o', '@OUTPUT0@', '@INPUT@'],
  depend_files: ['my_oracle.h', 'my_shapes.tbl'])
executable('mix', 'mix.c', my[2], link_with: my[0], dependencies: isakern, build_rpath: meson.current_build_dir())
""" % target.LOWEST
CMAKE = """
cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(isakern REQUIRED)
isakern_library(my my my.tbl my_step.c my_mix.c)
add_executable(mix mix.c)
target_link_libraries(mix PRIVATE my isakern::isakern)
"""


def option(name):
    found = re.search(r'"name": "%s", "value": "(.*?)",' % name, run([MESON, "introspect", "--buildoptions", BUILD])[1])
    return found[1]


def power():
    """The output of mix, computed from the definitions."""
    total = 0
    for i in range(1000):
        x = -0.5 + i * 0.002
        t = min(max(x, 0), 1)
        total += (x - 0.5 * t * t * (3 - 2 * t)) ** 2
    return total


def right(text):
    found = re.fullmatch(r"(\d+\.\d+), by (\w+)\n", text)
    return bool(found) and abs(float(found[1]) - power()) < 0.01


def example(folder):
    shutil.copytree(EXAMPLE, path(folder))


def on_path():
    """A folder with the command that make finds: for another machine, a script that runs it."""
    put("bin", {"isakern": '#!/bin/sh\nexec %s "$@"\n' % " ".join([*target.WRAPPER, ISAKERN])})
    os.chmod(path("bin", "isakern"), 0o755)
    return path("bin")


def files(folder):
    return sorted(n for n in os.listdir(path(folder)) if n in ("libmy.so", "libmy-ref.so", "my.h", "my.pc", "libmy.a"))


ROOT = path("root")
status, said = run([MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", ROOT])
if not ok(status == 0, "meson install", said):
    print("Bail out! nothing is installed")
    sys.exit(1)
PREFIX = ROOT + option("prefix")
BIN, LIBDIR = os.path.join(PREFIX, option("bindir")), os.path.join(PREFIX, option("libdir"))
ISAKERN = os.path.join(BIN, "isakern")
ENV = {"PKG_CONFIG_SYSROOT_DIR": ROOT, "PKG_CONFIG_PATH": os.path.join(LIBDIR, "pkgconfig"), "LD_LIBRARY_PATH": LIBDIR,
       "PATH": BIN + ":" + os.environ["PATH"], "CC": CC}

with open(os.path.join(SOURCE, "docs", "own-kernels.md"), encoding="utf-8") as f:
    SMALLEST = f.read().split("## The smallest library\n")[1].split("\n## ")[0]
blocks = re.findall(r"`([\w.]+)`[^`]*?:\n\n((?:    .*\n|\n)+)", SMALLEST)
put("smallest", {name: re.sub(r"(?m)^    ", "", text) for name, text in blocks})
for command in re.findall(r"(?m)^    \$ (.*)$", SMALLEST):
    status, said = run(re.sub("^cc ", "$CC ", command), "smallest", **ENV)
    ok(status == 0, "docs/own-kernels.md: " + command, said)
ok(said == re.search(r"prints `(.*)`", SMALLEST)[1] + "\n", "and the program prints what the page says", said)

example("make")
status, said = run(["make", "-s", "CC=" + CC], "make", **ENV)
if ok(status == 0 and files("make") == ["libmy-ref.so", "libmy.so", "my.h", "my.pc"], "make: the example builds", said):
    ok(not said, "without a word", said)
    status, said = run(["./mix"], "make", **ENV)
    ok(status == 0 and right(said), "and prints the power %.3f" % power(), said)
    status, said = run(["./mix"], "make", ISAKERN_MAX_ISA=target.LOWEST, **ENV)
    ok(status == 0 and right(said) and said.endswith(" %s\n" % target.LOWEST), "ISAKERN_MAX_ISA caps it", said)
    status, said = run(["./mix"], "make", ISAKERN_VERBOSE="1", **ENV)
    ok("mix_f32 -> " in said, "ISAKERN_VERBOSE tells of it", said)
    status, said = run("cp mix.c user.c && $CC user.c -o user $(pkg-config --cflags --libs my) -L%s -lisakern" % LIBDIR,
                       "make", **{**ENV, "PKG_CONFIG_PATH": ENV["PKG_CONFIG_PATH"] + ":" + path("make"),
                                  "PKG_CONFIG_SYSROOT_DIR": "", "CPATH": os.path.join(PREFIX, option("includedir"))})
    if status == 0:
        status, said = run(["./user"], "make", **{**ENV, "LD_LIBRARY_PATH": ".:" + LIBDIR})
    ok(status == 0 and right(said), "my.pc serves where it lies", said)

    if not os.path.exists(ISAKERN):
        skip("isakern --library", "a build without the isakern command")
    else:
        def ask(*words, **env):
            return run([ISAKERN, "--library", "./libmy.so", *words], "make", **{**ENV, **env})

        names = ["mix_bf16", "mix_f32", "mix_f64", "smoothstep_f32"]
        status, said = ask("kernels", "--json")
        rows = json.loads(said) if status == 0 else []
        ok([r["kernel"] for r in rows] == names and [r["symbol"] for r in rows] == ["my_" + n for n in names],
           "isakern --library kernels", said)
        status, said = ask("why", "my_mix_f32")
        ok(status == 0 and "chosen" in said and "does not reach" not in said, "why, by the symbol", said)
        status, said = ask("why", "mix_f32", LD_PRELOAD="./libmy-ref.so")
        ok(status == 0 and "A call does not reach it but ./libmy-ref.so" in said, "why tells of preloaded references",
           said)
        status, said = run(["make", "-s", "check", "CC=" + CC], "make", **{**ENV, "PATH": on_path() + ":" + ENV["PATH"]})
        counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) not run", said)
        # The references and the lowest ISA run everywhere.
        ok(status == 0 and counts and int(counts[1]) >= 8 and counts[2] == "0", "make check: verify passes", said)
        status, said = ask("bench", "--quick", "--json", "mix_bf16")
        kernels = json.loads(said)["kernels"] if status == 0 else []
        ok([k["kernel"] for k in kernels] == ["mix_bf16"], "bench times a kernel of an own shape", said)
        status, said = ask("tune", "--quick", "smoothstep_f32", ISAKERN_MAX_ISA=target.LOWEST)
        ok(status == 0 and "1 of 1 kernels" in said, "tune", said)
        status, said = ask("why", "exp_f32")
        ok(status == 2 and "no kernel 'exp_f32'" in said, "it has no kernels of isakern", said)

        # verify must notice: the oracle is right and the kernel is not.
        example("wrong")
        with open(path("wrong", "my_step.c"), encoding="utf-8") as f:
            text = f.read()
        put("wrong", {"my_step.c": text.replace("vf_set1(-2)", "vf_set1(-2.001F)")})
        run(["isakern-cc", "--prefix", "my", "-o", "libmy.so", "--isa", target.LOWEST, "my.tbl", "my_step.c", "my_mix.c"],
            "wrong", **ENV)
        status, said = run([ISAKERN, "--library=./libmy.so", "verify"], "wrong", **ENV)
        ok(text.count("vf_set1(-2)") == 1 and status != 0 and "✗ smoothstep_f32/%s" % target.LOWEST in said
           and "✓ mix_f32/%s" % target.LOWEST in said,
           "verify finds a wrong kernel", said)

if target.WRAPPER:
    done()

example("meson")
put("meson", {"meson.build": MESON_BUILD})
status, said = run([MESON, "setup", "build"], "meson", **ENV)
if ok(status == 0, "Meson: configured", said):
    status, said = run(["ninja", "-C", "build"], "meson", **ENV)
    if ok(status == 0, "builds", said):
        status, said = run(["build/mix"], "meson", **ENV)
        ok(status == 0 and right(said), "and the program runs", said)

# From here on in a tree that was moved.
MOVED = path("moved")
os.rename(PREFIX, MOVED)
if not shutil.which("cmake"):
    skip("CMake", "no cmake")
else:
    example("cmake")
    put("cmake", {"CMakeLists.txt": CMAKE})
    status, said = run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_PREFIX_PATH=" + MOVED], "cmake",
                       CC=CC)
    if ok(status == 0, "CMake: configured in a moved tree", said):
        status, said = run(["cmake", "--build", "build"], "cmake")
        if ok(status == 0, "builds", said):
            status, said = run(["build/mix"], "cmake")
            ok(status == 0 and right(said), "and the program runs", said)
        put("without-c", {"CMakeLists.txt": CMAKE.replace("project(user C)", "project(user CXX)")})
        status, said = run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_PREFIX_PATH=" + MOVED], "without-c")
        ok(status != 0 and "isakern_library(my): kernels are in C" in " ".join(said.split()), "a project without C is told so", said)
        put("cmake", {"my_oracle.h": "#error changed\n"})
        status, said = run(["cmake", "--build", "build"], "cmake")
        ok(status != 0 and "changed" in said, "a changed oracle makes it anew", said)

# As a subproject: isakern-cc is there before isakern is built. One ISA: it is about what is found.
example("subproject")
put("subproject", {"meson.build": MESON_BUILD})
os.mkdir(path("subproject", "subprojects"))
os.symlink(SOURCE, path("subproject", "subprojects", "isakern"))
status, said = run([MESON, "setup", "build", "-Dbuildtype=plain", "-Disakern:isa=" + target.LOWEST,
                    "--force-fallback-for=isakern"], "subproject", CC=CC)
if ok(status == 0, "as a subproject: configured", said):
    status, said = run(["ninja", "-C", "build", "libmy.so"], "subproject", CC=CC)
    ok(status == 0 and os.path.exists(path("subproject", "build", "libmy.so")), "makes the library", said)
done()
