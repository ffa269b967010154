#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian packages for arm64, made on another machine: unpacked, and their programs run by QEMU.

    deb_crossed.py SOURCE [PACKAGES]    the packages in that folder; by default those of the last commit

Needs root, because bootstrap.sh installs the build dependencies; the libraries that the programs need come with them.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import readme
import target
from deb import build
from tap import done, equal, ok, skip_all


def main(source, *packages):
    missing = [p for p in ("dpkg-buildpackage", "lintian", target.WRAPPER[0], target.C[0]) if not shutil.which(p)]
    if missing or os.getuid():
        skip_all("it takes root, and %s" % ", ".join(missing or ["no more"]))
    with tempfile.TemporaryDirectory(prefix="isakern-deb-") as work:
        folder = os.path.abspath(packages[0]) if packages else build(source, work, "--cross", "arm64")
        with open(os.path.join(source, "debian/control"), encoding="utf-8") as f:
            names = re.findall(r"^Package: (\S+)\n(?:.+\n)*?Architecture: .*\barm64$", f.read(), re.M)
        debs = {os.path.basename(deb).split("_")[0]: deb for deb in glob.glob(os.path.join(folder, "*_arm64.deb"))}
        equal(sorted(n for n in debs if not n.endswith("-dbgsym")), sorted(names), "the packages are those of debian/control")
        root = os.path.join(work, "root")
        for name in names:
            subprocess.run(["dpkg", "-x", debs[name], root], check=True)
        libraries = os.path.join(root, "usr/lib/aarch64-linux-gnu")

        def run(*command, **env):
            r = target.run(command, cwd=work, env={**os.environ, "LD_LIBRARY_PATH": libraries, **env}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            return r.returncode, r.stdout

        strange = [path for path in glob.glob(root + "/usr/**", recursive=True)
                   if re.search(r"\.so\b|/usr/bin/isakern$", path)
                   and os.path.isfile(path) and not target.is_for_another(path)]
        equal(strange, [], "programs and libraries are those of another machine")
        equal([os.path.basename(path) for path in glob.glob(root + "/usr/lib/python3/dist-packages/isakern/*.so")],
              ["_core.cpython-%d%d-aarch64-linux-gnu.so" % sys.version_info[:2]], "the extension has the name that Python looks for")

        with open(os.path.join(work, "first.c"), "w", encoding="utf-8") as f:
            f.write(readme.PROGRAM)
        line, program = readme.COMPILE.split(" && ")
        status, said = run("sh", "-c", re.sub("^cc ", target.C[0] + " ", line), PKG_CONFIG_SYSROOT_DIR=root,
                           PKG_CONFIG_LIBDIR=os.path.join(libraries, "pkgconfig"))
        if ok(status == 0, "README's first program compiles", said):
            for preloaded in "", "libisakern-ref.so", "libisakern-check.so", "libisakern-trace.so":
                status, said = run(program, **({"LD_PRELOAD": preloaded} if preloaded else {}))
                numbers = re.findall(r"(?m)^[\d.]+\n", said)
                ok(status == 0 and readme.first_right("".join(numbers)), " ".join(["and runs", preloaded]), said)
        isakern = os.path.join(root, "usr/bin/isakern")
        for words, wanted in ((["info"], r"\bneon\b"), (["kernels"], r"\bexp_f32\b"), (["why", "exp_f32"], "chosen"),
                              (["verify", "exp_f32"], r"\b0 failed"),
                              (["fingerprint", "--check", "exp_f32"], "1 of 1 are the same")):
            status, said = run(isakern, *words)
            ok(status == 0 and re.search(wanted, said), "isakern " + " ".join(words), said)
    done()


if __name__ == "__main__":
    main(*sys.argv[1:])
