#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flags of CFLAGS, CC or a parent project that change arithmetic, or do not optimize, change no instruction of a kernel.

    arithmetic.py SOURCE COMPILER...
"""
import os
import subprocess
import sys
import tempfile

SOURCE, *COMPILER = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "test"), os.path.join(SOURCE, "src", "resolve", "generate")]
import recipe  # noqa: E402
import target  # noqa: E402
from tap import done, ok, skip  # noqa: E402

KERNEL = """
float sum(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
float back(float x, float y) { return x + y - y; }
float product(float x, float y, float z) { return x * y + z; }
float third(float x) { return x / 3.0F; }
float positive(float x) { return x + 0.0F; }
int is_nan(float x) { return x != x; }
double tenth(double x) { return x * 0.1; }
float root(float x) { return 1 / __builtin_sqrtf(x); }
"""
FLAGS = ["-Ofast", "-O3 -ffast-math", "-funsafe-math-optimizations", "-ffp-contract=fast", "-ffinite-math-only", "-freciprocal-math",
         "-fno-signed-zeros -fno-trapping-math -fassociative-math", "-fsingle-precision-constant", "-O0", "-Os"]
HIGHEST = target.ROWS[-1].flags

with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    source = os.path.join(work, "kernel.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(KERNEL)

    def compiled(compiler, flags):
        """The exit status, and the assembly or what the compiler said."""
        r = subprocess.run([*compiler, *flags, "-S", "-o", "-", source], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return r.returncode, r.stdout if r.returncode == 0 else r.stderr

    for compiler in [COMPILER] + [c.split() for c in target.C if c.split() != COMPILER]:
        name = " ".join(compiler)
        if not target.has(compiler[0]):
            skip(name, "there is no " + compiler[0])
            continue
        kernel = recipe.KERNEL + [f for f in recipe.KERNEL_IF if compiled([*compiler, "-Werror"], [f])[0] == 0]
        plain = compiled(compiler, HIGHEST + kernel)
        ok(compiled(compiler, HIGHEST + ["-O2"]) != compiled(compiler, HIGHEST + ["-O2", "-Ofast"]), name + ": -Ofast alone changes some")
        for flags in FLAGS:
            got = compiled([*compiler, *flags.split()], HIGHEST + kernel)
            ok(got == plain and plain[0] == 0, "%s %s: the instructions are the same" % (name, flags), got[1])
done()
