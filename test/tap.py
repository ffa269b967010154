# SPDX-License-Identifier: MIT
"""The output of a test script, in the Test Anything Protocol: a line for each check, and done() at the end."""
import sys

# Lines that are shown of a longer detail: its beginning and its end.
MOST_LINES = 60
count = failed = 0


def ok(condition, name, detail=""):
    """Reports one check. The detail is shown if it failed."""
    global count, failed
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, name), flush=True)
    if not condition:
        lines = str(detail).rstrip().split("\n")
        if len(lines) > MOST_LINES:
            lines[MOST_LINES // 2:-MOST_LINES // 2] = ["..."]
        print("#   " + "\n#   ".join(lines), flush=True)
    return condition


def equal(got, wanted, name, detail=""):
    return ok(got == wanted, name, "got %r, expected %r\n%s" % (got, wanted, detail))


def skip(name, reason):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name, reason), flush=True)


def skip_all(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def done():
    print("1..%d" % count)
    sys.exit(failed != 0)
