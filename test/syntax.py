#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has the compiler of a build folder check every source as the build would compile it, without generating code.

    syntax.py BUILD

All warnings that need no optimizer show themselves, in a sixth of the time of compiling. Generated sources are made first.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

BUILD, = sys.argv[1:]


def load(*path):
    with open(os.path.join(BUILD, *path), encoding="utf-8") as f:
        return json.load(f)


def check(entry):
    """The messages about one source; empty if there are none."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    words[output:output + 2] = []
    words[words.index("-c")] = "-fsyntax-only"
    # No dependency file is wanted.
    for option in ("-MD", "-MQ", "-MF"):
        if option in words:
            at = words.index(option)
            words[at:at + (1 if option == "-MD" else 2)] = []
    r = subprocess.run(words, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return r.stdout if r.returncode or r.stdout else ""


generated = [os.path.relpath(path, os.path.realpath(BUILD)) for target in load("meson-info", "intro-targets.json")
             if target["type"] == "custom" for path in target["filename"] if path.endswith((".c", ".h", ".hpp", ".inc"))]
subprocess.run(["ninja", "-C", BUILD, "--quiet", *generated], check=True)
commands = [entry for entry in load("compile_commands.json") if entry["file"].endswith((".c", ".cc", ".cpp"))]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    said = [text for text in pool.map(check, commands) if text]
print("\n".join(said), end="")
print("%d sources, %d with messages" % (len(commands), len(said)))
sys.exit(bool(said))
