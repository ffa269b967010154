#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the functions and data that kernels need, from their objects: each is a section, and relocations lead from one to
the next.

    reach.py sources --prefix PREFIX --isas TABLE --kernels NAME,... --out FOLDER FAMILY... -- COMPILER FLAG...
        prints the units that define these kernels and the functions that they call, as FAMILY/FILE. Sources are compiled
        into FOLDER as they are needed, for the lowest ISA. All parts of their families are listed too, because some of them
        exist at higher ISAs alone, and the sources of these families' ordinary functions.

    reach.py bytes --prefix PREFIX FOLDER=ISA...
        prints a table of the bytes that each kernel takes at an ISA, whose objects are in FOLDER, together with all
        functions and data that it needs. If several kernels need a function, it counts for each of them.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

import tables

SECTION = re.compile(r" *\[ *(\d+)\] (\S+) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) ")
SYMBOL = re.compile(r" *\d+: [0-9a-f]+ +\S+ +(\S+) +(\S+) +\S+ +(\w+) (\S+)")
RELOCATED = re.compile(r"Relocation section '\.rela(\S+)'")
RELOCATION = re.compile(r"[0-9a-f]{12,} +[0-9a-f]+ +R_\S+ +[0-9a-f]+ +(\S+)")


class Object:
    """The sections of one object: their sizes, the symbols they define, and the symbols or sections they refer to."""

    def __init__(self, path):
        text = subprocess.run(["readelf", "-W", "-S", "-s", "-r", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        numbers, self.size, self.defined, self.undefined = {}, {}, {}, set()
        self.refers = collections.defaultdict(set)
        section = None
        for line in text.splitlines():
            if found := SECTION.match(line):
                numbers[found[1]] = found[2]
                self.size[found[2]] = int(found[3], 16)
            elif found := RELOCATED.match(line):
                section = found[1]
            elif found := RELOCATION.match(line):
                self.refers[section].add(found[1])
            elif found := SYMBOL.match(line):
                if found[3] in numbers:
                    self.defined[found[4]] = numbers[found[3]]
                elif found[3] == "UND":
                    self.undefined.add(found[4])


class Reach:
    """The sections that symbols need. object_of() gives the object that defines a symbol for others, or None."""

    def __init__(self, object_of):
        self.object_of = object_of

    def sections(self, symbol):
        """The set of (object, section) of a symbol and of everything that it needs."""
        seen, left = set(), [(self.object_of(symbol), symbol)]
        while left:
            obj, name = left.pop()
            if name in obj.undefined:
                obj = self.object_of(name)
            section = obj and (name if name in obj.size else obj.defined.get(name))
            if section and (obj, section) not in seen:
                seen.add((obj, section))
                left += [(obj, other) for other in obj.refers[section]]
        return seen


class Sources:
    """The objects of units, each compiled when it is first needed."""

    def __init__(self, library, options):
        self.options, self.objects = options, {}
        self.ending = "__" + next(iter(library.isas))
        self.unit_of = {"%s_%s%s" % (options.prefix, k.name, self.ending): k.unit
                        for f in library.families for k in f.kernels if k.is_coded}
        self.folder_of = {f.name: f.folder for f in library.families}
        self.parts = [unit for f in library.families for units in f.units.values() for unit in units]

    def compiled(self, unit):
        if unit not in self.objects:
            target = os.path.join(self.options.out, unit.name + ".o")
            subprocess.run(self.options.compiler + ["-D%s=%s" % macro for macro in unit.macros]
                           + ["-c", "-O1", "-ffunction-sections", "-fdata-sections", "-o", target,
                              os.path.join(self.folder_of[unit.family], unit.file)], check=True)
            self.objects[unit] = Object(target)
        return self.objects[unit]

    def object_of(self, symbol):
        if symbol in self.unit_of:
            return self.compiled(self.unit_of[symbol])
        if symbol.endswith(self.ending):
            return next((obj for obj in map(self.compiled, self.parts) if symbol in obj.defined), None)
        return None


def print_sources(options):
    library = tables.Library([os.path.abspath(f) for f in options.families], isas=options.isas)
    os.makedirs(options.out, exist_ok=True)
    sources = Sources(library, options)
    reach, objects = Reach(sources.object_of), set()
    for name in options.kernels.split(","):
        objects |= {obj for obj, _ in reach.sections(
            "%s_%s%s" % (options.prefix, library.kernels[name].code, sources.ending))}
    needed = {unit for unit, obj in sources.objects.items() if obj in objects}
    families = {unit.family for unit in needed}
    api = {os.path.join(f.name, file) for f in library.families if f.name in families for file in f.api}
    print(*sorted(api | {unit.path for unit in needed | {part for part in sources.parts if part.family in families}}), sep="\n")


def print_bytes(options):
    columns = collections.defaultdict(dict)
    isas = []
    for pair in options.folders:
        folder, isa = pair.rsplit("=", 1)
        isas.append(isa)
        objects = [Object(os.path.join(folder, f)) for f in sorted(os.listdir(folder)) if f.endswith(".o")]
        owner = {symbol: obj for obj in objects for symbol in obj.defined if symbol.endswith("__" + isa)}
        reach = Reach(owner.get)
        for symbol in owner:
            if symbol.startswith(options.prefix + "_"):
                columns[symbol[len(options.prefix) + 1:-len(isa) - 2]][isa] = sum(
                    obj.size[section] for obj, section in reach.sections(symbol))
    width = max(map(len, columns), default=0)
    print("%-*s" % (width, "kernel"), *["%12s" % isa for isa in isas])
    for name in sorted(columns):
        print("%-*s" % (width, name), *["%12s" % columns[name].get(isa, "-") for isa in isas])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sources = commands.add_parser("sources")
    for name in ("prefix", "isas", "kernels", "out"):
        sources.add_argument("--" + name, required=True)
    sources.add_argument("families", nargs="+")
    listing = commands.add_parser("bytes")
    listing.add_argument("--prefix", required=True)
    listing.add_argument("folders", nargs="+")
    words = sys.argv[1:]
    behind = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:behind])
    options.compiler = words[behind + 1:]
    (print_sources if options.command == "sources" else print_bytes)(options)


if __name__ == "__main__":
    main()
