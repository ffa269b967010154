#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_cpus itself: it fails where a table is wrong, and says where a table is malformed."""
import os
import re
import sys

from kit import HERE, Tap, run

tap = Tap()
TEST = sys.argv[1]
ROW = ("A CPU with blanks  d 000306c3 7ffafbff bfebfbff 000027ab 00000000 9c000000 00000000 00000000 00000007 "
       "00000021 ")


def table(text):
    path = tap.path("table")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


r = run([TEST, os.path.join(HERE, "cpus.tbl")])
tap.ok(r.status == 0 and re.search(r"^(\d+) passed, 0 failed\n\Z", r.out, re.M), "cpus.tbl", r)
r = run([TEST, table("# comment\n\n" + ROW + "baseline,avx2\n")])
tap.ok(r.status == 0 and r.out.endswith("1 passed, 0 failed\n"), "another table", r)
r = run([TEST, table(ROW + "baseline,avx2\n" + ROW + "baseline\n")])
tap.ok(r.status == 1 and r.out.endswith("1 passed, 1 failed\n") and "table:2: expected baseline" in r.out,
       "a wrong set fails", r)
for text, where, reason in (
        (ROW + "baseline,avx3\n", 1, "no such ISA: 'avx3'"),
        (ROW + "baseline,baseline\n", 1, "an ISA twice: 'baseline'"),
        (ROW + "avx2\n", 1, "every CPU of the table runs baseline"),
        ("# x\n\n" + ROW.replace("9c000000", "9c00000g") + "baseline\n", 3, "hexadecimal digits: '9c00000g'"),
        (ROW.replace("9c000000", "19c000000") + "baseline\n", 1, "hexadecimal digits: '19c000000'"),
        (ROW.replace("9c000000", "-1") + "baseline\n", 1, "hexadecimal digits: '-1'"),
        ("name d 0 baseline\n", 1, "a row has a name, 11 numbers and a set"),
        (ROW[len("A CPU with blanks  "):] + "baseline\n", 1, ""),
        ("baseline\n", 1, "a row has"),
        (ROW + "baseline\n" + "x" * 2000 + "\n", 2, "too long"),
        ("# nothing\n", 1, "no CPUs")):
    path = table(text)
    r = run([TEST, path])
    tap.ok(r.status == 2 and "%s:%d: " % (path, where) in r.err and reason in r.err,
           "malformed: " + (reason or "no name"), r)
r = run([TEST, tap.path("nowhere")])
tap.ok(r.status == 2 and "nowhere: No such file" in r.err, "no such table", r)
r = run([TEST])
tap.ok(r.status == 2 and "Usage" in r.err, "no argument", r)
tap.done()
