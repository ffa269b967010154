#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the single tests in Meson's log of a run, and ends with "N passed, N failed, N skipped".

    counts.py testlog.json

A TAP program counts with each of its tests, any other program as one test; one that did not end as it should counts
once more, as failed. What was skipped is listed with its reason: a test that did not run has not passed.
"""
import collections
import json
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ \d]*(?:- )?(.*?)(?:\s*#\s*(skip|todo)\b:?\s*(.*))?$", re.IGNORECASE | re.MULTILINE)
NO_TESTS = re.compile(r"^1\.\.0\s*#\s*skip\w*:?\s*(.+)$", re.IGNORECASE | re.MULTILINE)


def why_skipped(test):
    """The reason that a program gives for running none of its tests: in its plan, or the last thing it says."""
    plan = NO_TESTS.search(test.get("stdout", ""))
    if plan:
        return plan[1]
    said = (test.get("stdout", "") + "\n" + test.get("stderr", "")).split("\n")
    return next((line.strip() for line in reversed(said) if line.strip()), "it gives no reason")


def main(path):
    passed = 0
    failed = []
    skipped = collections.Counter()
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            program, result = test["name"].split(" / ")[-1], test["result"]
            single = LINE.findall(test.get("stdout", ""))
            bad = [name for no, name, _, _ in single if no]
            failed += ["%s: %s" % (program, name) for name in bad]
            for no, name, directive, reason in single:
                if directive.lower() == "skip":
                    skipped[reason or name] += 1
                elif not no:
                    passed += 1
            if result == "TIMEOUT":
                failed.append("%s: timed out, its limit is %.0f s" % (program, test["duration"]))
            elif result == "SKIP" and not single:
                skipped["%s: %s" % (program, why_skipped(test))] += 1
            elif result == "OK":
                passed += not single
            elif result not in ("SKIP", "EXPECTEDFAIL") and not bad:
                failed.append("%s: %s, exit status %s" % (program, result, test["returncode"]))
    for reason, count in skipped.most_common():
        print("skipped %4d: %s" % (count, reason))
    for name in failed:
        print("failed: " + name)
    print("%d passed, %d failed, %d skipped" % (passed, len(failed), sum(skipped.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
