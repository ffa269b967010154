# SPDX-License-Identifier: MIT
"""The machine that a build is for, which may not be this one: how its programs run, its compilers, its ISAs."""
import os
import platform
import shlex
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "resolve", "generate"))
import tables  # noqa: E402

# Meson sets this for tests of a build for another machine.
WRAPPER = shlex.split(os.environ.get("MESON_EXE_WRAPPER", ""))
ARCHITECTURE = os.environ.get("ISK_ARCHITECTURE") or platform.machine()
ROWS = list(tables.read_isas(tables.isa_table(ARCHITECTURE)).values())
# Lowest first: all ISAs, those with fused multiply-add and hence the same bits, and those that all vector kernels have.
ALL = [isa.name for isa in ROWS]
ALIKE = [isa.name for isa in ROWS if isa.fma]
ISAS = [isa.name for isa in ROWS if "vector" in isa.lists]
LOWEST, HIGHER = ISAS[:2]


def is_for_another(path):
    """Whether the ELF header names another machine; a script belongs to none."""
    with open(path, "rb") as f:
        head = f.read(20)
    with open(sys.executable, "rb") as f:
        return head[:4] == b"\x7fELF" and head[18:] != f.read(20)[18:]


def run(command, **options):
    """subprocess.run(), with the wrapper if the program is for another machine. Variables for the program's loader are
    passed by QEMU's -E, because QEMU's own loader must not see them."""
    env = options.get("env", os.environ)
    if WRAPPER and not isinstance(command, str):
        path = shutil.which(command[0], path=env.get("PATH")) if os.sep not in command[0] else command[0]
        if is_for_another(os.path.join(options.get("cwd") or ".", path)):
            loader = {name: value for name, value in env.items() if name.startswith("LD_")}
            sets = [word for name, value in loader.items() for word in ("-E", "%s=%s" % (name, value))]
            command = [*WRAPPER, *sets, path, *command[1:]]
            options["env"] = {name: value for name, value in env.items() if name not in loader}
    return subprocess.run(command, **options)


# Commands that compile for that machine, C and C++; compilers of one maker have the same index.
C, CPP = ["gcc", "clang"], ["g++", "clang++"]
if ARCHITECTURE != platform.machine():
    TRIPLE = ARCHITECTURE + "-linux-gnu"
    C, CPP = (["%s-%s" % (TRIPLE, gcc), "%s --target=%s" % (clang, TRIPLE)] for gcc, clang in (C, CPP))


def has(compiler):
    return bool(shutil.which(compiler.split()[0]))
