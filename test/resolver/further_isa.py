#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A new ISA, AVX-512 VBMI, made only by a row of x86_64.tbl and its predicate in x86_64.def. A library with it is built,
lists it, and knows which CPUs can run it."""
import os
import re
import subprocess
import sys

from kit import BUILT, CC, FAMILIES, HERE, ISAS, SOURCE, Copy, Tap, clean_environment, host_isas, run

tap = Tap()
MESON = sys.argv[1:]
NEW, BELOW, FEATURE = "avx512_vbmi", "avx512", "avx512vbmi"
if BELOW not in BUILT or subprocess.run(CC + ["-m" + FEATURE, "-E", "-x", "c", os.devnull], capture_output=True).returncode:
    tap.skip("a further ISA", "this compiler or build lacks AVX-512")
    tap.done()
PROGRAM = r"""
#include <stdio.h>
#include "isakern/library.h"
__typeof(isk_candidates) tst_candidates;
__typeof(isk_isa_name) tst_isa_name;
__typeof(isk_isa_binary) tst_isa_binary;
int main(void)
{
	struct isk_candidate c[32] = {{.size = sizeof(c[0])}};
	const int count = tst_candidates("opposite_f32", c, 32);
	for (size_t i = 0; tst_isa_name(i); i++)
		printf("isa %s\n", tst_isa_name(i));
	for (int i = 0; i < count; i++)
		printf("candidate %s %d %d %s\n", c[i].isa, (int)c[i].state, c[i].bound, c[i].reason);
	return 0;
}
"""
copy = Copy(tap)

# Three lines in two files: a row, a feature, and the condition that AVX-512 rows share.
copy.edit("src/isa/x86_64.tbl", r"^(%s .*\n)" % BELOW,
          r"\g<1>%s avx512 16 32 yes vector @%s -m%s\n" % (NEW, BELOW, FEATURE))
copy.edit("src/isa/x86_64.def", r"^(F\(\"avx512vnni\".*\n)", r'\g<1>F("%s", ISK_7_ECX, 1, ZMM, ISK_BIT(%s))\n' % (FEATURE, NEW))
copy.edit("src/isa/x86_64.def", r"^(#define FROM_AVX512 \(ISK_BIT\(avx512\)) ", r"\g<1> | ISK_BIT(%s) " % NEW)

r = copy.setup(MESON, "-Ddocs=false")
if not tap.ok(r.status == 0 and NEW in r.out, "it is configured", r.out[-2000:] + r.err):
    tap.done()
r = copy.ninja("src/libtst.so.0.1.0", "test/resolver/test_cpus")
if not tap.ok(r.status == 0, "a library with it is built", r.out[-2000:]):
    tap.done()
library = os.path.join(copy.build, "src", "libtst.so.0.1.0")
variants = re.findall(r" t (tst_\w+__%s)$" % NEW, run(["nm", library]).out, re.M)
tap.equal(sorted(variants), ["tst_%s__%s" % (k, NEW) for k in ("difference_f32", "opposite_f32", "opposite_f64")],
          "it has all variants")

with open(tap.path("program.c"), "w", encoding="utf-8") as f:
    f.write(PROGRAM)
program = tap.cc("program", tap.path("program.c"), "-I" + copy.path("include"),
                 "-I" + os.path.join(copy.build, "src/gen/isakern/include"), library, "-Wl,-rpath," + os.path.dirname(library))
r = run([program])
names = ISAS[:ISAS.index(BELOW) + 1] + [NEW] + ISAS[ISAS.index(BELOW) + 1:]
tap.equal(re.findall(r"^isa (\w+)$", r.out, re.M), names, "it is listed", r)
with open("/proc/cpuinfo", encoding="utf-8") as f:
    here = BELOW in host_isas() and FEATURE in f.read().split()
state, bound, reason = re.search(r"^candidate %s (\d) (\d) (.*)$" % NEW, r.out, re.M).groups()
tap.equal((state, bound), ("0", "1") if here else ("3", "0"), "this CPU %s it" % ("runs" if here else "lacks"), r)
if BELOW in host_isas() and not here:
    tap.equal(reason, "CPU lacks " + FEATURE, "the reason is told")
r = run([program], ISAKERN_MAX_ISA=NEW)
tap.ok(r.status == 0 and not r.warnings(), "ISAKERN_MAX_ISA takes it", r)

# The compiler may emit exactly the features that the CPU is asked for; the predicate is right on every CPU of cpus.tbl.
env = clean_environment(ISK_SOURCE=copy.root, ISK_BUILD=copy.build, ISK_CC=" ".join(CC), ISK_ISAS=",".join(BUILT + [NEW]),
                        ISK_FAMILIES=",".join(copy.path(os.path.relpath(f, SOURCE)) for f in FAMILIES))
for test, args in (("isa_flags", []), ("cpus_table", [os.path.join(copy.build, "test/resolver/test_cpus")])):
    done = subprocess.run([sys.executable, copy.path(os.path.relpath(HERE, SOURCE), test + ".py")] + args,
                          capture_output=True, text=True, env=env)
    tap.ok(done.returncode == 0 and "\nnot ok" not in done.stdout, test + " on it", done.stdout[-2000:] + done.stderr)
    if test == "isa_flags":
        tap.ok(re.search(r"^ok \d+ - %s$" % NEW, done.stdout, re.M), "and of the new row too", done.stdout)
tap.done()
