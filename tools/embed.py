#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A text file as a C string, for what must travel inside the program: embed.py FILE NAME."""
import sys

print("static const char %s[] =" % sys.argv[2])
with open(sys.argv[1], encoding="utf-8") as f:
    for line in f:
        print('"%s"' % line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))
print(";")
