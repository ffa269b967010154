#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program with rights that its caller lacks ignores the caller's environment."""
import os
import pwd
import shutil
import subprocess

from kit import HERE, INCLUDE, SHARED, Result, STATIC, Tap, clean_environment

tap = Tap()
NOBODY = 65534
if os.geteuid() != 0:
    tap.skip("set-user-id, set-group-id and file capabilities", "only root can make such programs")
    tap.done()
if os.statvfs(tap.dir).f_flag & os.ST_NOSUID:
    tap.skip("set-user-id, set-group-id and file capabilities", "%s is mounted nosuid" % tap.dir)
    tap.done()

# A place that the user nobody can read, whatever the rights of the build folder.
shutil.copy(SHARED, tap.path("libisakern.so.0"))
PROBE = os.path.join(HERE, "probe.c")
BASE = ["-O1", "-Wall", "-Wextra", "-Werror"] + INCLUDE
LIB = [tap.path("libisakern.so.0"), "-Wl,-rpath," + tap.dir]
programs = {
    "lazy": tap.cc("lazy", PROBE, *BASE, "-fPIE", "-pie", "-Wl,-z,lazy", *LIB),
    "now": tap.cc("now", PROBE, *BASE, "-fPIE", "-pie", "-Wl,-z,now", *LIB),
    "non-PIE": tap.cc("nopie", PROBE, *BASE, "-fno-pie", "-no-pie", "-Wl,-z,now", *LIB),
    "static": tap.cc("static", PROBE, *BASE, "-static", "-DPROBE_STATIC", *STATIC),
    "static-pie": tap.cc("static-pie", PROBE, *BASE, "-static-pie", "-fPIE", "-DPROBE_STATIC", *STATIC),
}
refuse = tap.cc("refuse", "-Wall", "-Wextra", "-Werror", os.path.join(HERE, "refuse.c"))
daemon = pwd.getpwnam("daemon").pw_uid
SETCAP = shutil.which("setcap", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
# name -> owner, group, mode, capabilities
KINDS = {
    "plain": (0, 0, 0o755, None),
    "set-user-id root": (0, 0, 0o4755, None),
    "set-user-id daemon": (daemon, daemon, 0o4755, None),
    "set-group-id root": (0, 0, 0o2755, None),
    "set-group-id daemon": (daemon, daemon, 0o2755, None),
    "file capability": (0, 0, 0o755, "cap_net_raw+ep"),
}
# auxv shows that a process has another user's rights: as Linux 6.4 gives it, and as older versions do.
AUXV = {"": [], ", PR_GET_AUXV unknown": [refuse, "auxv", str(NOBODY)]}
VARIABLES = {"ISAKERN_MAX_ISA": "baseline", "ISAKERN_VERBOSE": "1", "ISAKERN_BIND": "nonsense"}


def as_nobody(command, env):
    r = subprocess.run(command, capture_output=True, text=True, env=clean_environment(**env), user=NOBODY,
                       group=NOBODY,
                       extra_groups=[], cwd="/", timeout=60)
    return Result(r)


for kind, (owner, group, mode, capability) in KINDS.items():
    if capability and not SETCAP:
        tap.skip(kind, "no setcap (package libcap2-bin)")
        continue
    for name, source in programs.items():
        path = tap.path("victim")
        shutil.copy(source, path)
        os.chown(path, owner, group)
        os.chmod(path, mode)
        if capability:
            r = subprocess.run([SETCAP, capability, path], capture_output=True, text=True)
            if r.returncode:
                tap.skip("%s, %s" % (kind, name), "setcap: " + r.stderr.strip())
                continue
        for auxv, launcher in AUXV.items():
            if launcher:
                # Root sets the filter, becomes nobody, and starts the program, whose rights remain.
                r = Result(subprocess.run(launcher + [path], capture_output=True, text=True, cwd="/",
                                          timeout=60,
                                          env=clean_environment(**VARIABLES)))
            else:
                r = as_nobody([path], VARIABLES)
            v = r.values()
            # A library built for coverage complains that it cannot write its counts.
            r.err = "".join(l + "\n" for l in r.err.split("\n") if l and not l.startswith("profiling:"))
            if kind == "plain":
                good = v.get("current") == v.get("early") == v.get("bound_length") == "baseline" \
                    and v["lanes"] == "4" \
                    and "pinned" not in r.err and "-> baseline" in r.err and "'nonsense' ignored" in r.err
            else:
                good = not r.err and v.get("current") == v.get("early") == v.get("cpu") == v.get("bound_length")
                if v.get("cpu") == "baseline":
                    good = not r.err  # this CPU shows no effect of a cap; but no line was printed
            tap.ok(r.status == 0 and good, "%s, %s%s: %s" % (
                kind, name, auxv, "heeded" if kind == "plain" else "ignored"), r)
        os.unlink(path)

# A profile, which is read when a plan is made, not when a kernel is bound.
planned = tap.cc("planned", os.path.join(HERE, "planned.c"), *BASE, *LIB)
for kind, mode in (("plain", 0o755), ("set-user-id daemon", 0o4755)):
    shutil.copy(planned, tap.path("victim"))
    os.chown(tap.path("victim"), daemon if mode & 0o4000 else 0, 0)
    os.chmod(tap.path("victim"), mode)
    r = as_nobody([tap.path("victim")], {"ISAKERN_PROFILE": "/nowhere"})
    told = "isakern: /nowhere: ISAKERN_PROFILE names a file that cannot be read\n" if kind == "plain" else ""
    tap.ok(r.status == 0 and r.out == "way0=tile\nway1=tile\n" and r.err == told, "%s: a profile is %s" % (
        kind, "read, and its fault told once" if told else "ignored"), r)
tap.done()
