#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libisakern-trace: its counts, its files, and that a program behaves the same with it.

    trace.py PROGRAM TRACE CHECK WRONG_ONE WRONG_EVERY LIBRARY REFERENCES
"""
import json
import os
import re
import sys
import tempfile

from runner import CHECK, LIBRARY, NOT_HERE, REFERENCES, TRACE, program, run
from tap import done, equal, ok, skip


def traced(mode, work, preloaded=(TRACE,)):
    """The reports of a program's processes, and the finished process."""
    path = os.path.join(work, mode + ".json")
    r = program(preloaded, mode, ISAKERN_TRACE=path)
    reports = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            reports = [json.loads(line) for line in f]
        os.remove(path)
    return r, reports


def calls(report):
    return {k["kernel"]: k["calls"] for k in report["kernels"]}


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    plain = program((), "calls")
    r, reports = traced("calls", work)
    equal((r.returncode, r.stdout, r.stderr), (0, plain.stdout, ""), "a program does not notice")
    equal([calls(report) for report in reports], [
        {"tanh_f32": 1, "exp_f32": 4, "softmax_f32": 1, "layernorm_f32": 1, "axpy_f32": 1, "gemm_pack_f32": 1,
         "gemm_f32": 2, "dot_f32": 1}], "all calls are counted, that before main() and a refused one too")
    by_name = {k["kernel"]: k for k in reports[0]["kernels"]}
    equal({name: by_name[name]["bytes"] for name in ("exp_f32", "softmax_f32", "layernorm_f32", "axpy_f32", "dot_f32")},
          {"exp_f32": 3 * 800 + 56, "softmax_f32": 2 * 4 * (9 * 24 + 20), "layernorm_f32": 512, "axpy_f32": 768,
           "dot_f32": 512},
          "bytes of arrays, rows apart, in place, NULL and read and written")
    packed = 64 + 8 * 64
    equal(by_name["gemm_pack_f32"]["bytes"], 256 + packed, "bytes of a packed matrix")
    by_kernel = {k["kernel"]: k for k in traced("conv", work)[1][0]["kernels"]}
    weights = 64 + 4 * 16 * 2 * 2 * 2
    equal({name: k["bytes"] for name, k in by_kernel.items() if "conv" in name},
          {"conv_f32": 4 * ((16 - 1) * 5 + 2) + 4 * ((9 - 1) * 7 + 3) + weights, "conv_pack_f32": 4 * 2 * 2 * 2 * 3 + weights},
          "bytes of a convolution, whose pixels are apart")
    equal(sorted((s["sizes"]["n"], s["calls"]) for s in by_name["exp_f32"]["shapes"]), [([4, 7], 1), ([64, 127], 3)],
          "sizes are counted by their bits")
    equal(by_name["softmax_f32"]["shapes"][0]["sizes"], {"rows": [8, 15], "cols": [16, 31]}, "by all sizes of a shape")
    ok(all(k["ns"] >= sum(s["ns"] for s in k["shapes"]) > 0 for k in reports[0]["kernels"]), "time is taken", reports)
    r = program((TRACE,), "calls")
    ok(r.returncode == 0 and r.stdout == plain.stdout and r.stderr.startswith("isakern-trace: process ")
       and re.search(r"^exp_f32 +\w+ +4 +2456 ", r.stderr, re.M) and "    n 64-127: 3 calls" in r.stderr,
       "a table on standard error", r.stderr)
    path = os.path.join(work, "table")
    for _ in range(2):
        r = program((TRACE,), "calls", ISAKERN_TRACE=path)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    ok(r.stderr == "" and text.count("isakern-trace: process ") == 2,
       "in a file, to which each process adds its own", text)
    r = program((TRACE,), "calls", ISAKERN_TRACE=os.path.join(work, "none", "file.json"))
    ok(r.returncode == 0 and r.stderr.startswith("isakern-trace: ISAKERN_TRACE: cannot write '")
       and '"exp_f32"' in r.stderr,
       "a file that cannot be written: told, and nothing lost", r.stderr)
    r = program((TRACE,), "calls", ISAKERN_TRACE=path, ISAKERN_TRACE_LINES="1")
    lines = r.stderr.splitlines()
    words = r"isakern-trace: \w+/\w+: (\w+ \d+, )+\d+ bytes, [\d.]+ us$"
    ok(len(lines) == 12 and all(re.match(words, line) for line in lines)
       and lines[5].startswith("isakern-trace: softmax_f32/") and ": rows 10, cols 20, 1888 bytes" in lines[5],
       "a line for each call", r.stderr)
    r = program((TRACE,), "calls", ISAKERN_TRACE=path, ISAKERN_TRACE_LINES="yes")
    equal(r.stderr, "isakern-trace: ISAKERN_TRACE_LINES: 'yes' ignored; it may be 0 or 1\n",
          "a wrong value is told once")

    equal([calls(report)["add_f32"] for report in traced("threads", work)[1]], [40000], "from many threads")
    r, reports = traced("fork", work)
    equal((r.stdout, [(calls(report), report["looked_up"]) for report in reports]),
          ("child 0\n", [({"exp_f32": 3}, []), ({"tanh_f32": 1, "sin_f32": 2}, ["cos_f32"])]),
          "a child tells what it called itself, and looked up")
    r, reports = traced("lookup", work)
    equal((r.stdout, sorted(reports[0]["looked_up"]), calls(reports[0])),
          ("1 1 1\n", ["cos_f32", "erf_f32"], {"tanh_f32": 1, "erf_f32": 1, "cos_f32": 1}),
          "what is looked up at run time, from the library itself too; references are not")
    r, reports = traced("every", work)
    equal(len(reports[0]["kernels"]) if reports else r, int(r.stdout.split()[0]), "every kernel is seen")
    equal(reports[0]["calls_without_shape"], 0, "each with its shape")

    r, reports = traced("calls", work, (TRACE, REFERENCES))
    equal({k["variant"] for k in reports[0]["kernels"]}, {os.path.basename(REFERENCES)},
          "what stands behind is called, and named")
    r, reports = traced("calls", work, (TRACE, CHECK))
    equal((r.returncode, calls(reports[0])["exp_f32"], r.stderr),
          (0, 4, "isakern-check: 12 calls, 12 checked, 0 wrong\n"), "in front of libisakern-check")

    # A program that is not linked with isakern, and loads it by itself.
    script = ("import ctypes; l = ctypes.CDLL(%r); a = (ctypes.c_float * 4)(); f = l.isk_exp_f32; "
              "f(a, a, ctypes.c_size_t(4)); print(list(a))" % os.path.realpath(LIBRARY))
    path = os.path.join(work, "python.json")
    r = run((TRACE,), sys.executable, "-c", script, ISAKERN_TRACE=path)
    if NOT_HERE or r.returncode and "ctypes" in r.stderr:
        skip("a program that loads isakern at run time", NOT_HERE or "this Python has no ctypes")
    else:
        with open(path, encoding="utf-8") as f:
            report = json.load(f)
        equal((r.stdout, calls(report), report["looked_up"]), ("[1.0, 1.0, 1.0, 1.0]\n", {"exp_f32": 1}, ["exp_f32"]),
              "a program that loads isakern at run time")
    if NOT_HERE:
        skip("a program that calls no kernel is left alone", NOT_HERE)
    else:
        r = run((TRACE,), "/bin/sh", "-c", "echo said", ISAKERN_TRACE=os.path.join(work, "sh"))
        ok(r.stdout == "said\n" and r.stderr == "" and not os.path.exists(os.path.join(work, "sh")),
           "a program that calls no kernel is left alone", r)
done()
