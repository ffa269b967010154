#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The results of isakern-cc: names, files, headers; isakern's kernels overridden; the isakern command on such a library.

    made.py SOURCE ISAKERN_CC LIBISAKERN LIBISAKERN_A COMPILER...
"""
import os
import re
import shutil
import stat
import sys

SOURCE, LIBRARY, ARCHIVE = map(os.path.abspath, sys.argv[1:2] + sys.argv[3:5])
# Run by this Python, because the one on PATH may be a wrapper that takes half a second to start.
OWN = [sys.executable, os.path.abspath(sys.argv[2])]
COMPILER = sys.argv[5:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, equal, ok, skip  # noqa: E402
from work import OVERRIDE, OWN as HALF, path, put, run  # noqa: E402

CC = " ".join(COMPILER)
LINE = [*OWN, "--prefix", "my", "-o", "libmy.so", "--isa", target.LOWEST, "my.tbl", "my_half.c"]
command = os.path.join(os.path.dirname(os.path.dirname(LIBRARY)), "tools", "isakern")
INCLUDE = ["-I" + os.path.join(SOURCE, "include"),
           "-I" + os.path.join(os.path.dirname(LIBRARY), "gen", "isakern", "include")]


def exported(library, folder):
    """name -> version"""
    out = run(["nm", "-D", "--defined-only", library], folder)[1]
    return {n: v for n, v in re.findall(r" [TiD] ([^@\s]+)(?:@@(\S+))?$", out, re.M)}


MD = """# my: halves of arrays

Halves of elements.

## half
Computes y[i] = x[i] / 2.

- NaN gives NaN. */

```c
{isk_T} x[2] = {1, 3};

my_half_{T}(x, x, 2); /* 0.5 1.5 */
```
"""
# The files that it makes.
put("made", {**HALF, "my.md": MD})
status, said = run([w for w in LINE if w not in ("--isa", target.LOWEST)] + ["--static"], "made", CC=CC)
ok(status == 0, "a library and its archive", said)
kernels = exported("libmy.so", "made")
ok("my_half_f32" in kernels and "my_candidates" in kernels and all(n.startswith("my_") for n in kernels),
   "it exports names of its prefix", kernels)
equal(set(kernels.values()), {"MY_1.0"}, "all of the version of the table")
equal(set(exported("libmy-ref.so", "made")), {"my_half_f32", "isakern_description"},
      "the references and their description")
equal(sorted(set(os.listdir(path("made"))) - {*HALF, "my.md"}),
      ["libmy-ref.so", "libmy.a", "libmy.so", "my.h", "my.hpp", "my.pc", "my_generic.h"],
      "nothing else is there")
for name in ("libmy.so", "my.h"):
    equal(os.stat(path("made", name)).st_mode & stat.S_IRGRP, stat.S_IRGRP & ~os.umask(os.umask(0o022)),
          "others may read " + name)
with open(path("made", "my.h"), encoding="utf-8") as f:
    text = f.read()
ok(text.startswith("/*\n * Halves of arrays.\n *\n * Halves of elements.\n */\n")
   and "/*\n * half: Computes y[i] = x[i] / 2.\n * NaN gives NaN. * /\n * The exact result, correctly rounded if its type cannot represent it. Same bits. Since 1.0.\n */\nvoid my_half_f32(" in text,
   "a header made from contracts", text)
put("made", {"c.c": "#include <my_generic.h>\nint main(void) { float x = 1; my_half(&x, &x, 1); return x != 0.5F; }\n",
             "cc.cc": "#include <my.hpp>\nint main() { float x = 1; my::half(&x, &x, 1); return x != 0.5F; }\n"})
for name, compiler in (("generic names", COMPILER + ["-std=c11", "c.c"]),
                       ("overloads", [target.CPP[0], "-std=c++17", "cc.cc"])):
    if not shutil.which(compiler[0]):
        skip("its " + name, "no " + compiler[0])
        continue
    status, said = run([*compiler, "-Wall", "-Wextra", "-Werror", "-I.", *INCLUDE, "-o", "program", "libmy.a", "-lm"],
                       "made")
    status, said = run(["./program"], "made") if status == 0 else (status, said)
    ok(status == 0, "its " + name, said)
    os.remove(path("made", compiler[-1]))
os.remove(path("made", "program"))
# The linker's errors are the last ones.
before = os.stat(path("made", "libmy.so")).st_ino
put("made", {"my_half.c": HALF["my_half.c"].replace("MAP", "float nowhere(void);\nMAP").replace("0.5F", "nowhere()")})
status, said = run(LINE, "made", CC=CC)
ok(status == 1 and re.search("undefined reference to .nowhere'", said) and os.stat(path("made", "libmy.so")).st_ino == before,
   "an error leaves the library that was there", said)
# A quotation mark cannot stand in an #include "".
put('else "where"/the, tables', {**HALF, "my.h.in": "/* Halves. */\n#include <isakern/types.h>\n@KERNELS@\n"})
put('else "where"', {"out, it/empty": ""})
status, said = run([*OWN, "--prefix", "my", "-o", "out, it/libyour-own.so", "--isa", target.LOWEST, "the, tables/my.tbl",
                    "the, tables/my_half.c"],
                   'else "where"', CC=CC)
equal((status, sorted(os.listdir(path('else "where"', "out, it")))),
      (0, ["empty", "libyour-own-ref.so", "libyour-own.so", "my.h", "your-own.hpp", "your-own.pc",
          "your-own_generic.h"]),
      "a library of another name in folders with spaces, commas and quotation marks", said)
if status == 0:
    with open(path('else "where"', "out, it", "my.h"), encoding="utf-8") as f:
        text = f.read()
    ok(text.startswith("/* Halves. */\n#include <isakern/types.h>\n/* map: half of x;")
       and text.endswith("void my_half_f32(float *y, const float *x, size_t n);\n"),
       "a header of one's own", text)

# With the override, a source that is compiled for each of its types; a shape that is not a map, with a form of its own; a part; an ordinary
# function.
WHOLE = {
    **OVERRIDE,
    "my.tbl": OVERRIDE["my.tbl"] + "twice   map   f32,bf16,f64  my_twice.c   vector  same  exact  1.0  twice x\n"
              "around  pair  f32           my_around.c  vector  same  exact  1.0  half of x, and twice x\n"
              "part my_scaled.c vector  x * f\napi my_api.c  ordinary functions\n",
    "my_twice.c": '#include "my_twice_kernels.h"\n#include "of_type.h"\n\n'
                  "void KERNEL(twice)(elem *y, const elem *x, size_t n)\n{\n"
                  "\tfor (size_t i = 0; i < n; i += COUNT)\n\t\tstore(y, i, load(x, i, n - i) * 2, n - i);\n}\n",
    "my_shapes.tbl": "pair  T  void  one  low out T[n]; high out T[n]; x in T[n]; n size\n",
    "my_around.c": '#include "my_around_kernels.h"\n#include "part.h"\n\n'
                   "ISK_EXTERN void ISK_PART(my_scaled, scaled)(float *y, const float *x, size_t n, float f);\n\n"
                   "void ISK_FN(around_f32)(float *low, float *high, const float *x, size_t n)\n{\n"
                   "\tISK_PART(my_scaled, scaled)(low, x, n, 0.5F);\n\tISK_PART(my_scaled, scaled)(high, x, n, 2);\n}\n",
    "my_scaled.c": '#include "part.h"\n\n'
                   "ISK_EXTERN void ISK_FN(scaled)(float *y, const float *x, size_t n, float f);\n"
                   "void ISK_FN(scaled)(float *y, const float *x, size_t n, float f)\n{\n"
                   "\tfor (size_t i = 0; i < n; i++)\n\t\ty[i] = x[i] * f;\n}\n",
    "my_api.c": '#include "resolve.h"\n\nISK_API int my_answer(void);\nISK_API int my_answer(void)\n{\n\treturn 42;\n}\n',
    "my_oracle.h": OVERRIDE["my_oracle.h"] + "MAP(twice, x + x)\n"
                   "ISK_UNUSED static REAL R(oracle_around)(REAL x, REAL f)\n{\n\treturn x * f;\n}\n\n"
                   "ISK_SHARED static void R(form_pair)(struct isk_sink *s, const enum isk_type *types, struct isk_args_pair *a,\n"
                   "\tREAL (*oracle)(REAL x, REAL f))\n{\n\tconst struct isk_array x = {a->x, types[0], 1};\n\n"
                   "\tfor (size_t i = 0; i < a->n; i++) {\n"
                   "\t\ts->put(s, a->low, i, types[0], (long double)oracle(AT(x, i), 0.5F), ISK_ULP, 0);\n"
                   "\t\ts->put(s, a->high, i, types[0], (long double)oracle(AT(x, i), 2), ISK_ULP, 0);\n\t}\n}\n"}

put("override", WHOLE)
status, said = run([*OWN, "--prefix", "my", "-o", "libmy.so", "--static", "--isa", target.HIGHER, "my.tbl",
                    *(name for name in WHOLE if name.startswith("my_") and name.endswith(".c"))], "override", CC=CC)
if ok(status == 0 and not said, "a table with override, types, a shape of its own, a part and an ordinary function", said):
    names = exported("libmy.so", "override")
    equal([(n, v) for n, v in names.items() if not n.startswith("my_")], [("isk_relu_f32", "")],
          "it exports that name of isakern's too, without a version")
    equal(sorted(n for n in names if "twice" in n), ["my_twice_bf16", "my_twice_f32", "my_twice_f64"],
          "a source that is compiled for each of its types")
    ok("my_answer" in names and "my_around_f32" in names and not [n for n in names if "scaled" in n],
       "the function is public, the part is not", names)
    ours, rpath = "-Wl,-rpath," + os.path.dirname(LIBRARY), "-Wl,-rpath," + path("override")
    for name, link, env, wanted in (
            ("not linked, isakern's is called", [LIBRARY, ours], {}, "0 2\n"),
            ("preloaded, it is called", [LIBRARY, ours], {"LD_PRELOAD": "./libmy.so"}, "0 4\n"),
            ("first in link order, it is called", ["-L.", "-lmy", LIBRARY, ours, rpath], {}, "0 4\n"),
            ("last in link order, isakern's is called", ["-Wl,--no-as-needed", LIBRARY, "-L.", "-lmy", ours, rpath], {},
             "0 2\n"),
            ("its references preloaded, they are called", ["-L.", "-lmy", LIBRARY, ours, rpath],
             {"LD_PRELOAD": "./libmy-ref.so"}, "0 4\n"),
            ("in a static program, it is called", ["-static", "libmy.a", ARCHIVE, "-lm"], {}, "0 4\n")):
        status, said = run([*COMPILER, *INCLUDE, "program.c", "-o", "program", *link], "override")
        status, said = run(["./program"], "override", **env) if status == 0 else (status, said)
        ok(status == 0 and said == wanted, "override: " + name, said)
    if os.path.exists(command):
        status, said = run([command, "--library=./libmy.so", "verify"], "override")
        ok(status == 0 and "twice_bf16/" in said and "✓ around_f32/%s" % target.LOWEST in said and " 0 failed" in said,
           "it is verified", said)
        status, said = run([command, "why", "relu_f32"], "override", LD_PRELOAD="./libmy.so")
        ok("A call does not reach it but ./libmy.so" in said, "isakern why tells whose is bound", said)
        status, said = run([command, "why", "relu_f32"], "override")
        ok("does not reach" not in said, "and says nothing where it is isakern's", said)
        put("asked", {"libtext.so": "text\n"})
        # A C library without references; the references of another library; a library that describes nothing.
        libc = run([*COMPILER, "-print-file-name=libc.so.6"])[1].strip()
        run("cp ../override/libmy.so libours.so; cp ../made/libmy-ref.so libours-ref.so; "
            "cp ../override/libmy.so libalone.so; cp ../override/libmy.so libmute.so; cp %s libmute-ref.so" % libc,
            "asked")
        for whole, cut in (("libours.so", "libcut.so"), ("libours-ref.so", "libshort-ref.so")):
            with open(path("asked", whole), "rb") as f:
                put("asked", {cut: f.read(os.path.getsize(f.name) // 3)})
        run("cp libours.so libshort.so", "asked")
        for name, words, wanted, message in (
                ("a library that is cut off", ["--library=./libcut.so", "kernels"], 1, r"\./libcut\.so is cut off: "),
                ("references that are cut off", ["--library=./libshort.so", "kernels"], 1, r"\./libshort-ref\.so is cut off: "),
                ("a library that is not there", ["--library", "./nowhere.so", "kernels"], 1,
                 r"\./nowhere\.so: cannot open shared object file"),
                ("a text", ["--library=./libtext.so", "kernels"], 1,
                 r"\./libtext\.so: (file too short|invalid ELF header)"),
                ("a library without references", ["--library=./libalone.so", "kernels"], 1,
                 "./libalone.so is no library of kernels, or its references are missing: "),
                ("references that describe nothing", ["--library=./libmute.so", "kernels"], 1,
                 "./libmute.so is no library of kernels: nothing describes them"),
                ("references of another library", ["--library=./libours.so", "kernels"], 1,
                 "./libours.so and its references were not made together"),
                ("no name of a library", ["--library="], 2, "--library: the name of a file is wanted")):
            status, said = run([command, *words], "asked")
            ok(status == wanted and re.match("isakern: " + message, said) and said.count("\n") == 1,
               "isakern --library: " + name, (status, said))
        status, said = run([command, "--library"], "asked")
        ok(status == 2 and re.match("isakern: option '--library' requires an argument\n", said), "isakern --library: no value", (status, said))
    else:
        skip("isakern why", "a build without the isakern command")

done()
