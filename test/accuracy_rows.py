#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The promises of kernels.tbl against the measurements: each bound against the worst error of docs/accuracy.md, each promise of
equal bits against the recorded fingerprints.

    accuracy_rows.py SOURCE

A bound in ulp is at most 3 times the worst error that was seen of the operation, by any of its types with the same bound. Half
an ulp, written as up to 0.51, is always allowed, because no rounded result has a lower bound.
Every other unit, such as eps * depth(n) * sum of |x[i]|, is itself the bound that an analysis of the rounding errors gives. Random
terms stay far below it, because their errors cancel each other. A factor of 1 is therefore always allowed. A larger factor is at
most 3 times the worst error of the operations with the same unit. A bound of a kernel that was not measured has no other choice
than these two.
"""
import collections
import os
import re
import sys

from tap import done, ok

SOURCE = os.path.abspath(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve", "generate"))
import contract  # noqa: E402
import tables  # noqa: E402

MOST = 3
HALF_AN_ULP = 0.51
KERNELS = os.path.join(SOURCE, "src", "kernels")
# By the name of a library with recorded fingerprints, the folders of its families.
FOLDERS = {"isakern": sorted(os.path.join(KERNELS, f) for f in os.listdir(KERNELS)
                             if os.path.isfile(os.path.join(KERNELS, f, "kernels.tbl"))),
           "isakern-sleef": [os.path.join(SOURCE, "src", "sleef", "sleef")]}


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as f:
        return f.read()


def seen_errors():
    """By (kernel, ISA), the bound that the page shows and the worst error."""
    rows = re.findall(r"^\| (\w+) \| (baseline|others) \| (\S+) \| (\S+) \|", read("docs", "accuracy.md"), re.MULTILINE)
    return {(kernel, isa): (bound, float(worst)) for kernel, isa, bound, worst in rows}


def unit_of(contracts, kernel):
    """The words of the contract about the bound of a kernel, without the name of an array or a type."""
    entry = contracts[kernel.family].entry(kernel)
    notes = sorted((n for n in entry.errors if entry.is_about(n, kernel)), key=lambda n: not n.types)
    return "ulp" if "{error} ulp" in notes[0].text else notes[0].text


def measured_rows(kernels, seen):
    """(kernel, ISA, bound, worst error or None) of each bound of the tables that is a number."""
    for k in kernels:
        bounds = {"others": k.error} if k.error == k.baseline else {"others": k.error, "baseline": k.baseline}
        for isa, bound in bounds.items():
            if bound != "exact":
                yield k, isa, bound, seen.get((k.name, isa), (bound, None))[1]


def too_wide(kernels, contracts, seen):
    rows = [(k, isa, float(bound), unit_of(contracts, k), worst) for k, isa, bound, worst in measured_rows(kernels, seen)]

    def alike(k, isa, bound, unit):
        return (unit if unit != "ulp" else k.op), isa, bound

    worst_of = collections.defaultdict(float)
    for k, isa, bound, unit, worst in rows:
        key = alike(k, isa, bound, unit)
        worst_of[key] = max(worst_of[key], worst or 0)
    for k, isa, bound, unit, _ in rows:
        worst = worst_of[alike(k, isa, bound, unit)]
        if bound > MOST * worst and bound > (HALF_AN_ULP if unit == "ulp" else 1):
            yield "%s at %s: bound %g, worst error seen %g (%s)" % (k.name, isa, bound, worst, unit)


def stale(library, seen):
    """The rows of the page that show another bound than the table, or a kernel that does not exist."""
    for (name, isa), (bound, worst) in seen.items():
        k = library.kernels.get(name)
        wanted = k and (k.baseline if isa == "baseline" else k.error)
        if bound != wanted:
            yield "%s at %s: the page shows %s, the table %s" % (name, isa, bound, wanted or "no such kernel")
        elif bound == "exact" and worst > 0.5:
            yield "%s at %s: exact, but an error of %g was seen" % (name, isa, worst)


def recorded(file):
    """The names of the kernels with a line in a file of fingerprints."""
    return [line.split()[0].split("#")[0] for line in read("tools", "fingerprints", file).split("\n") if line and line[0] != "#"]


library = tables.Library(FOLDERS["isakern"] + FOLDERS["isakern-sleef"])
contracts = {f.name: contract.read(f, library) for f in library.families}
seen = seen_errors()
wide = list(too_wide(library.kernels.values(), contracts, seen))
ok(not wide, "each bound is at most %d times the worst error seen" % MOST, "\n".join(wide))
old = list(stale(library, seen))
ok(not old, "docs/accuracy.md shows the bounds of the tables",
   "test/kernels/accuracy.py BUILD docs/accuracy.md KERNEL... measures anew\n" + "\n".join(old))

families = {name: {os.path.basename(f) for f in folders} for name, folders in FOLDERS.items()}
for name in FOLDERS:
    promised = {k.name for k in library.kernels.values() if k.family in families[name] and k.bits != "bound"}
    lines = recorded(name + ".txt")
    wrong = ["%s: recorded, but the row promises no bits" % n for n in lines if n in library.kernels and n not in promised]
    wrong += ["%s: recorded, but there is no such kernel" % n for n in lines if n not in library.kernels]
    wrong += ["%s: the row promises its bits, but nothing is recorded" % n for n in sorted(promised - set(lines))]
    wrong += ["%s: recorded twice" % n for n, times in collections.Counter(lines).items() if times > 1]
    ok(not wrong, "%s: the kernels that promise their bits are recorded, and no others" % name, "\n".join(wrong))
unknown = [n for n in recorded("isakern-inputs.txt") if n not in library.kernels or library.kernels[n].bits == "bound"]
ok(not unknown, "isakern: the kernels that are recorded for all inputs promise their bits", "\n".join(unknown))
untiled = [k.name for k in library.kernels.values() if k.bits == "same-amx" and "amx" not in k.isas]
ok(not untiled, "only kernels with a variant for amx exclude it from their promise", "\n".join(untiled))
done()
