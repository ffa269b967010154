# SPDX-License-Identifier: MIT
"""The compiler of isakern-cc, and other programs that it calls."""
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys

import tables


class Failure(Exception):
    """One line for the user, or the message of another program."""


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError as error:
        raise Failure("%s: %s" % (command[0], error.strerror)) from None


def all_of(jobs, function):
    """The function's results for all jobs, computed on all CPUs."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, jobs))


class Compiler:
    """The compiler that CC names. CFLAGS are ignored, because the library must have exactly the flags of its recipe."""

    def __init__(self, work):
        self.command = shlex.split(os.environ.get("CC") or "cc")
        self.empty = os.path.join(work, "empty.c")
        with open(self.empty, "w", encoding="utf-8") as f:
            f.write("extern int unused;\n")
        self.told = set()
        for program in (self.command[0], "nm", "objdump", "readelf", "as", "ar"):
            if not shutil.which(program):
                hint = "; CC names the compiler" if program == self.command[0] else ""
                raise Failure("no program '%s'%s" % (program, hint))
        r = self.compiles_with([])
        if r.returncode:
            said = r.stdout.strip().split("\n")[0]
            raise Failure("'%s' does not compile an empty file: %s" % (" ".join(self.command), said))

    def compiles_with(self, flags):
        return run(self.command + ["-Werror", *flags, "-c", "-o", os.devnull, self.empty])

    def architecture(self):
        said = run(self.command + ["-dumpmachine"]).stdout.strip()
        name = said.split("-")[0]
        if name not in tables.ARCHITECTURES:
            raise Failure("'%s' compiles for %s; isakern is for %s" % (" ".join(self.command), said, " and ".join(tables.ARCHITECTURES)))
        return name

    def takes(self, flags):
        """gcc takes -Wno-anything, and mentions it beside other messages: so the warning itself is asked for."""
        return self.compiles_with([re.sub("^-Wno-", "-W", f) for f in flags]).returncode == 0

    def supported(self, flags):
        return flags if self.takes(flags) else [f for f in flags if self.takes([f])]

    def links(self, symbol):
        source = self.empty[:-len(".c")] + "_call.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write("char %s(void);\nint main(void) { return %s(); }\n" % (symbol, symbol))
        return run(self.command + ["-w", "-fno-builtin", "-o", source + ".out", source]).returncode == 0

    def compiles(self, text):
        source = self.empty[:-len(".c")] + "_asked.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        return run(self.command + ["-Werror", "-c", "-o", os.devnull, source]).returncode == 0

    def has_glibc(self):
        return self.compiles("#include <features.h>\n#ifndef __GLIBC__\n#error\n#endif\nextern int unused;\n")

    def has_ifunc(self):
        return self.compiles("static void (*resolve(void))(void) { return 0; }\n"
                             "void f(void) __attribute__((ifunc(\"resolve\")));\n")

    def compile(self, job):
        """Compiles (source, object, flags). A message that several ISAs share is printed once."""
        source, path, flags = job
        common = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wno-psabi"]
        r = run(self.command + common + [*flags, "-c", "-o", path, source])
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))
        if r.stdout not in self.told:
            self.told.add(r.stdout)
            sys.stderr.write(r.stdout)

    def link(self, words):
        r = run(self.command + words)
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))
