#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rule of CONTRIBUTING.md that functions compute and macros declare, by counting lines.

    macros.py SOURCE

Nobody can step through a macro, and an error in one is reported at each of its uses. So no macro has more than 12 lines, and in
families whose kernels once were macros, of types and of shapes, at most 12 % of a folder's lines are lines of macros.
"""
import os
import re
import sys

from tap import done, equal, ok

SOURCE = os.path.abspath(sys.argv[1])
MOST_LINES = 12
MOST_SHARE = .12
FOLDERS = ("bench", "include", "src", "test", "tools")
FAMILIES = ("compare", "convert", "integer", "reduce", "rows", "steps")


def macros(lines):
    """(line number, lines, name) of each macro. A macro ends with the first line that no backslash continues."""
    begin = None
    for number, line in enumerate(lines, 1):
        if begin is None:
            match = re.match(r"\s*#\s*define\s+(\w+)", line)
            begin, name = match and number, match and match[1]
        if begin and not line.endswith("\\"):
            yield begin, number - begin + 1, name
            begin = None


def sources(folder):
    """(file, its lines) of all C in a folder."""
    for path, _, files in sorted(os.walk(os.path.join(SOURCE, folder))):
        for name in sorted(files):
            if re.search(r"\.(c|cc|cpp|h|hpp)(\.in)?$|\.def$", name):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    yield os.path.relpath(f.name, SOURCE), f.read().split("\n")[:-1]


# The counting itself: one line, two, a continued line that defines nothing, and a macro at the end of a file.
equal(list(macros(["#define A 1", "#define B(x) \\", "\tx", "int a = \\", "1;", "  # define C \\", "\t\\", "\t2"])),
      [(1, 1, "A"), (2, 2, "B"), (6, 3, "C")], "macros are found and measured")

long = ["%s:%d: %s has %d lines" % (file, number, name, count) for folder in FOLDERS for file, lines in sources(folder)
        for number, count, name in macros(lines) if count > MOST_LINES]
ok(not long, "no macro has more than %d lines" % MOST_LINES, "\n".join(long))
for family in FAMILIES:
    found = list(sources(os.path.join("src", "kernels", family)))
    inside = {file: sum(count for _, count, _ in macros(lines) if count > 1) for file, lines in found}
    share = sum(inside.values()) / sum(len(lines) for _, lines in found)
    ok(share <= MOST_SHARE, "%s: at most %.0f %% of the lines are in macros" % (family, 100 * MOST_SHARE),
       "\n".join(["%.1f %% are, of all macros of more than one line:" % (100 * share)]
                 + ["src/kernels/%s: %d lines" % (file.split("/", 2)[2], n)
                    for file, n in sorted(inside.items(), key=lambda item: -item[1]) if n]))
done()
