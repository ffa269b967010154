#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a test without pseudo-terminals, as in a bare chroot: it must skip the parts that need one, and say so.

    no_terminal.py SCRIPT ARGUMENT...
"""
import subprocess
import sys

from tap import done, ok, skip_all

# Another file system on /dev/pts, which no other process sees.
HIDE = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /dev/pts && exec "$@"', "sh"]

try:
    hidden = subprocess.run(HIDE + ["true"], capture_output=True, text=True)
    reason = hidden.stderr.strip().split("\n")[-1]
except OSError as error:
    hidden, reason = None, str(error)
if hidden is None or hidden.returncode:
    skip_all("/dev/pts cannot be hidden: " + reason)
r = subprocess.run(HIDE + [sys.executable, *sys.argv[1:]], capture_output=True, text=True)
lines = r.stdout.splitlines()
bad = [line for line in lines if line.startswith("not ok")] + r.stderr.splitlines()
ok(r.returncode == 0 and not bad and any("# SKIP no pseudo-terminals" in line for line in lines),
   "what needs a terminal is skipped with its reason, the rest passes", "\n".join(["exit status %d" % r.returncode, *bad]))
done()
