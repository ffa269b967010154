# SPDX-License-Identifier: MIT
"""The programs that answer, and how each runs with given libraries of BLAS and LAPACK: here, or by QEMU in the unpacked packages
of another architecture."""
import dataclasses
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir), os.path.join(HERE, os.pardir, "blas")]
import recorded  # noqa: E402
import target  # noqa: E402

LIBRARIES = "usr/lib/%s-linux-gnu" % target.ARCHITECTURE


@dataclasses.dataclass
class Program:
    package: str
    path: str  # below a root
    options: list  # before a script
    variables: dict
    libraries: tuple = ()  # folders of its own libraries
    script: str = ""
    module: str = ""  # what the program needs of the package, if the program is of another


# /usr/bin/R puts /usr/lib/TRIPLE before all of LD_LIBRARY_PATH, so its program is called without that script.
PROGRAMS = {
    "numpy": Program("python3-numpy", "usr/bin/python3", ["-B"], {}, script="answer.py",
                     module="usr/lib/python3/dist-packages/numpy"),
    "R": Program("r-base-core", "usr/lib/R/bin/exec/R", ["--vanilla", "--no-echo", "-f"],
                 {"R_HOME": "/usr/lib/R", "R_SHARE_DIR": "/usr/share/R/share", "R_ARCH": ""}, ("/usr/lib/R/lib",), "answer.R"),
    "Octave": Program("octave", "usr/bin/octave-cli", ["--norc", "--no-history"], {}, script="answer.m"),
}


@dataclasses.dataclass
class Answers:
    version: str
    digests: dict  # by case
    libraries: list
    said: str


def missing(name, root="/"):
    """Why this program cannot run, or ""."""
    program = PROGRAMS[name]
    for path in program.path, program.module:
        if not os.path.exists(os.path.join(root, path)):
            return "no /%s (Debian: %s)" % (path, program.package)
    if not os.path.exists(os.path.join(root, LIBRARIES, "lapack/liblapack.so.3")):
        return "no reference LAPACK (Debian: liblapack3)"
    return ""


def run(name, words, folders, root="/", **variables):
    """Runs a program with these words and the libraries in these folders before all others."""
    program = PROGRAMS[name]
    path = ":".join([*folders, *program.libraries])
    env = {**os.environ, "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": path, **program.variables, **variables}
    if root != "/":
        env["QEMU_LD_PREFIX"] = root
    command = [os.path.realpath(os.path.join(root, program.path)), *program.options, *words]
    return target.run(command, text=True, stdin=subprocess.DEVNULL, capture_output=True, env=env, check=False)


def answers(name, folders, root="/", **variables):
    """The answers of a program's script."""
    result = run(name, [os.path.join(HERE, PROGRAMS[name].script)], folders, root, **variables)
    lines = result.stdout.split("\n")
    return Answers(lines[0].strip(), recorded.digests(result.stdout), [line for line in lines if line.startswith("/")],
                   "exit status %d\n%s%s" % (result.returncode, result.stdout, result.stderr))
