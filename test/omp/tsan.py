#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ThreadSanitizer on the parallel forms.

    tsan.py SOURCE BUILD FAMILY...

The kernels here are the plain references, compiled with the sanitizer like everything else, so that it sees every access
of every share of the work. There are no indirect functions, which it does not support. Archer tells it how OpenMP
synchronises. The same program must be found out when it breaks the contract.
"""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD, *FAMILIES = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import recipe  # noqa: E402
import tables  # noqa: E402
from tap import done, ok, skip_all  # noqa: E402
from target import LOWEST  # noqa: E402

CLANG = shutil.which("clang") or shutil.which("clang-14")
# The families that have parallel forms. References of all kernels would take five times as long to compile.
PARALLEL = [f for f in tables.Library(FAMILIES).families if any(k.shape.threads == "many" for k in f.kernels)]


def build(directory):
    """The command that builds the program test_parallel with its libraries."""
    generated = os.path.join(directory, "generated")
    subprocess.run([sys.executable, os.path.join(SOURCE, "src/resolve/generate/gen.py"), "write", "--name", "isakern", "--prefix", "isk",
                    "--built", LOWEST, "--kernels", ",".join(k.name for f in PARALLEL for k in f.kernels), "--out", generated, *FAMILIES],
                   stdout=subprocess.DEVNULL, check=True)
    folders = [generated, os.path.join(generated, "include"), os.path.join(BUILD, "src", "gen", "isakern", "include"),
               *(os.path.join(SOURCE, "src", d) for d in ["../include"] + recipe.INCLUDE), *FAMILIES]
    # The program finds its own functions by name.
    flags = ["-std=gnu11", "-O2", "-g", "-fsanitize=thread", "-fopenmp", "-rdynamic", "-D_GNU_SOURCE", "-DISK_PREFIX=isk",
             "-DISK_EXACT", "-DISK_REFERENCE_PUBLIC"] + ["-I" + folder for folder in folders]
    sources = [os.path.join(SOURCE, f) for f in ("test/omp/test_parallel.c", "src/omp/parallel.c", "src/omp/threads.c", "src/omp/crew.c")] + [
        os.path.join(generated, f) for f in ("calls.c", "forms.c", "references.c")] + [
            os.path.join(f.folder, file) for f in PARALLEL for file, kernel in f.api.items() if not kernel]
    return [CLANG, *flags, *sources, "-lm"]


def compiles(directory, flags):
    probe = os.path.join(directory, "probe.c")
    with open(probe, "w", encoding="utf-8") as f:
        f.write("#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n")
    return subprocess.run([CLANG, *flags, probe, "-o", probe + ".out"], capture_output=True).returncode == 0


def main():
    if not CLANG:
        skip_all("no clang (Debian: clang)")
    archer = os.path.join(os.path.dirname(os.path.realpath(CLANG)), "../lib/libarcher.so")
    if not os.path.exists(archer):
        skip_all("no libarcher.so, which tells ThreadSanitizer what OpenMP synchronises (Debian: libomp-dev)")
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as directory:
        if not compiles(directory, ["-fopenmp"]):
            skip_all("clang has no OpenMP library (Debian: libomp-dev)")
        if not compiles(directory, ["-fsanitize=thread", "-fopenmp"]):
            skip_all("clang has no ThreadSanitizer (Debian: libclang-rt-14-dev)")
        program = os.path.join(directory, "test_parallel")
        built = subprocess.run([*build(directory), "-o", program], capture_output=True, text=True)
        if not ok(built.returncode == 0, "the library, the references and the test build with ThreadSanitizer",
                  built.stderr):
            done()
        # OpenMP's run-time library is not compiled with the sanitizer. Ignoring all such libraries would also ignore the
        # references' accesses by memcpy().
        suppressions = os.path.join(directory, "suppressions")
        with open(suppressions, "w", encoding="utf-8") as f:
            f.write("called_from_lib:libomp.so\n")
        # Threads that wait by turning in a loop would take most of the time. ThreadSanitizer says nothing of an access
        # that it no longer remembers, so its memory of the past is the longest.
        env = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_TOOL_LIBRARIES=archer,
                   TSAN_OPTIONS="exitcode=66 history_size=7 suppressions=" + suppressions)
        few = subprocess.run([program, "few"], env=env, capture_output=True, text=True)
        ok(few.returncode == 0 and "ThreadSanitizer" not in few.stderr,
           "no part of the work touches what another writes", few.stdout + few.stderr)
        race = subprocess.run([program, "race"], env=env, capture_output=True, text=True)
        ok(race.returncode == 66 and "data race" in race.stderr, "a race on purpose is found", race.stdout + race.stderr)
    done()


if __name__ == "__main__":
    main()
