#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the single tests in Meson's logs of runs, and ends with "N passed, N failed, N skipped".

    counts.py testlog.json...

A TAP program counts with each of its tests, any other program as one test. A program that did not end properly counts
once more, as failed. Failures are listed with their messages, because the log may be all that remains of a machine, and
skipped tests with their reasons, because a test that did not run has not passed.
"""
import collections
import json
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ \d]*(?:- )?(.*?)(?:\s*#\s*(skip|todo)\b:?\s*(.*))?$", re.IGNORECASE)
NO_TESTS = re.compile(r"^1\.\.0\s*#\s*skip\w*:?\s*(.+)$", re.IGNORECASE | re.MULTILINE)
MOST_LINES = 12


def results(output):
    """The single tests of TAP: the groups of LINE, and the comments of each: those before its line, and indented ones after
    it."""
    single, before = [], []
    for line in output.split("\n"):
        result = LINE.match(line)
        if result:
            single.append((*result.groups(default=""), before))
            before = []
        elif line.startswith("#   ") and single and not before:
            single[-1][-1].append(line)
        elif line.startswith("#"):
            before.append(line)
    return single


def last_words(test):
    said = (test.get("stdout", "") + "\n" + test.get("stderr", "")).split("\n")
    return [line.rstrip() for line in said if line.strip()]


def why_skipped(test):
    """The reason that a program gives for running none of its tests: the one in its plan, or its last line."""
    plan = NO_TESTS.search(test.get("stdout", ""))
    if plan:
        return plan[1]
    return (last_words(test) or ["it gives no reason"])[-1].strip()


def lines_of(paths):
    for path in paths:
        with open(path, encoding="utf-8") as log:
            yield from log


def main(*paths):
    passed = 0
    failed = []
    skipped = collections.Counter()
    for line in lines_of(paths):
        test = json.loads(line)
        program, result = test["name"].split(" / ")[-1], test["result"]
        single = results(test.get("stdout", ""))
        bad = [("%s: %s" % (program, name), said) for no, name, _, _, said in single if no]
        failed += bad
        for no, name, directive, reason, _ in single:
            if directive.lower() == "skip":
                skipped[reason or name] += 1
            elif not no:
                passed += 1
        if result == "TIMEOUT":
            failed.append(("%s: timed out, its limit is %.0f s" % (program, test["duration"]), last_words(test)))
        elif result == "SKIP" and not single:
            skipped["%s: %s" % (program, why_skipped(test))] += 1
        elif result == "OK":
            passed += not single
        elif result not in ("SKIP", "EXPECTEDFAIL") and not bad:
            failed.append(("%s: %s, exit status %s" % (program, result, test["returncode"]), last_words(test)))
    for reason, count in skipped.most_common():
        print("skipped %4d: %s" % (count, reason))
    for name, said in failed:
        print("failed: " + name)
        for line in said[-MOST_LINES:]:
            print("        " + line)
    print("%d passed, %d failed, %d skipped" % (passed, len(failed), sum(skipped.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
