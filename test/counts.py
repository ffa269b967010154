#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the single tests in Meson's log of a run, and ends with "N passed, N failed, N skipped".

    counts.py testlog.json

A TAP program counts with each of its tests, any other program as one test; one that did not end as it should counts
once more, as failed. What failed is listed with what was said of it, for the log may be all that is left of a machine;
what was skipped with its reason: a test that did not run has not passed.
"""
import collections
import json
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ \d]*(?:- )?(.*?)(?:\s*#\s*(skip|todo)\b:?\s*(.*))?$", re.IGNORECASE | re.MULTILINE)
NO_TESTS = re.compile(r"^1\.\.0\s*#\s*skip\w*:?\s*(.+)$", re.IGNORECASE | re.MULTILINE)
MOST_LINES = 12


def remarks(output):
    """What TAP says of each test that failed, by name: comments before its line, and those after it that are set in."""
    said, before, of = collections.defaultdict(list), [], None
    for line in output.split("\n"):
        result = LINE.match(line)
        if result:
            of = result[2] if result[1] else None
            said[of] += before if of is not None else []
            before = []
        elif of is not None and line.startswith("#   "):
            said[of].append(line)
        elif line.startswith("#"):
            before.append(line)
            of = None
    return said


def last_words(test):
    said = (test.get("stdout", "") + "\n" + test.get("stderr", "")).split("\n")
    return [line.rstrip() for line in said if line.strip()]


def why_skipped(test):
    """The reason that a program gives for running none of its tests: in its plan, or the last thing it says."""
    plan = NO_TESTS.search(test.get("stdout", ""))
    if plan:
        return plan[1]
    return (last_words(test) or ["it gives no reason"])[-1].strip()


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
            said = remarks(test.get("stdout", ""))
            failed += [("%s: %s" % (program, name), said[name]) for name in bad]
            for no, name, directive, reason in single:
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
