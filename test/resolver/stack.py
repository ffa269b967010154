#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No variant takes more stack than promised, including variants that this CPU cannot run: the frames along the deepest path
of calls are added up from the instructions.

    stack.py OPTIMIZATION

A call through a pointer may reach every function whose address was taken on the way to it, because pointers are handed
down.
"""
import collections
import os
import re
import subprocess
import sys

from kit import INSTRUMENTED, ISAS, KERNELS, SHARED, SOURCE, Tap

tap = Tap()
if sys.argv[1] in ("0", "g", "plain") or INSTRUMENTED:
    tap.skip("the stack of all variants", "what is promised is what optimised code takes")
    tap.done()
with open(os.path.join(SOURCE, "src", "verify", "harness.h"), encoding="utf-8") as f:
    number, shift = re.search(r"#define STACK_MOST \(\(size_t\)(\d+) << (\d+)\)", f.read()).groups()
MOST = int(number) << int(shift)

names, frames = {}, collections.Counter()
direct, taken, indirect = collections.defaultdict(set), collections.defaultdict(set), set()
objdump = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", SHARED], stdout=subprocess.PIPE, text=True)
function = None
for line in objdump.stdout:
    begins = re.match(r"([0-9a-f]+) <(.+)>:$", line)
    if begins:
        function = int(begins[1], 16)
        names[function] = begins[2]
        frames[function] = 8  # the return address
        continue
    instruction = re.search(r"\t(push|sub|add|and|call|lea|j\w+) +(.*)", line)
    if not instruction:
        continue
    word, operands = instruction.groups()
    moved, target = re.match(r"\$0x([0-9a-f]+),%rsp", operands), re.match(r"([0-9a-f]+) <", operands)
    address = re.search(r"# ([0-9a-f]+) <", operands)
    if word == "push":
        frames[function] += 8
    elif word == "and" and moved:
        frames[function] += 63  # the frame is aligned
    elif word in ("sub", "add") and moved:
        bytes_down = (int(moved[1], 16) + (1 << 63)) % (1 << 64) - (1 << 63)
        frames[function] += max(bytes_down if word == "sub" else -bytes_down, 0)
    elif word == "lea" and address:
        taken[function].add(int(address[1], 16))
    elif target:
        direct[function].add(int(target[1], 16))
    elif word == "call" and "*" in operands:
        indirect.add(function)


def deepest(function, path=(), known=frozenset()):
    """The bytes of the deepest path of calls from a function, and that path."""
    path, known = path + (function,), known | taken[function] & names.keys()
    called = direct[function] & names.keys() | (known if function in indirect else set())
    most = max((deepest(f, path, known) for f in called - set(path)), default=(0, ()))
    return frames[function] + most[0], ("%s %d" % (names[function], frames[function]),) + most[1]


seen = 0
for isa in ISAS:
    variants = {"isk_%s__%s" % (k, isa) for k in KERNELS}
    found = sorted((deepest(f) for f, name in names.items() if name in variants), reverse=True)
    seen += len(found)
    if found:
        over = [f for f in found if f[0] > MOST]
        tap.ok(not over, "%d variants at %s: %d bytes" % (len(found), isa, found[0][0]),
               "\n".join("%d: %s" % (f[0], ", ".join(f[1])) for f in over))
tap.ok(seen > len(KERNELS), "there are variants", seen)
tap.done()
