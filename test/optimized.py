#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles what a build installs at -O3, where gcc sees more to warn of, and fails on a warning. Kernels have the same flags
in each build, and generated sources are data: neither is compiled again. `meson test --suite slow` has whole builds.

    optimized.py BUILD
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

BUILD = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "resolve", "generate"))
import recipe  # noqa: E402


def commands():
    """By source, the command line without its outputs."""
    found = {}
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as f:
        entries = json.load(f)
    for entry in entries:
        words, path = shlex.split(entry["command"]), os.path.normpath(os.path.join(BUILD, entry["file"]))
        if (entry["output"].startswith(("src/", "tools/", "lib")) and not path.startswith(BUILD)
                and not set(recipe.KERNEL) <= set(words)):
            for option in ("-MQ", "-MF", "-o"):
                at = words.index(option)
                del words[at:at + 2]
            found[path] = [word for word in words if word != "-MD"]
    return found


def complaint(command):
    r = subprocess.run([*command, "-O3", "-Werror", "-o", os.devnull], cwd=BUILD, text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    return r.stdout if r.returncode else ""


jobs = commands()
with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    said = [text for text in pool.map(complaint, jobs.values()) if text]
print("".join(said) + "%d sources at -O3, %d with warnings" % (len(jobs), len(said)))
sys.exit(bool(said) or not jobs)
