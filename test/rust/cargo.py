# SPDX-License-Identifier: MIT
"""Runs Cargo on the crates of a build, without a network."""
import os
import shutil
import subprocess
import tempfile

# Debian's, which the crates promise to work with, comes first.
CARGO = next((path for path in ("/usr/bin/cargo", shutil.which("cargo")) if path and os.path.exists(path)), None)


def run(build, folder, *arguments, **more):
    """One command in a folder. Its result has the output."""
    with tempfile.TemporaryDirectory(prefix="isakern-cargo-") as home:
        beside = {name.upper(): path for name in ("rustc", "rustdoc")
                  for path in [os.path.join(os.path.dirname(CARGO), name)] if os.path.exists(path)}
        env = dict(os.environ, CARGO_HOME=home, CARGO_NET_OFFLINE="true", ISAKERN_LIB_DIR=os.path.join(build, "src"),
                   LD_LIBRARY_PATH=os.path.join(build, "src"), **beside)
        return subprocess.run([CARGO, *arguments], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)


def sleef(build):
    """The arguments that turn on functions of f64, if the build has them."""
    return ["--features", "sleef"] if os.path.exists(os.path.join(build, "src", "libisakern-sleef.so")) else []
