#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""header.py LIBRARY ISAKERN CBLAS_H COMPILER...: cblas.h declares the functions of CBLAS that our library exports, as Debian's
header does, and programs in C and C++ compile with it and run."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import stand_in
from tap import done, equal, ok, skip

LIBRARY, ISAKERN, HEADER, *COMPILER = sys.argv[1:]
REFERENCE = "/usr/include/x86_64-linux-gnu/cblas-netlib.h"
CPP = {"gcc": "g++", "cc": "c++", "clang": "clang++"}
PROGRAM = """
#include <cblas.h>
#include <stdio.h>
int main(void)
{
	const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8}, i[] = {0, 1};
	double c[3], z[] = {3, 4};
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 3, 1, 2, 1, a, 2, b, 2, 0, c, 1);
	printf("%g %g %g", c[0], c[1], c[2]);
	cblas_dgemv64_(CblasColMajor, CblasTrans, 2, 3, 1, a, 2, b, 1, 0, c, 1);
	cblas_zscal(1, i, z, 1);
	printf(" %g %g %g %g %g %d\\n", c[0], c[1], c[2], z[0], z[1], (int)cblas_idamax(3, c, 1));
	return 0;
}
"""


def succeeds(name, *command, **options):
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    ok(result.returncode == 0, name, result.stdout)
    return result.stdout


with open(HEADER, encoding="utf-8") as f:
    text = f.read()
# Functions of one line or several, without preprocessor, types and comments.
prototypes = re.findall(r"^(?:void|float|double|CBLAS_INDEX) cblas_\w+\([^;]*;", text, re.M)
exported = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], text=True, capture_output=True, check=True).stdout
equal(sorted(re.search(r"cblas_\w+", p)[0] for p in prototypes), sorted(re.findall(r" T (cblas_\w+)", exported)),
      "cblas.h declares what is exported")
with stand_in.folder(LIBRARY, ISAKERN) as folder:
    program, source = os.path.join(folder, "program"), os.path.join(folder, "program.c")
    if os.path.exists(REFERENCE):
        with open(source, "w", encoding="utf-8") as f:
            f.write('#include "%s"\n#include <stdint.h>\n' % REFERENCE + "\n".join(p for p in prototypes if "64_(" not in p))
        succeeds("its prototypes are those of Debian's header", *COMPILER, "-fsyntax-only", source)
    else:
        skip("its prototypes are those of Debian's header", "no %s (Debian: libblas-dev)" % REFERENCE)
    with open(source, "w", encoding="utf-8") as f:
        f.write(PROGRAM)
    for language, compiler, standard in ("C", COMPILER, "c99"), ("C++", [CPP.get(COMPILER[-1], "c++")], "c++11"):
        name = "a program in " + language
        if not shutil.which(compiler[-1]):
            skip(name, "no " + compiler[-1])
            continue
        succeeds(name + " compiles", *compiler, "-x", language.lower(), "-std=" + standard, "-Wall", "-Wextra", "-pedantic",
                 "-Werror", "-I" + os.path.dirname(HEADER), source, "-o", program, "-x", "none", folder + "/libblas.so.3", ISAKERN)
        said = succeeds(name + " runs", program, env=dict(os.environ, LD_LIBRARY_PATH=folder))
        equal(said, "23 53 83 23 53 83 -4 3 2\n", name + " has the right numbers")
done()
