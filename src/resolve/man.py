#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages, from the tables and from the comments of isakern.h: nothing is said twice.

    man.py library         isakern(3)
    man.py kernel NAME     isk_NAME(3)
"""
import os
import re
import sys

import gen

HEADER = os.path.join(os.path.dirname(gen.SRC), "include", "isakern.h")


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def comments():
    """The block comments of isakern.h as plain text."""
    with open(HEADER, encoding="utf-8") as f:
        for block in re.findall(r"/\*\n(.*?)\*/", f.read(), re.DOTALL):
            yield "\n".join(re.sub(r"^ \* ?", "", line) for line in block.rstrip().split("\n"))


def section(begin):
    return next(c for c in comments() if c.startswith(begin))


def contract():
    """What holds for every kernel, and a paragraph for each shape."""
    general, shapes, current = [], {}, None
    for line in section("What holds for every kernel").split("\n")[2:]:
        match = re.match(r"(\w+(?:, \w+)*) +(.*)", line)
        if match and all(name in gen.SHAPES for name in match[1].split(", ")):
            current = [match[2]]
            for shape in match[1].split(", "):
                shapes[shape] = current
        elif current is not None and line.strip():
            current.append(line.strip())
        elif current is None:
            general.append(line)
    matrix = section("Matrix multiplication").split("\n")[2:]
    shapes["gemm"] = shapes["pack"] = shapes["matmul"] = shapes["matmul_batch"] = matrix
    shapes["conv"] = shapes["conv_pack"] = section("Convolution").split("\n")[2:]
    return "\n".join(general).strip(), {k: "\n".join(v) for k, v in shapes.items()}


def paragraphs(text):
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.startswith("  "):
            print(".PP\n.nf\n%s\n.fi" % roff(paragraph))
        else:
            print(".PP\n%s" % roff(paragraph))


def title(name):
    print('.TH %s 3 "" "isakern" "Kernels of isakern"' % roff(name.upper()))


ENVIRONMENT = [
    ("ISAKERN_MAX_ISA=isa", "Binds nothing above that ISA."),
    ("ISAKERN_DISABLE=isa,...", "Leaves those ISAs out. baseline always stays."),
    ("ISAKERN_BIND=kernel=isa,...", "Pins single kernels to a variant that the CPU can run and the two "
                                    "variables above leave."),
    ("ISAKERN_VERBOSE=1", "Tells each binding and its reason on standard error."),
]


def kernel(name):
    k = gen.read_kernels(gen.read_isas())[name]
    general, shapes = contract()
    title("isk_" + name)
    print(".SH NAME\nisk_%s \\- %s" % (name, roff(k["summary"])))
    print(".SH SYNOPSIS\n.nf\n.B #include <isakern.h>\n.PP\n.B %s;\n.fi" % roff(gen.prototype(name, k)))
    print(".SH DESCRIPTION")
    paragraphs(shapes[k["shape"]])
    print(".SH ACCURACY\nError bound: %s from avx2 up, %s at baseline, in the unit of the description above."
          % (k["error"], k["baseline"]))
    print("From avx2 up, all ISAs give the same bits." if k["bits"] == "same"
          else "The result may differ from ISA to ISA.")
    print(".SH VARIANTS\n%s" % roff(", ".join(k["isas"])))
    if k["shape"] in gen.PARALLEL:
        print(".SH THREADS\nThis function runs on the thread that calls it. isk_parallel_%s() of isakern_omp.h, in "
              "libisakern\\-omp, takes the same arguments, runs on the threads of OpenMP and gives the same bits."
              % name)
    print(".SH NOTES")
    paragraphs(general)
    print(".SH SEE ALSO\n.BR isakern (1),\n.BR isakern (3)")


def library():
    kernels = gen.read_kernels(gen.read_isas())
    title("isakern")
    print(".SH NAME\nisakern \\- numerical kernels that bind themselves to the CPU they run on")
    print(".SH SYNOPSIS\n.nf\n.B #include <isakern.h>\n.PP\n.B cc program.c $(pkg\\-config \\-\\-cflags "
          "\\-\\-libs isakern)\n.fi\n.SH DESCRIPTION")
    paragraphs("\n".join(section("isakern: numerical").split("\n")[2:]))
    print(".SH KERNELS")
    for name, k in kernels.items():
        print(".TP 28\n.BR isk_%s (3)\n%s" % (name, roff(k["summary"])))
    print(".SH CONTRACT")
    general, shapes = contract()
    paragraphs(general)
    for shape, text in shapes.items():
        if shape not in ("gemm", "pack", "matmul", "matmul_batch", "conv", "conv_pack"):
            print(".TP\n.B %s\n%s" % (shape, roff(text)))
    print(".SH MATRIX MULTIPLICATION")
    paragraphs(shapes["gemm"])
    print(".SH CONVOLUTION")
    paragraphs(shapes["conv"])
    print(".SH ENVIRONMENT\nRead once, when the first kernel is bound. Unknown names are told on standard "
          "error and ignored. A program that runs with another user's or group's rights, or with file "
          "capabilities, ignores all of them.")
    for variable, text in ENVIRONMENT:
        print(".TP\n.B %s\n%s" % (roff(variable), roff(text)))
    print(".SH ASKING THE LIBRARY")
    paragraphs("\n".join(section("Asking the library").split("\n")[2:]))
    with open(HEADER, encoding="utf-8") as f:
        api = f.read().split("Asking the library")[1].split("*/", 1)[1].split("#include")[0].strip()
    print(".PP\n.nf\n%s\n.fi" % roff(api))
    print(".SH SEE ALSO\n.BR isakern (1)")


if __name__ == "__main__":
    {"kernel": kernel, "library": library}[sys.argv[1]](*sys.argv[2:])
