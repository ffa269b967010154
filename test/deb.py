#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian packages: they build, please lintian, pass their autopkgtest in a bare Debian, and are purged without a trace.

    deb.py SOURCE [PACKAGES]    the packages in that folder; by default those that bootstrap.sh makes of the last commit

Needs root; the bare Debian is that of bare_root.py.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import readme
from bare_root import WITH_PROC, environment, prepare, run, skip_unless_possible
from tap import done, equal, ok

COMPILER = "gcc libc6-dev pkg-config"
# Run one after another in a root: uses by root that may leave files behind.
USES = [readme.COMPILE, "isakern info", "cp -r examples/own-kernel /tmp && make -s -C /tmp/own-kernel",
        "/usr/bin/python3 -c 'import isakern; print(isakern.info())'", "LD_PRELOAD=libisakern-ref.so /isakern/first",
        "/usr/bin/python3 -c 'import numpy as np; print(np.ones((9, 9)) @ np.ones(9)); print(open(\"/proc/self/maps\").read())' "
        "| grep -m 1 isakern-blas3"]


def lines(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()


def succeeds(root, command):
    status, wall, _ = run(root, command)
    return ok(status == 0, "%s: exit status %d, %.0f s" % (command, status, wall))


def build(source, work, *options):
    """Builds the packages and returns their folder. bootstrap.sh runs lintian."""
    tree = os.path.join(work, "isakern")
    os.mkdir(tree)
    archive = subprocess.Popen(["git", "-C", source, "archive", "HEAD"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", tree], stdin=archive.stdout, check=True)
    r = subprocess.run(["./bootstrap.sh", "deb", *options], cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if not ok(r.returncode == 0, "bootstrap.sh deb: they build, and lintian has nothing to say", r.stdout):
        done()
    return os.path.join(tree, "build-deb")


def files(root):
    """All files in root, except mounts and the test's own files."""
    return set(lines("find", root, "-xdev", "(", "-path", root + "/proc", "-o", "-path", root + "/tmp", "-o", "-path",
                     root + "/isakern", ")", "-prune", "-o", "-printf", "/%P\n"))


def newcomer(root):
    """Installs the packages on a bare Debian and compiles README's first program."""
    succeeds(root, "apt-get update -qq")
    succeeds(root, "apt-get install -qq -y --no-install-recommends %s ./packages/libisakern*.deb" % COMPILER)
    succeeds(root, readme.COMPILE)


def tests_of_package(root, debs):
    """Runs the autopkgtest of the packages in root."""
    r = subprocess.run(WITH_PROC + [root, "autopkgtest", "-B", *debs, os.path.join(root, "isakern") + "/", "--", "chroot", root],
                       env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    passed = re.findall(r"^(\S+) +(PASS|FAIL|SKIP)", r.stdout.split(" summary\n")[-1], re.MULTILINE)
    with open(os.path.join(root, "isakern/debian/tests/control"), encoding="utf-8") as f:
        named = re.findall(r"^Tests: (.*)$", f.read(), re.MULTILINE)
    equal(dict(passed), {name: "PASS" for name in named}, "autopkgtest", r.stdout)


def blas(root):
    """The library that programs in root get for libblas.so.3."""
    return [os.readlink(link).split("/")[-2] for link in glob.glob(root + "/etc/alternatives/libblas.so.3-*")]


def purge(root, names):
    """A purge after use leaves nothing that was not there before. Dependencies are installed before and remain."""
    ours = "./packages/*.deb"
    succeeds(root, "apt-get update -qq")
    # The packages that apt would install beside ours.
    succeeds(root, "apt-get install -s -y --no-install-recommends %s make %s | sed -n 's/^Inst \\(\\S*\\).*/\\1/p' >/tmp/all && "
                   "grep -vxE '%s' /tmp/all | xargs apt-get install -qq -y --no-install-recommends" % (COMPILER, ours, "|".join(names)))
    before = files(root)
    equal(blas(root), ["blas"], "reference BLAS is there before")
    succeeds(root, "apt-get install -qq -y --no-install-recommends " + ours)
    for command in USES:
        succeeds(root, command)
    between = files(root)
    equal(blas(root), ["isakern-blas3"], "libisakern-blas3 comes before reference BLAS")
    ok(all(name in between for name in ("/usr/bin/isakern", "/usr/bin/isakern-cc", "/usr/include/isakern.h")), "they are installed")
    succeeds(root, "apt-get purge -qq -y " + " ".join(names))
    after = files(root)
    equal(blas(root), ["blas"], "reference BLAS is back")
    equal(sorted(after - before), [], "nothing is left of %d files and folders" % len(between - before))
    equal(sorted(before - after), [], "nothing is gone that was there before")


def main(source, *packages):
    skip_unless_possible(source, "autopkgtest", "lintian", "dpkg-buildpackage")
    with tempfile.TemporaryDirectory(prefix="isakern-deb-") as work:
        packages = os.path.abspath(packages[0]) if packages else build(source, work)
        with open(os.path.join(source, "debian/control"), encoding="utf-8") as f:
            names = re.findall(r"^Package: (.*)$", f.read(), re.MULTILINE)
        debs = glob.glob(os.path.join(packages, "*.deb"))
        built = {os.path.basename(deb).split("_")[0]: deb for deb in debs}
        equal(sorted(n for n in built if not n.endswith("-dbgsym")), sorted(names), "the packages are those of debian/control")
        root, again = os.path.join(work, "root"), os.path.join(work, "again")
        os.mkdir(root)
        prepare(source, root)
        with open(os.path.join(root, "isakern/first.c"), "w", encoding="utf-8") as f:
            f.write(readme.PROGRAM)
        os.mkdir(os.path.join(root, "isakern/packages"))
        for name in names:
            shutil.copy(built[name], os.path.join(root, "isakern/packages"))
        subprocess.run(["cp", "-a", root, again], check=True)
        newcomer(root)
        tests_of_package(root, [built[name] for name in names])
        purge(again, names)
    done()


if __name__ == "__main__":
    main(*sys.argv[1:])
