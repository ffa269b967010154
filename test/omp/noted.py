#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels to put in front of the library's: each calls noted(), and then the variant that the library has bound.

    noted.py SOURCE FAMILY...     kernels with parallel forms, as C on standard output
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "src", "resolve", "generate"))
import tables  # noqa: E402
import write  # noqa: E402

library = tables.Library(sys.argv[2:])
print('#include "isakern.h"\n#include "noted.h"')
for kernel in library.kernels.values():
    arguments = kernel.shape.arguments
    if kernel.shape.threads == "many":
        # A call with no rows or columns only asks for the status, and does no work.
        sizes = [size for a in arguments if a.role == "out" for size, _ in a.extents]
        print("\n__attribute__((visibility(\"default\"))) %s\n{\n\tif (%s)\n\t\tnoted();" % (
            write.signature(library, kernel, "isk_" + kernel.name), " && ".join(sizes) or "1"))
        print('\treturn ((__typeof(isk_%s) *)isk_bound("%s"))(%s);\n}' % (
            kernel.name, kernel.name, ", ".join(a.name for a in arguments)))
