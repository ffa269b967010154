#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the tables of a library of kernels into data for the compiler.

    gen.py isas [--isas TABLE]
        prints the ISA rows, lowest first: "name flag..." each

    gen.py recipe [--isas TABLE]
        prints how libraries are compiled and linked, and the sources that all of them have: "subject word..." each

    gen.py matching PATTERN,... FAMILY...
        prints the kernels that each shell pattern stands for: "pattern kernel..."

    gen.py write --name NAME --prefix PREFIX --built ISA,... --out FOLDER [--isas TABLE] [--tuning TABLE]
            [--kernels NAME,...] FAMILY...
        writes all generated files of the library NAME, whose symbols begin with PREFIX_, from the folders of
        its families, with all of their kernels or some; then prints a line for each fact that the build needs:
            isa NAME SOURCE...      the sources that are compiled for an ISA, each as FAMILY/FILE
            typed SOURCE FILE       the generated file of such a source, if it is compiled for one tuple of types
            flags NAME FLAG...      the flags with which they are compiled
            api SOURCE              a source of ordinary functions, as FAMILY/FILE
            row FILE                the generated source of the rows and resolvers of one source's kernels
            parallel FILE           the generated source of the forms for many threads of one source's kernels
            header FILE             a header to install
            kernel NAME SHAPE       a kernel and its shape
            shape NAME COUNT        a shape, and the number of functions of its kernels: variants built, and references
            reads FILE              a file that the output was made from

    gen.py copy DEPFILE FOLDER PREFIX WRITTEN FILE...
        copies files from below the folder WRITTEN into a folder that Meson knows, with a prefix to their names, and
        writes to DEPFILE which files the copies depend on

A malformed table ends with "FILE:LINE: reason" on standard error and exit status 1. Files that would not
change are left alone, so that nothing is compiled again for their sake.
"""
import argparse
import os
import sys

import fronts
import recipe
import tables
import write


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    isas = commands.add_parser("isas")
    recipe_ = commands.add_parser("recipe")
    write = commands.add_parser("write")
    matching = commands.add_parser("matching")
    matching.add_argument("patterns")
    copy = commands.add_parser("copy")
    for name in ("depfile", "folder", "prefix", "written"):
        copy.add_argument(name)
    copy.add_argument("names", nargs="+")
    for command in (isas, recipe_, matching, write):
        command.add_argument("--isas", default=tables.isa_table())
    for name in ("name", "prefix", "built", "out"):
        write.add_argument("--" + name, required=True)
    write.add_argument("--tuning")
    write.add_argument("--kernels")
    for command in (matching, write):
        command.add_argument("families", nargs="+")
    return parser.parse_args()


def flags(isa):
    """The flags with which the sources of an ISA are compiled."""
    return isa.flags + ["-DISK_ISA=" + isa.name, "-DISK_LANES=%d" % isa.lanes, "-DISK_REGISTERS=%d" % isa.registers,
                        "-DISK_FMA=%d" % isa.fma, '-DISK_VOCABULARY="vec_%s.h"' % isa.vocabulary]


def write_depfile(path, made, read):
    """Tells ninja that `made` depends on the files `read`."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("%s: %s\n" % (made, " ".join(p.replace(" ", "\\ ") for p in read)))


def read_by(library, options):
    """The files that the written files depend on."""
    own = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(own, f) for f in ("gen.py", "contract.py", "fronts.py", "recipe.py", "sentences.py", "tables.py", "write.py")]
    paths += [os.path.join(tables.SRC, "kernels", f) for f in ("types.tbl", "shapes.tbl", "joins.tbl")]
    paths += [os.path.join(tables.ROOT, "include", "isakern", "types.h.in"), options.isas]
    paths += [options.tuning] if options.tuning else []
    for family in library.families:
        paths += [p for p in (os.path.join(family.folder, f) for f in
                              ("kernels.tbl", "shapes.tbl", family.name + ".h.in", family.name + ".md", family.name + "_types.h")) if os.path.isfile(p)]
    return paths


def print_matching(options):
    library = tables.Library([os.path.abspath(f) for f in options.families], None, options.isas)
    for pattern in options.patterns.split(","):
        print(pattern, *library.matching(pattern))


def write_all(options):
    library = tables.Library([os.path.abspath(f) for f in options.families], options.tuning, options.isas)
    if options.kernels:
        library.keep(options.kernels.split(","))
    for word in options.name.split("-"):
        tables.check_name(word, "library", "--name", 30)
    built = options.built.split(",")
    for isa in built:
        tables.check(isa in library.isas, "--built", "unknown ISA '%s'; there are %s"
                     % (isa, ", ".join(library.isas)))
    tables.check(options.prefix != "isk" or not any(k.overrides for k in library.kernels.values()), "--prefix",
                 "a library of the prefix isk overrides nothing")
    w = write.Writer(library, options.name, options.prefix, built, options.out)
    choosing = fronts.headers(w)
    for isa in built:
        print("isa", isa, *[unit.path for unit in library.units(isa)])
        print("flags", isa, *flags(library.isas[isa]))
    w.element_types()
    w.isas()
    w.variables()
    w.parts()
    w.kernels()
    w.args()
    w.maps()
    w.calls()
    w.interposers()
    w.oracles()
    w.forms()
    w.references()
    w.bulks()
    w.map()
    w.docstrings()
    for path in w.headers() + choosing:
        print("header", path)
    for family in library.families:
        for file in sorted({k.file for k in family.kernels}):
            w.source_header(family, file)
        for file in sorted({k.file for k in family.kernels if k.name in library.kernels}):
            print("row", w.rows(family, file))
            forms = options.name == "isakern" and w.parallel_parts(family, file)
            if forms:
                print("parallel", forms)
        for file in library.api_of(family):
            print("api", os.path.join(family.name, file))
    for unit in library.units():
        if unit.types:
            print("typed", unit.path, w.typed_source(unit))
    for k in library.kernels.values():
        print("kernel", k.name, k.shape.name)
    for shape in w.shapes:
        print("shape", shape.name, sum(1 + len(set(k.isas) & set(built)) for k in library.kernels.values() if k.shape is shape))
    for path in read_by(library, options):
        print("reads", path)
    w.remove_stale()


def copy_all(options):
    """Copies generated files. Names are relative to options.written, because whole paths could make too long a command."""
    paths = [os.path.join(options.written, name) for name in options.names]
    for path, name in zip(paths, options.names):
        target = os.path.join(options.folder, options.prefix + os.path.basename(name))
        with open(path, "rb") as f:
            text = f.read()
        if os.path.exists(target):
            with open(target, "rb") as f:
                if f.read() == text:
                    continue
        with open(target, "wb") as f:
            f.write(text)
    write_depfile(options.depfile, os.path.join(options.folder, options.prefix + os.path.basename(options.names[0])), paths)


def main():
    options = arguments()
    if options.command == "isas":
        for isa in tables.read_isas(options.isas).values():
            print(isa.name, *isa.flags)
    elif options.command == "matching":
        print_matching(options)
    elif options.command == "recipe":
        for what, words in recipe.of(tables.architecture_of(options.isas)).items():
            print(what, *words)
    elif options.command == "copy":
        copy_all(options)
    else:
        write_all(options)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        sys.exit(str(error))
