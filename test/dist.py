#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tarball of `meson dist` has all files of the last commit, builds, and passes tests without git.

    dist.py SOURCE MESON...
"""
import os
import subprocess
import sys
import tarfile
import tempfile

from tap import done, equal, ok, skip_all

SOURCE, MESON = sys.argv[1], sys.argv[2:]
# One ISA, not optimised, because only the presence of files is tested.
OPTIONS = ["-Disa=baseline", "-Dbuildtype=plain", "-Dbenchmarks=disabled"]
# Tests that read uncompiled files, and some kernels.
TESTS = ["counts", "manual", "readme", "abi", "install", "malformed", "object_check", "debian", "packaging", "kernels-map", "kernels-gemm"]


def run(folder, *command, **env):
    r = subprocess.run(command, cwd=folder, env={**os.environ, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       check=False)
    return r.returncode, r.stdout


if run(SOURCE, "git", "rev-parse")[0]:
    skip_all("%s is no git repository" % SOURCE)
with tempfile.TemporaryDirectory(prefix="isakern-dist-") as work:
    clone = os.path.join(work, "clone")
    subprocess.run(["git", "clone", "-q", SOURCE, clone], check=True)
    status, said = run(clone, *MESON, "setup", "build", *OPTIONS, "-Dtests=disabled", "-Dpython=disabled")
    ok(status == 0, "meson setup", said)
    status, said = run(clone, *MESON, "dist", "-C", "build", "--no-tests")
    made = os.listdir(os.path.join(clone, "build/meson-dist")) if status == 0 else []
    tarball = [name for name in made if name.endswith(".tar.xz")]
    if not ok(len(tarball) == 1, "meson dist", said):
        done()
    name = tarball[0][:-7]
    with tarfile.open(os.path.join(clone, "build/meson-dist", tarball[0])) as tar:
        packed = sorted(member.name for member in tar if not member.isdir())
        tar.extractall(work)
    committed = run(clone, "git", "ls-files", "-z")[1].split("\0")[:-1]
    equal(packed, sorted("%s/%s" % (name, file) for file in committed), "%s has what is committed" % tarball[0])

    tree, tools = os.path.join(work, name), os.path.join(work, "tools")
    os.mkdir(tools)
    with open(os.path.join(tools, "git"), "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho no git here >&2\nexit 1\n")
    os.chmod(f.name, 0o755)
    without_git = {"PATH": tools + ":" + os.environ["PATH"]}
    status, said = run(tree, *MESON, "setup", "build", *OPTIONS, **without_git)
    if ok(status == 0, "it is configured", said):
        status, said = run(tree, "ninja", "-C", "build", "all", "meson-test-prereq", **without_git)
        if ok(status == 0, "it is built", said):
            status, said = run(tree, *MESON, "test", "-C", "build", "--no-rebuild", "--print-errorlogs", *TESTS, **without_git)
            ok(status == 0, "tests pass: " + " ".join(TESTS), said)
done()
