#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Errors in tables, sources, options and folders: isakern-cc names each one, and writes nothing.

    refused.py SOURCE ISAKERN_CC COMPILER...
"""
import os
import re
import sys

SOURCE = os.path.abspath(sys.argv[1])
# Run by this Python, because the one on PATH may be a wrapper that takes half a second to start.
OWN = [sys.executable, os.path.abspath(sys.argv[2])]
COMPILER = sys.argv[3:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, equal, ok  # noqa: E402
from target import LOWEST  # noqa: E402
from work import OWN as HALF, path, put, run  # noqa: E402

CC = " ".join(COMPILER)
LINE = [*OWN, "--prefix", "my", "-o", "libmy.so", "--isa", LOWEST, "my.tbl", "my_half.c"]


def fails(name, said, files=None, line=None, cc=CC, status=1):
    """The command ends with that status and words, and leaves the folder unchanged. Returns its output."""
    folder = re.sub(r"\W+", "-", name)
    put(folder, {**HALF, **(files or {})})
    before = sorted(os.listdir(path(folder)))
    got, text = run(line or LINE, folder, CC=cc)
    ok(got == status and re.search(said, text) and "Traceback" not in text, name, "status %d\n%s" % (got, text))
    equal(sorted(os.listdir(path(folder))), before, "nothing is written: " + name)
    return text


row = HALF["my.tbl"]
fails("override of nothing", r"^isakern-cc: my\.tbl: override half_f32: isakern has no kernel of that name and shape$",
      {"my.tbl": "override " + row})
fails("override with another shape", "override half_f32: isakern has no",
      {"my.tbl": "override " + row.replace(" f32 ", " f32 ")})

# Tables.
for name, text, said in (
        ("a table without kernels", "# nothing\n", r"^my\.tbl: no kernels\n$"),
        ("a row with too few columns", "\n" + row + "half map\n", r"^my\.tbl:3: 2 columns, expected 9\n$"),
        ("an unknown shape", row.replace("map", "nap"), r"^my\.tbl:1: unknown shape 'nap'; there are map, "),
        ("an unknown type", row.replace("f32", "f31"), r"^my\.tbl:1: 'f31' is not T of the types "),
        ("an unknown ISA", row.replace("vector", "sse9"),
         r"^my\.tbl:1: unknown ISA or list 'sse9'; there are %s, " % LOWEST),
        ("a kernel listed twice", row + row, r"^my\.tbl:2: kernel 'half_f32' is listed twice\n$"),
        ("a source that is not given", row.replace("my_half.c", "my_third.c"), r"^my\.tbl:1: no file my_third\.c\n$"),
        ("no bound", row.replace("exact", "good"), r"^my\.tbl:1: an error bound is a number or 'exact'"),
        ("the end of a comment in a summary", row.replace("half of", "*/ of"), r"^my\.tbl:1: no '/\*' or '\*/' in a summary"),
        ("a table that is not UTF-8", b"# caf\xe9\n" + row.encode(), r"^my\.tbl:1: byte 0xe9; a file must be UTF-8 without NUL\n$"),
        ("a NUL in a table", row.replace("my_half.c", "my_half.c\0"), r"^my\.tbl:1: byte 0x00; a file must be UTF-8 without NUL\n$")):
    fails(name, said, {"my.tbl": text})
fails("an oracle that is not UTF-8", r"^my_oracle\.h:2: byte 0xff; a file must be UTF-8 without NUL\n$",
      {"my_oracle.h": b"MAP(half, x / 2)\n/* \xff */\n"})
fails("a header that is not UTF-8", r"^my\.h\.in:1: byte 0xe9; ", {"my.h.in": b"/* \xe9 */\n@KERNELS@\n"})
fails("a malformed shape", r"^my_shapes\.tbl:1: 'z' is no size\n$",
      {"my_shapes.tbl": "fold T void one y out T[z]; x in T[n]; n size\n"})
fails("a shape of isakern's name", r"^my_shapes\.tbl:1: shape 'map' is listed twice\n$",
      {"my_shapes.tbl": "map T void one y out T[n]; n size\n"})
for name, text, said in (
        ("a contract of another family", "# yours: halves\n", r"^my\.md:1: the first line is '# my: TITLE'\n$"),
        ("an operation without a contract", "# my: halves\n", r"^my\.md: operation 'half' of kernels\.tbl has no entry\n$"),
        ("a contract without an operation", "# my: halves\n\n## third\n", r"^my\.md:3: 'third' is no operation of kernels\.tbl\n$"),
        ("a contract without an example", "# my: halves\n\n## half\nHalves x.\n", r"^my\.md:3: no example for half_f32\n$")):
    fails(name, said, {"my.md": text})
fails("a header without a place for prototypes", r"^isakern-cc: my\.h\.in: @KERNELS@", {"my.h.in": "\n"})
fails("a table called like a header of the library", r"^isakern-cc: --name: a library my makes a header my_generic\.h, ",
      {"my_generic.tbl": row, "my_generic_oracle.h": HALF["my_oracle.h"]},
      [word.replace("my.tbl", "my_generic.tbl") for word in LINE])
fails("a source that no row names", r"^isakern-cc: my_more\.c: no row of my\.tbl names it\n$", {"my_more.c": ""},
      LINE + ["my_more.c"])

# An instruction that the lowest ISA lacks, in a form that the assembler accepts, and its name.
ABOVE = {"x86_64": ("vzeroupper", "vzeroupper"),
         "aarch64": (r".arch armv8.2-a+dotprod\n\tsdot v0.4s, v1.16b, v2.16b", "sdot")}[target.ARCHITECTURE]
half = HALF["my_half.c"]
fails("a syntax error", r"my_half\.c:5:9: error: ", {"my_half.c": half + "int x = ;\n"})
# Faults that the check of the objects finds. It reports all of a source, each once.
FAULTS = (
    ("a kernel that is missing", "", "lacks my_half_f32__" + LOWEST),
    ("a weak symbol", "void weak(void);\n__attribute__((weak)) void weak(void) {}\n", "has weak, unique or indirect weak"),
    ("a helper that is not static", "int helper(void);\nint helper(void) { return 1; }\n", "defines helper"),
    ("a constructor", "int count(void);\n__attribute__((constructor)) static void first(void) { count(); }\n", r"has \.init_array"),
    ("writable data", "static int calls;\n__attribute__((used)) static int counted(void) { return calls++; }\n", r"has writable \.bss\S*"),
    ("a COMDAT group", '__asm__(".section .text.g,\\"axG\\",%progbits,grp,comdat\\nnop\\n.text");\n', "has a COMDAT group"),
    ("an instruction above the ISA", '__attribute__((used)) static void above(void) { __asm__("%s"); }\n' % ABOVE[0],
     r"above: '%s\b.*" % ABOVE[1]),
    ("a call of the public name", "void my_half_f32(float *, const float *, size_t);\n"
     "__attribute__((used)) static void call(float *x) { my_half_f32(x, x, 1); }\n", "calls my_half_f32 through the dispatch"))
said = fails("a source with all these faults", r"^isakern-cc: my_half\.c at ",
             {"my_half.c": '#include "my_half_kernels.h"\n' + "".join(text for _, text, _ in FAULTS)})
for name, _, words in FAULTS:
    equal(len(re.findall(r"(?m)^isakern-cc: my_half\.c at %s:? %s$" % (LOWEST, words), said)), 1, name, said)

# Command lines and folders.
def line(**changed):
    """LINE with another prefix, output, isa or table."""
    words = {"prefix": "my", "output": "libmy.so", "isa": LOWEST, "table": "my.tbl", **changed}
    return [*OWN, "--prefix", words["prefix"], "-o", words["output"], "--isa", words["isa"], words["table"], "my_half.c"]


for name, command, said in (
        ("a prefix that is no name", line(prefix="My"), r"^isakern-cc: --prefix: 'My' is no prefix name: "),
        ("isakern's prefix", line(prefix="isk"), r"^isakern-cc: --prefix: isk is isakern's own\n$"),
        ("a word of C as a prefix", line(prefix="int"), r"^isakern-cc: --prefix: 'int' is a word of C or C\+\+"),
        ("a word of C++ as a prefix", line(prefix="class"), r"^isakern-cc: --prefix: 'class' is a word of C or C\+\+"),
        ("the namespace of C++'s library as a prefix", line(prefix="std"), r"^isakern-cc: --prefix: 'std' is a word of C or C\+\+"),
        ("an output that is no library", line(output="my.so"),
         r"^isakern-cc: -o: 'my\.so' is no name like libmy\.so: "),
        ("an output in no folder", line(output="nowhere/libmy.so"),
         r"^isakern-cc: nowhere: No such file or directory\n$"),
        ("an ISA that is not there", line(isa="sse9"),
         r"^isakern-cc: --isa: no ISA 'sse9'; there are %s, " % LOWEST),
        ("a table that is not there", line(table="your.tbl"), r"^isakern-cc: your\.tbl: No such file or directory\n$"),
        ("a table of another name", line(table="my.txt"), r"^isakern-cc: my\.txt: a table NAME\.tbl comes first\n$"),
        ("a table with the name of another header", line(table="types.tbl"),
         r"^isakern-cc: types\.tbl: a header of that name is made"),
        ("a source that is not there", LINE + ["nowhere.c"], r"^isakern-cc: nowhere\.c: No such file or directory\n$"),
        ("a source given twice", LINE + ["my_half.c"], r"^isakern-cc: my_half\.c: two sources have that name\n$"),
        ("a source that is no C", LINE + ["my_half.cc"], r"^isakern-cc: my_half\.cc: sources are C, NAME\.c\n$")):
    fails(name, said, line=command)
fails("no sources", r"^isakern-cc: the following arguments are required: SOURCE\.c \(isakern-cc --help\)\n$",
      line=LINE[:-1], status=2)
fails("an option that is not there", r"^isakern-cc: unrecognized arguments: --fast \(", line=LINE + ["--fast"],
      status=2)
fails("a folder in the way", r"^isakern-cc: \./my\.h is a folder\n$", {"my.h/file": ""})
put("no oracle", {n: t for n, t in HALF.items() if n != "my_oracle.h"})
status, said = run(LINE, "no oracle", CC=CC)
equal((status, said), (1, "isakern-cc: my_oracle.h: No such file or directory\n"), "no oracle")
fails("a compiler that is not there", r"^isakern-cc: no program 'nocc'; CC names the compiler\n$", cc="nocc")
fails("a compiler with half a pair of quotation marks", r"^isakern-cc: CC: 'cc \"' is no command: no closing quotation\n$", cc='cc "')
fails("a compiler of blanks is cc, which compiles an empty file", r"^my\.tbl: no kernels\n$", {"my.tbl": "# nothing\n"}, cc=" ")
fails("a compiler that fails", r"^isakern-cc: 'false' does not compile an empty file: ", cc="false")
put(".", {"other": "case \" $* \" in *-march*) exit 1;; esac\nexec %s \"$@\"\n" % CC})
fails("a compiler for another machine", r"^isakern-cc: ISA %s: left out.*\nisakern-cc: 'sh \S+/other' does not compile for %s\n$" % (LOWEST, target.ARCHITECTURE),
      cc="sh " + path("other"))
if os.geteuid() == 0:
    # Root may write anywhere except into /proc.
    fails("an output that cannot be written", r"^isakern-cc: /proc: ", line=line(output="/proc/libmy.so"))
else:
    put("closed", {"file": ""})
    os.chmod(path("closed"), 0o555)
    fails("an output that cannot be written", r"^isakern-cc: \S+closed: Permission denied\n$",
          line=line(output=path("closed", "libmy.so")))
    os.chmod(path("closed"), 0o755)

# Stopped in the middle, by a compiler that kills its parent.
put("stopped", {**HALF, "slow": "case \" $* \" in *my_half.c*) kill $PPID; sleep 1;; esac\nexec %s \"$@\"\n" % CC})
status, said = run(LINE, "stopped", CC="sh " + path("stopped", "slow"))
ok(status == 143 and sorted(os.listdir(path("stopped"))) == sorted([*HALF, "slow"]),
   "stopped by SIGTERM, it leaves nothing", (status, said))
done()
