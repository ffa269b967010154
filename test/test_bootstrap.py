#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The output and commands of bootstrap.sh, with stand-ins for apt-get, Meson and Ninja that only print.

    test_bootstrap.py SOURCE BUILD

bare_root.py runs the real commands on a bare Debian.
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

from tap import done, ok, skip

SOURCE, BUILD = sys.argv[1:]
BOOTSTRAP = os.path.join(SOURCE, "bootstrap.sh")
CONTROL = os.path.join(SOURCE, "debian", "control")
# All stand-ins in one, by its name. Each call of date is 11 seconds after the last, and each tool notes its arguments.
TOOL = r"""#!/bin/sh
echo "${0##*/} $*" >>"$NOTES"
case ${0##*/} in
dpkg-query) exit 1 ;;
id) echo 0 ;;
date) wc -l <"$NOTES" | awk '{print 11 * $1}' ;;
meson)
	[ "$1" = setup ] || exit 0
	echo "CC=$CC" >>"$NOTES"
	mkdir -p "$2" && : >"$2/build.ninja"
	;;
apt-get)
	[ "$1" = install ] || exit 0
	echo 'Reading package lists...'
	echo '0 upgraded, 68 newly installed, 0 to remove and 6 not upgraded.'
	echo 'Need to get 62.9 MB of archives.'
	echo 'After this operation, 247 MB of additional disk space will be used.'
	echo 'dlstatus:1:12.5:Retrieving file 3 of 68 (5s remaining)' >&4
	echo 'pmstatus:gcc-12:45.3:Unpacking gcc-12 (amd64)' >&4
	[ "$FAIL" != apt-get ] || { echo 'E: No space left on device' >&2; exit 100; }
	;;
ninja)
	echo '[1/2] Compiling one.c'
	[ "$FAIL" != ninja ] || { echo 'one.c:1: error: no'; exit 1; }
	mkdir -p examples/semsearch && echo 'echo found it' >examples/semsearch/semsearch
	chmod +x examples/semsearch/semsearch
	;;
dpkg-buildpackage)
	[ -f debian/control ] && [ -f ../isakern_*.orig.tar.xz ] || { echo 'no source package'; exit 1; }
	printf '   dh_auto_build -a\n[1/2] cc -c ../one.c\ncc1: a long line\n'
	[ "$FAIL" != dpkg-buildpackage ] || { echo 'dpkg-gensymbols: no'; exit 2; }
	: >../isakern_1_amd64.changes && : >../isakern-doc_1_all.deb
	;;
xz) cat ;;
qemu-aarch64) printf '  cortex-a53\n  max\n' ;;
lintian) [ "$FAIL" != lintian ] || { echo 'W: isakern-doc: no-manual'; exit 2; } ;;
esac
"""


def bootstrap(*args, fail="", stderr=subprocess.PIPE, built="", **env):
    """The finished process, and the notes of the tools, in a copy of the tree, with a build folder if `built` names it."""
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
        tools = os.path.join(work, "tools")
        os.mkdir(tools)
        shutil.copy(BOOTSTRAP, work)
        shutil.copy(os.path.join(SOURCE, "meson.build"), work)
        os.mkdir(os.path.join(work, "debian"))
        shutil.copy(CONTROL, os.path.join(work, "debian"))
        os.mkdir(os.path.join(work, "test"))
        with open(os.path.join(work, "test", "needed.py"), "w", encoding="utf-8") as f:
            f.write("print('needed.so')\n")
        for name in ("dpkg-query", "id", "date", "meson", "apt-get", "ninja", "dpkg-buildpackage", "lintian", "xz",
                     "qemu-aarch64"):
            with open(os.path.join(tools, name), "w", encoding="utf-8") as f:
                f.write(TOOL)
            os.chmod(f.name, 0o755)
        if built:
            os.mkdir(os.path.join(work, built))
            open(os.path.join(work, built, "build.ninja"), "w", encoding="utf-8").close()
        notes = os.path.join(work, "notes")
        open(notes, "w", encoding="utf-8").close()
        r = subprocess.run(["./bootstrap.sh", *args], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=stderr, text=True, env=dict(os.environ, PATH=tools + ":" + os.environ["PATH"],
                                                              NOTES=notes, FAIL=fail, **env))
        with open(notes, encoding="utf-8") as f:
            return r, f.read().splitlines()


r, notes = bootstrap("build")
ok(r.returncode == 0 and not r.stdout, "build", r)
ok("installing gcc " in r.stderr, "it names what it installs", r.stderr)
ok("68 newly installed" in r.stderr and "62.9 MB" in r.stderr and "247 MB" in r.stderr, "and how much that is", r.stderr)
ok("[12%] Retrieving file 3 of 68" in r.stderr and "[45%] Unpacking gcc-12" in r.stderr, "how far apt-get is", r.stderr)
ok("[1/2] Compiling one.c" in r.stderr, "and how far the compiler", r.stderr)
ok("ninja " in notes, "build builds everything", notes)
r, notes = bootstrap("demo", "--model", "here")
ok(r.returncode == 0 and r.stdout == "found it\n" and "ninja examples/semsearch/semsearch" in notes,
   "demo builds semsearch alone", (r, notes))
r, notes = bootstrap("build", fail="apt-get")
ok(r.returncode == 1 and "No space left" in r.stderr and r.stderr.splitlines()[-1].startswith(
    "bootstrap.sh: apt-get could not install") and not any(n.startswith("meson") for n in notes),
   "a failure of apt-get ends it, with the reason", (r, notes))
r, notes = bootstrap("build", fail="ninja")
ok(r.returncode == 1 and "one.c:1: error: no" in r.stderr and r.stderr.endswith("bootstrap.sh: the build failed\n"),
   "a failure of the build ends it, with the reason", r)
r, notes = bootstrap("deb")
ok(r.returncode == 0 and r.stdout == "build-deb/isakern-doc_1_all.deb\n", "deb names the packages that it made", r)
ok("[1/2] ../one.c" in r.stderr and "a long line" not in r.stderr, "and how far they are", r.stderr)
with open(CONTROL, encoding="utf-8") as f:
    needed = {re.sub("-compat$", "", name) for field in re.findall(r"(?m)^Build-Depends.*\n((?: .*\n)+)", f.read())
              for name in re.findall(r"(?m)^ ([\w.-]+)", field) if not name.startswith("dh-sequence-")}
asked = {note.split()[-1] for note in notes if note.startswith("dpkg-query ")}
ok(len(needed) > 10 and asked - {"build-essential", "lintian"} == needed, "what they are built with is that of debian/control", (asked, needed))
r, notes = bootstrap("deb", "--cross", "arm64")
asked = {note.split()[-1] for note in notes if note.startswith("dpkg-query ")}
ok(r.returncode == 0 and "dpkg-buildpackage -us -uc -aarm64 -B -Pcross,nocheck" in notes
   and asked >= {n + ":arm64" * n.startswith("lib") for n in needed},
   "deb --cross takes libraries of arm64", (notes, asked, needed))
for words in (("--cross", "s390x"), ("--crossed",)):
    r, notes = bootstrap("deb", *words)
    ok(r.returncode == 1 and not notes and r.stderr.count("\n") == 1 and words[-1] in r.stderr,
       "deb %s is refused in a line" % " ".join(words), r)
r, notes = bootstrap("test", "--musl")
ok("dpkg-query -W -f ${Status} musl-tools" in notes and "CC=musl-gcc" in notes and any(
    n.startswith("meson test -C build-musl ") and "--no-suite slow" in n for n in notes), "test --musl is of a build by musl-gcc", (r, notes))
for built, isas in (("", "all"), ("build-aarch64", "all"), ("build-aarch64", "neon_dot,sve_256")):
    r, notes = bootstrap("test", "--cross", "aarch64", "max,sve256=on", "cortex-a53", built=built,
                         **{"ISK_TEST_ISAS": isas} if isas != "all" else {})
    how = [n.split(" ") for n in notes if n.startswith("meson ") and "-Disa=" in n]
    ok(how and all("-Disa=" + isas in n and "build-aarch64" in n for n in how)
       and (not built or how[0][1] == "configure")
       and [n.split()[-1] for n in notes if n.startswith("meson test -C build-aarch64 ")]
       == ["testlog-max,sve256=on", "testlog-cortex-a53"]
       and [n for n in notes if n.startswith("ninja ")] == ["ninja all meson-test-prereq" if isas == "all" else "ninja needed.so"],
       "test --cross is of a build of %s ISAs, %s, on each CPU" % (isas, "made before" if built else "new"), (r, notes))
r, notes = bootstrap("test", "--cross", "aarch64", "cortex")
ok(r.returncode == 1 and "'cortex' is no CPU" in r.stderr and not any(n.startswith("meson") for n in notes),
   "a CPU that QEMU does not know is refused", (r, notes))
for words in (("--musl", "now"), ("--cross", "s390x"), ("--cross",), ("--static",)):
    r, notes = bootstrap("test", *words)
    ok(r.returncode == 1 and not notes and r.stderr.count("\n") == 1 and words[-1] in r.stderr,
       "test %s is refused in a line" % " ".join(words), r)
for tool, words in (("dpkg-buildpackage", "dpkg-gensymbols: no"), ("lintian", "W: isakern-doc: no-manual")):
    r, notes = bootstrap("deb", fail=tool)
    ok(r.returncode == 1 and words in r.stdout + r.stderr, "a complaint of %s ends it, with the reason" % tool, r)
try:
    ours, theirs = pty.openpty()
except OSError as error:
    skip("one line on a terminal", "no pseudo-terminals: %s" % error)
else:
    r, notes = bootstrap("build", stderr=theirs)
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    ok("\r\033[K[12%] Retrieving file 3 of 68 (5s remaining)\r\033[K[45%]" in text and text.endswith("\r\033[K"),
       "one line on a terminal, which is gone in the end", repr(text))
with open(BOOTSTRAP, encoding="utf-8") as f:
    targets = sorted({word for words in re.findall(r"(?m)^\tbuild (.*)$", f.read()) for word in words.split()})
unknown = [t for t in targets if subprocess.run(["ninja", "-C", BUILD, "-t", "query", t], capture_output=True).returncode]
ok(len(targets) > 3 and not unknown, "Ninja knows each target that bootstrap.sh builds", (targets, unknown))
done()
