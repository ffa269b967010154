# SPDX-License-Identifier: MIT
"""The common part of isakern-cc's tests: a folder to work in, commands, a library of two kernels."""
import os
import subprocess
import tempfile

import target

WORK = tempfile.TemporaryDirectory(prefix="isakern-test-")
# A map, and another name of it.
OWN = {
    "my.tbl": "half  map  f32  my_half.c  vector  same  exact  1.0  half of x\n",
    "my_half.c": '#include "my_half_kernels.h"\n#include "loops.h"\n\nMAP(half, x * v_set1(x, 0.5F))\n',
    # Half of a denormal may be inexact; the oracle rounds it once, as the kernel does.
    "my_oracle.h": "MAP(half, x / 2)\n",
}
# Overrides isakern's relu by one that doubles, so that the program shows which one was called.
PROGRAM = r"""
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[2] = {-1, 2}, y[2];

	isk_relu_f32(y, x, 2);
	printf("%g %g\n", (double)y[0], (double)y[1]);
	isk_abs_f32(y, x, 2);
	return y[0] != 1;
}
"""
OVERRIDE = {
    "my.tbl": "override relu  map  f32  my_relu.c  vector  same  exact  1.0  twice relu\n"
              + OWN["my.tbl"].replace("my_half.c", "my_relu.c"),
    "my_relu.c": '#include "my_relu_kernels.h"\n#include "loops.h"\n\n'
                 'MAP(relu, v_max(v_set1(x, 0), x) * 2)\nMAP(half, x * v_set1(x, 0.5F))\n',
    "my_oracle.h": "MAP(relu, x < 0 ? 0 : 2 * x)\n" + OWN["my_oracle.h"], "program.c": PROGRAM}


def path(*parts):
    return os.path.join(WORK.name, *parts)


def put(folder, files):
    """Writes files, given as texts or bytes, to a folder, which it makes."""
    for name, text in files.items():
        os.makedirs(os.path.dirname(path(folder, name)), exist_ok=True)
        with open(path(folder, name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())


def run(command, folder=".", **env):
    """The exit status and all output; a string is run by the shell."""
    dropped = ("ISAKERN_", "MY_", "LD_", "PKG_CONFIG", "MALLOC_", "CMAKE_", "MAKE", "MFLAGS")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    r = target.run(command, shell=isinstance(command, str), cwd=path(folder), env={**kept, **env}, text=True,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout
