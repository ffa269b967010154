#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The npm package: made, installed without a network, and used by require and import.

    package.py SOURCE BUILD MESON NODE
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import done, ok, skip_all  # noqa: E402

SOURCE, BUILD, MESON, NODE = sys.argv[1:]
NPM = shutil.which("npm")
PROGRAMS = {"commonjs": "const isk = require('isakern')", "module": "import isk, {exp_f64} from 'isakern'; exp_f64(Float64Array.of(0))"}
FIRST = "; console.log(isk.sum(isk.gelu(Float32Array.of(-2, -1, 0, 1, 2))).toFixed(5), isk.exp(Float64Array.of(0))[0])"
if not NPM:
    skip_all("no npm")


def run(*command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    made = run(sys.executable, os.path.join(SOURCE, "src", "node", "pack.py"), MESON, NPM, SOURCE, BUILD)
    if ok(made.returncode == 0 and os.path.exists(made.stdout.strip()), "npm pack", made.stdout):
        package = made.stdout.strip()
        print("# %.1f MB" % (os.path.getsize(package) / 1e6))
        # Nothing answers there, so a download fails.
        env = dict(os.environ, npm_config_registry="http://127.0.0.1:1/", npm_config_audit="false", npm_config_update_notifier="false")
        r = run(NPM, "install", package, cwd=work, env=env)
        ok(r.returncode == 0, "npm install without a network", r.stdout)
        for kind, program in PROGRAMS.items():
            r = run(NODE, "--input-type=" + kind, "-e", program + FIRST, cwd=work)
            ok(r.stdout == "2.59169 1\n", "the first program of README, in a " + kind, r.stdout)
        r = run(NODE, "-e", "require('isakern/isakern.node')", cwd=work)
        ok("ERR_PACKAGE_PATH_NOT_EXPORTED" in r.stdout, "the addon, which checks less, is not exported", r.stdout)
        # Meson's tests have a path to the libraries of the build.
        r = run("env", "-u", "LD_LIBRARY_PATH", "ldd", os.path.join(work, "node_modules", "isakern", "isakern.node"))
        theirs = re.findall(r"lib(?:isakern|sleef)\S* => (\S+)", r.stdout)
        ok(theirs and all(os.path.realpath(path).startswith(os.path.realpath(work)) for path in theirs),
           "the libraries are those of the package", r.stdout)
done()
