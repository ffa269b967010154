# SPDX-License-Identifier: MIT
"""The common part of this folder's tests: TAP, compiling, running, this machine."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = os.environ["ISK_SOURCE"]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import objects  # noqa: E402
import recipe  # noqa: E402
import tables  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ["ISK_BUILD"]
CC = shlex.split(os.environ.get("ISK_CC", "cc"))
BUILT = os.environ["ISK_ISAS"].split(",")  # rows of x86_64.tbl that this build holds
FAMILIES = os.environ["ISK_FAMILIES"].split(",")  # folders
HERE = os.path.dirname(os.path.abspath(__file__))
LIBDIR = os.path.join(BUILD, "src")
NAME = os.environ.get("ISK_LIBRARY", "isakern")
SHARED = os.path.join(LIBDIR, "lib%s.so" % NAME)
ARCHIVE = os.path.join(LIBDIR, "lib%s.a" % NAME)
IFUNC = os.environ.get("ISK_DISPATCH", "ifunc") == "ifunc"  # if not, programs refer to entries: pointer.h
GLIBC = os.environ.get("ISK_GLIBC", "1") == "1"
INSTRUMENTED = os.environ.get("ISK_INSTRUMENTED", "")  # by the build's sanitizers or coverage
LINK = ["-L" + LIBDIR, "-l" + NAME, "-Wl,-rpath," + LIBDIR]
# The link arguments of a program that contains the library.
STATIC = [ARCHIVE, "-lm"] + (["--coverage"] if INSTRUMENTED == "b_coverage" else [])
GENERATED = os.path.join(LIBDIR, "gen", NAME)
INCLUDE = ["-I" + os.path.join(SOURCE, "include"), "-I" + os.path.join(GENERATED, "include")]
# For sources that include the library's own headers; they find the kernels as data in CALLS.
INTERNAL = INCLUDE + ["-DISK_PREFIX=isk", "-I" + GENERATED] + ["-I" + os.path.join(SOURCE, "src", d)
                                                               for d in recipe.INCLUDE]
CALLS = os.path.join(GENERATED, "calls.c")
LIBRARY = tables.Library(FAMILIES, os.path.join(SOURCE, "src", "isa", "tuning.tbl") if NAME == "isakern" else None)
KERNELS = LIBRARY.kernels    # by name
ISAS = list(LIBRARY.isas)    # every row of x86_64.tbl, lowest first
LANES = {name: str(isa.lanes) for name, isa in LIBRARY.isas.items()}
FEATURES = {name: objects.features_of(isa) for name, isa in LIBRARY.isas.items()}


class Tap:
    def __init__(self):
        self.work = tempfile.TemporaryDirectory(prefix="isakern-test-")
        self.dir = self.work.name
        # Other users run the programs that are built here.
        os.chmod(self.dir, 0o755)

    ok, equal, skip = staticmethod(tap.ok), staticmethod(tap.equal), staticmethod(tap.skip)

    def done(self):
        self.work.cleanup()
        tap.done()

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def cc(self, output, *arguments, compiler=None):
        """Compiles, and returns the path of the result. A compilation that fails ends the test."""
        out = self.path(output)
        command = (compiler or CC) + ["-o", out] + [str(a) for a in arguments]
        r = subprocess.run(command, capture_output=True, text=True)
        if r.returncode:
            print("Bail out! %s\n%s" % (shlex.join(command), r.stderr), flush=True)
            sys.exit(1)
        return out


class Copy:
    """A copy of the sources, to be changed and built; `changed` holds the names of the files."""

    def __init__(self, tap):
        self.tap, self.root, self.changed = tap, tap.path("copy"), set()
        self.build = self.path("build")
        shutil.copytree(SOURCE, self.root, symlinks=True, ignore=lambda d, names: [
            n for n in names if n.startswith((".git", "build")) or (d == SOURCE and n == "shared")])

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def edit(self, name, pattern, text):
        """Replaces the only match of a pattern."""
        with open(self.path(name), encoding="utf-8") as f:
            before = f.read()
        after, times = re.subn(pattern, text, before, flags=re.M)
        self.tap.equal(times, 1, "one place in " + name)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(after)
        self.changed.add(name)

    def add(self, name, text):
        with open(self.path(name), "x", encoding="utf-8") as f:
            f.write(text)
        self.changed.add(name)

    def setup(self, meson, *options):
        return run(meson + ["setup", self.build, self.root, "-Dtests=enabled", "-Dtools=disabled", "-Dexamples=disabled",
                            "-Dbenchmarks=disabled", *options], timeout=300, CC=" ".join(CC))

    def ninja(self, *targets):
        return run(["ninja", "-C", self.build, "-j2", *targets], timeout=900)


class Result:
    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr

    def __str__(self):
        how = signal.Signals(-self.status).name if self.status < 0 else "status %d" % self.status
        return "%s\nstdout: %s\nstderr: %s" % (how, self.out.rstrip(), self.err.rstrip())

    def values(self):
        """The last line of "key=value" words, as a dictionary."""
        lines = [l for l in self.out.split("\n") if "=" in l]
        return dict(word.split("=", 1) for word in lines[-1].split()) if lines else {}

    def warnings(self):
        return [l for l in self.err.split("\n") if l.startswith("isakern: ")]


class Environment(dict):
    """Variables for a program. One whose value is a list has an entry for each value, in this order."""

    def items(self):
        for name, value in super().items():
            yield from ((name, one) for one in (value if isinstance(value, list) else [value]))


def clean_environment(**extra):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("ISAKERN_", "LD_", "GLIBC_TUNABLES", "ISK_", "MESON", "MALLOC_"))}
    env.update({k: v for k, v in extra.items() if v is not None})
    return Environment(env)


def run(command, timeout=60, **env):
    return Result(subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout,
                                 env=clean_environment(**env)))


# The words of /proc/cpuinfo that differ from the compiler's by more than '_', '-' and '.'.
CPUINFO = {"sse3": "pni", "bmi": "bmi1", "lzcnt": "abm"}


def host(key):
    """The value of a /proc/cpuinfo key, for this machine's first CPU."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next(l for l in f if l.split(":")[0].strip() == key).split(":")[1].strip()


def host_isas():
    """The ISAs that this machine runs, independently of detect.c: from the kernel, which shows only features that it
    enables. Some kernels hide LZCNT on virtual machines that have it; then glibc's ld.so knows, because x86-64-v3 has it."""
    flags = host("flags").replace("_", "").split()
    loader = "/lib64/ld-linux-x86-64.so.2"
    if os.path.exists(loader) and "x86-64-v3 (supported" in run([loader, "--help"]).out:
        flags.append("abm")
    return [isa for isa in ISAS
            if all(re.sub("[-.]", "", CPUINFO.get(f, f)) in flags for f in FEATURES[isa])]


def demoted(kernel, family, model):
    """The ISAs that tuning.tbl takes from a kernel on this CPU."""
    return {ISAS[isa] for isa, f, low, high, _ in KERNELS[kernel].tuning if f == family and low <= model <= high}


def top(isas, among=None):
    return [i for i in ISAS if i in isas and (among is None or i in among)][-1]
