#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A malformed row of a table fails with its file, its line and the reason."""
import os
import shutil
import subprocess
import sys

from kit import KERNELS, SOURCE, Tap

tap = Tap()
ISA, KERNEL, TUNING = "isa/x86_64.tbl", "kernels/kernels.tbl", "isa/tuning.tbl"
ROW = "relu_f32 map relu.c baseline,avx2,avx512 same exact exact summary"


def generate(table, line, replace):
    """Runs gen.py on a copy of the tables with a line added or replaced; its message and that line's number."""
    src = tap.path("src")
    shutil.rmtree(src, ignore_errors=True)
    os.makedirs(os.path.join(src, "resolve"))
    shutil.copytree(os.path.join(SOURCE, "src/isa"), os.path.join(src, "isa"))
    os.makedirs(os.path.join(src, "kernels"))
    shutil.copy(os.path.join(SOURCE, "src", KERNEL), os.path.join(src, KERNEL))
    for file, _ in KERNELS.values():
        open(os.path.join(src, "kernels", file), "w", encoding="utf-8").close()
    shutil.copy(os.path.join(SOURCE, "src/resolve/gen.py"), os.path.join(src, "resolve"))
    path = os.path.join(src, table)
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")[:-1]
    if replace is None:
        lines.append(line)
        number = len(lines)
    else:
        number = next(i for i, l in enumerate(lines) if l.startswith(replace)) + 1
        lines[number - 1] = line
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    r = subprocess.run([sys.executable, os.path.join(src, "resolve/gen.py"), "tables", "baseline,avx2"],
                       capture_output=True, text=True)
    return r.returncode, r.stderr.strip(), number


CASES = [
    # table, row, the row it replaces (None: one more), reason
    (ISA, "avx2 8", None, "2 columns, expected 3"),
    (ISA, "avx2 8 @baseline", None, "ISA 'avx2' is listed twice"),
    (ISA, "AVX9 8 @baseline", None, "'AVX9' is no ISA name"),
    (ISA, "a__b 8 @baseline", None, "'a__b' is no ISA name"),
    (ISA, "avx512_or_higher 16 @avx512", None, "'avx512_or_higher' is longer than 15 characters"),
    (ISA, "avx9 12 @baseline", None, "12 lanes"),
    (ISA, "avx9 8 @avx10", None, "'@avx10' names no row above"),
    (ISA, "avx9 8 -ffast-math", None, "'-ffast-math' is no -m flag"),
    (KERNEL, "x_f32 map", None, "2 columns, expected 8"),
    (KERNEL, ROW, None, "kernel 'relu_f32' is listed twice"),
    (KERNEL, ROW.replace("relu_f32", "Relu_f32"), "relu_f32", "'Relu_f32' is no kernel name"),
    (KERNEL, ROW.replace("relu_f32", "re__lu_f32"), "relu_f32", "'re__lu_f32' is no kernel name"),
    (KERNEL, ROW.replace("relu_f32", "r" * 44 + "_f32"), "relu_f32", "is longer than 47 characters"),
    (KERNEL, ROW.replace(" map", " mapp"), "relu_f32", "unknown shape 'mapp'; there are map, "),
    (KERNEL, ROW.replace("relu.c", "nowhere.c"), "relu_f32", "no file src/kernels/nowhere.c"),
    (KERNEL, ROW.replace("avx512", "avx513"), "relu_f32", "unknown ISA 'avx513'; there are baseline, "),
    (KERNEL, ROW.replace("baseline,", ""), "relu_f32", "every kernel needs a baseline variant"),
    (KERNEL, ROW.replace("relu_f32", "twice_f32").replace(",avx512", ""), None,
     "another kernel of relu.c has other ISAs"),
    (KERNEL, ROW.replace(" same", " Same"), "relu_f32", "bits are 'same', 'same-amx' or 'bound', not 'Same'"),
    (KERNEL, ROW.replace("exact exact", "exact -1"), "relu_f32", "an error bound is a number or 'exact'"),
    (KERNEL, ROW.replace("exact exact", "1e3 exact"), "relu_f32", "an error bound is a number or 'exact'"),
    (KERNEL, ROW + ' "quoted"', "relu_f32", "no quotes or backslashes"),
    (KERNEL, ROW.replace("relu_f32", "relu_f128"), "relu_f32", "'f128' in the name is no element type"),
    (TUNING, "relu_f32 avx512 6", None, "3 columns, expected 5"),
    (TUNING, "rely_f32 avx512 6 0-1 slow", None, "unknown kernel 'rely_f32'"),
    (TUNING, "relu_f32 amx 6 0-1 slow", None, "'relu_f32' has no variant 'amx' to demote"),
    (TUNING, "relu_f32 baseline 6 0-1 slow", None, "'relu_f32' has no variant 'baseline' to demote"),
    (TUNING, "relu_f32 avx512 six 0-1 slow", None, "family is a number"),
    (TUNING, "relu_f32 avx512 6 1 slow", None, "models a range"),
    (TUNING, "relu_f32 avx512 6 9-1 slow", None, "out of range"),
    (TUNING, "relu_f32 avx512 6 0-256 slow", None, "out of range"),
    (TUNING, "relu_f32 avx512 6 0-1 slow\\", None, "no quotes or backslashes"),
    (TUNING, "relu_f32 avx512 6 0-1 " + "x" * 76, None, "a reason has at most 75 characters, this one 76"),
]
for table, row, replace, reason in CASES:
    status, said, number = generate(table, row, replace)
    where = "src/%s:%d: " % (table, number)
    tap.ok(status == 1 and said.startswith(where) and reason in said and "\n" not in said,
           "%s: %s" % (table, reason), "status %d\n%s\nexpected %s%s" % (status, said, where, reason))
for table, row in ((ISA, "avx9 16 @avx512 -mavx512vbmi"),
                   (TUNING, "relu_f32 avx512 6 0-255 slower, 2.1x on AVX-512 CPUs")):
    status, said, _ = generate(table, row, None)
    tap.ok(status == 0 and not said, table + ": a row that is well formed passes", said)
tap.done()
