#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An installation, in a tree of its own, serves pkg-config, CMake and README's first program.

    install.py SOURCE BUILD MESON...
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import readme
from tap import done, ok, skip

SOURCE, BUILD, MESON = sys.argv[1], sys.argv[2], sys.argv[3:]
WORK = tempfile.TemporaryDirectory(prefix="isakern-test-")
ROOT = os.path.join(WORK.name, "root")

# isakern_omp.h declares everything in isakern.h too, and a program with it calls both libraries.
OMP_PROGRAM = r"""
#include <isakern_omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const float a[2] = {1, 2}, b[2] = {3, 4};
	const size_t bytes = isk_packed_size(ISK_F32, 2, 1);
	void *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
	float c = 0;

	if (isk_gemm_pack_f32(packed, b, bytes, 2, 1, 1, 0) != 0)
		return 1;
	if (isk_parallel_gemm_f32(&c, a, packed, 1, 1, 2, 1, 2, NULL) != 0)
		return 2;
	printf("%g\n", (double)c);
	return 0;
}
"""
# isk_call() finds kernels in a static program as well.
CALL_PROGRAM = r"""
#include <isakern.h>
#include <isakern_call.h>
#include <stdio.h>

int main(void)
{
	float x[2] = {0, 0}, y[2];
	struct isk_value args[3] = {{.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(y), .pointer = y},
	                            {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(x), .pointer = x},
	                            {.kind = ISK_KIND_INTEGER, .integer = 2}};

	isk_exp_f32(y, x, 1);
	if (isk_call("exp_f32", args, 3, NULL) != 0)
		return fprintf(stderr, "%s\n", isk_call_message()) != 0;
	printf("%g\n", (double)(y[0] + y[1]));
	args[2].integer = 3;
	return isk_call("exp_f32", args, 3, NULL) != ISK_CALL_SPACE;
}
"""
BLAS_PROGRAM = r"""
#include <cblas.h>
#include <stdio.h>

int main(void)
{
	const double x[2] = {3, 4};

	printf("%g %g\n", cblas_dnrm2(2, x, 1), cblas_dasum64_(2, x, 1));
	return 0;
}
"""
SLEEF_PROGRAM = r"""
#include <isakern/sleef.h>
#include <stdio.h>

int main(void)
{
	double x = 2;

	isk_exp2_f64(&x, &x, 1);
	printf("%g\n", x);
	return 0;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(isakern %s REQUIRED)
foreach(target isakern isakern_static omp omp_static call call_static sleef)
  if(NOT TARGET isakern::${target})
    continue()
  endif()
  string(REGEX REPLACE "_.*" "" source ${target})
  add_executable(with_${target} ${source}.c)
  target_link_libraries(with_${target} PRIVATE isakern::${target})
endforeach()
"""


def run(command, folder=WORK.name, **env):
    """The exit status and all output; a string is run by the shell."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_", "PKG_CONFIG_", "MALLOC_", "CMAKE_"))}
    r = subprocess.run(command, shell=isinstance(command, str), cwd=folder, env={**kept, **env}, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout


def put(name, text):
    path = os.path.join(WORK.name, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def option(name, where, **env):
    """The value of an option of Meson in a build, or the default if a meson.build is given."""
    status, out = run(MESON + ["introspect", "--buildoptions", where], **env)
    found = re.search(r'"name": "%s", "value": ("?)(.*?)\1,' % name, out)
    return found[2] if status == 0 and found else out


def omp_right(output):
    # The linker may first warn that a static libgomp uses dlopen().
    return output.endswith("11\n")


def call_right(output):
    # For static programs the linker may first warn of dlopen() too.
    return output.endswith("2\n")


# The tools of a plain `meson setup`, on a Debian without dpkg-dev and on one with it.
tools = os.path.join(WORK.name, "tools")
os.mkdir(tools)
put("tools/dpkg-architecture", "#!/bin/sh\nexit 1\n")
os.chmod(os.path.join(tools, "dpkg-architecture"), 0o755)
for name, path in (("with dpkg-dev", os.environ["PATH"]), ("without", tools + ":" + os.environ["PATH"])):
    libdir = os.path.join("/usr/local", option("libdir", os.path.join(SOURCE, "meson.build"), PATH=path))
    searched = run(["pkg-config", "--variable=pc_path", "pkg-config"])[1].strip().split(":")
    name = "looks where libraries go " + name
    if not os.path.exists("/etc/debian_version"):
        skip("pkg-config and the loader " + name, "this is not Debian")
        continue
    ok(libdir + "/pkgconfig" in searched, "pkg-config " + name, (libdir, searched))
    loader = run("cat /etc/ld.so.conf.d/*.conf")[1].split("\n")
    ok(libdir in loader, "the loader " + name, (libdir, loader))
ok(option("debug", os.path.join(SOURCE, "meson.build")) == "false", "the default is a build for users")

status, said = run(MESON + ["install", "-C", BUILD, "--no-rebuild", "--destdir", ROOT])
if not ok(status == 0, "meson install", said):
    print("Bail out! nothing is installed")
    sys.exit(1)
PREFIX = ROOT + option("prefix", BUILD)
LIBDIR = os.path.join(PREFIX, option("libdir", BUILD))
EXAMPLES = option("examples", BUILD) != "disabled"
TOOLS = option("tools", BUILD) != "disabled"
for library in readme.LIBRARIES + ["libisakern-omp.so", "libisakern-call.so", "libisakern-trace.so", "libisakern-check.so",
                                   "libisakern.a"]:
    path = os.path.join(LIBDIR, library)
    if library == "libisakern-blas.so" and not EXAMPLES:
        skip(library, "a build with -Dexamples=disabled")
        continue
    if library in ("libisakern-trace.so", "libisakern-check.so") and not TOOLS:
        skip(library, "a build with -Dtools=disabled")
        continue
    if not ok(os.path.exists(path), library + " is installed", said):
        continue
    sections = run(["readelf", "-SW", path])[1]
    if option("debug", BUILD) == "true":
        skip(library + " has symbols and nothing else for debuggers", "a build with -Ddebug=true")
    else:
        ok(".symtab" in sections and ".debug_" not in sections, library + " has symbols and nothing else for debuggers")
for library, function, value in (("libisakern-ref.so", "isk_sum_f32", 7), ("libisakern-blas.so", "cblas_sasum", 7)):
    code = ("import ctypes; f = ctypes.CDLL(None).%s; f.restype = ctypes.c_float; "
            "n = ctypes.c_%s(3); x = (ctypes.c_float * 3)(1, 2, 4); print(f(%s))" % (
                function, *(("size_t", "x, n") if function.startswith("isk") else ("int", "n, x, ctypes.c_int(1)"))))
    if library == "libisakern-blas.so" and not EXAMPLES:
        skip("LD_PRELOAD=" + library, "a build with -Dexamples=disabled")
        continue
    status, out = run([sys.executable, "-c", code], LD_PRELOAD=library, LD_LIBRARY_PATH=LIBDIR)
    ok(out == "%.1f\n" % value, "LD_PRELOAD=%s gives %s" % (library, function), out)

# No part of the tree is known to the loader, so libraries and the command find libisakern by their own place.
if option("prefix", BUILD) == "/usr":
    skip("libraries find each other in a folder that the loader does not know", "the loader knows /usr")
else:
    for library in ("libisakern-blas.so",) * EXAMPLES + ("libisakern-check.so", "libisakern-trace.so") * TOOLS + ("libisakern-omp.so",):
        code = "import ctypes; print(ctypes.CDLL(None).isk_isa_count() > 0)"
        status, out = run([sys.executable, "-c", code], LD_PRELOAD=os.path.join(LIBDIR, library))
        ok(status == 0 and out.startswith("True\n"), "%s finds libisakern beside it" % library, out)
    if TOOLS:
        command = os.path.join(PREFIX, option("bindir", BUILD), "isakern")
        status, out = run([command, "kernels", "exp_f32"])
        ok(status == 0 and "exp_f32" in out, "the command finds libisakern", out)

# The package is where its Python looks, if that looks anywhere below the prefix.
interpreter = option("interpreter", BUILD)
searched = [p for p in run([interpreter, "-c", "import sys; print(*sys.path, sep='\\n')"])[1].splitlines()
            if p.startswith(option("prefix", BUILD) + "/lib")]
packages = [os.path.dirname(p)[len(ROOT):] for p, _, files in os.walk(PREFIX)
            if os.path.basename(p) == "isakern" and "__init__.py" in files]
if packages and searched:
    ok(len(packages) == 1 and packages[0] in searched, "%s finds the package" % interpreter, (packages, searched))
else:
    skip("the Python package", "a build without it, or for a Python that looks nowhere below the prefix")

# pkg-config, with the tree as a system root: -I and -L then lead into the tree.
PC = {"PKG_CONFIG_SYSROOT_DIR": ROOT,
      "PKG_CONFIG_PATH": os.path.join(LIBDIR, "pkgconfig"), "LD_LIBRARY_PATH": LIBDIR}
put("first.c", readme.PROGRAM)
put("omp.c", OMP_PROGRAM)
put("call.c", CALL_PROGRAM)
status, out = run(readme.COMPILE, **PC)
ok(status == 0 and readme.first_right(out), "README's first program, by its own line", out)
put("matrices.c", readme.MATRICES_PROGRAM)
status, out = run("cc matrices.c $(pkg-config --cflags --libs isakern) -o program && ./program", **PC)
ok(status == 0 and readme.matrices_right(out), "what README does with matrices", out)
for static in ([], ["--static"]):
    for package, wanted in (("isakern", ["-lisakern"]), ("isakern-omp", ["-lisakern-omp", "-lisakern"]),
                            ("isakern-call", ["-lisakern-call", "-lisakern"])):
        status, out = run(["pkg-config", "--libs", *static, package], **PC)
        libraries = [word for word in out.split() if word.startswith("-l")]
        ok(status == 0 and libraries[:len(wanted)] == wanted and (not static or "-lm" in libraries),
           " ".join(["pkg-config --libs", *static, package]), out)
    for package, source, right in (("isakern", "first.c", readme.first_right), ("isakern-omp", "omp.c", omp_right),
                                   ("isakern-call", "call.c", call_right)):
        name = "a %s program with %s" % ("static" if static else "shared", package)
        line = "cc %s %s $(pkg-config --cflags --libs %s %s) -o program && ./program" % (
            " ".join(static).replace("--", "-"), source, " ".join(static), package)
        status, out = run(line, **PC)
        ok(status == 0 and right(out), name, line + "\n" + out)

if os.path.exists(os.path.join(LIBDIR, "isakern-blas3")):
    put("blas.c", BLAS_PROGRAM)
    # Programs find libblas.so.3 in its folder, or as an alternative.
    line = "cc blas.c $(pkg-config --cflags --libs isakern-blas3) -o program && ./program"
    status, out = run(line, **{**PC, "LD_LIBRARY_PATH": os.path.join(LIBDIR, "isakern-blas3") + ":" + LIBDIR})
    ok(status == 0 and out == "5 7\n", "a program with isakern-blas3", line + "\n" + out)
else:
    skip("a program with isakern-blas3", "a build with -Dblas=disabled")

with open(os.path.join(SOURCE, "docs", "c-and-cpp.md"), encoding="utf-8") as f:
    for language, text in re.findall(r"^```(c|cpp)\n(.*?)^```$", f.read(), re.M | re.S):
        compiler = {"c": "cc", "cpp": "c++ -std=c++17"}[language]
        if not shutil.which(compiler.split()[0]):
            skip("the program of docs/c-and-cpp.md in " + language, "no c++")
            continue
        put("front." + language, text)
        line = "%s front.%s $(pkg-config --cflags --libs isakern) -o program && ./program" % (compiler, language)
        status, out = run(line, **PC)
        ok(status == 0 and out.startswith("10 10\n"), "the program of docs/c-and-cpp.md in " + language, line + "\n" + out)

# The program of docs/call.md, compiled by the command below it.
with open(os.path.join(SOURCE, "docs", "call.md"), encoding="utf-8") as f:
    code = [line[4:] for line in f if line.startswith("    ") or line == "\n"]
put("program.c", "".join(line for line in code if not line.startswith("cc ")))
line = "".join(line for line in code if line.startswith("cc ")).strip() + " -o program && ./program"
status, out = run(line, **PC)
ok(status == 0 and out == "1 2.71828 7.38906\n", "the program of docs/call.md", line + "\n" + out)

if os.path.exists(os.path.join(LIBDIR, "libisakern-sleef.so")):
    # Not static, since Debian has no static SLEEF.
    put("sleef.c", SLEEF_PROGRAM)
    line = "cc sleef.c $(pkg-config --cflags --libs isakern-sleef) -o program && ./program"
    status, out = run(line, **PC)
    ok(status == 0 and out == "4\n", "a shared program with isakern-sleef", line + "\n" + out)
    status, out = run("pkg-config --libs --static isakern-sleef", **PC)
    ok(status == 0 and "-lisakern-sleef" in out and "-lsleef" in out and "-lm" in out, "pkg-config --libs --static isakern-sleef", out)
else:
    skip("isakern-sleef", "a build without SLEEF")

# CMake, from a tree that was moved.
if not shutil.which("cmake") or not shutil.which("ninja"):
    skip("CMake", "no cmake or no ninja")
else:
    moved = os.path.join(WORK.name, "moved")
    os.rename(PREFIX, moved)
    put("isakern.c", readme.PROGRAM)
    configure = ["cmake", "-G", "Ninja", "-S", ".", "-B", "cmake", "-DCMAKE_PREFIX_PATH=" + moved]
    put("CMakeLists.txt", CMAKE % "99")
    status, out = run(configure)
    ok(status != 0 and "99" in out, "find_package(isakern 99) fails", out)
    put("CMakeLists.txt", CMAKE % "0.1")
    status, out = run(configure)
    if ok(status == 0, "find_package(isakern) in a moved tree", out):
        status, out = run(["cmake", "--build", "cmake"])
        ok(status == 0, "programs with its targets build", out)
        for target, right in (("isakern", readme.first_right), ("isakern_static", readme.first_right),
                              ("omp", omp_right), ("omp_static", omp_right), ("call", call_right),
                              ("call_static", call_right), ("sleef", lambda out: out == "4\n")):
            if target == "sleef" and not os.path.exists(os.path.join(moved, option("libdir", BUILD), "libisakern-sleef.so")):
                skip("isakern::sleef", "a build without SLEEF")
                continue
            program = os.path.join(WORK.name, "cmake", "with_" + target)
            # The library's path is in the program.
            status, out = run([program]) if os.path.exists(program) else (1, "not built")
            needs = "libisakern" in run(["readelf", "-dW", program])[1]
            ok(status == 0 and right(out) and needs != target.endswith("static"), "isakern::" + target, out)
done()
