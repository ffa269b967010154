#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark against other libraries: its measurements are of right results, and wrong requests are refused.

    test_peers.py PEERS LIBISAKERN

Times are not checked.
"""
import ast
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "test"))
from tap import done, ok  # noqa: E402

PEERS, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:3])
# A row of each way to call a kernel.
ROWS = ["gemm_f32/64x64x64", "gemm_f32/17x1x64", "gemm_f32/16x768x768", "matmul_f32/12x12x12", "gemm_f32s8/4x3072x768",
        "gemm_u8s8_s32/64x64x64", "gemm_u8s8_u8/16x768x768", "gemm_bf16/16x768x768", "conv_f32/7x7x960>960",
        "conv_u8s8_s32/14x14x384>384", "transpose_b32/100x100", "*_f32/256", "cvt_*/256", "*quantize_*/256", "*_b32/256", "*/64x64",
        "bag_*/256x64/2000", "adaptive_*/512x14x14>7"]


def run(*arguments):
    return subprocess.run([PEERS, *arguments], capture_output=True, text=True, timeout=240)


listed = run("--list").stdout.splitlines()
twice = [name for name, times in collections.Counter(listed).items() if times > 1]
ok(len(listed) > 400 and not twice, "each row is there once", "%d rows; twice: %s" % (len(listed), twice))
for pattern in ROWS:
    ok(run("--list", "--rows", pattern).stdout, "a row is named " + pattern)

# README's picture has a place for each group. The program that draws it is read, not run: it needs matplotlib.
with open(os.path.join(HERE, "..", "..", "docs", "speed", "picture.py"), encoding="utf-8") as file:
    kinds = next(ast.literal_eval(s.value) for s in ast.parse(file.read()).body
                 if isinstance(s, ast.Assign) and s.targets[0].id == "KINDS")
groups = {line.split()[1] for line in listed}
drawn = {group for names in kinds.values() for group in names.split()}
ok(groups == drawn, "docs/speed/picture.py draws each group", "of one alone: %s" % sorted(groups ^ drawn))

for arguments, word in ((["--group", "nosuch"], "few-columns"), (["--rows", "nosuch"], "--list"), (["--isa", "sse"], "avx2"),
                        (["--old", "/nosuch"], "--old"), (["--old", "libm.so.6"], "isk_packed_size"), (["word"], "arguments"),
                        (["--json=/nosuch/file"], "/nosuch/file"),
                        # More than a stream's buffer is written before the stream is closed in the first case, less in the
                        # second.
                        (["--quick", "--json=/dev/full", "--alone", "--rows", "*/64x64", "--rows", "*_f32/256"], "/dev/full"),
                        (["--quick", "--json=/dev/full", "--alone", "--rows", ROWS[0]], "/dev/full")):
    r = run(*arguments)
    ok(r.returncode != 0 and word in r.stderr, "refused: " + " ".join(arguments), r.stdout + r.stderr)

words = [word for pattern in ROWS for word in ("--rows", pattern)]
with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8") as file:
    r = run("--quick", "--json=" + file.name, "--old", LIBRARY, *words)
    ok(r.returncode == 0, "the table is printed, and JSON written", r.stderr)
    rows = json.load(file)["rows"] if r.returncode == 0 else []
wide = [line for line in r.stdout.splitlines() if len(line) > 79]
ok(not wide, "no line of the table is longer than 79 columns", "\n".join(wide))
ok(len(rows) >= len(ROWS), "all rows are there", rows)
r = run("--quick", "--rows", ROWS[0], "--json")
ok(r.returncode == 0 and len(json.loads(r.stdout)["rows"]) == 1, "JSON is printed", r.stdout + r.stderr)
for row in rows:
    name = "%s/%s %s" % (row["kernel"], row["shape"], row["group"])
    own = [c for c in row.get("contestants", []) if c["role"] in ("isakern", "old")]
    ok(len(own) == 2 and not any("wrong" in c for c in own), "isakern and the old one are right and timed: " + name, row)
done()
