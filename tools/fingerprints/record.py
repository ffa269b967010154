#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the fingerprints of each library in this folder anew, from the output of `isakern fingerprint`.

    record.py ISAKERN SUFFIX LIBRARY... [-- OPTION...]     SUFFIX: of the names of files, "" or "-inputs"
"""
import os
import re
import subprocess
import sys

isakern, suffix, *libraries = sys.argv[1:]
options = []
if "--" in libraries:
    at = libraries.index("--")
    libraries, options = libraries[:at], libraries[at + 1:]
for library in libraries:
    name = re.match(r"lib(.*?)\.so", os.path.basename(library))[1]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + suffix + ".txt")
    told = subprocess.run([isakern, "--library", library, "fingerprint", *options], stdout=subprocess.PIPE, check=True).stdout
    with open(path, "wb") as f:
        f.write(told)
    print(path)
