#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A kernel without an oracle does not link.

    no_oracle.py SOURCE_ROOT BUILT_ISAS COMPILER...

Adds a row of each shape to a copy of the kernel table, without an oracle, and
links the references: the linker must name what is missing. Without the row the
same commands must succeed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

# shape, name of its row; the name of what must be missing follows
ROWS = {"map": "none_f32", "zip": "none_f32", "cvt": "none_f32_bf16", "quantize": "none_f32_s8",
        "dequantize": "none_s8_f32", "reduce": "none_f32", "reduce2": "none_f32", "index": "none_f32",
        "softmax": "none_f32", "norm": "none_f32", "pool": "none_f32", "pack": "none_f32", "gemm": "none_f32",
        "conv_pack": "none_f32", "conv": "none_f32",
        "transpose": "none_b32", "images": "none_b32", "matmul": "none_f32", "matmul_batch": "none_f32"}


def link(root, built, compiler):
    """The linker's messages about the references of the tree at root; empty if they link."""
    src, gen = os.path.join(root, "src"), os.path.join(root, "generated")
    os.makedirs(gen, exist_ok=True)
    for name, kind in (("isakern_kernels.h", "header"), ("isk_tables.h", "tables")):
        with open(os.path.join(gen, name), "w", encoding="utf-8") as out:
            subprocess.run([sys.executable, os.path.join(src, "resolve", "gen.py"), kind, built],
                           stdout=out, check=True)
    kernels = os.path.join(src, "kernels")
    run = subprocess.run(
        compiler + ["-std=gnu11", "-O0", "-w", "-fPIC", "-shared", "-Wl,-z,defs", "-I" + gen,
                    "-I" + os.path.join(root, "include"), "-I" + kernels, "-o", os.path.join(root, "ref.so")]
        + [os.path.join(kernels, f) for f in ("reference.c", "oracle.c", "oracle_gemm.c", "oracle_conv.c", "oracle_matmul.c")]
        + ["-lm"], stderr=subprocess.PIPE, text=True, env=dict(os.environ, LC_ALL="C"))
    return run.stderr if run.returncode else ""


def main(source, built, *compiler):
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        for part in ("src", "include"):
            shutil.copytree(os.path.join(source, part), os.path.join(root, part))
        table = os.path.join(root, "src", "kernels", "kernels.tbl")
        with open(table, encoding="utf-8") as f:
            rows = f.read()
        print("1..%d" % (len(ROWS) + 1))
        errors = link(root, built, list(compiler))
        print("%s 1 - every kernel of the table has an oracle" % ("not ok" if errors else "ok"))
        failed += bool(errors)
        for number, (shape, name) in enumerate(ROWS.items(), 2):
            with open(table, "w", encoding="utf-8") as f:
                f.write(rows + "%s %s relu.c baseline,avx2,avx512 same 1 1 nothing\n" % (name, shape))
            errors = link(root, built, list(compiler))
            good = "undefined" in errors and "isk_oracle_%s" % name in errors
            print("%s %d - a %s without an oracle does not link"
                  % ("ok" if good else "not ok", number, shape))
            if not good:
                print("# " + (errors or "it links").replace("\n", "\n# "))
            failed += not good
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
