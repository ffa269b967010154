#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes C strings of text files that are part of the program.

    embed.py FILE NAME                    one
    embed.py --table NAME [KEY FILE]...   an array of keys and texts
"""
import sys


def print_text(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            print('"%s"' % line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


if sys.argv[1] == "--table":
    print("static const struct {\n\tconst char *key, *text;\n} %s[] = {" % sys.argv[2])
    for key, path in zip(sys.argv[3::2], sys.argv[4::2]):
        print('{"%s", ""' % key)
        print_text(path)
        print("},")
    print("};")
else:
    print("static const char %s[] =" % sys.argv[2])
    print_text(sys.argv[1])
    print(";")
