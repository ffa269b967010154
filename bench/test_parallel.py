#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/parallel --plan: the shares cover the product and are as even as whole panels allow; wrong sizes are refused.

    test_parallel.py PARALLEL
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../test"))
from tap import done, equal, ok  # noqa: E402


def run(*args):
    r = subprocess.run([sys.argv[1], "--plan", *args], capture_output=True, text=True, timeout=60)
    return r.returncode, r.stdout, r.stderr


for m, n, k, limit in ((1024, 1024, 1024, 1.01), (512, 3072, 768, 1.01), (16, 4096, 4096, 1.01), (1000, 777, 64, 1.6), (3, 5, 7, 64)):
    sizes = "%dx%dx%d" % (m, n, k)
    status, out, _ = run(sizes)
    rows = re.findall(r"^ +(\d+) +(\d+)x(\d+) +(\d+)x(\d+) .* ([\d.]+)$", out, re.MULTILINE)
    equal((status, [int(row[0]) for row in rows]), (0, [1, 2, 4, 8, 16, 32, 64]), sizes + " is planned for 1 to 64 threads")
    for threads, high, wide, share_m, share_n, of_even in rows:
        high, wide, share_m, share_n = map(int, (high, wide, share_m, share_n))
        ok(high * wide <= int(threads) and m <= high * share_m < m + high and n <= wide * share_n < n + 64 * wide
           and float(of_even) <= limit, "%s: %s threads" % (sizes, threads), (high, wide, share_m, share_n, of_even))
for words in ([], ["3x4"], ["3x4x5x6"], ["0x4x5"], ["100000x1x1"], ["3x4xk"]):
    status, out, said = run(*words)
    ok(status == 2 and not out and said.count("\n") == 1 and "1024x1024x1024" in said, "refused: " + (" ".join(words) or "no sizes"), said)
done()
