#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A library of the kernels that one program uses, from `isakern used` to -Dkernels.

    selection.py SOURCE MESON BUILD ISAKERN COMPILER...
"""
import os
import re
import subprocess
import sys
import tempfile

import target
from tap import done, ok, skip

SOURCE, MESON, BUILD, ISAKERN, *COMPILER = sys.argv[1:]
PROGRAM = """#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[3] = {0, 1, 2}, y[3];
	struct isk_kernel_info info = {.size = sizeof(info)};

	isk_exp_f32(y, x, 3);
	%s
	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++)
		printf("%%s %%d\\n", info.name, isk_bound(info.name) != NULL);
	printf("%%a %%a\\n", y[1], isk_logsumexp_f32(x, 3));
	return isk_bound("max_f32") != NULL;
}
"""
OMITTED = "isk_tanh_f32(y, x, 3);"


def run(*command, cwd=None, **env):
    r = subprocess.run(command, cwd=cwd, env={**os.environ, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       check=False)
    return r.returncode, r.stdout


def build_program(work, build, name, more=""):
    """Compiles the program against the library of a build."""
    source, lib = os.path.join(work, name + ".c"), os.path.join(build, "src")
    with open(source, "w", encoding="utf-8") as f:
        f.write(PROGRAM % more)
    # The whole library's headers: those of a selection declare its kernels alone, while here the linker must report missing
    # ones.
    includes = ["-I" + os.path.join(SOURCE, "include"), "-I" + os.path.join(BUILD, "src", "gen", "isakern", "include")]
    return run(*COMPILER, "-o", os.path.join(work, name), source, *includes, "-L" + lib, "-lisakern")


def configure(work, name, *options):
    build = os.path.join(work, name)
    status, said = run(MESON, "setup", build, SOURCE, "-Dbuildtype=release", *options)
    return build, status, said


def errors(said):
    return re.findall(r"ERROR: (?:Problem encountered: )?(.*)", said)


def text_bytes(build):
    said = run("size", os.path.join(build, "src", "libisakern.so"))[1]
    return int(said.splitlines()[1].split()[0])


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    status, said = build_program(work, BUILD, "whole")
    ok(status == 0, "a program is built against the whole library", said)
    listed = os.path.join(work, "kernels.txt")
    status, said = run(ISAKERN, "used", work)
    ok(status == 0 and said.split() == ["exp_f32", "logsumexp_f32"], "isakern used: what it imports", said)
    with open(listed, "w", encoding="utf-8") as f:
        f.write(said + "layernorm_bf16\n")
    status, said = run(ISAKERN, "used", "--json", os.path.join(work, "whole"))
    ok(status == 0 and '"exp_f32"' in said and "/whole" in said, "isakern used --json: by file", said)
    trace = os.path.join(BUILD, "libisakern-trace.so")
    looked_up = "import ctypes; x = ctypes.CDLL(%r); x.isk_tanh_f32; x.isk_exp_f32" % os.path.join(
        BUILD, "src", "libisakern.so.0")
    report = os.path.join(work, "seen.json")
    status, said = run(sys.executable, "-c", looked_up, LD_PRELOAD=trace, ISAKERN_TRACE=report)
    if status == 0 and os.path.exists(report):
        status, said = run(ISAKERN, "used", os.path.join(work, "whole"), report)
        ok(status == 0 and said.split() == ["exp_f32", "logsumexp_f32", "tanh_f32"],
           "isakern used: a report of libisakern-trace adds what is looked up at run time", said)
    else:
        skip("isakern used with a report", "this Python has no ctypes: " + said)
    for name, text in (("other", "{}\n"), ("gone", '{"kernels": [], "looked_up": []}\n'
                                                   '{"kernels": [{"kernel": "exp_f33"}], "looked_up": []}\n')):
        with open(os.path.join(work, name + ".json"), "w", encoding="utf-8") as f:
            f.write(text)
    for what, path, words in (("a text", os.path.join(work, "whole.c"), "no program"), ("nothing", "/nonexistent", "No such file"),
                              ("a program without kernels", sys.executable, "no kernel is used"),
                              ("a report of something else", os.path.join(work, "other.json"),
                               ":1: no report of libisakern-trace"),
                              ("a report of no kernel", os.path.join(work, "gone.json"), ":2: 'exp_f33' is no kernel")):
        status, said = run(ISAKERN, "used", path)
        ok(status == 1 and said.count("\n") == 1 and words in said, "isakern used: %s is refused with a line" % what, said)

    build, status, said = configure(work, "few", "-Dkernels=@" + listed, "-Disa=%s,%s" % (target.LOWEST, target.HIGHER))
    ok(status == 0, "configured with -Dkernels=@FILE", said)
    status, said = run("ninja", "-C", build, "-j2")
    ok(status == 0, "built", said)
    compiled = re.findall(r"libisakern_%s\.a\.p/\S*?kernels_\w+?_(\w+)\.c\.o" % target.HIGHER, said)
    # logsumexp calls cr_log and max, which are in other sources.
    ok("cr_log" in compiled and len(compiled) < 6, "of the sources just those that are needed", compiled)
    typed = re.findall(r"libisakern_%s\.a\.p/\S*?isakern_(\w+)\.c\.o" % target.HIGHER, said)
    # All parts of a family are compiled, because the linker finds out which ones are called.
    parts = ["accumulate_f32", "accumulate_f64", "sum_lines_bf16", "sum_lines_f16", "sum_lines_f32", "sum_lines_f64"]
    ok(sorted(typed) == sorted(["minmax_f32", "norm_bf16", "norms_f32"] + parts), "a source that is compiled by types is compiled for the type that is needed", typed)
    ok(text_bytes(build) < 80 << 10, "it is small: %d bytes of text" % text_bytes(build), text_bytes(build))
    lib = os.path.join(build, "src")
    whole, few = (run(os.path.join(work, "whole"), LD_LIBRARY_PATH=path)[1].splitlines()
                  for path in (os.path.join(BUILD, "src"), lib))
    ok(sorted(few[:-1]) == ["exp_f32 1", "layernorm_bf16 1", "logsumexp_f32 1"], "the library says that it has these three", few)
    ok(few[-1:] == whole[-1:] != [], "and they give the same results", few[-1:] + whole[-1:])
    status, said = build_program(work, build, "more", OMITTED)
    ok(status != 0 and "undefined reference to `isk_tanh_f32'" in said, "another kernel is an error of the linker", said)
    status, said = build_program(work, BUILD, "larger", OMITTED)
    status, said = run(os.path.join(work, "larger"), LD_LIBRARY_PATH=lib)
    ok(status == 127 and "undefined symbol: isk_tanh_f32" in said,
       "a program that was linked to the whole library ends with a message", (status, said))
    status, said = run("ninja", "-C", build, "isakern-bytes")
    sizes = re.findall(r"^(\S+) +(\d+) +(\d+)$", said, re.M)
    ok({"exp_f32", "logsumexp_f32", "max_f32"} <= {name for name, *_ in sizes} and all(int(n) > 100 for _, *row in sizes for n in row),
       "isakern-bytes: a table of bytes by kernel and ISA", said)

    for what, options, words in (("no such kernel", ["-Dkernels=exp_f32,exp_f33"], "no kernel exp_f33"),
                                 ("no such file", ["-Dkernels=@/nonexistent"], "no file /nonexistent"),
                                 ("an empty file", ["-Dkernels=@/dev/null"], "no kernel"),
                                 ("tests of a part", ["-Dkernels=exp_f32", "-Dtests=enabled"], "the libraries alone")):
        _, status, said = configure(work, what.replace(" ", "-"), *options)
        ok(status != 0 and [e for e in errors(said) if words in e], "refused: " + what, said)
done()
