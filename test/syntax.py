#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has the compiler of a build folder check every source as the build would compile it, without generating code.

    syntax.py BUILD

All warnings that need no optimizer show themselves, in a sixth of the time of compiling. Generated sources are made first.
"""
import json
import os
import subprocess
import sys

import compilations

BUILD = os.path.abspath(sys.argv[1])

with open(os.path.join(BUILD, "meson-info", "intro-targets.json"), encoding="utf-8") as f:
    targets = json.load(f)
generated = [os.path.relpath(path, os.path.realpath(BUILD)) for target in targets if target["type"] == "custom"
             for path in target["filename"] if path.endswith((".c", ".h", ".hpp", ".inc"))]
subprocess.run(["ninja", "-C", BUILD, "--quiet", *generated], check=True)
commands = [["-fsyntax-only" if word == "-c" else word for word in words] for entry, words in compilations.load(BUILD)
            if entry["file"].endswith((".c", ".cc", ".cpp"))]
said = compilations.messages(BUILD, commands)
print("".join(said) + "%d sources, %d with messages" % (len(commands), len(said)))
sys.exit(bool(said) or not commands)
