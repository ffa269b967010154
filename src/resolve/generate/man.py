#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the manual pages from the tables, the contracts of operations and the comments of headers, since a text is
kept in one place only.

    man.py --out FOLDER [--isas TABLE] [--tuning TABLE] [--beside FAMILY] FAMILY...

writes isakern.3, isakern_omp.3, isakern_call.3, isakern_porting.3, a page for each family and one for each kernel. For a
function or a struct that one of these describes, it writes a page that refers to that one. It prints for the build

    page FILE    a page that it wrote
    reads FILE   a file that the pages were made from
"""
import argparse
import os
import re
import textwrap

import contract
import examples
import sentences
import tables
import write

INCLUDE = os.path.join(tables.ROOT, "include")


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"[^\x00-\x7f]", lambda letter: "\\[u%04X]" % ord(letter[0]), text)
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


files_read = {os.path.abspath(module.__file__) for module in (contract, examples, sentences, tables, write)} | {os.path.abspath(__file__)}


def read(path):
    files_read.add(path)
    with open(path, encoding="utf-8") as f:
        return f.read()


def comments(text):
    """The block comments of a header as plain text."""
    for block in re.findall(r"/\*\n(.*?)\*/", text, re.DOTALL):
        yield "\n".join(re.sub(r"^ \* ?", "", line) for line in block.rstrip().split("\n"))


def section(path, begin):
    """The text below the title of a comment."""
    return next(c for c in comments(read(path)) if c.startswith(begin)).split("\n", 2)[2]


def declarations(path):
    """The declarations of a header and their comments, without the lines for C++."""
    body = re.search(r'extern "C" \{\n#endif\n(.*)\n#ifdef __cplusplus\n\}', read(path), re.DOTALL)[1]
    body = re.sub(r"#ifdef __cplusplus\n.*?\n#endif\n", "", body, flags=re.DOTALL)
    return body.replace(write.PUBLIC_MARK, "").strip()


def declared(text):
    """The names of the structs, enums and functions among declarations."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    names = re.findall(r"^(?:(?:struct|enum) (?=isk_\w+ \{)|\S.*?\b(?=isk_\w+\())(isk_\w+)", code, re.MULTILINE)
    return list(dict.fromkeys(names))


class Family:
    """The sources of a family's pages beside its table: contracts, the types that its kernels take, and example programs."""

    def __init__(self, family, library):
        self.family, self.library = family, library
        path = contract.path_of(family)
        tables.check(os.path.isfile(path), tables.shown(path), "a family has contracts")
        read(path)
        self.contract = contract.read(family, library)
        types = os.path.join(family.folder, family.name + "_types.h")
        self.types = declarations(types) if os.path.isfile(types) else ""
        self.examples = [re.sub(r"\A/\* SPDX.*\n", "", read(os.path.join(family.folder, file))).strip()
                         for file in sorted(os.listdir(family.folder)) if re.fullmatch(r"example(_\w+)?\.c", file)]

    @property
    def summary(self):
        """The title as the section NAME has it: it begins with a small letter unless it begins with two capitals."""
        title = self.contract.title
        return title if title[1:2].isupper() else title[0].lower() + title[1:]


class Page:
    """A manual page of section 3. aliases: other names by which man finds it."""

    def __init__(self, name, summary, aliases=()):
        self.name, self.aliases = name, list(aliases)
        self.lines = ['.TH %s 3 "" "isakern" "Kernels of isakern"' % roff(name.upper())]
        self.section("NAME", "%s \\- %s" % (roff(", ".join([name] + self.aliases)), roff(summary)))

    def section(self, title, *lines):
        self.lines += [".SH " + title, *lines]

    def paragraph(self, *lines):
        self.lines += ([] if self.lines[-1].startswith(".SH") else [".PP"]) + list(lines)

    def text(self, text):
        """Adds paragraphs. Lines of indented ones are not filled."""
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
            # Lines are broken only between parameters.
            line = re.sub(r"(?<!,) ", "\0", line)
            self.lines += ['.B "%s"' % roff(part.replace("\0", " ")) for part in textwrap.wrap(
                line, 72, subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False)]
        self.lines.append(".fi")

    def see_also(self, *names):
        """names: (name, section) or, for a page about another library, (name, section, library)."""
        self.section("SEE ALSO")
        for i, (name, section, *where) in enumerate(names, 1):
            comma = "," if i < len(names) else ""
            self.lines += [".BR %s (%s)%s" % (roff(name), section, "" if where else comma)]
            self.lines += ["in " + roff(where[0] + comma)] if where else []

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
    ("ISAKERN_MAX_ISA=isa", "Binds no variant above that ISA."),
    ("ISAKERN_DISABLE=isa,...", "Leaves those ISAs out, except the lowest one."),
    ("ISAKERN_BIND=kernel=isa,...", "Pins single kernels to a variant that the CPU can run and the two "
                                    "variables above allow."),
    ("ISAKERN_PROFILE=file", "isk_matmul_plan() follows the choices that isakern tune \\-\\-sizes measured on this CPU."),
    ("ISAKERN_VERBOSE=1", "Reports each binding and its reason on standard error."),
]
def statuses():
    """(name, number, meaning) of each status."""
    types = read(os.path.join(INCLUDE, "isakern", "types.h.in"))
    body = re.search(r"enum isk_status \{\n(.*?)\};", types, re.DOTALL)[1]
    return re.findall(r"(ISK_\w+) = (-?\d+),(?: +/\* (.*?) \*/)?", body)


def add_statuses(page, text=""):
    """Adds the statuses that text names, or all if it names none."""
    named = [s for s in statuses() if s[1] != "0" and s[0] in text]
    page.section("RETURN VALUE", "0 on success. If the call fails, it writes nothing and returns one of these:")
    for name, number, meaning in named or [s for s in statuses() if s[1] != "0"]:
        page.item("%s (%s)" % (name, number), meaning)


def add_examples(page, examples):
    if examples:
        page.section("EXAMPLE" + ("S" if len(examples) > 1 else ""))
    for example in examples:
        page.code(example)


def worst_errors():
    """Sentences about the worst errors seen, by kernel, from the table in docs/accuracy.md."""
    found = {}
    for line in read(os.path.join(tables.ROOT, "docs", "accuracy.md")).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 8 or not re.fullmatch(r"exact|[\d.]+", cells[2]):
            continue
        name, isas, bound, worst, at, misrounded, count, _ = cells
        where = " at baseline" if isas == "baseline" else ""
        if bound != "exact":
            said = "Worst error seen%s: %s (the bound is %s)%s; %s results were tried." % (
                where, worst, bound, ", at " + at if re.search("= |^-?[0-9]", at) else "", count)
        else:
            said = "%s results were tried%s, and none was misrounded." % (count, where) if misrounded == "0" else ""
        found.setdefault(name, []).extend([said] if said else [])
    return found


class Shelf:
    """The libraries whose kernels have pages, so that a page can refer to others."""

    def __init__(self, library, beside):
        self.library, self.beside, self.worst = library, beside, worst_errors()
        self.kernels = {**library.kernels, **beside.kernels}

    def others(self, k):
        """Related kernels: the correctly rounded one (for cr_OP: OP), that of f64, and those of other types."""
        types = sentences.words_of(k)
        names = ["%s_%s" % (k.op[3:] if k.op.startswith("cr_") else "cr_" + k.op, types), k.op + "_f64"]
        names += [other.name for other in self.kernels.values() if other.op == k.op]
        for name in dict.fromkeys(names):
            if name != k.name and name in self.kernels:
                elsewhere = name in self.beside.kernels and k.name in self.library.kernels
                yield ("isk_" + name, 3, "libisakern-sleef") if elsewhere else ("isk_" + name, 3)


def kernel_page(shelf, library, k, about, header, out):
    name = "isk_" + k.name
    entry = about.contract.entry(k)
    page = Page(name, k.summary, ["isk_parallel_" + k.name] if k.is_parallel else [])
    page.synopsis("#include <%s>" % header, write.signature(library, k, name) + ";")
    page.section("DESCRIPTION")
    own = [entry.definition_of(k), *entry.notes_of(k), *about.contract.shape(k)]
    for text in own:
        page.paragraph(roff(text))
    arguments = sentences.of_arguments(library, k)
    if arguments:
        page.paragraph(roff(" ".join(arguments)))
    page.paragraph("The rules about alignment, overlap, sizes of 0, threads and the floating\\-point environment are in",
                   ".BR isakern (3)", "and hold for every kernel.")
    if k.shape.result == "status":
        add_statuses(page, " ".join(own + arguments))
    if about.types and any(a.is_struct or a.packed for a in k.shape.arguments):
        page.section("TYPES AND FUNCTIONS")
        page.code(about.types)
    page.section("ACCURACY", *map(roff, sentences.errors(library, k, entry) + shelf.worst.get(k.name, []) + [sentences.BITS[k.bits]]))
    page.section("EXAMPLE")
    page.code(examples.Example(k, entry, library).text)
    if k.is_parallel:
        page.section("THREADS", roff(
            "isk_%s() runs on the thread that calls it. isk_parallel_%s() of isakern_omp.h, in libisakern-omp, takes "
            "the same arguments, runs on the threads of OpenMP and gives the same bits." % (k.name, k.name)))
    page.see_also(("isakern_" + k.family, 3), *shelf.others(k), ("isakern", 1), ("isakern", 3))
    source = os.path.relpath(os.path.join(about.family.folder, k.file), tables.ROOT)
    page.section("SOURCE", roff("%s; variants %s; since isakern %s" % (source, ", ".join(k.isas), k.since)))
    page.write(out)


def add_kernels(page, kernels):
    page.section("KERNELS")
    for k in kernels:
        page.lines += [".TP 28", ".BR isk_%s (3)" % k.name, roff(k.summary)]


def add_operations(page, about):
    for entry in about.contract.entries:
        page.item(", ".join(entry.ops), entry.whole_definition())
        for note in entry.whole_notes():
            page.lines += [".IP", roff(note)]


def family_page(family, about, out):
    page = Page("isakern_" + family.name, about.summary, declared(about.types))
    page.synopsis("#include <isakern/%s.h>" % family.name)
    page.section("DESCRIPTION")
    for text in about.contract.general:
        page.paragraph(roff(text))
    for texts in {id(texts): texts for texts in about.contract.shapes.values()}.values():
        names = [name for name, own in about.contract.shapes.items() if own is texts]
        page.item("Kernels of the shape%s %s" % ("s" if len(names) > 1 else "", sentences.listed(names)), texts[0])
        for text in texts[1:]:
            page.lines += [".IP", roff(text)]
    page.section("OPERATIONS")
    add_operations(page, about)
    if about.types:
        page.section("TYPES AND FUNCTIONS")
        page.code(about.types)
    if any(k.shape.result == "status" for k in family.kernels):
        add_statuses(page)
    add_kernels(page, family.kernels)
    add_examples(page, about.examples)
    page.see_also(("isakern", 1), ("isakern", 3))
    page.write(out)


def omp_page(out):
    header = os.path.join(INCLUDE, "isakern_omp.h")
    title, _, text = next(comments(read(header))).partition("\n")
    own = re.sub(r"#include .*\n", "", declarations(header)).strip()
    page = Page("isakern_omp", title.split(": ")[1].rstrip("."), declared(own))
    page.synopsis("#include <isakern_omp.h>", "cc program.c $(pkg-config --cflags --libs isakern-omp)")
    page.section("DESCRIPTION")
    page.text(text)
    page.section("FUNCTIONS")
    page.code(own)
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
    """The symbols of an operation, with all types in braces; a function without types has one symbol."""
    types = [k.name[len(op) + 1:] for k in kernels if k.op == op and k.name != op]
    return "isk_" + op + ("_{%s}" % ", ".join(types) if types else "")


def porting_page(origins, library, beside, out):
    page = Page("isakern_porting", "kernels of isakern for functions of other libraries")
    page.section("DESCRIPTION", "For each function of another library, this page names the kernels of isakern that serve it, and "
                 "the differences. The order of arguments differs everywhere, because outputs come first here. Sizes and "
                 "strides are counts of elements.")
    for origin in origins:
        page.section(origin.name.upper())
        page.text(origin.note)
        for port in origin.ports:
            names = [symbols(op, library.kernels.values()) for op in port.ours]
            # A library beside isakern has the name of its family.
            names += ["%s in libisakern-%s" % (symbols(op, family.kernels), family.name) for family in beside.families
                      for op in port.ours if any(k.op == op for k in family.kernels)]
            page.item(", ".join(port.theirs), "; ".join(names))
            if port.difference:
                page.lines += [".br", roff(port.difference)]
    page.see_also(("isakern", 1), ("isakern", 3))
    page.write(out)


def library_page(library, families, general, out):
    asking = os.path.join(INCLUDE, "isakern", "library.h")
    page = Page("isakern", "numerical kernels that bind themselves to the CPU they run on",
                declared(declarations(asking)) + ["isk_type", "isk_status"])
    page.synopsis("#include <isakern.h>", "cc program.c $(pkg-config --cflags --libs isakern)")
    page.section("DESCRIPTION")
    page.text("\n".join(next(comments(read(os.path.join(INCLUDE, "isakern.h")))).split("\n")[2:]))
    for family in library.families:
        page.item("isakern_%s(3)" % family.name, families[family.name].contract.title)
    page.section("CONTRACT")
    page.text(general)
    add_kernels(page, library.kernels.values())
    page.section("ELEMENT TYPES",
                 "enum isk_type has a number for each type. The names of kernels contain those of their types.")
    for t in library.types.values():
        page.item("%s: %s (%d)" % (t.name, write.enum(t.name), t.number), "%s%d byte%s%s" % (
            t.c + ", " if t.c != "void" else "", t.size, "s" if t.size > 1 else "", ": " + t.meaning if t.meaning != "-" else ""))
    page.section("STATUSES", "These are the values of enum isk_status. isk_strerror() has a sentence for each.")
    for name, number, meaning in statuses():
        page.item("%s (%s)" % (name, number), meaning or "success")
    page.section("ISAS", roff(", ".join(library.isas) + ", lowest first."))
    page.section("ENVIRONMENT", "These variables are read once, when the first kernel is bound. Unknown names are reported "
                 "on standard error and ignored. A program that runs with another user's or group's rights, or with file "
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
                        help="a family of a library beside isakern, with a header of its own")
    parser.add_argument("families", nargs="+")
    options = parser.parse_args()
    library = tables.Library([os.path.abspath(f) for f in options.families], options.tuning, options.isas)
    families = {f.name: Family(f, library) for f in library.families}
    library_page(library, families, section(os.path.join(INCLUDE, "isakern.h"), "What holds for every kernel"), options.out)
    omp_page(options.out)
    call_page(options.out)
    porting = os.path.join(tables.SRC, "kernels", "porting.tbl")
    files_read.add(porting)
    beside = tables.Library([os.path.abspath(f) for f in options.beside], isas=options.isas)
    porting_page(tables.read_porting(porting, library), library, beside, options.out)
    shelf = Shelf(library, beside)
    for family in library.families:
        family_page(family, families[family.name], options.out)
        for k in family.kernels:
            kernel_page(shelf, library, k, families[family.name], "isakern.h", options.out)
    for family in beside.families:
        about = Family(family, beside)
        # The header of such a library also declares functions that are not kernels.
        about.types = declarations(os.path.join(family.folder, family.name + ".h.in"))
        family_page(family, about, options.out)
        for k in family.kernels:
            kernel_page(shelf, beside, k, about, "isakern/%s.h" % family.name, options.out)
    for path in sorted(files_read):
        print("reads", path)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        raise SystemExit(str(error))
