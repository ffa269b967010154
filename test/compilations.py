# SPDX-License-Identifier: MIT
"""The compilations of a build folder, repeated with other options and without their outputs."""
import concurrent.futures
import json
import os
import shlex
import subprocess

OUTPUTS = {"-MD": 1, "-MQ": 2, "-MF": 2, "-o": 2}  # each option with its words


def load(build):
    """Yields (entry, words) for each compilation: its entry in compile_commands.json, and its command without outputs."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        entries = json.load(f)
    for entry in entries:
        words = shlex.split(entry["command"])
        for option, length in OUTPUTS.items():
            if option in words:
                at = words.index(option)
                del words[at:at + length]
        yield entry, words


def messages(build, commands):
    """Runs the commands on all CPUs, and returns the messages of those that fail."""
    def run(command):
        r = subprocess.run(command, cwd=build, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return r.stdout or "%s: exit status %d\n" % (command[-1], r.returncode) if r.returncode or r.stdout else ""

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [text for text in pool.map(run, commands) if text]
