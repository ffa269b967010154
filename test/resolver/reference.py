#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libisakern-ref.so under LD_PRELOAD: a program's bindings and results with and without it. isk_reference() finds it."""
import math
import os
import re
import shutil
import sys

from kit import BUILT, HERE, INTERNAL, KERNELS, LANES, LIBDIR, LINK, SHARED, Tap, host_isas, run, top

tap = Tap()
REF = os.path.join(LIBDIR, "libisakern-ref.so")
natural = top([i for i in host_isas() if i in BUILT])
X = [-1.0, 0.5, 2.0, 3.0]
EXACT = {"exp": [math.exp(x) for x in X], "relu": [max(x, 0) for x in X], "dot": [sum(x * x for x in X)],
         "softmax": [math.exp(x - 3) / sum(math.exp(z - 3) for z in X) for x in X]}
for name, flags in (("lazy", ["-Wl,-z,lazy"]), ("now", ["-Wl,-z,now"]), ("-fno-plt", ["-fno-plt"])):
    program = tap.cc("reference", os.path.join(HERE, "reference.c"), "-std=gnu11", "-O1", "-Wall", "-Wextra",
                     "-Werror",
                     *INTERNAL, "-fPIE", "-pie", *flags, *LINK)
    for when, env, file, lanes in (("before", {}, "libisakern.so.0", LANES[natural]),
                                   ("after", {"LD_PRELOAD": REF}, "libisakern-ref.so", "1")):
        r = run([program], **env)
        where = dict(re.findall(r"^in (\w+) (\S+)$", r.out, re.M))
        tap.equal(where, {k: file for k in KERNELS}, "%s, %s: every kernel is in %s" % (name, when, file), r)
        tap.equal(r.values().get("lanes"), lanes, "%s, %s: a call reaches %s lanes" % (name, when, lanes), r)
        got = {k: [float(n) for n in v.split()] for k, v in re.findall(r"^(exp|relu|dot|softmax) (.*)$",
                                                                       r.out, re.M)}
        near = all(k in got and all(abs(g - e) <= 4e-7 * abs(e) for g,
                                    e in zip(got[k], EXACT[k])) for k in EXACT)
        tap.ok(near, "%s, %s: the results are right" % (name, when), r)
        tap.equal(r.values().get("current"), natural, "%s, %s: the query API answers" % (name, when), r)

# It is found beside the library, by whatever path the library was loaded.
ASK = """import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1])
os.chdir("/")
library.isk_reference.restype = ctypes.c_void_p
print(sum(library.isk_reference(name.encode()) is not None for name in sys.argv[2:]))"""
os.mkdir(tap.path("lib"))
copy = shutil.copy(SHARED, tap.path("lib", "libisakern.so.0"))
for here in (False, True):
    if here:
        shutil.copy(REF, tap.path("lib"))
    for path in (copy, os.path.relpath(copy)):
        r = run([sys.executable, "-c", ASK, path, *KERNELS])
        tap.equal(r.out, "%d\n" % (len(KERNELS) if here else 0),
                  "%s: isk_reference(), libisakern-ref.so %sbeside it" % ("path" if path == copy else "relative path", "" if here else "not "), r)
tap.done()
