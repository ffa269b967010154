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
