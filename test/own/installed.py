#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/own-kernel with an installed isakern, by make; and the isakern command on its library.

    installed.py SOURCE LIBISAKERN MESON COMPILER...
"""
import json
import os
import re

from placed import CC, ENV, ISAKERN, LIBDIR, PREFIX, SOURCE, example, option, power, right
import target
from tap import done, ok, skip
from work import path, put, run


def on_path():
    """A folder with the command that make finds: for another machine, a script that runs it."""
    put("bin", {"isakern": '#!/bin/sh\nexec %s "$@"\n' % " ".join([*target.WRAPPER, ISAKERN])})
    os.chmod(path("bin", "isakern"), 0o755)
    return path("bin")


def files(folder):
    return sorted(n for n in os.listdir(path(folder)) if n in ("libmy.so", "libmy-ref.so", "my.h", "my.pc", "libmy.a"))


with open(os.path.join(SOURCE, "docs", "own-kernels.md"), encoding="utf-8") as f:
    SMALLEST = f.read().split("## The smallest library\n")[1].split("\n## ")[0]
blocks = re.findall(r"`([\w.]+)`[^`]*?:\n\n((?:    .*\n|\n)+)", SMALLEST)
put("smallest", {name: re.sub(r"(?m)^    ", "", text) for name, text in blocks})
for command in re.findall(r"(?m)^    \$ (.*)$", SMALLEST):
    status, said = run(re.sub("^cc ", "$CC ", command), "smallest", **ENV)
    ok(status == 0, "docs/own-kernels.md: " + command, said)
ok(said == re.search(r"prints `(.*)`", SMALLEST)[1] + "\n", "and the program prints what the page says", said)

example("make")
status, said = run(["make", "-s", "CC=" + CC], "make", **ENV)
if ok(status == 0 and files("make") == ["libmy-ref.so", "libmy.so", "my.h", "my.pc"], "make: the example builds", said):
    ok(not said, "without a word", said)
    status, said = run(["./mix"], "make", **ENV)
    ok(status == 0 and right(said), "and prints the power %.3f" % power(), said)
    status, said = run(["./mix"], "make", ISAKERN_MAX_ISA=target.LOWEST, **ENV)
    ok(status == 0 and right(said) and said.endswith(" %s\n" % target.LOWEST), "ISAKERN_MAX_ISA caps it", said)
    status, said = run(["./mix"], "make", ISAKERN_VERBOSE="1", **ENV)
    ok("mix_f32 -> " in said, "ISAKERN_VERBOSE tells of it", said)
    status, said = run("cp mix.c user.c && $CC user.c -o user $(pkg-config --cflags --libs my) -L%s -lisakern" % LIBDIR,
                       "make", **{**ENV, "PKG_CONFIG_PATH": ENV["PKG_CONFIG_PATH"] + ":" + path("make"),
                                  "PKG_CONFIG_SYSROOT_DIR": "", "CPATH": os.path.join(PREFIX, option("includedir"))})
    if status == 0:
        status, said = run(["./user"], "make", **{**ENV, "LD_LIBRARY_PATH": ".:" + LIBDIR})
    ok(status == 0 and right(said), "my.pc serves where it lies", said)

    if not os.path.exists(ISAKERN):
        skip("isakern --library", "a build without the isakern command")
    else:
        def ask(*words, **env):
            return run([ISAKERN, "--library", "./libmy.so", *words], "make", **{**ENV, **env})

        names = ["mix_bf16", "mix_f32", "mix_f64", "smoothstep_f32"]
        status, said = ask("kernels", "--json")
        rows = json.loads(said) if status == 0 else []
        ok([r["kernel"] for r in rows] == names and [r["symbol"] for r in rows] == ["my_" + n for n in names],
           "isakern --library kernels", said)
        status, said = ask("why", "my_mix_f32")
        ok(status == 0 and "chosen" in said and "does not reach" not in said, "why, by the symbol", said)
        status, said = ask("why", "mix_f32", LD_PRELOAD="./libmy-ref.so")
        ok(status == 0 and "A call does not reach it but ./libmy-ref.so" in said, "why tells of preloaded references",
           said)
        status, said = run(["make", "-s", "check", "CC=" + CC], "make", **{**ENV, "PATH": on_path() + ":" + ENV["PATH"]})
        counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) not run", said)
        # The references and the lowest ISA run everywhere.
        ok(status == 0 and counts and int(counts[1]) >= 8 and counts[2] == "0", "make check: verify passes", said)
        status, said = ask("bench", "--quick", "--json", "mix_bf16")
        kernels = json.loads(said)["kernels"] if status == 0 else []
        ok([k["kernel"] for k in kernels] == ["mix_bf16"], "bench times a kernel of an own shape", said)
        status, said = ask("tune", "--quick", "smoothstep_f32", ISAKERN_MAX_ISA=target.LOWEST)
        ok(status == 0 and "1 of 1 kernels" in said, "tune", said)
        status, said = ask("why", "exp_f32")
        ok(status == 2 and "no kernel 'exp_f32'" in said, "it has no kernels of isakern", said)

        # verify must notice: the oracle is right and the kernel is not.
        example("wrong")
        with open(path("wrong", "my_step.c"), encoding="utf-8") as f:
            text = f.read()
        put("wrong", {"my_step.c": text.replace("vf_set1(-2)", "vf_set1(-2.001F)")})
        run(["isakern-cc", "--prefix", "my", "-o", "libmy.so", "--isa", target.LOWEST, "my.tbl", "my_step.c", "my_mix.c"],
            "wrong", **ENV)
        status, said = run([ISAKERN, "--library=./libmy.so", "verify"], "wrong", **ENV)
        ok(text.count("vf_set1(-2)") == 1 and status != 0 and "✗ smoothstep_f32/%s" % target.LOWEST in said
           and "✓ mix_f32/%s" % target.LOWEST in said,
           "verify finds a wrong kernel", said)
done()
