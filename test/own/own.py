#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""isakern-cc: what it makes; isakern's kernels overridden; what is wrong in tables, sources, options and folders, each told
in the right words, and nothing written.

    own.py SOURCE ISAKERN_CC LIBISAKERN LIBISAKERN_A COMPILER...
"""
import os
import re
import stat
import sys

SOURCE, OWN, LIBRARY, ARCHIVE = map(os.path.abspath, sys.argv[1:5])
COMPILER = sys.argv[5:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
from tap import done, equal, ok, skip  # noqa: E402
from work import OWN as HALF, path, put, run  # noqa: E402

CC = " ".join(COMPILER)
LINE = [OWN, "--prefix", "my", "-o", "libmy.so", "--isa", "baseline", "my.tbl", "my_half.c"]
INCLUDE = ["-I" + os.path.join(SOURCE, "include"), "-I" + os.path.join(os.path.dirname(LIBRARY), "gen", "isakern", "include")]


def exported(library, folder):
    """name -> version"""
    out = run(["nm", "-D", "--defined-only", library], folder)[1]
    return {n: v for n, v in re.findall(r" [TiD] ([^@\s]+)(?:@@(\S+))?$", out, re.M)}


def fails(name, said, files=None, line=None, cc=CC, status=1):
    """The command line on files ends with that status and words, and leaves the folder as it is."""
    folder = re.sub(r"\W+", "-", name)
    put(folder, {**HALF, **(files or {})})
    before = sorted(os.listdir(path(folder)))
    got, text = run(line or LINE, folder, CC=cc)
    ok(got == status and re.search(said, text) and "Traceback" not in text, name, "status %d\n%s" % (got, text))
    equal(sorted(os.listdir(path(folder))), before, "nothing is written: " + name)


# What is made.
put("made", HALF)
status, said = run([w for w in LINE if w not in ("--isa", "baseline")] + ["--static"], "made", CC=CC)
ok(status == 0, "a library and its archive", said)
kernels = exported("libmy.so", "made")
ok("my_half_f32" in kernels and "my_candidates" in kernels and all(n.startswith("my_") for n in kernels), "it exports names of its prefix", kernels)
equal(set(kernels.values()), {"MY_1.0"}, "all of the version of the table")
equal(set(exported("libmy-ref.so", "made")), {"my_half_f32", "isakern_description"}, "the references and their description")
equal(sorted(set(os.listdir(path("made"))) - set(HALF)), ["libmy-ref.so", "libmy.a", "libmy.so", "my.h", "my.pc", "my_generic.h", "my_overloads.hpp"],
      "nothing else is there")
for name in ("libmy.so", "my.h"):
    equal(os.stat(path("made", name)).st_mode & stat.S_IRGRP, stat.S_IRGRP & ~os.umask(os.umask(0o022)), "others may read " + name)
before = os.stat(path("made", "libmy.so")).st_ino
put("made", {"my_half.c": "nonsense\n"})
status, said = run(LINE, "made", CC=CC)
ok(status == 1 and os.stat(path("made", "libmy.so")).st_ino == before, "an error leaves the library that was there", said)
put("elsewhere/tables", HALF)
put("elsewhere", {"out/empty": ""})
status, said = run([OWN, "--prefix", "my", "-o", "out/libyour-own.so", "--isa", "baseline", "tables/my.tbl", "tables/my_half.c"], "elsewhere", CC=CC)
equal((status, sorted(os.listdir(path("elsewhere", "out")))),
      (0, ["empty", "libyour-own-ref.so", "libyour-own.so", "my.h", "your-own.pc", "your_own_generic.h", "your_own_overloads.hpp"]), "a library of another name in another folder", said)
put("header", {**HALF, "my.h.in": "/* Halves. */\n#include <isakern/types.h>\n@KERNELS@\n"})
status, said = run(LINE, "header", CC=CC)
with open(path("header", "my.h"), encoding="utf-8") as f:
    text = f.read()
ok(status == 0 and text.startswith("/* Halves. */\n#include <isakern/types.h>\n/* map: half of x;") and text.endswith("void my_half_f32(float *y, const float *x, size_t n);\n"),
   "a header of one's own", text)

# isakern's kernel overridden: its relu, by one that doubles, so that it is known who was called.
PROGRAM = r"""
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[2] = {-1, 2}, y[2];

	isk_relu_f32(y, x, 2);
	printf("%g %g\n", (double)y[0], (double)y[1]);
	isk_abs_f32(y, x, 2);
	return y[0] != 1;
}
"""
put("override", {
    "my.tbl": "override relu  map  f32  my_relu.c  vector  same  exact  1.0  twice relu\n" + HALF["my.tbl"].replace("my_half.c", "my_relu.c"),
    "my_relu.c": '#include "my_relu_kernels.h"\n#include "loops.h"\n\nMAP(relu, v_max(v_set1(x, 0), x) * 2)\nMAP(half, x * v_set1(x, 0.5F))\n',
    "my_oracle.h": "MAP(relu, isnan(x) || x > 0 ? 2 * x : 0)\n" + HALF["my_oracle.h"], "program.c": PROGRAM})
status, said = run([OWN, "--prefix", "my", "-o", "libmy.so", "--static", "--isa", "baseline,avx2", "my.tbl", "my_relu.c"], "override", CC=CC)
if ok(status == 0, "a table with override", said):
    names = exported("libmy.so", "override")
    equal([(n, v) for n, v in names.items() if not n.startswith("my_")], [("isk_relu_f32", "")], "it exports that name of isakern's too, without a version")
    ours, rpath = "-Wl,-rpath," + os.path.dirname(LIBRARY), "-Wl,-rpath," + path("override")
    for name, link, env, wanted in (
            ("not linked, isakern's is called", [LIBRARY, ours], {}, "0 2\n"),
            ("preloaded, it is called", [LIBRARY, ours], {"LD_PRELOAD": "./libmy.so"}, "0 4\n"),
            ("first in link order, it is called", ["-L.", "-lmy", LIBRARY, ours, rpath], {}, "0 4\n"),
            ("last in link order, isakern's is called", ["-Wl,--no-as-needed", LIBRARY, "-L.", "-lmy", ours, rpath], {}, "0 2\n"),
            ("its references preloaded, they are called", ["-L.", "-lmy", LIBRARY, ours, rpath], {"LD_PRELOAD": "./libmy-ref.so"}, "0 4\n"),
            ("in a static program, it is called", ["-static", "libmy.a", ARCHIVE, "-lm"], {}, "0 4\n")):
        status, said = run([*COMPILER, *INCLUDE, "program.c", "-o", "program", *link], "override")
        status, said = run(["./program"], "override", **env) if status == 0 else (status, said)
        ok(status == 0 and said == wanted, "override: " + name, said)
    command = os.path.join(os.path.dirname(os.path.dirname(LIBRARY)), "tools", "isakern")
    if os.path.exists(command):
        status, said = run([command, "why", "relu_f32"], "override", LD_PRELOAD="./libmy.so")
        ok("A call does not reach it but ./libmy.so" in said, "isakern why tells whose is bound", said)
        status, said = run([command, "why", "relu_f32"], "override")
        ok("does not reach" not in said, "and says nothing where it is isakern's", said)
    else:
        skip("isakern why", "a build without the isakern command")
row = HALF["my.tbl"]
fails("override of nothing", r"^isakern-cc: my\.tbl: override half_f32: isakern has no kernel of that name and shape$", {"my.tbl": "override " + row})
fails("override with another shape", "override half_f32: isakern has no", {"my.tbl": "override " + row.replace(" f32 ", " f32 ")})

# Tables.
for name, text, said in (
        ("a table without kernels", "# nothing\n", r"^my\.tbl: no kernels\n$"),
        ("a row with too few columns", "\n" + row + "half map\n", r"^my\.tbl:3: 2 columns, expected 9\n$"),
        ("an unknown shape", row.replace("map", "nap"), r"^my\.tbl:1: unknown shape 'nap'; there are map, "),
        ("an unknown type", row.replace("f32", "f31"), r"^my\.tbl:1: 'f31' is not T of the types "),
        ("an unknown ISA", row.replace("vector", "sse9"), r"^my\.tbl:1: unknown ISA or list 'sse9'; there are baseline, "),
        ("a kernel listed twice", row + row, r"^my\.tbl:2: kernel 'half_f32' is listed twice\n$"),
        ("a source that is not given", row.replace("my_half.c", "my_third.c"), r"^my\.tbl:1: no file my_third\.c\n$"),
        ("no bound", row.replace("exact", "good"), r"^my\.tbl:1: an error bound is a number or 'exact'")):
    fails(name, said, {"my.tbl": text})
fails("a malformed shape", r"^my_shapes\.tbl:1: 'z' is no size\n$", {"my_shapes.tbl": "fold T void one y out T[z]; x in T[n]; n size\n"})
fails("a shape of isakern's name", r"^my_shapes\.tbl:1: shape 'map' is listed twice\n$", {"my_shapes.tbl": "map T void one y out T[n]; n size\n"})
fails("a header without a place for prototypes", r"^isakern-cc: my\.h\.in: @KERNELS@", {"my.h.in": "\n"})
fails("a source that no row names", r"^isakern-cc: my_more\.c: no row of my\.tbl names it\n$", {"my_more.c": ""}, LINE + ["my_more.c"])

# Sources: whoever is wrong, the compiler or the check of the objects says so once.
half = HALF["my_half.c"]
for name, text, said in (
        ("a syntax error", half + "int x = ;\n", r"my_half\.c:5:9: error: "),
        ("a kernel that is missing", '#include "my_half_kernels.h"\n', r"^isakern-cc: my_half\.c at baseline lacks my_half_f32__baseline\n$"),
        ("a weak symbol", half + "void helper(void);\n__attribute__((weak)) void helper(void) {}\n", r"^isakern-cc: my_half\.c at baseline has weak, unique or indirect helper\n$"),
        ("a helper that is not static", half + "int helper(void);\nint helper(void) { return 1; }\n", "my_half.c at baseline defines helper\n"),
        ("a constructor", half + "int count(void);\n__attribute__((constructor)) static void f(void) { count(); }\n", r"has \.init_array"),
        ("writable data", half + "static int calls;\n__attribute__((used)) static int f(void) { return calls++; }\n", r"has writable \.bss"),
        ("a COMDAT group", half + '__asm__(".section .text.g,\\"axG\\",@progbits,grp,comdat\\nnop\\n.text");\n', "has a COMDAT group"),
        ("an instruction above the ISA", half + '__attribute__((used)) static void f(void) { __asm__("vzeroupper"); }\n', "my_half.c at baseline: f: 'vzeroupper'"),
        ("a call of the public name", half + "void my_half_f32(float *, const float *, size_t);\n"
         "__attribute__((used)) static void f(float *x) { my_half_f32(x, x, 1); }\n", "calls my_half_f32 through the dispatch"),
        ("a call of what no library has", half + "int nowhere(void);\n__attribute__((used)) static int f(void) { return nowhere(); }\n", "undefined reference to .nowhere'")):
    fails(name, said, {"my_half.c": text})

# Command lines and folders.
def line(**changed):
    """LINE with another word for prefix, output, isa or table."""
    words = {"prefix": "my", "output": "libmy.so", "isa": "baseline", "table": "my.tbl", **changed}
    return [OWN, "--prefix", words["prefix"], "-o", words["output"], "--isa", words["isa"], words["table"], "my_half.c"]


for name, command, said in (
        ("a prefix that is no name", line(prefix="My"), r"^isakern-cc: --prefix: 'My' is no prefix name: "),
        ("isakern's prefix", line(prefix="isk"), r"^isakern-cc: --prefix: isk is isakern's own\n$"),
        ("an output that is no library", line(output="my.so"), r"^isakern-cc: -o: 'my\.so' is no name like libmy\.so: "),
        ("an output in no folder", line(output="nowhere/libmy.so"), r"^isakern-cc: nowhere: No such file or directory\n$"),
        ("an ISA that is not there", line(isa="sse9"), r"^isakern-cc: --isa: no ISA 'sse9'; there are baseline, avx2, "),
        ("a table that is not there", line(table="your.tbl"), r"^isakern-cc: your\.tbl: No such file or directory\n$"),
        ("a table of another name", line(table="my.txt"), r"^isakern-cc: my\.txt: a table NAME\.tbl comes first\n$"),
        ("a source that is not there", LINE + ["nowhere.c"], r"^isakern-cc: nowhere\.c: No such file or directory\n$"),
        ("a source given twice", LINE + ["my_half.c"], r"^isakern-cc: my_half\.c: two sources have that name\n$"),
        ("a source that is no C", LINE + ["my_half.cc"], r"^isakern-cc: my_half\.cc: sources are C, NAME\.c\n$")):
    fails(name, said, line=command)
fails("no sources", "usage: isakern-cc ", line=LINE[:-1], status=2)
fails("an option that is not there", "unrecognized arguments: --fast", line=LINE + ["--fast"], status=2)
fails("a folder in the way", r"^isakern-cc: \./my\.h is a folder\n$", {"my.h/file": ""})
put("no oracle", {n: t for n, t in HALF.items() if n != "my_oracle.h"})
status, said = run(LINE, "no oracle", CC=CC)
equal((status, said), (1, "isakern-cc: my_oracle.h: No such file or directory\n"), "no oracle")
fails("a compiler that is not there", r"^isakern-cc: no program 'nocc'; CC names the compiler\n$", cc="nocc")
fails("a compiler that fails", r"^isakern-cc: 'false' does not compile an empty file: ", cc="false")
put(".", {"other": "case \" $* \" in *-march*) exit 1;; esac\nexec %s \"$@\"\n" % CC})
fails("a compiler for another machine", r"^isakern-cc: ISA baseline: left out.*\nisakern-cc: 'sh \S+/other' does not compile for x86-64\n$",
      cc="sh " + path("other"))
if os.geteuid() == 0:
    # Root may write anywhere but where there is nothing to write to.
    fails("an output that cannot be written", r"^isakern-cc: /proc: ", line=line(output="/proc/libmy.so"))
else:
    put("closed", {"file": ""})
    os.chmod(path("closed"), 0o555)
    fails("an output that cannot be written", r"^isakern-cc: \S+closed: Permission denied\n$", line=line(output=path("closed", "libmy.so")))
    os.chmod(path("closed"), 0o755)

# Stopped in the middle, by a compiler that waits for it.
put("stopped", {**HALF, "slow": "case \" $* \" in *my_half.c*) kill $PPID; sleep 1;; esac\nexec %s \"$@\"\n" % CC})
status, said = run(LINE, "stopped", CC="sh " + path("stopped", "slow"))
ok(status == 143 and sorted(os.listdir(path("stopped"))) == sorted([*HALF, "slow"]), "stopped by SIGTERM, it leaves nothing", (status, said))
done()
