#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the single tests in Meson's log of a run, and ends with "N passed, N failed, N skipped".

    counts.py testlog.json

A TAP program counts with each of its tests, any other program as one test. What was
skipped is listed with its reason: a test that did not run has not passed.
"""
import collections
import json
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ \d]*(?:- )?(.*?)(?:\s*#\s*(skip|todo)\b:?\s*(.*))?$", re.IGNORECASE | re.MULTILINE)


def main(path):
    passed = failed = 0
    skipped = collections.Counter()
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            single = LINE.findall(test.get("stdout", ""))
            bad = sum(1 for no, _, _, _ in single if no)
            for no, name, directive, reason in single:
                if directive.lower() == "skip":
                    skipped[reason or name] += 1
                elif not no:
                    passed += 1
            failed += bad
            if not bad and test["result"] in ("FAIL", "ERROR", "TIMEOUT"):
                failed += 1
            elif not single and test["result"] == "OK":
                passed += 1
            elif not single and test["result"] == "SKIP":
                skipped[test["name"]] += 1
    for reason, count in skipped.most_common():
        print("skipped %4d: %s" % (count, reason))
    print("%d passed, %d failed, %d skipped" % (passed, failed, sum(skipped.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
