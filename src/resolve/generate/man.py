#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages, from the tables and from the comments of the headers: nothing is said twice.

    man.py --out FOLDER [--isas TABLE] [--tuning TABLE] [--beside FAMILY] FAMILY...

writes isakern.3, isakern_omp.3, isakern_call.3, isakern_porting.3, a page for each family and one for each kernel. A function
or a struct that is described on one of these has a page as well, which is that one. It prints for the build

    page FILE    what it wrote
    reads FILE   what that was made from
"""
import argparse
import os
import re
import textwrap

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


def declared(text):
    """The names of the structs, enums and functions among declarations."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    names = re.findall(r"^(?:(?:struct|enum) (?=isk_\w+ \{)|\S.*?\b(?=isk_\w+\())(isk_\w+)", code, re.MULTILINE)
    return list(dict.fromkeys(names))


class Part:
    """What a comment of a family's header says: of some shapes in common, and of each of them."""

    def __init__(self, comment, shapes):
        lines = comment.split("\n")
        self.title, self.general, self.shapes, current = lines[0].rstrip("."), [], {}, None
        for line in lines[1:]:
            match = re.match(r"(\w+(?:, \w+)*)(?:  +(.*))?$", line)
            names = match[1].split(", ") if match else []
            if names and all(name in shapes for name in names):
                current = [match[2] or ""]
                self.shapes.update((name, current) for name in names)
            elif current is not None:
                current.append(line.strip())
            else:
                self.general.append(line)


class Contract:
    """The header of a family, what its kernels take beside arrays, and its examples."""

    def __init__(self, family, shapes):
        header = os.path.join(family.folder, family.name + ".h.in")
        self.parts = [p for p in (Part(c, shapes) for c in comments(read(header))) if p.shapes]
        for k in family.kernels:
            tables.check([k.shape.name in p.shapes for p in self.parts].count(True) == 1, tables.shown(header),
                         "there must be one paragraph for the shape '%s'" % k.shape.name)
        types = os.path.join(family.folder, family.name + "_types.h")
        self.types = declarations(types) if os.path.isfile(types) else ""
        self.examples = [re.sub(r"\A/\* SPDX.*\n", "", read(os.path.join(family.folder, file))).strip()
                         for file in sorted(os.listdir(family.folder)) if re.fullmatch(r"example(_\w+)?\.c", file)]

    def part(self, shape):
        return next(p for p in self.parts if shape.name in p.shapes)


class Page:
    """A manual page of section 3; aliases are other names that it is found by."""

    def __init__(self, name, summary, aliases=()):
        self.name, self.aliases = name, list(aliases)
        self.lines = ['.TH %s 3 "" "isakern" "Kernels of isakern"' % roff(name.upper())]
        self.section("NAME", "%s \\- %s" % (roff(", ".join([name] + self.aliases)), roff(summary)))

    def section(self, title, *lines):
        self.lines += [".SH " + title, *lines]

    def paragraph(self, *lines):
        self.lines += ([] if self.lines[-1].startswith(".SH") else [".PP"]) + list(lines)

    def text(self, text):
        """Paragraphs; what is indented stays as it is."""
        for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
            if paragraph.startswith("  "):
                self.code(paragraph)
            elif paragraph.strip():
                self.paragraph(roff(paragraph))

    def item(self, term, text):
        self.lines += [".TP", ".B " + roff(term), roff(text)]

    def code(self, text):
        self.paragraph(".nf", roff(text.expandtabs(4)), ".fi")

    def synopsis(self, *lines):
        self.section("SYNOPSIS", ".nf")
        for i, line in enumerate(lines):
            self.lines += [".PP"] if i else []
            # Only between parameters.
            line = re.sub(r"(?<!,) ", "\0", line)
            self.lines += ['.B "%s"' % roff(part.replace("\0", " ")) for part in textwrap.wrap(
                line, 72, subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False)]
        self.lines.append(".fi")

    def see_also(self, *names):
        self.section("SEE ALSO", *(".BR %s (%s)%s" % (roff(name), section, "," if i < len(names) else "")
                                   for i, (name, section) in enumerate(names, 1)))

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        texts = {self.name: "\n".join(self.lines)}
        texts.update({alias: ".so man3/%s.3" % self.name for alias in self.aliases})
        for name, text in texts.items():
            path = os.path.join(folder, name + ".3")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text + "\n")
            print("page", path)


ENVIRONMENT = [
    ("ISAKERN_MAX_ISA=isa", "Binds nothing above that ISA."),
    ("ISAKERN_DISABLE=isa,...", "Leaves those ISAs out. The lowest always stays."),
    ("ISAKERN_BIND=kernel=isa,...", "Pins single kernels to a variant that the CPU can run and the two "
                                    "variables above leave."),
    ("ISAKERN_VERBOSE=1", "Tells each binding and its reason on standard error."),
]
BITS = {"same": "All ISAs with fused multiply-add, which all but baseline have, give the same bits.",
        "same-amx": "All ISAs with fused multiply-add, which all but baseline have, give the same bits, but for amx, which keeps the bound.",
        "bound": "The result may differ from ISA to ISA."}


def bound(k):
    if "exact" == k.error == k.baseline:
        return "The result is exact."
    unit = ", in the unit of the description"
    if k.error == k.baseline:
        return "Error bound: %s%s." % (k.error, unit)
    return "Error bound: %s, %s at baseline, which has no fused multiply-add%s." % (k.error, k.baseline, unit)


def statuses():
    """(name, number, meaning)"""
    types = read(os.path.join(INCLUDE, "isakern", "types.h.in"))
    body = re.search(r"enum isk_status \{\n(.*?)\};", types, re.DOTALL)[1]
    return re.findall(r"(ISK_\w+) = (-?\d+),(?: +/\* (.*?) \*/)?", body)


def listed(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def add_statuses(page):
    page.section("RETURN VALUE", "0, or with nothing written one of these:")
    for name, number, meaning in statuses():
        if number != "0":
            page.item("%s (%s)" % (name, number), meaning)


def add_examples(page, examples):
    if examples:
        page.section("EXAMPLE" + ("S" if len(examples) > 1 else ""))
    for example in examples:
        page.code(example)


def kernel_page(library, k, contract, header, general, out):
    name = "isk_" + k.name
    page = Page(name, k.summary, ["isk_parallel_" + k.name] if k.shape.parallel else [])
    page.synopsis("#include <%s>" % header, write.signature(library, k, name) + ";")
    page.section("DESCRIPTION")
    part = contract.part(k.shape)
    page.text("\n".join(part.shapes[k.shape.name]))
    page.text("\n".join("%s may be %s." % (a.name, "NULL" if a.null else listed(a.may_be))
                        for a in k.shape.arguments if a.null or a.may_be))
    page.text("\n".join(part.general))
    if contract.types and any(a.is_struct or a.packed for a in k.shape.arguments):
        page.section("TYPES AND FUNCTIONS")
        page.code(contract.types)
    if k.shape.result == "status":
        add_statuses(page)
    page.section("ACCURACY", roff(bound(k)), BITS[k.bits])
    page.section("VARIANTS", roff(", ".join(k.isas)))
    if k.shape.parallel:
        page.section("THREADS", roff(
            "isk_%s() runs on the thread that calls it. isk_parallel_%s() of isakern_omp.h, in libisakern-omp, takes "
            "the same arguments, runs on the threads of OpenMP and gives the same bits." % (k.name, k.name)))
    siblings = [other.name for other in library.kernels.values() if other.shape.is_called_like(k.shape)]
    add_examples(page, [e for e in contract.examples if any("isk_%s(" % name in e for name in siblings)])
    page.section("NOTES", "Since isakern %s." % k.since)
    page.text(general)
    page.see_also(("isakern", 1), ("isakern", 3), ("isakern_" + k.family, 3))
    page.write(out)


def add_kernels(page, kernels):
    page.section("KERNELS")
    for k in kernels:
        page.lines += [".TP 28", ".BR isk_%s (3)" % k.name, roff(k.summary)]


def family_page(family, contract, out):
    title = contract.parts[0].title
    page = Page("isakern_" + family.name, title[0].lower() + title[1:], declared(contract.types))
    page.synopsis("#include <isakern/%s.h>" % family.name)
    for part in contract.parts:
        page.section(roff(part.title.upper()))
        page.text("\n".join(part.general))
        for lines in {id(lines): lines for lines in part.shapes.values()}.values():
            page.item(", ".join(shape for shape, own in part.shapes.items() if own is lines), "\n".join(lines))
    if contract.types:
        page.section("TYPES AND FUNCTIONS")
        page.code(contract.types)
    if any(k.shape.result == "status" for k in family.kernels):
        add_statuses(page)
    add_kernels(page, family.kernels)
    add_examples(page, contract.examples)
    page.see_also(("isakern", 1), ("isakern", 3))
    page.write(out)


def omp_page(out):
    header = os.path.join(INCLUDE, "isakern_omp.h")
    title, _, text = next(comments(read(header))).partition("\n")
    page = Page("isakern_omp", title.split(": ")[1].rstrip("."))
    page.synopsis("#include <isakern_omp.h>", "cc program.c $(pkg-config --cflags --libs isakern-omp)")
    page.section("DESCRIPTION")
    page.text(text)
    page.see_also(("isakern", 1), ("isakern", 3), ("isakern_matrix", 3), ("isakern_conv", 3))
    page.write(out)


def call_page(out):
    header, roles = os.path.join(INCLUDE, "isakern_call.h"), declarations(os.path.join(INCLUDE, "isakern", "roles.h"))
    title, _, text = next(comments(read(header))).partition("\n")
    page = Page("isakern_call", title.split(": ")[1].rstrip("."), declared(roles) + declared(declarations(header)))
    page.synopsis("#include <isakern_call.h>", "cc program.c $(pkg-config --cflags --libs isakern-call)")
    page.section("DESCRIPTION")
    page.text(text)
    page.section("TYPES AND FUNCTIONS")
    page.code(roles)
    page.code(declarations(header))
    page.see_also(("isakern", 1), ("isakern", 3))
    page.write(out)


def symbols(op, kernels):
    """An operation with its types, or a function."""
    types = [k.name[len(op) + 1:] for k in kernels if k.op == op and k.name != op]
    return "isk_" + op + ("_{%s}" % ", ".join(types) if types else "")


def porting_page(ports, library, beside, out):
    page = Page("isakern_porting", "what other libraries call the kernels of isakern")
    page.section("DESCRIPTION", "For each kernel of theirs those of isakern, and what is different where something is. "
                 "Argument order is another everywhere: outputs come first, sizes and strides are elements.")
    for source in dict.fromkeys(p.library for p in ports):
        page.section(source.upper())
        for port in (p for p in ports if p.library == source):
            names = [symbols(op, library.kernels.values()) for op in port.ours]
            # A library beside isakern has the name of its family.
            names += ["%s in libisakern-%s" % (symbols(op, family.kernels), family.name) for family in beside.families
                      for op in port.ours if any(k.op == op for k in family.kernels)]
            page.item(port.theirs, "; ".join(names))
            if port.difference:
                page.lines += [".br", roff(port.difference)]
    page.see_also(("isakern", 1), ("isakern", 3))
    page.write(out)


def library_page(library, contracts, general, out):
    asking = os.path.join(INCLUDE, "isakern", "library.h")
    page = Page("isakern", "numerical kernels that bind themselves to the CPU they run on",
                declared(declarations(asking)) + ["isk_type", "isk_status"])
    page.synopsis("#include <isakern.h>", "cc program.c $(pkg-config --cflags --libs isakern)")
    page.section("DESCRIPTION")
    page.text("\n".join(next(comments(read(os.path.join(INCLUDE, "isakern.h")))).split("\n")[2:]))
    for family in library.families:
        page.item("isakern_%s(3)" % family.name, contracts[family.name].parts[0].title)
    page.section("CONTRACT")
    page.text(general)
    add_kernels(page, library.kernels.values())
    page.section("ELEMENT TYPES", "enum isk_type has a number for each; kernels are named by them.")
    for t in library.types.values():
        page.item("%s: %s (%d)" % (t.name, write.enum(t.name), t.number), "%s, %d byte%s" % (
            t.c if t.c != "void" else "whatever is that wide", t.size, "s" if t.size > 1 else ""))
    page.section("STATUSES", "enum isk_status; isk_strerror() has a sentence for each.")
    for name, number, meaning in statuses():
        page.item("%s (%s)" % (name, number), meaning or "all is well")
    page.section("ISAS", roff(", ".join(library.isas) + ", lowest first."))
    page.section("ENVIRONMENT", "Read once, when the first kernel is bound. Unknown names are told on standard "
                 "error and ignored. A program that runs with another user's or group's rights, or with file "
                 "capabilities, ignores all of them.")
    for variable, text in ENVIRONMENT:
        page.item(variable, text)
    page.section("ASKING THE LIBRARY")
    page.text(section(asking, "Asking the library"))
    page.code(declarations(asking))
    page.see_also(("isakern", 1), ("isakern_omp", 3), ("isakern_call", 3), ("isakern_porting", 3),
                  *(("isakern_" + f.name, 3) for f in library.families))
    page.write(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--isas", default=tables.isa_table())
    parser.add_argument("--tuning")
    parser.add_argument("--beside", action="append", default=[],
                        help="a family of a library beside isakern: its header is the one for programs")
    parser.add_argument("families", nargs="+")
    options = parser.parse_args()
    library = tables.Library([os.path.abspath(f) for f in options.families], options.tuning, options.isas)
    contracts = {f.name: Contract(f, library.shapes) for f in library.families}
    general = section(os.path.join(INCLUDE, "isakern.h"), "What holds for every kernel")
    library_page(library, contracts, general, options.out)
    omp_page(options.out)
    call_page(options.out)
    porting = os.path.join(tables.SRC, "kernels", "porting.tbl")
    files_read.add(porting)
    beside = tables.Library([os.path.abspath(f) for f in options.beside], isas=options.isas)
    porting_page(tables.read_porting(porting, library), library, beside, options.out)
    for family in library.families:
        family_page(family, contracts[family.name], options.out)
        for k in family.kernels:
            kernel_page(library, k, contracts[family.name], "isakern.h", general, options.out)
    for family in beside.families:
        contract = Contract(family, beside.shapes)
        # Behind the kernels its header declares what such a library is asked.
        contract.types = declarations(os.path.join(family.folder, family.name + ".h.in"))
        family_page(family, contract, options.out)
        for k in family.kernels:
            kernel_page(beside, k, contract, "isakern/%s.h" % family.name, general, options.out)
    for path in sorted(files_read):
        print("reads", path)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        raise SystemExit(str(error))
