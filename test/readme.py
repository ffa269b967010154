# SPDX-License-Identifier: MIT
"""What README.md tells a new user to type, word for word."""
import os
import re

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "README.md"), encoding="utf-8") as f:
    TEXT = f.read()

# The first program, and the line that compiles and runs it.
PROGRAM = re.search(r"^```c\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]
COMPILE = re.search(r"^    (cc .*)$", TEXT, re.MULTILINE)[1]
# The commands of the first minute, without what is said of them.
FIRST_MINUTE = [line.split(" # ")[0].strip() for line in re.findall(
    r"^    (.*)$", re.search(r"^## The first minute$(.*?)^## ", TEXT, re.DOTALL | re.MULTILINE)[1], re.MULTILINE)]
# Libraries that it names.
LIBRARIES = sorted(set(re.findall(r"\blibisakern[a-z-]*\.so\b", TEXT)))
# The kernel that it adds: a row of a table, a source and its name, a line of an oracle.
_ADD = TEXT[TEXT.index("\n## Add a kernel\n"):]
ROW = re.search(r"^       (\w+  .*)$", _ADD, re.MULTILINE)[1]
SOURCE_FILE, _SOURCE = re.search(r"`(src/kernels/\S+\.c)`.*?^   ```c\n(.*?)^   ```$", _ADD, re.DOTALL | re.MULTILINE).groups()
SOURCE_TEXT = re.sub(r"(?m)^   ", "", _SOURCE)
ORACLE = re.findall(r"^       (\w+\(.*\))$", _ADD, re.MULTILINE)[0]
# What is done with matrices.
MATRICES = re.search(r"^## Matrices$.*?^```c\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]
# The names of the ISAs, as it lists them.
ISAS = re.findall(r"`(\w+)`", re.search(r"^ISAs, lowest first: (.*?)\.", TEXT, re.MULTILINE)[1])
