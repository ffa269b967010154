#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The crates and their documentation compile without a warning, the programs of docs/rust.md run as doc tests, so do the tests of
door.rs, and Cargo packs isakern-sys.

    crates.py BUILD
"""
import os
import shutil
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")]
import cargo  # noqa: E402
from tap import done, ok, skip_all  # noqa: E402

BUILD, = sys.argv[1:]
if not cargo.CARGO:
    skip_all("no cargo (Debian: cargo)")
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    crates = shutil.copytree(os.path.join(BUILD, "src", "rust"), os.path.join(work, "rust"), ignore=shutil.ignore_patterns("target"))
    began = time.monotonic()
    r = cargo.run(BUILD, crates, "build", "--release", *cargo.sleef(BUILD), text=True)
    ok(r.returncode == 0 and "warning" not in r.stderr, "they compile without a warning", r.stderr)
    print("# cargo build --release: %.0f s" % (time.monotonic() - began))
    r = cargo.run(BUILD, crates, "doc", "--no-deps", *cargo.sleef(BUILD), text=True)
    ok(r.returncode == 0 and "warning" not in r.stderr, "and so does their documentation", r.stderr[-2000:])
    os.makedirs(os.path.join(crates, "isakern", "tests"))
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "door.rs"), os.path.join(crates, "isakern", "tests"))
    for name, kind, wanted in (("door.rs", ["--test", "door"], 8), ("docs/rust.md", ["--doc"], 4)):
        r = cargo.run(BUILD, crates, "test", "--package", "isakern", *kind, *cargo.sleef(BUILD), text=True)
        ok(r.returncode == 0 and "%d passed" % wanted in r.stdout, "the %d programs of %s" % (wanted, name), r.stdout + r.stderr)
    r = cargo.run(BUILD, os.path.join(crates, "isakern-sys"), "package", "--allow-dirty", text=True)
    ok(r.returncode == 0, "cargo package of isakern-sys, which compiles it from the package", r.stderr)
    for folder, _, files in os.walk(os.path.join(crates, "target", "package")):
        for name in files:
            if name.endswith(".crate"):
                print("# %s: %.0f kB" % (name, os.path.getsize(os.path.join(folder, name)) / 1e3))
done()
