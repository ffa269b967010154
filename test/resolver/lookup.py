#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kernel is found by its number and its name, and no other name is; a static program finds the kernels that it uses."""
import os
import shutil

from kit import HERE, INTERNAL, KERNELS, LINK, STATIC, Tap, run

tap = Tap()
# The kernels of the source that defines relu_f32.
LINKED = " ".join("X(%s)" % k.name for k in KERNELS.values() if k.file == KERNELS["relu_f32"].file)
BASE = [os.path.join(HERE, "lookup.c"), "-O1", "-Wall", "-Wextra", "-Werror", *INTERNAL]
r = run([tap.cc("shared", *BASE, *LINK)])
tap.ok(r.status == 0 and not r.out, "shared library", r)
for linker in ("bfd", "lld"):
    for name, flags in (("static", ["-static", "-fno-pie"]), ("static-pie", ["-static-pie", "-fPIE"]),
                        ("archive in a PIE", ["-pie", "-fPIE"]), ("archive, non-PIE", ["-no-pie", "-fno-pie"])):
        name = "%s, ld.%s" % (name, linker)
        if not shutil.which("ld." + linker):
            tap.skip(name, "no ld." + linker)
            continue
        if os.environ.get("ISK_LTO") and linker != "bfd":
            tap.skip(name, "link-time optimisation: this linker cannot take the compiler's")
            continue
        r = run([tap.cc("archive", *BASE, "-DLINKED=" + LINKED, "-fuse-ld=" + linker, *flags, *STATIC)])
        tap.ok(r.status == 0 and not r.out, name, r)
tap.done()
