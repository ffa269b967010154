#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles what a build installs at -O3, where gcc sees more to warn of, and fails on a warning. Kernels have the same flags
in each build, and generated sources are data: neither is compiled again. `meson test --suite slow` has whole builds.

    optimized.py BUILD
"""
import os
import sys

import compilations

BUILD = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "resolve", "generate"))
import recipe  # noqa: E402

# By source: one that is compiled for several libraries is compiled once here.
commands = {}
for entry, words in compilations.load(BUILD):
    path = os.path.normpath(os.path.join(BUILD, entry["file"]))
    if (entry["output"].startswith(("src/", "tools/", "lib")) and not path.startswith(BUILD)
            and not set(recipe.KERNEL) <= set(words)):
        commands[path] = [*words, "-O3", "-Werror", "-o", os.devnull]
said = compilations.messages(BUILD, commands.values())
print("".join(said) + "%d sources at -O3, %d with warnings" % (len(commands), len(said)))
sys.exit(bool(said) or not commands)
