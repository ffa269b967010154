#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The differences between two runs of `isakern bench --json` that exceed the noise of both.

    compare.py OLD.json NEW.json

Exit status: 0 nothing is slower, 1 something is slower, 2 the files are not such runs.
"""
import json
import sys


def times(path):
    with open(path, encoding="utf-8") as f:
        run = json.load(f)
    return {("%s/%s" % (k["kernel"], r["isa"]), p["label"]): r
            for k in run["kernels"] for p in k["points"] for r in p["results"]}


def main(old_path, new_path):
    old, new = times(old_path), times(new_path)
    slower = 0
    changes = []
    for key in sorted(old.keys() & new.keys()):
        a, b = old[key], new[key]
        ratio = b["ns"] / a["ns"]
        noise = 1.03 + 2 * (a["spread"] + b["spread"])
        if ratio > noise and b["least_ns"] > 1.03 * a["least_ns"]:
            slower += 1
        elif not (1 / ratio > noise and a["least_ns"] > 1.03 * b["least_ns"]):
            continue
        changes.append((ratio, key))
    for ratio, (variant, label) in sorted(changes, reverse=True):
        print("%-32s %12s  %s %.2f times" % (variant, label, "slower" if ratio > 1 else "faster", max(ratio, 1 / ratio)))
    print("%d slower, %d faster, %d alike, %d in one run only"
          % (slower, len(changes) - slower, len(old.keys() & new.keys()) - len(changes), len(old.keys() ^ new.keys())))
    return 1 if slower else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print("compare.py: %s" % error, file=sys.stderr)
        sys.exit(2)
