#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages, from the tables and from the comments of the headers: nothing is said twice.

    man.py --out FOLDER --tuning TABLE FAMILY...

writes isakern.3 and a page for each kernel, and prints for the build

    page FILE    what it wrote
    reads FILE   what that was made from
"""
import argparse
import os
import re

import tables
import write

INCLUDE = os.path.join(tables.ROOT, "include")


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


files_read = {os.path.abspath(__file__)}


def read(path):
    files_read.add(path)
    with open(path, encoding="utf-8") as f:
        return f.read()


def comments(text):
    """The block comments of a header as plain text."""
    for block in re.findall(r"/\*\n(.*?)\*/", text, re.DOTALL):
        yield "\n".join(re.sub(r"^ \* ?", "", line) for line in block.rstrip().split("\n"))


def section(path, begin):
    """What a comment says behind its title."""
    return next(c for c in comments(read(path)) if c.startswith(begin)).split("\n", 2)[2]


def declarations(path):
    """What a header declares, with its comments."""
    body = re.search(r'extern "C" \{\n#endif\n(.*?)\n#ifdef __cplusplus', read(path), re.DOTALL)[1]
    return body.replace(write.PUBLIC_MARK, "").strip()


class Contract:
    """What the header of a family says: of all its kernels, and of each of its shapes."""

    def __init__(self, family, shapes):
        header = os.path.join(family.folder, family.name + ".h.in")
        self.general, self.shapes, current = [], {}, None
        for line in next(comments(read(header))).split("\n"):
            match = re.match(r"(\w+)(?: +(.*))?$", line)
            if match and match[1] in shapes and not line.startswith(" "):
                current = self.shapes.setdefault(match[1], [])
                current.append(match[2] or "")
            elif current is not None:
                current.append(line.strip())
            else:
                self.general.append(line)
        types = os.path.join(family.folder, family.name + "_types.h")
        example = os.path.join(family.folder, "example.c")
        self.types = declarations(types) if os.path.isfile(types) else ""
        self.example = re.sub(r"\A/\* SPDX.*\n", "", read(example)).strip() if os.path.isfile(example) else ""


class Page:
    def __init__(self, name):
        self.lines = ['.TH %s 3 "" "isakern" "Kernels of isakern"' % roff(name.upper())]

    def section(self, title, *lines):
        self.lines += [".SH " + title, *lines]

    def text(self, text):
        """Paragraphs; what is indented stays as it is."""
        for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
            if paragraph.startswith("  "):
                self.code(paragraph)
            elif paragraph.strip():
                self.lines += [".PP", roff(paragraph)]

    def code(self, text):
        self.lines += [".PP", ".nf", roff(text.expandtabs(4)), ".fi"]

    def write(self, folder, name):
        path = os.path.join(folder, name + ".3")
        text = "\n".join(self.lines) + "\n"
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print("page", path)


ENVIRONMENT = [
    ("ISAKERN_MAX_ISA=isa", "Binds nothing above that ISA."),
    ("ISAKERN_DISABLE=isa,...", "Leaves those ISAs out. baseline always stays."),
    ("ISAKERN_BIND=kernel=isa,...", "Pins single kernels to a variant that the CPU can run and the two "
                                    "variables above leave."),
    ("ISAKERN_VERBOSE=1", "Tells each binding and its reason on standard error."),
]
BITS = {"same": "From avx2 up, all ISAs give the same bits.",
        "same-amx": "From avx2 up, all ISAs but amx give the same bits; amx keeps the bound.",
        "bound": "The result may differ from ISA to ISA."}


def bound(k):
    if not k.shape.arguments:
        return "What it returns is exact."
    unit = ", in the unit of the description above" if "exact" not in (k.error, k.baseline) else ""
    if k.error == k.baseline:
        return "Error bound: %s%s." % (k.error, unit)
    return "Error bound: %s from avx2 up, %s at baseline%s." % (k.error, k.baseline, unit)


def kernel_page(library, k, contract, general, out):
    name = "isk_" + k.name
    page = Page(name)
    page.section("NAME", "%s \\- %s" % (name, roff(k.summary)))
    page.section("SYNOPSIS", ".nf", ".B #include <isakern.h>", ".PP",
                 ".B %s;" % roff(write.signature(library, k, name)), ".fi")
    page.section("DESCRIPTION")
    page.text("\n".join(contract.shapes[k.shape.name]))
    page.lines += [".PP"] + ["%s may be %s." % (a.name, "NULL" if a.null else " or ".join(a.may_be))
                             for a in k.shape.arguments if a.null or a.may_be]
    page.text("\n".join(contract.general))
    if contract.types:
        page.section("TYPES AND FUNCTIONS BESIDE IT")
        page.code(contract.types)
    if k.shape.result == "status":
        page.section("RETURN VALUE", "0, or with nothing written one of these:")
        statuses = re.search(r"enum isk_status \{\n(.*?)\};", read(os.path.join(INCLUDE, "isakern", "types.h.in")),
                             re.DOTALL)[1]
        for status, value, meaning in re.findall(r"(ISK_ERR_\w+) = (-\d+), +/\* (.*?) \*/", statuses):
            page.lines += [".TP", ".B %s \\- %s" % (status, roff(value)), roff(meaning)]
    page.section("ACCURACY", roff(bound(k)), BITS[k.bits])
    page.section("VARIANTS", roff(", ".join(k.isas)))
    if k.shape.parallel:
        page.section("THREADS", roff(
            "This function runs on the thread that calls it. isk_parallel_%s() of isakern_omp.h, in libisakern-omp, "
            "takes the same arguments, runs on the threads of OpenMP and gives the same bits." % k.name))
    if contract.example:
        page.section("EXAMPLE")
        page.code(contract.example)
    page.section("NOTES", "Since isakern %s." % k.since)
    page.text(general)
    page.section("SEE ALSO", ".BR isakern (1),", ".BR isakern (3)")
    page.write(out, name)


def library_page(library, contracts, general, out):
    page = Page("isakern")
    page.section("NAME", "isakern \\- numerical kernels that bind themselves to the CPU they run on")
    page.section("SYNOPSIS", ".nf", ".B #include <isakern.h>", ".PP",
                 ".B cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs isakern)", ".fi")
    page.section("DESCRIPTION")
    page.text("\n".join(next(comments(read(os.path.join(INCLUDE, "isakern.h")))).split("\n")[2:]))
    page.section("KERNELS")
    for k in library.kernels.values():
        page.lines += [".TP 28", ".BR isk_%s (3)" % k.name, roff(k.summary)]
    page.section("CONTRACT")
    page.text(general)
    for family in library.families:
        contract = contracts[family.name]
        page.lines.append(".SS " + family.name)
        page.text("\n".join(contract.general))
        for shape, lines in contract.shapes.items():
            page.lines += [".TP", ".B " + shape, roff("\n".join(lines))]
        if contract.types:
            page.code(contract.types)
    page.section("ISAS", roff(", ".join(library.isas) + ", lowest first."))
    page.section("ENVIRONMENT", "Read once, when the first kernel is bound. Unknown names are told on standard "
                 "error and ignored. A program that runs with another user's or group's rights, or with file "
                 "capabilities, ignores all of them.")
    for variable, text in ENVIRONMENT:
        page.lines += [".TP", ".B " + roff(variable), roff(text)]
    page.section("ASKING THE LIBRARY")
    asking = os.path.join(INCLUDE, "isakern", "library.h")
    page.text(section(asking, "Asking the library"))
    page.code(declarations(asking))
    page.section("SEE ALSO", ".BR isakern (1)")
    page.write(out, "isakern")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tuning")
    parser.add_argument("families", nargs="+")
    options = parser.parse_args()
    library = tables.Library([os.path.abspath(f) for f in options.families], options.tuning)
    contracts = {f.name: Contract(f, library.shapes) for f in library.families}
    general = section(os.path.join(INCLUDE, "isakern.h"), "What holds for every kernel")
    library_page(library, contracts, general, options.out)
    for family in library.families:
        for k in family.kernels:
            contract = contracts[family.name]
            tables.check(k.shape.name in contract.shapes, os.path.join(family.folder, family.name + ".h.in"),
                         "no paragraph for the shape '%s'" % k.shape.name)
            kernel_page(library, k, contract, general, options.out)
    for path in sorted(files_read):
        print("reads", path)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        raise SystemExit(str(error))
