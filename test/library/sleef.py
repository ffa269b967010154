#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libisakern-sleef beside isakern: its names, its dependencies, its variables, its archive.

    sleef.py SOURCE BUILD FAMILY,... COMPILER...
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD, FAMILIES, *COMPILER = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import tables  # noqa: E402
from tap import done, ok  # noqa: E402

LIBDIR = os.path.join(BUILD, "src")
GENERATED = [os.path.join(LIBDIR, "gen", name, "include") for name in ("isakern", "isakern-sleef")]
SHARED = {name: os.path.join(LIBDIR, "lib%s.so" % name) for name in ("isakern", "isakern-sleef")}
PROGRAM = r"""
#include <isakern.h>
#include <isakern/sleef.h>
#include <stdio.h>
#include <string.h>

static const char *bound(__typeof(isk_candidates) *ask, const char *kernel)
{
	static struct isk_candidate c[32];
	int count;

	c[0].size = sizeof(c[0]);
	count = ask(kernel, c, 32);
	for (int i = 0; i < count; i++)
		if (c[i].bound)
			return c[i].isa;
	return "none";
}

int main(void)
{
	const double x[3] = {0, 1, 2};
	const float a[1] = {-3};
	double y[3];
	float z[1];

	isk_exp_f64(y, x, 3);
	isk_abs_f32(z, a, 1);
	printf("%.3f %.3f %.3f %g\n", y[0], y[1], y[2], (double)z[0]);
	printf("exp_f64 %s\nabs_f32 %s\n", bound(isk_sleef_candidates, "exp_f64"), bound(isk_candidates, "abs_f32"));
	return strcmp(isk_sleef_version(), isk_version()) != 0 || isk_sleef_kernel_find("abs_f32") != ISK_ERR_KERNEL
	       || isk_kernel_find("exp_f64") != ISK_ERR_KERNEL;
}
"""


def run(*command, **env):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ISAKERN_")}
    return subprocess.run(command, env={**kept, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def exported(name):
    """name -> (letter, version)"""
    found = re.findall(r" (\S) ([^@\s]+)(?:@@?(\S+))?$", run("nm", "-D", "--defined-only", SHARED[name]).stdout, re.M)
    return {n: (letter, version) for letter, n, version in found if letter != "A"}


def needed(name):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", SHARED[name]).stdout)


library, own, other = tables.Library(FAMILIES.split(",")), exported("isakern-sleef"), exported("isakern")
kernels = {"isk_" + k for k in library.kernels}
indirect = {n for n, (letter, _) in own.items() if letter == "i"}
ok(indirect == kernels or not indirect and kernels < own.keys(),
   "its indirect functions are its kernels, or it has none, and they are functions", own)
with open(os.path.join(GENERATED[1], "isakern", "sleef.h"), encoding="utf-8") as f:
    declared = set(re.findall(r"\b(isk_sleef_\w+)\(", f.read()))
ok({n for n, (letter, _) in own.items() if letter == "T"} - kernels == declared, "what else it has is in its header", (own, declared))
ok({"isk_sleef_" + n[len("isk_"):] for n, (letter, _) in other.items() if letter == "T"} >= declared, "and is what isakern is asked, too", declared)
ok(not set(own) & set(other), "no name is in both libraries", set(own) & set(other))
ok({version for _, version in own.values()} == {"ISAKERN_SLEEF_0.1"}, "all of version ISAKERN_SLEEF_0.1", own)
ok("sleef" not in " ".join(needed("isakern")), "isakern needs no SLEEF", needed("isakern"))
ok(not [n for n in needed("isakern-sleef") if "isakern" in n], "nor it isakern", needed("isakern-sleef"))
soname = run("readelf", "-dW", SHARED["isakern-sleef"]).stdout
ok("[libisakern-sleef.so.0]" in soname, "soname", soname)

with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    source = os.path.join(work, "program.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(PROGRAM)
    flags = ["-Wall", "-Wextra", "-Werror", "-O1", "-I" + os.path.join(SOURCE, "include")] + ["-I" + d for d in GENERATED]
    forms = {"shared": [*SHARED.values(), "-Wl,-rpath," + LIBDIR],
             "archives": [os.path.join(LIBDIR, f) for f in ("libisakern-sleef.a", "libisakern.a")] + ["-lsleef", "-lm"]}
    for form, link in forms.items():
        program = os.path.join(work, form)
        r = run(*COMPILER, *flags, source, *link, "-o", program)
        if not ok(r.returncode == 0, form + ": a program with both links", r.stdout):
            continue
        for what, env, isas in (
                ("as it is", {}, None), ("capped", {"ISAKERN_MAX_ISA": "baseline"}, ["baseline", "baseline"]),
                ("pinned", {"ISAKERN_SLEEF_BIND": "exp_f64=baseline", "ISAKERN_BIND": "abs_f32=baseline"}, ["baseline", "baseline"])):
            r = run(program, **env)
            bound = re.findall(r"^(?:exp_f64|abs_f32) (\w+)$", r.stdout, re.M)
            ok(r.returncode == 0 and "1.000 2.718 7.389 3\n" in r.stdout and "ignored" not in r.stdout
               and len(bound) == 2 and bound == (isas or [bound[0]] * 2), "%s, %s" % (form, what), r.stdout)
        r = run(program, ISAKERN_SLEEF_BIND="abs_f32=baseline")
        ok("isakern: ISAKERN_SLEEF_BIND: 'abs_f32' ignored; no such kernel" in r.stdout, form + ", a pin of the other's", r.stdout)
done()
