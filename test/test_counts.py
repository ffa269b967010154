#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""counts.py on logs with each kind of end that a test can have, in Meson's words.

    test_counts.py COUNTS
"""
import json
import subprocess
import sys
import tempfile

from tap import done, equal

LIMIT = "failed: NAME: timed out, its limit is 600 s"
# name; result, exit status, standard output, standard error; what counts.py must print; passed, failed, skipped
CASES = [
    ("a program that passes", "OK", 0, "", "", [], (1, 0, 0)),
    ("TAP that passes", "OK", 0, "ok 1 - a\nok 2 - b\n1..2\n", "", [], (2, 0, 0)),
    ("a test that is skipped", "OK", 0, "ok 1 - a # SKIP no AMX\nok 2\n1..2\n", "", ["skipped    1: no AMX"], (1, 0, 1)),
    ("a test that fails", "FAIL", 1, "ok 1 - a\nnot ok 2 - b c\n1..2\n", "", ["failed: NAME: b c"], (1, 1, 0)),
    ("remarks on a test that fails", "FAIL", 1,
     "# a's\nok 1 - a\n# b: why\n#   again: b\nnot ok 2 - b\n# ../b.c:1\n1..2\n", "",
     ["failed: NAME: b", "        # b: why", "        #   again: b"], (1, 1, 0)),
    ("remarks after it", "FAIL", 1, "not ok 1 - b\n#   got 1\nok 2 - a\n#   a's\n1..2\n", "",
     ["failed: NAME: b", "        #   got 1"], (1, 1, 0)),
    ("many remarks", "FAIL", 1, "#\n" * 40 + "not ok 1 - b\n1..1\n", "", ["failed: NAME: b"] + ["        #"] * 12,
     (0, 1, 0)),
    ("a program that fails", "FAIL", 1, "", "no such\nfile\n", ["failed: NAME: FAIL, exit status 1", "        no such",
     "        file"], (0, 1, 0)),
    ("a crash", "ERROR", -11, "ok 1 - a\n", "", ["failed: NAME: ERROR, exit status -11", "        ok 1 - a"], (1, 1, 0)),
    ("too few tests", "ERROR", 0, "ok 1 - a\n1..3\n", "", ["failed: NAME: ERROR, exit status 0", "        ok 1 - a",
     "        1..3"], (1, 1, 0)),
    ("a time-out", "TIMEOUT", -15, "", "", [LIMIT], (0, 1, 0)),
    ("a time-out of TAP", "TIMEOUT", -15, "ok 1 - a\n", "", [LIMIT, "        ok 1 - a"], (1, 1, 0)),
    ("a time-out after a failure", "TIMEOUT", -15, "not ok 1 - a\n", "", ["failed: NAME: a", LIMIT, "        not ok 1 - a"],
     (0, 2, 0)),
    ("a plan of no tests", "SKIP", 0, "1..0 # SKIP it takes protobuf-c\n", "",
     ["skipped    1: NAME: it takes protobuf-c"], (0, 0, 1)),
    ("such a plan in the past tense", "SKIP", 0, "1..0 # skipped: no clang\n", "", ["skipped    1: NAME: no clang"],
     (0, 0, 1)),
    ("exit status 77", "SKIP", 77, "", "cannot do it\nno network\n", ["skipped    1: NAME: no network"], (0, 0, 1)),
    ("exit status 77 and no word", "SKIP", 77, "", "", ["skipped    1: NAME: it gives no reason"], (0, 0, 1)),
    ("an interruption", "INTERRUPT", -2, "ok 1 - a\n", "", ["failed: NAME: INTERRUPT, exit status -2",
     "        ok 1 - a"], (1, 1, 0)),
]


def counted(cases):
    """The lines that counts.py prints for a log with these tests."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as log:
        for _, result, status, out, err, _, _ in cases:
            json.dump({"name": "isakern:suite / NAME", "result": result, "returncode": status, "duration": 600.04,
                       "stdout": out, **({"stderr": err} if err else {})}, log)
            log.write("\n")
        log.flush()
        r = subprocess.run([sys.executable, sys.argv[1], log.name], capture_output=True, text=True)
    return (r.stdout + r.stderr).splitlines()


for case in CASES:
    equal(counted([case]), case[5] + ["%d passed, %d failed, %d skipped" % case[6]], case[0])
total = "%d passed, %d failed, %d skipped" % tuple(sum(column) for column in zip(*(case[6] for case in CASES)))
equal(counted(CASES)[-1], total, "all of these together")
done()
