#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A malformed row of a table fails with its file, its line and the reason."""
import json
import os
import shutil
import subprocess
import sys

from kit import FAMILIES, SOURCE, Tap, run

tap = Tap()
TYPES, SHAPES, ISA = "src/kernels/types.tbl", "src/kernels/shapes.tbl", "src/isa/x86_64.tbl"
JOINS = "src/kernels/joins.tbl"
KERNEL, TUNING = "src/kernels/elementwise/kernels.tbl", "src/isa/tuning.tbl"
# A copy whose tables are spoiled one at a time.
ROOT = tap.path("root")
for folder in ("isa", "kernels", "resolve"):
    shutil.copytree(os.path.join(SOURCE, "src", folder), os.path.join(ROOT, "src", folder))
os.symlink(os.path.join(SOURCE, "include"), os.path.join(ROOT, "include"))
COPIES = [os.path.join(ROOT, os.path.relpath(f, SOURCE)) for f in FAMILIES]


# A process that answers each list of arguments with the exit status and the message of gen.py, because Python's start would
# take longer than the answer.
SERVER = """
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
import gen
for line in sys.stdin:
    sys.argv[1:] = json.loads(line)
    answer = [0, ""]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            gen.main()
        except gen.tables.TableError as error:
            answer = [1, str(error)]
    print(json.dumps(answer), flush=True)
"""
GENERATE = os.path.join(ROOT, "src/resolve/generate")
server = subprocess.Popen([sys.executable, "-c", SERVER, GENERATE], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def words_of(*families, built="baseline,avx2", name="isakern"):
    """The arguments of gen.py that write a library of these families of the copy, by default all."""
    return ["write", "--name", name, "--prefix", "isk", "--built", built, "--out", tap.path("out"),
            *(families or ["--tuning", os.path.join(ROOT, TUNING), *COPIES])]


def generate(*families, **options):
    """The exit status and the message of gen.py on the copy."""
    print(json.dumps(words_of(*families, **options)), file=server.stdin, flush=True)
    return tuple(json.loads(server.stdout.readline()))


def program():
    """The exit status of gen.py on the copy, and what it writes to standard error."""
    r = run([sys.executable, os.path.join(GENERATE, "gen.py"), *words_of()])
    return r.status, r.err


def with_line(table, line, replace, reader=generate):
    """The same with a line added, or in place of the first line with this beginning; also returns the line's number."""
    path = os.path.join(ROOT, table)
    with open(path, encoding="utf-8") as f:
        before = f.read()
    lines = before.split("\n")[:-1]
    if replace is None:
        lines.append(line)
        number = len(lines)
    else:
        number = next(i for i, l in enumerate(lines) if l.startswith(replace)) + 1
        lines[number - 1] = line
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    status, said = reader()
    with open(path, "w", encoding="utf-8") as f:
        f.write(before)
    return status, said, number


TYPE = "x9 99 isk_x9 float 12 16 5 15 inf,nan f32 - meaning"
SHAPE = "shape  T  void  one  "
MAP = SHAPE + "y out T[n]; x in T[n]; n size"
MANY = SHAPE + " ".join("v%d" % i for i in range(32)) + " size"
ROW = "relu map f32,f64 relu.c vector same exact 0.1 summary"
NEW = "new map f32 new.c vector same exact 0.1 summary"
AVX9 = "avx9 avx2 8 16 yes vector @avx2"
open(os.path.join(ROOT, "src/kernels/elementwise/new.c"), "w", encoding="utf-8").close()
with open(os.path.join(ROOT, "src/kernels/elementwise/typed.c"), "w", encoding="utf-8") as f:
    f.write('#include "of_type.h"\n')

CASES = [
    # table, row, beginning of the row that it replaces (None: one more), reason
    (TYPES, "x9 99 isk_x9 float", None, "4 columns, expected 12"),
    (TYPES, TYPE.replace("x9", "X9"), None, "'X9' is no type name"),
    (TYPES, TYPE.replace("x9", "x_9"), None, "'x_9' is no type name"),
    (TYPES, TYPE.replace("99", "-1"), None, "'-1' is no number"),
    (TYPES, TYPE.replace(" 12 ", " twelve "), None, "'twelve' is no number"),
    (TYPES, TYPE.replace(" 5 15 ", " - 15 "), None, "'-' is no number"),
    (TYPES, TYPE.replace("float", "decimal"), None, "'decimal' is no kind; there are float, signed, unsigned, bits, complex"),
    (TYPES, TYPE.replace(" 16 ", " 12 "), None, "an element has 4, 8, 16, 32, 64 or 128 bits of memory"),
    (TYPES, TYPE.replace(" 12 ", " 17 "), None, "no more bits than that"),
    (TYPES, TYPE.replace(" 5 15 ", " 10 15 "), None, "a float has a sign, an exponent of two bits or more, a fraction and a bias"),
    (TYPES, TYPE.replace("float", "signed"), None, "lanes are f32 or f64 for a float and for complex numbers, and - for others"),
    (TYPES, TYPE.replace("float", "signed").replace(" f32 ", " - "), None, "other types have - there"),
    (TYPES, TYPE.replace("inf,nan", "inf"), None, "special is inf,nan or nan or -, not 'inf'"),
    (TYPES, TYPE.replace("meaning", '"'), None, "no quotes or backslashes in a meaning"),
    (TYPES, TYPE.replace("x9", "f32"), None, "type 'f32', or its number, is listed twice"),
    (TYPES, TYPE.replace("99", "1"), None, "type 'x9', or its number, is listed twice"),
    (TYPES, TYPE.replace("f32", "f16"), None, "lanes are f32 or f64 for a float"),
    (SHAPES, "shape T void", None, "3 columns, expected 5"),
    (SHAPES, MAP.replace("shape", "Shape"), None, "'Shape' is no shape name"),
    (SHAPES, MAP.replace("shape", "seventeen_letters"), None, "is longer than 15 characters"),
    (SHAPES, MAP.replace("shape", "map"), None, "shape 'map' is listed twice"),
    (SHAPES, MAP.replace("  T  ", "  T_T  "), None, "types are -, AB_C, or letters like T and F_T, not 'T_T'"),
    (SHAPES, MAP.replace("void", "F"), None, "a result is void, size, status or a type of the name, not 'F'"),
    (SHAPES, MAP.replace("one", "two"), None, "threads are one, many, join or sizes as in rows/cols, not 'two'"),
    (SHAPES, MAP.replace("one", "join"), None, "threads: results are joined if there is one, of arrays that all have one size"),
    (JOINS, "and mask_any", None, "unknown join 'and'; there are sum, add"),
    (JOINS, "max sum", None, "'sum' is listed twice"),
    (JOINS, "max", None, "1 columns, expected 2"),
    (SHAPES, MAP.replace("one", "n/n/n"), None, "threads: more than 2 sizes"),
    (SHAPES, MAP.replace("one", "n").replace("void", "T"), None, "threads: the parts of a call have no one result"),
    (SHAPES, MAP.replace("one", "m").replace("n size", "n m size"), None, "threads: 'y' is written by every part along m"),
    (SHAPES, MAP.replace("one", "n").replace("in T[n]", "in T[m, n]").replace("n size", "n m size"), None,
     "threads: a part of 'x' along n has gaps that no stride tells"),
    (SHAPES, MAP.replace("one", "n").replace("in T[n]", "in T[n] ascending to n").replace("void", "status"), None,
     "threads: 'x' cannot be cut"),
    (SHAPES, MAP + "; offset s32 along n", None, "'offset' grows along 'n': a value of s64 grows along a size"),
    (SHAPES, MAP + "; lower unsigned below 2", None,
     "'lower' is below 2: an int or unsigned is below a number, and the call returns a status"),
    (SHAPES, MAP.replace("void", "status") + "; lower f32 below 2", None, "'lower' is below 2: an int or unsigned is below a number"),
    (SHAPES, MAP.replace("n size", "n"), None, "'n' is no argument"),
    (SHAPES, MAP.replace("out T[n]", "out T[n] must be x"), None, "'must be x' is no part of an argument"),
    (SHAPES, MAP.replace("x in", "y in"), None, "two arguments have the same name"),
    (SHAPES, MANY, None, "more than 31 arguments"),
    (SHAPES, MAP.replace("in T", "in F"), None, "'F' is no element type"),
    (SHAPES, MAP + "; scale double", None, "'double' is no type of a value"),
    (SHAPES, MAP.replace("in T[n]", "in T[m]"), None, "'m' is no size"),
    (SHAPES, MAP.replace("in T[n]", "in T[n by ld]"), None, "'ld' is no stride"),
    (SHAPES, MAP.replace("in T[n]", "in T[image of conv]"), None, "'conv' is no struct"),
    (SHAPES, MAP.replace("out T[n]", "out T[n] may be n"), None, "'y' may be 'n', which is no input"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] may be y"), None, "'x' may be 'y', which is no input"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] below n"), None, "'x' is below 'n': an input is below a size, and the call"),
    (SHAPES, MAP.replace("void", "status").replace("in T[n]", "in T[n] below y"), None, "'x' is below 'y': an input is"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] ascending to n"), None, "'x' ascends to 'n': an input ascends to a size, and"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] in any order"), None, "'x' has any order: only an input"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] solved"), None, "'x' is solved: only a square matrix is"),
    (SHAPES, MAP + "; zero s32 within F", None, "'zero' is within 'F', but the name has no such type"),
    (SHAPES, MAP.replace("in T[n]", "in T[n] turned by n"), None, "'x' is turned by 'n', which is no int or unsigned"),
    (ISA, "avx9 avx2", None, "2 columns, expected 7"),
    (ISA, AVX9.replace("avx9", "avx2"), None, "ISA 'avx2' is listed twice"),
    (ISA, AVX9.replace("avx9", "AVX9"), None, "'AVX9' is no ISA name"),
    (ISA, AVX9.replace("avx9", "a__b"), None, "'a__b' is no ISA name"),
    (ISA, AVX9.replace("avx9", "avx512_or_higher"), None, "'avx512_or_higher' is longer than 15 characters"),
    (ISA, AVX9.replace(" avx2", " avx3", 1), None, "no file src/isa/vec_avx3.h"),
    (ISA, AVX9.replace("8", "12"), None, "12 lanes: 4, 8 or 16"),
    (ISA, AVX9.replace("16", "8"), None, "8 registers: at least 16"),
    (ISA, AVX9.replace("yes", "perhaps"), None, "fma is yes or no, not 'perhaps'"),
    (ISA, AVX9.replace("@avx2", "@avx10"), None, "'@avx10' names no row above"),
    (ISA, AVX9.replace("@avx2", "-ffast-math"), None, "'-ffast-math' is no -m flag"),
    (KERNEL, "relu map", None, "2 columns, expected 9"),
    (KERNEL, ROW, None, "kernel 'relu_f32' is listed twice"),
    (KERNEL, ROW.replace("relu ", "Relu "), "relu ", "'Relu' is no operation name"),
    (KERNEL, ROW.replace("relu ", "re__lu "), "relu ", "'re__lu' is no operation name"),
    (KERNEL, ROW.replace("relu ", "relu, "), "relu ", "'' is no operation name"),
    (KERNEL, ROW.replace("relu ", "relu,Relu "), "relu ", "'Relu' is no operation name"),
    (KERNEL, ROW.replace("relu ", "relu,relu "), "relu ", "kernel 'relu_f32' is listed twice"),
    (KERNEL, ROW.replace("relu ", "relu,exp "), "relu ", "kernel 'exp_f32' is listed twice"),
    (KERNEL, ROW.replace("relu ", "r" * 41 + " "), "relu ", "is longer than 40 characters"),
    (KERNEL, "r" * 38 + " cvt f32_bf16 new.c vector same exact 0.1 summary", None, "is longer than 46 characters"),
    (KERNEL, ROW.replace(" map", " mapp"), "relu ", "unknown shape 'mapp'; there are map, "),
    (KERNEL, ROW.replace("relu.c", "nowhere.c"), "relu ", "no file src/kernels/elementwise/nowhere.c"),
    (KERNEL, ROW.replace("vector", "baseline,avx513"), "relu ", "unknown ISA or list 'avx513'; there are baseline, "),
    (KERNEL, ROW.replace("vector", "avx2,avx512"), "relu ", "every kernel needs a baseline variant"),
    (KERNEL, "twice map f32 relu.c baseline same exact 0.1 summary", None, "another kernel of relu.c has other ISAs"),
    (KERNEL, ROW.replace(" same", " Same"), "relu ", "bits are 'same', 'same-amx' or 'bound', not 'Same'"),
    (KERNEL, ROW.replace("exact", "-1"), "relu ", "an error bound is a number or 'exact'"),
    (KERNEL, ROW.replace("exact", "1e3"), "relu ", "an error bound is a number or 'exact'"),
    (KERNEL, ROW.replace("exact", "1/2/3"), "relu ", "an error bound is a number or 'exact'"),
    (KERNEL, ROW.replace("0.1", "one"), "relu ", "since is a version like 0.1, not 'one'"),
    (KERNEL, ROW + ' "quoted"', "relu ", "no quotes or backslashes in a summary"),
    (KERNEL, ROW + " of {F}", "relu ", "braces hold a type, one of T"),
    (KERNEL, ROW + " of {", "relu ", "braces hold a type, one of T"),
    (KERNEL, ROW.replace("f64", "f128"), "relu ", "'f128' is not T of the types f32, "),
    (KERNEL, ROW.replace("f64", "f32_f64"), "relu ", "'f32_f64' is not T of the types f32, "),
    (KERNEL, NEW.replace("map", "cvt"), None, "'f32' is not F_T of the types f32, "),
    (KERNEL, NEW.replace("map", "gemm").replace(" f32", " f32bf16f16_f32"), None, "is not AB_C of the types f32, "),
    (KERNEL, NEW.replace("map", "query"), None, "shape 'query' has no types: '-', not 'f32'"),
    (KERNEL, "part relu.c", None, "2 columns, expected 4"),
    (KERNEL, "part nowhere.c vector what", None, "no file src/kernels/elementwise/nowhere.c"),
    ("src/kernels/matrix/kernels.tbl", "part driver.c vector twice", None, "part 'driver.c' is listed twice"),
    (KERNEL, "part new.c vectors what", None, "unknown ISA or list 'vectors'"),
    (KERNEL, "part typed.c vector what", None, "typed.c includes of_type.h: the part names its types, as in typed.c:f32,f64"),
    (KERNEL, "part typed.c:f31 vector what", None, "unknown type 'f31'"),
    (KERNEL, "part new.c:f32 vector what", None, "new.c:f32 has types, but does not include of_type.h"),
    (KERNEL, NEW.replace("map f32 new.c", "query - typed.c"), None, "typed.c includes of_type.h: its kernels have types"),
    (KERNEL, "api new.c", None, "2 columns, expected 3"),
    (KERNEL, "api nowhere.c what", None, "no file src/kernels/elementwise/nowhere.c"),
    (TUNING, "relu_f32 avx512 6", None, "3 columns, expected 5"),
    (TUNING, "rely_f32 avx512 6 0-1 slow", None, "unknown kernel 'rely_f32'"),
    (TUNING, "relu_f32,rely_f32 avx512 6 0-1 slow", None, "unknown kernel 'rely_f32'"),
    (TUNING, "relu_f32 amx 6 0-1 slow", None, "'relu_f32' has no variant 'amx' to demote"),
    (TUNING, "relu_f32 baseline 6 0-1 slow", None, "'relu_f32' has no variant 'baseline' to demote"),
    (TUNING, "relu_f32 avx512 six 0-1 slow", None, "family is a number"),
    (TUNING, "relu_f32 avx512 6 1 slow", None, "models a range"),
    (TUNING, "relu_f32 avx512 6 9-1 slow", None, "out of range"),
    (TUNING, "relu_f32 avx512 6 0-4096 slow", None, "out of range"),
    (TUNING, "relu_f32 avx512 6 0-1 slow\\", None, "no quotes or backslashes in a reason"),
    (TUNING, "relu_f32 avx512 6 0-1 " + "x" * 76, None, "a reason has at most 75 characters, this one 76"),
]
for table, row, replace, reason in CASES:
    status, said, number = with_line(table, row, replace)
    where = "%s:%d: " % (table, number)
    tap.ok(status == 1 and said.startswith(where) and reason in said and "\n" not in said,
           "%s: %s" % (table, reason), "status %d\n%s\nexpected %s%s" % (status, said, where, reason))
# The program itself: its exit status, and a line on standard error.
status, said, number = with_line(KERNEL, "relu map", None, program)
tap.equal((status, said), (1, "%s:%d: 2 columns, expected 9\n" % (KERNEL, number)), "gen.py ends with status 1 and the line")

# Well-formed rows of each table, and a new row with what a table allows. A family of another library has no contracts.
contract = os.path.join(ROOT, "src/kernels/elementwise/elementwise.md")
os.rename(contract, contract + ".away")
for table, row, replace in ((TYPES, TYPE, None), (SHAPES, MAP, None),
                            (SHAPES, MAP.replace("out", "inout") + "; alpha T", None),
                            (SHAPES, MAP.replace(" T ", " T_I ").replace("void", "status") + "; index in I[n] below n", None), (ISA, AVX9 + " -mavxvnni", None), (KERNEL, NEW, None),
                            (KERNEL, NEW.replace("new ", "new,newer,newest "), None),
                            (KERNEL, NEW.replace("map f32", "gemm f32bf16_f16") + " of {A}, {B} and {C}", None),
                            (KERNEL, ROW.replace("exact", "0.5/1"), "relu "), (KERNEL, "part new.c all what it is", None),
                            (KERNEL, "api new.c what it is", None), (KERNEL, NEW.replace("f32 new.c", "f32,f64 typed.c"), None),
                            (TUNING, "relu_f32 avx512 6 0-255 slower, 2.1x on AVX-512 CPUs", None)):
    status, said, _ = with_line(table, row, replace)
    tap.ok(status == 0 and not said, "%s: a row that is well formed passes: %s" % (table, row), said)
os.rename(contract + ".away", contract)

# Rows of the table for porting, which the manual and the site read, and gen.py does not.
PORTING = "src/kernels/porting.tbl"
READ = """
import sys
sys.path.insert(0, sys.argv[1] + "/src/resolve/generate")
import tables
try:
    tables.read_porting(sys.argv[1] + "/" + sys.argv[2], tables.Library(sys.argv[3:]))
except tables.TableError as error:
    sys.exit(str(error))
"""


def read_porting():
    """The exit status and the message of tables.read_porting() on the copy."""
    r = run([sys.executable, "-c", READ, ROOT, PORTING, *COPIES])
    return r.status, r.err.strip()


for row, reason in (("libm expf2 exp2", "3 columns, expected 4"),
                    ("libm expf2 exp22 -", "'exp22' is no operation of a kernel and no function of a family"),
                    ("libm expf2,expf exp -", "'expf' is listed twice"),
                    ("libm expf2,expf2 exp -", "'expf2' is listed twice"),
                    ("other expf exp -", "no line 'library other ...' comes before this row"),
                    ("library libm", "2 columns, expected 3"),
                    ("library libm once more", "library 'libm' is listed twice")):
    status, said, number = with_line(PORTING, row, None, read_porting)
    tap.ok(status == 1 and said == "%s:%d: %s" % (PORTING, number, reason), "%s: %s" % (PORTING, reason),
           "status %d\n%s" % (status, said))
status, said, _ = with_line(PORTING, "libm expf2,exp2f2 cr_exp2,exp2,type_size what it is", None, read_porting)
tap.ok(status == 0 and not said, "%s: a row that is well formed passes" % PORTING, said)

# Contracts: what is replaced in one, and the first thing that is wrong then. The line is that of the second word.
ROPE = os.path.join(ROOT, "src/kernels/rope")
contract = os.path.join(ROPE, "rope.md")
with open(contract, encoding="utf-8") as f:
    before = f.read()
for old, new, near, reason in (
        ("# rope: ", "# ropes: ", "# ropes", "the first line is '# rope: TITLE'"),
        ("## rope_table", "## rope_tables", "## rope_tables", "'rope_tables' is no operation of kernels.tbl"),
        ("## rope_table", "## rope_pairs", "@last", "'rope_pairs' has two entries"),
        ("## shape: rope", "## shape: map", "## shape", "no kernel of rope has the shape 'map'"),
        ("isk_rope_halves_{T}(y", "isk_rope_halves_{X}(y", "```c", "unknown placeholder '{X}' for rope_halves_f32"),
        ("For pairs of neighbours", "For {pairs} of neighbours", "- The two elements", "unknown placeholder '{pairs}'"),
        ("- Error: at most", "- At most", "## rope_halves", "no bullet 'Error: ...' for rope_halves_"),
        ("```c\n", "```c f64\n", "```c", "no kernel of rope_halves has the types f64"),
        ("```c\n", "```c f32\n", "## rope_halves", "no example for rope_halves_bf16"),
        ("```c\n", "```sh\n", "```sh", "an example begins with ```c")):
    changed = before.replace(old, new, 1)
    lines = changed.split("\n")
    number = 1 + (max(i for i, l in enumerate(lines) if l.startswith(new)) if near == "@last" else
                  next(i for i, l in enumerate(lines) if l.startswith(near)))
    with open(contract, "w", encoding="utf-8") as f:
        f.write(changed)
    status, said = generate(ROPE)
    where = "src/kernels/rope/rope.md:%d: " % number
    tap.ok(status == 1 and said.startswith(where) and reason in said and "\n" not in said, "a contract: " + reason,
           "status %d\n%s\nexpected %s%s" % (status, said, where, reason))
sections = before.split("\n## ")
for some, reason in ((sections[:-1], "rope.md: operation 'rope_table' of kernels.tbl has no entry"),
                     (sections[:2] + sections[3:] + sections[2:3], "'rope_pairs' stands where 'rope_halves' is next in kernels.tbl")):
    with open(contract, "w", encoding="utf-8") as f:
        f.write("\n## ".join(some))
    status, said = generate(ROPE)
    tap.ok(status == 1 and said.startswith("src/kernels/rope/rope.md:") and reason in said, "a contract: " + reason, said)
with open(contract, "w", encoding="utf-8") as f:
    f.write(before)

# Faults of whole tables and folders.
status, said, _ = with_line(ISA, AVX9.replace("avx9", "first").replace("@avx2", "-mavx"), "baseline")
tap.ok(status == 1 and said.startswith(ISA + ":"), "an ISA table without its first row", said)
path = os.path.join(ROOT, ISA)
with open(path, encoding="utf-8") as f:
    before = f.read()
with open(path, "w", encoding="utf-8") as f:
    f.write("first sse2 4 16 no - -msse2\n" + before)
status, said = generate()
tap.equal((status, said), (1, ISA + ": every CPU runs the first row, 'first': it has no flags but -march and -mtune"), "an ISA below baseline")
with open(path, "w", encoding="utf-8") as f:
    f.write(before)
empty = os.path.join(ROOT, "src/kernels/empty")
os.mkdir(empty)
with open(os.path.join(empty, "kernels.tbl"), "w", encoding="utf-8") as f:
    f.write("# nothing\n")
tap.equal(generate(*COPIES, empty), (1, "src/kernels/empty/kernels.tbl: no kernels"), "a family without kernels")
with open(os.path.join(empty, "kernels.tbl"), "w", encoding="utf-8") as f:
    f.write(NEW.replace("new.c", "relu.c") + "\n")
shutil.copy(os.path.join(ROOT, "src/kernels/elementwise/relu.c"), empty)
status, said = generate(*COPIES, empty)
tap.ok(status == 1 and "'relu.c' is a source of elementwise too" in said and "\n" not in said,
       "two families with a source of one name", said)
TYPED = NEW.replace("f32 new.c", "f32,f64 typed.c")
status, said, _ = with_line(KERNEL, TYPED + "\n" + TYPED.replace("new", "newer").replace(",f64", ""), None)
tap.equal((status, said), (1, KERNEL + ": typed.c includes of_type.h, so all its operations have the same types: newer has no f64"),
          "a source that is compiled by types, one of whose operations lacks a type")
status, said, _ = with_line(KERNEL, "override " + ROW, "relu ")
tap.equal((status, said), (1, "--prefix: a library of the prefix isk overrides nothing"), "isakern overrides itself")
status, said, _ = with_line(KERNEL, "    # an indented comment", None)
tap.equal((status, said), (0, ""), "a comment may be indented")
status, said = generate(name="a+b")
tap.ok(status == 1 and said.startswith("--name: 'a+b' is no library name: "), "a name of a library that is none", said)
status, said = generate(built="baseline,avx9")
tap.ok(status == 1 and said.startswith("--built: unknown ISA 'avx9'; there are baseline, "), "an unknown ISA to build", said)
server.stdin.close()
server.wait()
tap.done()
