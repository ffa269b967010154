#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""index.d.ts, by TypeScript: right programs compile, and wrong lines do not.

    types.py PACKAGE
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import done, ok, skip_all  # noqa: E402

TSC = shutil.which("tsc")
if not TSC:
    skip_all("no tsc (Debian: node-typescript)")
PROGRAM = """
import {exp, exp_f32, cvt, gemm, gemm_pack, Packed, why, softmax, sum, topk, conv_f32, leaky_relu} from 'isakern';
const x: Float32Array = exp(Float32Array.of(1));
const d: Float64Array = exp(Float64Array.of(1), {y: new Float64Array(1)});
const n: number = sum(x);
const big: bigint = sum(BigInt64Array.of(1n));
const {values, indices} = topk(softmax(x, {cols: 1}), {cols: 1, k: 1});
const first: bigint = indices[0] + BigInt(values[0]);
const packed: Packed = gemm_pack(x, {n: 1});
const c: Float32Array = gemm(x, packed, {post: {act: 'relu', bias: x}});
const i: Int32Array = cvt(x, {y: new Int32Array(1)});
const isa: string = why('exp_f32')[0].isa;
leaky_relu(x, {alpha: 0.1});
"""
WRONG = ["exp_f32(d);", "exp([1]);", "exp_f32(x, {out: x});", "leaky_relu(x);", "leaky_relu(x, {alpha: '1'});", "gemm(x, x);",
         "gemm(x, packed, {post: {act: 'selu'}});", "const s: string = sum(x);", "conv_f32(x, packed);", "new Packed(x);"]


def compiled(folder, program):
    with open(os.path.join(folder, "program.ts"), "w", encoding="utf-8") as f:
        f.write(program)
    command = [TSC, "--strict", "--noEmit", "--target", "es2020", "--moduleResolution", "node", "program.ts"]
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    os.makedirs(os.path.join(work, "node_modules"))
    shutil.copytree(sys.argv[1], os.path.join(work, "node_modules", "isakern"), ignore=shutil.ignore_patterns("*.p", "*.node"))
    r = compiled(work, PROGRAM)
    ok(r.returncode == 0, "a right program", r.stdout)
    r = compiled(work, PROGRAM + "\n".join(WRONG))
    lines = {line.split("(")[1].split(",")[0] for line in r.stdout.splitlines() if line.startswith("program.ts(")}
    for number, line in enumerate(WRONG, PROGRAM.count("\n") + 1):
        ok(str(number) in lines, "does not compile: " + line, r.stdout)
done()
