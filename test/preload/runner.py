# SPDX-License-Identifier: MIT
"""Runs programs with libraries in front of them."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import target  # noqa: E402

# This machine's programs can load only its own libraries.
NOT_HERE = "the build is for another machine than this one's programs" if target.WRAPPER else ""
PROGRAM, TRACE, CHECK, WRONG_ONE, WRONG_EVERY, LIBRARY, REFERENCES = sys.argv[1:8]


def run(preloaded, *command, **env):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_PRELOAD"))}
    if preloaded:
        env["LD_PRELOAD"] = ":".join(preloaded)
    return target.run(command, env={**kept, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def program(preloaded, mode, **env):
    return run(preloaded, PROGRAM, mode, **env)
