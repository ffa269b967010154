#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the file that `npm install` takes, from a build.

    pack.py MESON NPM SOURCE BUILD

writes BUILD/isakern-VERSION.tgz and prints its path. The package has the libraries beside the addon, which finds them there.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(*command, **more):
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if r.returncode:
        sys.exit("pack.py: '%s' failed:\n%s" % (" ".join(command), r.stdout))
    return r.stdout


def libraries_of(addon):
    """The paths of the libraries that the addon needs, other than those of every system with glibc."""
    ours = re.compile(r"^\s*(lib(?:isakern|sleef)\S*) => (/\S+)", re.MULTILINE)
    return {name: os.path.realpath(path) for name, path in ours.findall(run("ldd", addon))}


def main():
    meson, npm, source, build = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="isakern-npm-") as stage:
        run(meson, "install", "-C", build, "--no-rebuild", "--tags", "node", "--destdir", stage)
        folder = os.path.dirname(glob.glob(os.path.join(stage, "**", "isakern.node"), recursive=True)[0])
        for name, path in libraries_of(os.path.join(build, "src", "node", "isakern", "isakern.node")).items():
            shutil.copyfile(path, os.path.join(folder, name))
        shutil.copyfile(os.path.join(source, "LICENSE"), os.path.join(folder, "LICENSE"))
        shutil.copyfile(os.path.join(source, "docs", "node.md"), os.path.join(folder, "README.md"))
        run(npm, "pack", "--pack-destination", build, cwd=folder)
        with open(os.path.join(folder, "package.json"), encoding="utf-8") as f:
            version = re.search(r'"version": "(.*?)"', f.read())[1]
    print(os.path.join(build, "isakern-%s.tgz" % version))


if __name__ == "__main__":
    main()
