#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the tables of a library of kernels into data for the compiler.

    gen.py isas [--isas TABLE]
        the ISA rows, lowest first: "name flag..." each

    gen.py recipe [--isas TABLE]
        how libraries are compiled and linked, and which sources all of them have: "what word..." each

    gen.py matching PATTERN,... FAMILY...
        for each shell pattern, the kernels that it stands for: "pattern kernel..."

    gen.py write --name NAME --prefix PREFIX --built ISA,... --out FOLDER [--isas TABLE] [--tuning TABLE]
            [--kernels NAME,...] FAMILY...
        all generated files of the library NAME, whose symbols begin with PREFIX_, from the folders of
        its families, with all of their kernels or some; then a line for each thing the build needs to know:
            isa NAME SOURCE...      what is compiled for an ISA, as FAMILY/FILE
            typed SOURCE FILE       which of these is generated, and as which file: a source of one tuple of types
            flags NAME FLAG...      and how
            api SOURCE              a source of ordinary functions, likewise
            row FILE                the generated source of a kernel's row and resolver
            header FILE             a header to install
            kernel NAME SHAPE       a kernel, and a shape
            shape NAME COUNT        and how many functions its kernels are: the variants built, and references
            reads FILE              what all of this was made from

    gen.py copy DEPFILE FOLDER PREFIX FILE...
        copies into a folder, of which Meson knows, with a prefix to their names; from when on is in the DEPFILE

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
    """What the sources of an ISA are compiled with."""
    return isa.flags + ["-DISK_ISA=" + isa.name, "-DISK_LANES=%d" % isa.lanes, "-DISK_REGISTERS=%d" % isa.registers,
                        "-DISK_FMA=%d" % isa.fma, '-DISK_VOCABULARY="vec_%s.h"' % isa.vocabulary]


def read_by(library, options):
    """The files that what is written depends on."""
    own = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(own, f) for f in ("gen.py", "fronts.py", "recipe.py", "tables.py", "write.py")]
    paths += [os.path.join(tables.SRC, "kernels", f) for f in ("types.tbl", "shapes.tbl")]
    paths += [os.path.join(tables.ROOT, "include", "isakern", "types.h.in"), options.isas]
    paths += [options.tuning] if options.tuning else []
    for family in library.families:
        paths += [p for p in (os.path.join(family.folder, f) for f in
                              ("kernels.tbl", "shapes.tbl", family.name + ".h.in", family.name + "_types.h")) if os.path.isfile(p)]
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
    w.references()
    w.bulks()
    w.map()
    for path in w.headers() + choosing:
        print("header", path)
    for family in library.families:
        for file in sorted({k.file for k in family.kernels}):
            w.source_header(family, file)
        for file in family.api if any(k.name in library.kernels for k in family.kernels) else []:
            print("api", os.path.join(family.name, file))
    for unit in library.units():
        if unit.types:
            print("typed", unit.path, w.typed_source(unit))
    for k in library.kernels.values():
        print("row", w.row(k))
        print("kernel", k.name, k.shape.name)
    for shape in w.shapes:
        print("shape", shape.name, sum(1 + len(set(k.isas) & set(built)) for k in library.kernels.values() if k.shape is shape))
    for path in read_by(library, options):
        print("reads", path)
    w.remove_stale()


def copy_all(options):
    """The names are below the folder written: whole paths are too long a command where the build folder is deep."""
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
    with open(options.depfile, "w", encoding="utf-8") as f:
        first = os.path.join(options.folder, options.prefix + os.path.basename(options.names[0]))
        f.write("%s: %s\n" % (first, " ".join(p.replace(" ", "\\ ") for p in paths)))


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
