#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A new shape, of four inputs and a value, with a kernel of two types, made by five files. It is built, documented and
passes the tests of its shape."""
import os
import re
import sys

from kit import CC, Copy, Tap, run

tap = Tap()
MESON = sys.argv[1:]
copy = Copy(tap)

FAMILY = "src/kernels/elementwise/"
copy.edit("src/kernels/shapes.tbl", r"^(zip3 .*\n)", r"\g<1>zip4  T  void  one  y out T[n] may be a b; a in T[n]; b in T[n]; "
          r"c in T[n]; d in T[n]; n size; other f32\n")
copy.edit(FAMILY + "kernels.tbl", r"^(fma .*0.51.*\n)",
          r"\g<1>coalesce zip4 f32,bf16 coalesce.c vector same exact 0.1 the first of a, b, c, d and the other that is no NaN\n")
copy.edit(FAMILY + "elementwise.h.in", r"^( \* zip3 .*\n)", r"\g<1> * zip4        y[i] = f(a[i], b[i], c[i], d[i], other).\n")
copy.edit(FAMILY + "oracle.h", r"^(ZIP3\(fma.*\n)",
          r"\g<1>ZIP4(coalesce, !isnan(a) ? a : !isnan(b) ? b : !isnan(c) ? c : !isnan(d) ? d : (REAL)other)\n")
copy.add(FAMILY + "coalesce.c", r"""/* SPDX-License-Identifier: MIT */
#include "coalesce_kernels.h"
#include "loops.h"

#define OR(x, y) vf_sel(vf_isnan(x), y, x)

ZIP4(coalesce, OR(a, OR(b, OR(c, OR(d, vf_set1(other))))))
""")
tap.ok(len(copy.changed) <= 5, "it takes five files", copy.changed)

r = copy.setup(MESON, "-Disa=baseline", "-Dwerror=true", "-Doptimization=1")
if not tap.ok(r.status == 0, "it is configured", r.out[-2000:] + r.err):
    tap.done()
r = copy.ninja("test/kernels/test_kernels")
if not tap.ok(r.status == 0, "it is built without a warning", r.out[-2000:]):
    tap.done()
listed = run(MESON + ["test", "-C", copy.build, "--list"]).out
tap.ok("kernels-zip4" in listed, "its shape is a test", listed)
r = run([os.path.join(copy.build, "test/kernels/test_kernels"), "--shape", "zip4"], timeout=600)
passed = re.findall(r"^ok \d+ - (\w+/\w+)$", r.out, re.M)
tap.ok(r.status == 0 and sorted(passed) == sorted("coalesce_%s/%s" % (t, form) for t in ("f32", "bf16")
                                                  for form in ("baseline", "reference")), "which passes", r)
with open(os.path.join(copy.build, "src/gen/man/isk_coalesce_bf16.3"), encoding="utf-8") as f:
    page = f.read()
tap.ok("f(a[i], b[i], c[i], d[i], other)" in page and re.search(r"^\.SH EXAMPLES?$", page, re.M), "its manual page is whole", page)
r = run([sys.executable, copy.path("test/examples.py"), copy.root, copy.build] + CC, timeout=300)
tap.ok(r.status == 0, "no example is wanting", r)
tap.done()
