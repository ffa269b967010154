#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/own-kernel by Meson and CMake: with an installed isakern, in a tree that was moved, as a subproject.

    systems.py SOURCE LIBISAKERN MESON COMPILER...
"""
import os
import shutil

from placed import CC, ENV, MESON, PREFIX, SOURCE, example, right
import target
from tap import done, ok, skip
from work import path, put, run

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
