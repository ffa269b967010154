#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libisakern-check finds a fault in every kernel that is wrong on purpose, and none in right kernels.

    check.py PROGRAM TRACE CHECK WRONG_ONE WRONG_EVERY LIBRARY REFERENCES SEMSEARCH
"""
import errno
import os
import re
import sys

from runner import CHECK, NOT_HERE, REFERENCES, WRONG_EVERY, WRONG_ONE, program, run, target
from tap import done, equal, ok, skip

SEMSEARCH = sys.argv[8]
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
MODEL = os.environ.get("SEMSEARCH_MODEL") or os.path.join(CACHE, "isakern", "all-MiniLM-L6-v2")


def faults(r):
    """(kernel, variant, place), and the rest of the line"""
    return re.findall(r"^isakern-check: (\w+)/([^:]+): ([^:]+): (.*)$", r.stderr, re.M)


def summary(calls, checked, wrong):
    status = "; exit status 99" if wrong else ""
    return "isakern-check: %d calls, %d checked, %d wrong%s\n" % (calls, checked, wrong, status)


plain = program((), "calls")
for isa in target.LOWEST, target.HIGHER, "":
    env = {"ISAKERN_MAX_ISA": isa} if isa else {}
    r = program((CHECK,), "calls", **env)
    equal((r.returncode, r.stdout, r.stderr), (0, program((), "calls", **env).stdout, summary(12, 12, 0)),
          "nothing is wrong, and nothing changed, at %s" % (isa or "the best ISA"))
    r = program((CHECK,), "every", **env)
    count = int(r.stdout.split()[0])
    queries = count + 1 - int(re.search(r"(\d+) checked", r.stderr).group(1))
    equal((r.returncode, r.stderr, 0 < queries < 20), (0, summary(count + 1, count + 1 - queries, 0), True),
          "nor in any kernel, but for the %d that have no arguments" % queries)
r = program((CHECK, REFERENCES), "calls")
equal((r.returncode, r.stderr), (0, summary(12, 12, 0)), "nor in the references")

r = program((CHECK, WRONG_ONE), "calls")
found = faults(r)
equal((r.returncode, r.stdout.split("\n")[1] != plain.stdout.split("\n")[1], [f[:3] for f in found]),
      (99, True, [("exp_f32", "libwrong-one.so", "y[3]")] * 4),
      "one kernel that is wrong: each call is told, and the exit status", r.stderr)
words = r"got 0\.\d+ \(0x[0-9a-f]+\), wanted 0\.\d+ within [\d.]+ ulp; error [\d.]+; 1 of 100 wrong$"
ok(found and re.match(words, found[0][3]),
   "the index, what was got, what is wanted within which bound, the error", r.stderr)
ok(found and found[-1][3].endswith("2 of 7 wrong"), "in place, where the inputs are gone", r.stderr)
equal(r.stderr.split("\n")[-2] + "\n", summary(12, 12, 4), "and how many")
r = program((CHECK, WRONG_EVERY), "every")
told = {f[0] for f in faults(r)}
equal((r.returncode, len(told), "%d wrong" % (count - queries + 1) in r.stderr), (99, count - queries, True),
      "one bit that is wrong is found in every kernel", r.stderr[-2000:])
for kernel in "tanh_f32", "exp_f32", "softmax_f32", "layernorm_f32", "axpy_f32", "gemm_pack_f32", "gemm_f32", "dot_f32":
    r = program((CHECK, WRONG_EVERY), "calls", WRONG_KERNEL=kernel)
    equal((r.returncode, {f[0] for f in faults(r)}), (99, {kernel}), "in calls of all kinds: " + kernel, r.stderr)

r = program((CHECK, WRONG_ONE), "calls", ISAKERN_CHECK_RATE="3")
equal((r.returncode, [f[2] for f in faults(r)], r.stderr.endswith(summary(12, 9, 2))), (99, ["y[3]"] * 2, True),
      "one of three calls of each kernel", r.stderr)
for wrong in "0", "-1", "many", "1x", "99999999999999999999":
    r = program((CHECK,), "calls", ISAKERN_CHECK_RATE=wrong)
    equal(r.stderr, "isakern-check: ISAKERN_CHECK_RATE: '%s' ignored; it may be a number N from 1 on: one of N calls is "
                    "checked\n" % wrong + summary(12, 12, 0), "ISAKERN_CHECK_RATE=%s is told once" % wrong)
r = program((CHECK, WRONG_EVERY), "calls", ISAKERN_CHECK_KERNELS="soft*,d?t_f32")
equal({f[0] for f in faults(r)}, {"softmax_f32", "dot_f32"}, "kernels by patterns", r.stderr)
r = program((CHECK,), "calls", ISAKERN_CHECK_KERNELS="nag_f32,exp_f32")
ok(r.stderr.startswith("isakern-check: ISAKERN_CHECK_KERNELS: 'nag_f32' ignored; ")
   and r.stderr.endswith(summary(12, 4, 0)),
   "a name that no kernel has is told, the others hold", r.stderr)
r = program((CHECK,), "calls", ISAKERN_CHECK_KERNELS="nag_f32")
ok(r.stderr.endswith(summary(12, 12, 0)), "and without others all kernels are checked", r.stderr)

r = program((CHECK,), "nan")
equal((r.returncode, r.stderr), (0, summary(2, 2, 0)), "a NaN that stays a NaN", r.stderr)
r = program((CHECK, WRONG_ONE), "nan")
found = faults(r)
ok(r.returncode == 99 and [f[:3] for f in found] == [("exp_f32", "libwrong-one.so", "y[2]")]
   and re.match(r"got 1 \(0x3f800000\), wanted -?nan within [\d.]+ ulp; error inf; 1 of 3 wrong$", found[0][3]),
   "a number in place of a NaN", r.stderr)
r = program((CHECK,), "errno")
equal((r.returncode, r.stdout, r.stderr), (0, "kept kept\n", summary(3, 3, 0)), "errno stays as it was", r.stderr)
r = program((CHECK, WRONG_ONE), "errno")
equal((r.returncode, r.stdout, faults(r)),
      (99, "kept EDOM\n", [("sqrt_f32", "libwrong-one.so", "errno",
                           "got %d, wanted %d, which it was before the call; 1 of 2 wrong" % (errno.EDOM, errno.ENOENT))]),
      "errno that a kernel has changed is told, and stays changed for the program", r.stderr)
# At an ISA that rounds by an instruction, which has the rounding mode in its code.
if target.HIGHER:
    r = program((CHECK,), "state", ISAKERN_MAX_ISA=target.HIGHER)
    equal((r.returncode, r.stdout, r.stderr), (0, "1 1 1\n", summary(3, 3, 0)),
          "the rounding mode, the exceptions and errno of the program stay, and the oracle rounds to nearest", r.stderr)

r = program((CHECK,), "threads")
equal((r.returncode, r.stderr), (0, summary(40001, 40001, 0)), "many threads")
r = program((CHECK, WRONG_ONE), "fork")
equal((r.returncode, r.stdout, len(faults(r))), (99, "child 99\n", 3),
      "what is wrong in a child is wrong in its parent", r.stderr)
# A parent that calls no kernel itself.
script = ("import ctypes, os; l = ctypes.CDLL(None); a, b = (ctypes.c_float * 4)(), (ctypes.c_float * 4)(); "
          "child = os.fork(); child or l.isk_exp_f32(a, b, ctypes.c_size_t(4)); child and os.wait()")
r = run((CHECK, WRONG_ONE), sys.executable, "-c", script)
if NOT_HERE or r.returncode == 1 and "ctypes" in r.stderr:
    skip("what is wrong in a child only", NOT_HERE or "this Python has no ctypes")
else:
    equal((r.returncode, [f[:2] for f in faults(r)]), (99, [("exp_f32", "libwrong-one.so")]),
          "what is wrong in a child only", r.stderr)

if SEMSEARCH == "none" or not os.path.exists(os.path.join(MODEL, "model.fp16.safetensors")):
    skip("a sentence search", "no semsearch, or no model: examples/semsearch/fetch.sh gets it")
else:
    question = (SEMSEARCH, "--threads", "2", "--query", "a cure for thirst")
    r = run((CHECK,), *question, ISAKERN_CHECK_RATE="1000")
    ok(r.returncode == 0 and ", 0 wrong" in r.stderr, "a sentence search, one of 1000 calls", r.stderr)
    r = run((CHECK, WRONG_EVERY), *question, ISAKERN_CHECK_RATE="1000", WRONG_KERNEL="softmax_f32")
    ok(r.returncode == 99 and {f[0] for f in faults(r)} == {"softmax_f32"},
       "a sentence search, wrong on purpose", r.stderr)
done()
