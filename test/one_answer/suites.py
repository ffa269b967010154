#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suites.py LIBRARY ISAKERN [SUITE...]: the tests of numpy's and scipy's linear algebra, Octave's, and R's demo(lm.glm), pass with
our libblas.so.3 as they do with reference BLAS.

Both runs have reference LAPACK. SUITE is one of numpy.linalg, scipy.linalg, Octave, R; all by default.
"""
import os
import re
import sys

import programs
from programs import HERE, LIBRARIES
import stand_in
from tap import done, equal, ok, skip

LAPACK, REFERENCE = "/%s/lapack" % LIBRARIES, "/%s/blas" % LIBRARIES
PYTEST = "import sys, pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-rA', '--pyargs', '%s']))"


def outcomes(suite, folder):
    """The outcome of each test by pytest."""
    result = programs.run("numpy", ["-c", PYTEST % suite], [folder, LAPACK])
    found = re.findall(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)", result.stdout, re.M)
    return {name: outcome for outcome, name in found if outcome != "SKIPPED"}, result.stdout + result.stderr


def counts(suite, folder):
    """For each file of Octave's tests: passed, known bugs, failed."""
    result = programs.run(suite, [os.path.join(HERE, "suite.m")], [folder, LAPACK])
    found = re.findall(r"^(\S+) (\d+) passed, (\d+) known, (\d+) failed$", result.stdout, re.M)
    return {name: tuple(map(int, numbers)) for name, *numbers in found}, result.stdout + result.stderr


def words(suite, folder):
    """The words of R's demonstration."""
    result = programs.run(suite, [os.path.join(HERE, "suite.R")], [folder, LAPACK])
    return result.stdout.split(), result.stdout + result.stderr


def is_alike(a, b):
    """Whether two words are the same, or numbers that differ by rounding alone. R prints 5 digits of most."""
    try:
        return a == b or abs(float(a) - float(b)) <= 1e-7 + 1e-4 * abs(float(b))
    except ValueError:
        return False


def judge_outcomes(suite, ours, reference):
    differ = {name: (ours[0].get(name), reference[0].get(name)) for name in {**ours[0], **reference[0]}
              if ours[0].get(name) != reference[0].get(name)}
    passed = [sum(outcome == "PASSED" for outcome in of[0].values()) for of in (ours, reference)]
    equal(differ, {}, "%s: %d tests pass, each as with reference BLAS, where %d do" % (suite, *passed), ours[1])
    ok(passed[0] > 100, "%s: its tests ran" % suite, ours[1])


def judge_counts(suite, ours, reference):
    worse = {name: (of, reference[0].get(name)) for name, of in ours[0].items() if of[2] > reference[0].get(name, (0, 0, 0))[2]}
    totals = [tuple(sum(of[0][name][i] for name in of[0]) for i in range(3)) for of in (ours, reference)]
    equal(worse, {}, "%s: %d tests pass (known bugs: %d, failures: %d), with reference BLAS %d (%d, %d), and no file has more failures" % (
        suite, *totals[0], *totals[1]), ours[1])
    ok(set(ours[0]) == set(reference[0]) and totals[0][0] > 100, "%s: its tests ran" % suite, ours[1])


def judge_words(suite, ours, reference):
    differ = [(a, b) for a, b in zip(ours[0], reference[0]) if not is_alike(a, b)]
    equal((len(ours[0]), differ), (len(reference[0]), []), "%s: the words of demo(lm.glm), or numbers up to rounding" % suite)
    ok(ours[1].count("\n> ") > 50 and "The demonstration has ended." in ours[1], "%s: demo(lm.glm) ran %d statements to its end" % (
        suite, ours[1].count("\n> ")), ours[1])


# By suite: its program, how its results are read and judged.
SUITES = {"numpy.linalg": ("numpy", outcomes, judge_outcomes), "scipy.linalg": ("numpy", outcomes, judge_outcomes),
          "Octave": ("Octave", counts, judge_counts), "R": ("R", words, judge_words)}


def missing(suite):
    program = SUITES[suite][0]
    reason = programs.missing(program)
    if not reason and not os.path.exists(REFERENCE + "/libblas.so.3"):
        return "no reference BLAS (Debian: libblas3)"
    if not reason and program == "numpy":
        wanted = "import pytest, hypothesis, " + suite
        if programs.run("numpy", ["-c", wanted], []).returncode:
            return "Python lacks one of %s (Debian: python3-pytest, python3-hypothesis, python3-scipy)" % wanted[7:]
    return reason


def main():
    library, isakern, *chosen = sys.argv[1:]
    with stand_in.folder(library, isakern) as folder:
        for suite in chosen or SUITES:
            reason = missing(suite)
            if reason:
                skip(suite, reason)
                continue
            _, read, judge = SUITES[suite]
            judge(suite, read(suite, folder), read(suite, REFERENCE))
    done()


main()
