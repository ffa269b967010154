#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_blas.py SHIM ISA: the reference BLAS testers (Debian: libblas-test), with examples/blas-shim preloaded.

Their own inputs stop at N = 9, below most loops of a kernel; here N goes up to 65, the most they can take. At exit the
shim prints how often it was called and the testers print how often they called: the numbers must agree. ISA must be the
one in force.
"""
import os
import re
import subprocess
import sys
import tempfile

from tap import done, ok, skip_all

TESTERS = "/usr/lib/x86_64-linux-gnu/blas"
SIZES = "0 1 2 7 16 17 33 64 65"
# tester, its input, its routines; testers of levels 2 and 3 print how often they called each
RUNS = [("xblat1s", None, ["sdot", "saxpy", "sscal", "snrm2", "sasum", "isamax"]),
        ("xscblat1", None, ["sdot", "saxpy", "sscal", "snrm2", "sasum", "isamax"]),
        ("xblat2s", "sblat2.in", ["sgemv"]), ("xscblat2", "sin2", ["sgemv"]),
        ("xblat3s", "sblat3.in", ["sgemm"]), ("xscblat3", "sin3", ["sgemm"])]


def changed(path, routine):
    """The tester's input with our values of N and only that routine."""
    with open(path, encoding="ascii") as f:
        lines = f.read().split("\n")
    where = next(i for i, line in enumerate(lines) if line.endswith("VALUES OF N") and "NUMBER" not in line)
    lines[where - 1:where + 1] = ["%d NUMBER OF VALUES OF N" % len(SIZES.split()), SIZES + " VALUES OF N"]
    return "\n".join(line for line in lines if "PUT F FOR NO TEST" not in line or routine in line.lower())


def preloaded(shim, command, text, folder):
    """The finished process, and the shim's output: its ISA and the calls."""
    environment = dict(os.environ, LD_PRELOAD=shim, LD_LIBRARY_PATH=TESTERS, ISAKERN_BLAS_COUNT="1")
    result = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, env=environment,
                            timeout=250)
    return result, re.search(r"libisakern-blas at (\w+):(.*)", result.stderr)


def run(tester, given, routines, folder, shim):
    text = changed(os.path.join(TESTERS, given), routines[0]) if given else ""
    result, told = preloaded(shim, [os.path.join(TESTERS, tester)], text, folder)
    output = result.stdout
    # The Fortran testers write to the file that the first line of their input names.
    name = re.match(r"'(\S+)' +NAME OF SUMMARY", text)
    if name:
        with open(os.path.join(folder, name[1]), encoding="ascii") as f:
            output += f.read()
    counts = dict(re.findall(r"(\w+) (\d+)", told[2])) if told else {}
    wanted = dict.fromkeys(routines, 1)
    if given:
        passed = re.findall(r"PASSED THE (?:[A-Z]+-MAJOR +)?COMPUTATIONAL TESTS \( *(\d+) CALLS\)", output)
        good = bool(passed) and "PASSED THE TESTS OF ERROR-EXITS" in output
        # further calls test the error exits
        wanted[routines[0]] = sum(map(int, passed)) + 1
    else:
        good = all(re.search(r"%s *\n +-+ PASS -+" % routine.upper(), output) for routine in routines)
    good = (good and result.returncode == 0 and not re.search("FAIL|SUSPECT|INCORRECT|XERBLA|ABANDONED", output)
            and all(int(counts.get(routine, 0)) >= least for routine, least in wanted.items()))
    ok(good, "%s: %s" % (tester, ", ".join("%s %s calls" % (r, counts.get(r, 0)) for r in routines)), output + result.stderr)


def main():
    # Another BLAS can stand for libblas3 as a package, but lacks names that the testers need.
    if not all(os.path.exists(os.path.join(TESTERS, name)) for name in ("xscblat3", "libblas.so.3")):
        skip_all("it takes libblas-test and libblas3")
    shim, isa = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        result, told = preloaded(shim, ["true"], "", folder)
        if told and told[1] != isa:
            skip_all("this machine or build has no %s: the cap binds to %s" % (isa, told[1]))
        ok(told, "the shim is preloaded, at " + isa, result.stderr)
        for row in RUNS:
            run(*row, folder, shim)
    done()


main()
