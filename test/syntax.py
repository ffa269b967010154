#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has clang check every source of a build folder once, as the build would compile it, up to its intermediate code.

    syntax.py BUILD

All messages that need no optimizer show themselves, also those about instructions that an ISA lacks. Generated sources and
precompiled headers are made first. A source that is compiled for several ISAs, types or libraries is checked for one of them,
which its name chooses, so that other sources are checked for the others; the slow suite has whole builds with clang. Sources with
the same flags share a process, because clang takes longer to start than to check most of them. Its driver would start a process
for each; its front end (-cc1) checks them one after another.
"""
import collections
import json
import os
import shlex
import subprocess
import sys
import zlib

import compilations

BUILD = os.path.abspath(sys.argv[1])
BATCH = 40  # sources at most of one process, so that all CPUs have work

with open(os.path.join(BUILD, "meson-info", "intro-targets.json"), encoding="utf-8") as f:
    targets = json.load(f)
generated = {os.path.relpath(path, os.path.realpath(BUILD)) for target in targets if target["type"] == "custom"
             for path in target["filename"] if path.endswith((".c", ".h", ".hpp", ".inc"))}
compiled = collections.defaultdict(list)  # by source, its commands
for entry, words in compilations.load(BUILD):
    if entry["file"].endswith((".c", ".cc", ".cpp")):
        compiled[words[-1]].append(words[:-1])
sources = collections.defaultdict(list)  # by command without its source
for source, alternatives in compiled.items():
    words = alternatives[zlib.crc32(source.encode()) % len(alternatives)]
    generated |= {words[i + 1] for i, word in enumerate(words) if word == "-include-pch"}
    sources[tuple("-fsyntax-only" if word == "-c" else word for word in words)].append(source)
subprocess.run(["ninja", "-C", BUILD, "--quiet", *sorted(generated)], check=True)


def front_end(command, source):
    """The command that clang's driver would run for a source, without the source."""
    said = subprocess.run([*command, "-###", source], cwd=BUILD, text=True, stderr=subprocess.PIPE, check=True).stderr
    words = shlex.split(said.splitlines()[-1])
    assert words[1] == "-cc1" and words[-1] == source, said
    at = words.index("-fsyntax-only")
    return words[:at] + ["-emit-llvm-only", "-disable-llvm-passes"] + words[at + 1:-1]


def commands():
    for command, named in sources.items():
        front = front_end(command, named[0])
        yield from (front + named[i:i + BATCH] for i in range(0, len(named), BATCH))


said = compilations.messages(BUILD, commands())
print("".join(said) + "%d sources, %d messages" % (sum(map(len, sources.values())), len(said)))
sys.exit(bool(said) or not sources)
