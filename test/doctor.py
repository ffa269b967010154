#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""isakern doctor: each finding, well and not, and the exit status.

    doctor.py SOURCE ISAKERN LIBISAKERN LIBISAKERN_REF
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import done, equal, ok, skip

SOURCE, ISAKERN, LIBRARY, REFERENCE = (os.path.abspath(path) for path in sys.argv[1:5])
FOLDER, NAME = os.path.dirname(LIBRARY), "libisakern.so.0"
work = tempfile.TemporaryDirectory(prefix="isakern-test-")
VERSION = subprocess.run([ISAKERN, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def headers(version):
    """A folder with the headers of a version, as pkg-config finds them."""
    folder = os.path.join(work.name, version)
    os.makedirs(os.path.join(folder, "isakern"), exist_ok=True)
    with open(os.path.join(folder, "isakern", "types.h"), "w", encoding="utf-8") as f:
        f.writelines("#define ISK_VERSION_%s %s\n" % row for row in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")))
    with open(os.path.join(folder, "isakern.pc"), "w", encoding="utf-8") as f:
        f.write("includedir=%s\nName: isakern\nDescription: a test\nVersion: %s\n" % (folder, version))
    return folder


# Programs find the library and libisakern-omp, and the headers are those of its version.
GOOD = {"LD_LIBRARY_PATH": FOLDER + ":" + os.path.dirname(FOLDER), "PKG_CONFIG_PATH": headers(VERSION)}


def environment(variables):
    ours = re.compile("ISAKERN_|OMP_|LD_|GLIBC_TUNABLES|PKG_CONFIG")
    return {**{k: v for k, v in os.environ.items() if not ours.match(k)}, "LC_ALL": "C.UTF-8", **variables}


def doctor(**variables):
    """The findings, by what they are about, and the exit status, which says whether something needs doing."""
    r = subprocess.run([ISAKERN, "doctor", "--json"], env=environment(variables), capture_output=True, text=True, check=False)
    report = json.loads(r.stdout)
    found = {}
    for finding in report["findings"]:
        found.setdefault(finding["about"], []).append(finding)
    needed = sum(f["state"] == "to_do" for f in report["findings"])
    ok(r.returncode == (needed > 0) and report["to_do"] == needed and report["isakern"]
       and all(f["to_do"] for f in report["findings"] if f["state"] == "to_do"), "the status says whether something needs doing", r)
    return found


def states(found, about):
    return [f["state"] for f in found[about]]


def has(found, about, state, *texts):
    """Whether a finding of that state has these texts, in itself or in what to do."""
    return any(f["state"] == state and all(t in f["finding"] + "; " + (f["to_do"] or "") for t in texts) for f in found[about])


def interposed(name, source):
    """A library to preload; None without a compiler."""
    out = os.path.join(work.name, name + ".so")
    r = subprocess.run([*os.environ.get("ISK_CC", "cc").split(), "-shared", "-fPIC", "-x", "c", "-", "-o", out], input=source,
                       capture_output=True, text=True, check=False)
    return out if r.returncode == 0 else None


# A good environment.
found = doctor(**GOOD)
equal({about: set(states(found, about)) for about in ("loader", "version", "environment", "names")},
      dict.fromkeys(("loader", "version", "environment", "names"), {"well"}), "all is well but for the machine", found)
ok(has(found, "loader", "well", os.path.join(FOLDER, NAME), "LD_LIBRARY_PATH"), "where programs find the library", found["loader"])
text = subprocess.run([ISAKERN, "doctor"], env=environment(GOOD), capture_output=True, text=True, check=False)
lines = text.stdout.splitlines()
equal(len(lines), sum(len(f) for f in found.values()) + 1, "a line for each finding, and a last one", text)
ok(all(f["finding"] in text.stdout for about in found.values() for f in about), "with the same findings", text)

# The library that programs find is the one that Python finds.
r = subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL('%s')" % NAME], env=environment({}), capture_output=True,
                   text=True, check=False)
found = doctor(PKG_CONFIG_PATH=GOOD["PKG_CONFIG_PATH"])
ok(has(found, "loader", "to_do", "programs find " if r.returncode == 0 else "programs do not find " + NAME, "LD_LIBRARY_PATH=" + FOLDER),
   "without the variable", (r, found["loader"]))
other = os.path.join(work.name, "other")
os.mkdir(other)
shutil.copy(LIBRARY, os.path.join(other, NAME))
found = doctor(**{**GOOD, "LD_LIBRARY_PATH": other})
ok(has(found, "loader", "well", other), "another copy, which the command finds as well", found["loader"])
# An answer of the dynamic linker that names another file than the command's, as where the folders of a distribution have one.
tools = os.path.join(work.name, "tools")
os.mkdir(tools)
with open(os.path.join(tools, "env"), "w", encoding="utf-8") as f:
    f.write("#!/bin/sh\nprintf '\\t%s => %s (0x0000700000000000)\\n'\n" % (NAME, os.path.join(other, NAME)))
os.chmod(f.name, 0o755)
found = doctor(PATH=tools + ":" + os.environ["PATH"])
ok(has(found, "loader", "to_do", "programs find %s, while this command uses %s" % (os.path.join(other, NAME), FOLDER), "remove one"),
   "programs find another file than the command", found["loader"])
old = headers("0.0.9")
if shutil.which("pkg-config"):
    found = doctor(**{**GOOD, "PKG_CONFIG_PATH": old})
    ok(has(found, "headers", "to_do", old, "0.0.9", VERSION), "headers of another version", found["headers"])
    ok(has(doctor(**GOOD), "headers", "well", headers(VERSION)), "headers of the library's version")
else:
    skip("headers", "no pkg-config")

# The ISA: what keeps the next one from being bound.
info = json.loads(subprocess.run([ISAKERN, "info", "--json"], env=environment({}), capture_output=True, text=True, check=True).stdout)
usable = [i["isa"] for i in info["isas"] if i["state"] == "usable"]
ok(has(found, "ISA", "well", "up to " + info["isa_current"]) or info["isa_current"] != info["isa_cpu"], "the ISA in force", found["ISA"])
if len(usable) > 1:
    below, above = usable[-2:]
    ok(has(doctor(**GOOD, ISAKERN_MAX_ISA=below), "ISA", "choice", "up to " + below, "unset ISAKERN_MAX_ISA"), "a cap, and how to undo it")
    ok(has(doctor(**GOOD, ISAKERN_DISABLE=above), "ISA", "choice", "not to " + above, "ISAKERN_DISABLE"), "a disabled ISA")
else:
    skip("a cap", "no other ISA runs here")
if "avx2" in usable:
    found = doctor(**GOOD, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2_Usable,-AVX2")
    ok(has(found, "ISA", "choice", "not to avx2", "unset GLIBC_TUNABLES"), "an ISA that GLIBC_TUNABLES masks", found["ISA"])
else:
    skip("an ISA that GLIBC_TUNABLES masks", "no AVX2 here")

# The environment: known names, unknown ones, and wrong values.
with open(os.path.join(SOURCE, "docs/environment.md"), encoding="utf-8") as f, \
        open(os.path.join(SOURCE, "docs/preload.md"), encoding="utf-8") as g:
    named = sorted(set(re.findall(r"\bISAKERN_[A-Z_]+", f.read() + g.read())))
found = doctor(**GOOD, **dict.fromkeys(named, ""))
ok(len(named) > 8 and not any("no variable" in f["finding"] for f in found["environment"]), "all variables of the documentation are known",
   (named, found["environment"]))
found = doctor(**GOOD, ISAKERN_MAXISA="avx2")
ok(has(found, "environment", "to_do", "no variable ISAKERN_MAXISA; there is ISAKERN_MAX_ISA"), "a variable that isakern does not have", found["environment"])
found = doctor(**GOOD, ISAKERN_MAX_ISA="avx9", ISAKERN_BIND="expf=" + usable[0], ISAKERN_PROFILE="/no/such/profile", ISAKERN_VERBOSE="1")
ok(has(found, "environment", "to_do", "ISAKERN_MAX_ISA: 'avx9' ignored") and has(found, "environment", "to_do", "'expf' ignored")
   and has(found, "environment", "to_do", "/no/such/profile") and states(found, "environment").count("to_do") == 3,
   "wrong values, each once", found["environment"])
found = doctor(**GOOD, ISAKERN_DISABLE=usable[-1] if len(usable) > 1 else "", ISAKERN_VERBOSE="0")
ok(set(states(found, "environment")) == {"choice"}, "right values are a choice", found["environment"])

# Other libraries with our names.
found = doctor(**GOOD, LD_PRELOAD=REFERENCE)
ok(has(found, "names", "to_do", "calls of %d of %d kernels" % (info["kernels"], info["kernels"]), REFERENCE, "unset LD_PRELOAD"),
   "a library in front of all kernels", found["names"])
one = interposed("one", "void isk_exp_f32(float *y, const float *x, unsigned long n) { (void)y; (void)x; (void)n; }\n")
version = interposed("version", 'const char *isk_version(void) { return "9.9.9"; }\n')
if one and version:
    found = doctor(**GOOD, LD_PRELOAD=one)
    ok(has(found, "names", "to_do", "calls of 1 of ", "exp_f32", one), "a library with one of our names", found["names"])
    found = doctor(**GOOD, LD_PRELOAD=version)
    ok(has(found, "version", "to_do", "9.9.9", VERSION) and has(found, "names", "to_do", "isk_version is that of " + version),
       "a library of another version, and a function of the API that is another's", found)
else:
    skip("a library with one of our names", "no compiler")

# Threads.
cpus = len(os.sched_getaffinity(0))
found = doctor(**GOOD, OMP_NUM_THREADS=str(cpus + 1))
if has(found, "threads", "choice", "not installed"):
    skip("threads", "no libisakern-omp")
else:
    ok(has(found, "threads", "to_do", "up to %d on %d CPU" % (cpus + 1, cpus), "OMP_NUM_THREADS=%d" % cpus), "more threads than CPUs",
       found["threads"])
    ok(has(doctor(**GOOD), "threads", "well", "up to %d" % cpus), "as many threads as CPUs")
    ok(cpus == 1 or has(doctor(**GOOD, OMP_NUM_THREADS="1"), "threads", "choice", "up to 1 on %d" % cpus, "unset"), "fewer threads")

for args in (["doctor", "exp_f32"], ["--library=" + LIBRARY, "doctor"]):
    r = subprocess.run([ISAKERN, *args], env=environment({}), capture_output=True, text=True, check=False)
    ok(r.returncode == 2 and not r.stdout and r.stderr, "refused: " + args[-1], r)
done()
