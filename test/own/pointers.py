#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A library of isakern-cc without indirect functions: by option, and with musl, which does not support them.

    pointers.py SOURCE ISAKERN_CC LIBISAKERN COMPILER...
"""
import os
import re
import shutil
import sys

SOURCE, LIBRARY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3])
# Run by this Python, because the one on PATH may be a wrapper that takes half a second to start.
OWN = [sys.executable, os.path.abspath(sys.argv[2])]
COMPILER = sys.argv[4:]
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, equal, ok, skip  # noqa: E402
from work import OVERRIDE, PROGRAM, path, put, run  # noqa: E402

TWO_ISAS = ",".join(target.ISAS[:2])
INCLUDE = ["-I" + os.path.join(SOURCE, "include"),
           "-I" + os.path.join(os.path.dirname(LIBRARY), "gen", "isakern", "include")]

NO_MUSL = "no musl-gcc" if not shutil.which("musl-gcc") else "musl-gcc compiles for this machine" if target.WRAPPER else ""
for name, compiler, words in (("pointers", COMPILER, ["--dispatch", "pointer"]), ("musl", ["musl-gcc"], [])):
    if name == "musl" and NO_MUSL:
        skip("a library with musl", NO_MUSL)
        continue
    put(name, {**OVERRIDE, "program.c": PROGRAM.replace("isk_abs_f32(y, x, 2);", "y[0] = 1;")})
    status, said = run([*OWN, "--prefix", "my", "-o", "libmy.so", "--static", "--isa", TWO_ISAS, *words, "my.tbl", "my_relu.c"],
                       name, CC=" ".join(compiler))
    ok(status == 0, "a library with " + name, said)
    letters = set(re.findall(r" (\S) (?:my_half_f32|my_relu_f32|isk_relu_f32)(?:@|$)", run(["nm", "-D", "libmy.so"], name)[1], re.M))
    equal(letters, {"T"}, name + ": its kernels are functions")
    for form, link in (("shared", ["libmy.so", "-Wl,-rpath," + path(name)]), ("static", ["-static", "libmy.a", "-lm"])):
        status, said = run([*compiler, *INCLUDE, "program.c", "-o", "program", *link], name)
        for isa in (target.HIGHER, target.LOWEST):
            status, said = run(["./program"], name, ISAKERN_VERBOSE="1", ISAKERN_MAX_ISA=isa) if status == 0 else (status, said)
            bound = re.findall(r"relu_f32 -> (\w+) ", said)
            ok(status == 0 and "0 4\n" in said and bound in ([isa], [target.LOWEST]), "%s, %s, %s" % (name, form, isa), said)
if not NO_MUSL:
    status, said = run([*OWN, "--prefix", "my", "-o", "libmy.so", "--isa", target.LOWEST, "--dispatch", "ifunc", "my.tbl", "my_relu.c"],
                       "musl", CC="musl-gcc")
    equal((status, said), (1, "isakern-cc: --dispatch: 'musl-gcc' or its C library has no indirect functions; pointer does without\n"),
          "musl: no ifunc, in a line")
done()
