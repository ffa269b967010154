#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""README's first minute on a bare Debian, or the session of another page: each of its commands, timed.

    bare_root.py [--arch ARCH] [--page PAGE] SOURCE [WORD...]     the commands that hold one of the words; all of them by default

Needs root. debootstrap makes the Debian release that README names in a directory that is deleted at the end, without
/dev/pts and the other things that a container would add. isakern there is the last commit of SOURCE. Packages come from
this machine's mirrors, with its certificates. Commands run in the order of README, each with the results of those before
it. Output is repeated with the seconds since the command began. Programs of another Debian ARCH, such as arm64, run if
binfmt_misc has an interpreter for them (package qemu-user-static): then everything but the time is as on such a machine.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time

import readme
from tap import done, ok, skip_all

RELEASES = {"Debian 12": "bookworm"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TRUSTED = "/etc/ssl/certs/ca-certificates.crt"
PRIVATE = ["unshare", "--mount"]
# Takes a root, and a command that runs outside it.
WITH_PROC = PRIVATE + ["sh", "-c", 'mount -t proc proc "$1/proc" && shift && exec "$@"', "sh"]


def said(*command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True, **more).stdout


def prepare(source, root, *options):
    """Makes a bare Debian at root, by debootstrap with these options, with isakern in /isakern."""
    suite = next(suite for release, suite in RELEASES.items() if "On %s," % release in readme.TEXT)
    mirrors = said("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Codename: " + suite)
    mirror = mirrors.split()[0] if mirrors.strip() else "http://deb.debian.org/debian"
    # This machine's settings of apt, above all proxies.
    ways = re.findall(r'^Acquire::(?:http|https|Check)\b.* ".+";$', said("apt-config", "dump"), re.MULTILINE)
    proxy = re.search(r'Acquire::http::Proxy "(.*)";', "\n".join(ways))
    began = time.monotonic()
    # Mounts under root last for one command only, so that nothing of this machine is under root when it is deleted.
    subprocess.run(PRIVATE + ["debootstrap", "--variant=minbase", *options, suite, root, mirror], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, **({"http_proxy": proxy[1]} if proxy else {})))
    # apt-get downloads as a user of its own.
    os.chmod(root, 0o755)
    print("# debootstrap of %s: %.0f s" % (suite, time.monotonic() - began), flush=True)
    with open(os.path.join(root, "etc/apt/apt.conf.d/99host"), "w", encoding="utf-8") as f:
        f.write("\n".join(ways) + "\n")
    for path in ("/etc/resolv.conf", TRUSTED):
        if os.path.exists(path):
            with open(path, "rb") as here, open(os.path.join(root, "etc", os.path.basename(path)), "wb") as there:
                there.write(here.read())
    os.mkdir(os.path.join(root, "isakern"))
    archive = subprocess.Popen(["git", "-C", source, "archive", "HEAD"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", os.path.join(root, "isakern")], stdin=archive.stdout, check=True)


def environment():
    """The environment of commands in a root: how curl and npm reach the network, and nothing else of this machine."""
    trusted = "/etc/" + os.path.basename(TRUSTED)
    return {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "CURL_CA_BUNDLE": trusted, "NODE_EXTRA_CA_CERTS": trusted,
            **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}}


def run(root, command):
    """Runs a command in root with a /proc. Returns its exit status, seconds, and seconds of CPU."""
    inside = WITH_PROC + [root, "chroot", root, "sh", "-c", "cd /isakern && " + command]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(inside, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=environment(), errors="replace")
    for line in process.stdout:
        print("# %6.1f  %s" % (time.monotonic() - began, line.rstrip()), flush=True)
    status, wall = process.wait(), time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def skip_unless_possible(source, *more_tools):
    if os.geteuid() != 0:
        skip_all("only root can make a bare Debian")
    for tool in ("debootstrap", "apt-get", "git", "unshare", *more_tools):
        if not shutil.which(tool):
            skip_all("no %s (Debian: %s)" % (tool, {"unshare": "util-linux", "apt-get": "apt"}.get(tool, tool)))
    if subprocess.run(["git", "-C", source, "rev-parse"], capture_output=True).returncode:
        skip_all("%s is no git repository" % source)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch")
    parser.add_argument("--page", choices=readme.SESSIONS)
    parser.add_argument("source")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    skip_unless_possible(options.source)
    typed = readme.commands(readme.page(options.page), readme.SESSION) if options.page else readme.FIRST_MINUTE + [readme.COMPILE]
    commands = [c for c in typed if not options.words or any(w in c for w in options.words)]
    with tempfile.TemporaryDirectory(prefix="isakern-bare-") as root:
        prepare(options.source, root, *(["--arch=" + options.arch] if options.arch else []))
        with open(os.path.join(root, "isakern/first.c"), "w", encoding="utf-8") as f:
            f.write(readme.PROGRAM)
        for command in commands:
            status, wall, cpu = run(root, command)
            ok(status == 0, "%s: exit status %d, %.0f s, %.0f s of CPU" % (command, status, wall, cpu))
    done()


if __name__ == "__main__":
    main()
