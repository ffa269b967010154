#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""testers.py LIBRARY ISAKERN ISA TYPES SIZES [TESTER...]: the testers of reference BLAS (Debian: libblas-test) on ours.

LIBRARY is libisakern-blas3.so, ISAKERN libisakern.so, TYPES letters of s, d, c, z. SIZES is "small" for the testers' own
matrices of up to 9, "large" for sizes up to 65, the most that they can take. TESTER is a part of their names: blat3.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import stand_in
from tap import done, ok, skip_all

TESTERS = "/usr/lib/x86_64-linux-gnu/blas"
LARGE = "0 1 2 7 16 17 33 64 65"
# Tests of level 1 by type: Fortran and C
LEVEL1 = {"s": 14, "d": 14, "c": 10, "z": 10}
BAD = re.compile(r"FAIL|SUSPECT|INCORRECT|\bXERBLA|ABANDONED|FATAL|\*\*\*")


def inputs(tester, size):
    """The tester's input, with our values of N."""
    letter, level = re.search(r"([sdcz])c?blat|xblat\d([sdcz])", tester), re.search(r"\d", tester)[0]
    letter = letter[1] or letter[2]
    if level == "1":
        return ""
    name = letter + "in" + level if "cblat" in tester[2:] else letter + "blat" + level + ".in"
    with open(os.path.join(TESTERS, name), encoding="ascii") as f:
        lines = f.read().split("\n")
    if size == "large":
        where = next(i for i, line in enumerate(lines) if line.endswith("VALUES OF N") and "NUMBER" not in line)
        lines[where - 1:where + 1] = ["%d NUMBER OF VALUES OF N" % len(LARGE.split()), LARGE + " VALUES OF N"]
    return "\n".join(lines)


def loaded(folder, *command, **options):
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, OMP_WAIT_POLICY="passive", OMP_DYNAMIC="false")
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=environment,
                          timeout=1000, check=False, **options)


def judge(tester, size, folder):
    text = inputs(tester, size)
    result = loaded(folder, os.path.join(TESTERS, tester), input=text)
    output = result.stdout
    # The Fortran testers write to the file that the first line of their input names.
    name = re.match(r"'(\S+)' +NAME OF SUMMARY", text)
    if name:
        with open(os.path.join(folder, name[1]), encoding="ascii") as f:
            output += f.read()
    if not text:
        wanted = found = len(re.findall(r"Test of subprogram number", output))
        passed = len(re.findall(r"-+ PASS -+", output))
        good, told = passed == found and found >= 9, "%d of %d routines pass" % (passed, wanted)
    else:
        wanted = len(re.findall(r"^\S+ +T PUT F FOR NO TEST", text, re.M))
        passed = re.findall(r"(\S+) +PASSED THE (?:([A-Z]+)-MAJOR +)?COMPUTATIONAL TESTS \( *(\d+) CALLS\)", output)
        exits = re.findall(r"PASSED THE TESTS OF ERROR-EXITS", output)
        orders = 2 if "cblat" in tester[2:] else 1
        good = len(passed) == orders * wanted and len(exits) == wanted
        told = "%d routines pass %d calls, %d error exits" % (len({p[0] for p in passed}), sum(int(p[2]) for p in passed),
                                                              len(exits))
    bad = [line for line in output.split("\n") if BAD.search(line)]
    ok(good and not bad and result.returncode == 0, "%s: %s" % (tester, told), "\n".join(bad) or output)


def main():
    library, isakern, isa, types, size, *parts = sys.argv[1:]
    if not os.path.exists(os.path.join(TESTERS, "xzcblat3")):
        skip_all("no libblas-test")
    with stand_in.folder(library, isakern) as folder:
        used = loaded(folder, "ldd", os.path.join(TESTERS, "xblat1s")).stdout
        ok(folder + "/libblas.so.3" in used, "the testers find our libblas.so.3", used)
        for letter in types:
            for level in "123":
                for tester in ("xblat%s%s" % (level, letter), "x%scblat%s" % (letter, level)):
                    if not parts or any(part in tester for part in parts):
                        judge(tester, size, folder)
    done()


main()
