# SPDX-License-Identifier: MIT
"""A library of kernels from a table and sources, made in the same way as isakern: isakern-cc."""
import glob
import os
import re
import shutil
import sys

import contract
import objects
import recipe
import tables
import write
from compiler import Compiler, Failure, all_of, run

HERE = os.path.dirname(os.path.abspath(__file__))


def isas_to_build(compiler, architecture, text):
    rows = tables.read_isas(tables.isa_table(architecture))
    lowest = next(iter(rows))
    wanted = text.split(",")
    for name in wanted:
        if name != "all" and name not in rows:
            raise Failure("--isa: no ISA '%s'; there are %s" % (name, ", ".join(rows)))
    built = []
    for row in rows.values():
        if "all" not in wanted and row.name not in wanted and row.name != lowest:
            continue
        if compiler.takes(row.flags):
            built.append(row.name)
        else:
            sys.stderr.write("isakern-cc: ISA %s: left out, this compiler does not take %s\n"
                             % (row.name, " ".join(row.flags)))
    if lowest not in built:
        raise Failure("'%s' does not compile for %s" % (" ".join(compiler.command), architecture))
    return built


def questions(prefix, include):
    """The prototypes of library.h, with the prefix."""
    for folder in include:
        path = os.path.join(folder, "isakern", "library.h")
        if os.path.isfile(path):
            lines = [line for line in tables.read(path).split("\n") if re.match(r"\w.*\bisk_\w+\(.*;$", line)]
            return "/* Asking this library: as isakern/library.h says of these names with isk_. */\n" + "\n".join(
                re.sub(r"\bisk_(?=\w+\()", prefix + "_", line) for line in lines)
    raise Failure("no isakern/library.h in %s" % ", ".join(include))


class Build:
    """The files made by one command line, kept in a folder of their own until all is well."""

    def __init__(self, options, include, work):
        self.options, self.include, self.work = options, include, work
        self.name = re.fullmatch(r"lib([a-z][a-z0-9]*([_-][a-z0-9]+)*)\.so", os.path.basename(options.output))[1]
        self.stem = os.path.basename(options.table)[:-len(".tbl")]
        self.family, self.gen, self.out = (os.path.join(work, d) for d in ("tables/" + self.stem, "gen", "out"))
        self.sources = {os.path.basename(s): s for s in options.sources}
        for folder in (self.family, self.gen, self.out):
            os.makedirs(folder)
        self.compiler = Compiler(work)
        self.architecture = self.compiler.architecture()

    def beside(self, ending):
        """my_oracle.h for my.tbl"""
        return self.options.table[:-len(".tbl")] + ending

    def lay_out(self):
        """Makes the folder of a family in the generator's layout."""
        links = {"kernels.tbl": self.options.table, "oracle.h": self.beside("_oracle.h"), **self.sources}
        for name, ending in (("shapes.tbl", "_shapes.tbl"), (self.stem + ".md", ".md")):
            if os.path.exists(self.beside(ending)):
                links[name] = self.beside(ending)
        # The generator reads it as well, but prints its plan before it complains.
        tables.read(links["oracle.h"])
        for name, path in links.items():
            os.symlink(os.path.realpath(path), os.path.join(self.family, name))
        header = self.beside(".h.in")
        text = tables.read(header if os.path.exists(header) else os.path.join(HERE, "own.h.in"))
        if "@KERNELS@" not in text:
            raise Failure("%s: @KERNELS@ must stand where the prototypes are wanted" % header)
        text = text.replace("@QUESTIONS@", questions(self.options.prefix, self.include)).replace("@GUARD@", self.stem.upper())
        with open(os.path.join(self.family, self.stem + ".h.in"), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self):
        """Reads the tables and contracts, and compares them with the sources and with isakern's headers."""
        try:
            self.library = tables.Library([self.family], isas=tables.isa_table(self.architecture))
            contract.read(self.library.families[0], self.library)
        except tables.TableError as error:
            raise tables.TableError(str(error).replace(tables.shown(self.family) + os.sep, "")) from None
        named = {unit.file for unit in self.library.units()}
        named |= {s for family in self.library.families for s in family.api}
        for source in set(self.sources) - named:
            raise Failure("%s: no row of %s names it" % (self.sources[source], self.options.table))
        self.check_overrides()

    def ask_compiler(self):
        """Chooses ISAs and the form of dispatch. Called after read(), since the compiler runs a dozen times, and a fault of a table
        is then known already."""
        self.built = isas_to_build(self.compiler, self.architecture, self.options.isa)
        self.recipe = recipe.of(self.architecture)
        self.glibc = self.compiler.has_glibc()
        has_ifunc = self.glibc and self.compiler.has_ifunc()
        if self.options.dispatch == "ifunc" and not has_ifunc:
            raise Failure("--dispatch: '%s' or its C library has no indirect functions; pointer does without"
                          % " ".join(self.compiler.command))
        self.pointer = self.options.dispatch == "pointer" or not has_ifunc

    def generate(self):
        """Generates files, and the plan of compilation: (word, rest) for each line that gen.py prints."""
        r = run([sys.executable, "-B", os.path.join(tables.SRC, "resolve", "generate", "gen.py"), "write", "--name", self.name,
                 "--prefix", self.options.prefix, "--built", ",".join(self.built), "--out", self.gen,
                 "--isas", tables.isa_table(self.architecture), self.family])
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))
        self.plan = [line.split(" ") for line in r.stdout.rstrip("\n").split("\n")]
        for path in map(self.target, self.outputs()):
            if os.path.isdir(path):
                raise Failure("%s is a folder" % path)

    def check_overrides(self):
        """Checks that isakern has each overridden kernel, with the same prototype."""
        text = "".join(tables.read(path) for folder in self.include
                       for path in glob.glob(os.path.join(folder, "isakern", "*.h")))
        for k in self.library.kernels.values():
            if k.overrides and write.signature(self.library, k, "isk_" + k.name) + ";" not in text:
                raise Failure("%s: override %s: isakern has no kernel of that name and shape"
                              % (self.options.table, k.name))

    def planned(self, word):
        return [line[1:] for line in self.plan if line[0] == word]

    def paths(self, word):
        """The rest of each line as one path, which may contain blanks."""
        return [" ".join(words) for words in self.planned(word)]

    def outputs(self):
        """The names of all files that the command makes."""
        libraries = ["lib%s%s" % (self.name, ending) for ending in (".so", "-ref.so", *([".a"] if self.options.static else []))]
        return libraries + [self.name + ".pc"] + [os.path.basename(header) for header in self.paths("header")]

    def target(self, name):
        """Where the user finds an output."""
        return os.path.join(os.path.dirname(self.options.output) or ".", name)

    def object(self, *words):
        return os.path.join(self.work, ".".join(words) + ".o")

    def compile(self):
        """Fills self.objects: those of the library, the archive and the references."""
        folders = self.kit(self.recipe["include"])
        folders += [self.gen, os.path.join(self.gen, "include"), os.path.join(self.gen, "sources")]
        self.common = ["-DISK_PREFIX=" + self.options.prefix, "-DISK_OWN=" + self.options.prefix]
        self.common += ["-I" + d for d in folders + self.include]
        self.lowest = self.library.isas[self.built[0]].flags
        self.kernel_args = self.recipe["kernel"] + self.compiler.supported(self.recipe["kernel_if"]) + self.common
        # First, because kernels at all ISAs take the most time, and an error of an oracle ends the command before it.
        references = self.compile_plain("references", ["forms.c", "calls.c"], self.recipe["description_sources"], ["-DISK_EXACT"])
        references += self.compile_plain("references", ["references.c"], [], ["-DISK_REFERENCE_PUBLIC"])
        kernels = self.compile_kernels()
        self.objects = {"references": references,
                        "shared": kernels + self.compile_front("shared", ['-DISK_REFERENCES="lib%s-ref.so"' % self.name])}
        if self.options.static:
            leaf = self.compiler.links("__x86_get_cpuid_feature_leaf")
            self.objects["static"] = kernels + self.compile_front(
                "static", ["-DISK_STATIC"] + (["-DISK_GLIBC_LEAF"] if leaf else []))
            self.objects["static"] += self.compile_plain("static", ["references.c"], [], [])

    def compile_kernels(self):
        """Compiles the sources of the command line once for each ISA, and checks what their objects contain."""
        flags = {isa: words for isa, *words in self.planned("flags")}
        jobs = [(unit, isa) for isa in self.built for unit in self.library.units(isa)]

        def complaints(isa):
            units = {self.object(unit.name, isa): unit for unit in self.library.units(isa)}
            return objects.variant_complaints(units, isa, self.library, self.options.prefix) if units else []

        # A fault of a source is reported once, not for each ISA.
        lowest = self.built[0]
        for some in ([j for j in jobs if j[1] == lowest], [j for j in jobs if j[1] != lowest]):
            all_of([(self.sources[unit.file], self.object(unit.name, isa),
                     flags[isa] + self.kernel_args + ["-D%s=%s" % macro for macro in unit.macros] + ["-Wall", "-Wextra"])
                    for unit, isa in some], self.compiler.compile)
            self.refuse(sum(all_of(sorted({isa for _, isa in some}), complaints), []))
        return [self.object(unit.name, isa) for unit, isa in jobs]

    def compile_front(self, form, words):
        """Compiles the resolvers and the API, for the shared library or for the archive."""
        def jobs(sources, flags, whose):
            given = self.lowest + self.compiler.supported(flags) + words + self.common
            return [(s, self.object(os.path.basename(s), whose, form), given) for s in sources]

        own = [self.sources[os.path.basename(source)] for source in self.paths("api")]
        sources = self.recipe["resolver_sources"] + (self.recipe["pointer_sources"] if self.pointer else [])
        flags = self.recipe["resolver_if"] + (self.recipe["pointer"] if self.pointer else [])
        resolver = jobs(self.kit(sources) + self.paths("row"), flags, "kit")
        api = jobs(self.kit(self.recipe["api_sources"]), self.recipe["api_if"], "kit") + jobs(own, self.recipe["api_if"], "own")
        overridden = {"isk_" + k.name for k in self.library.kernels.values() if k.overrides}
        all_of(resolver + api, self.compiler.compile)
        self.refuse(objects.resolver_complaints([path for _, path, _ in resolver], self.options.prefix, overridden))
        return [path for _, path, _ in resolver + api]

    def compile_plain(self, form, generated, sources, words):
        """Compiles the references and the description of the kernels."""
        jobs = [(s, self.object(os.path.basename(s), form), self.lowest + self.kernel_args + words)
                for s in [os.path.join(self.gen, g) for g in generated] + self.kit(sources)]
        all_of(jobs, self.compiler.compile)
        return [path for _, path, _ in jobs]

    @staticmethod
    def kit(names):
        return [os.path.join(tables.SRC, name) for name in names]

    @staticmethod
    def refuse(complaints):
        if complaints:
            # avx2/my_norm.c.avx2.o is in a folder that is removed, so the message names the source and the ISA.
            raise Failure("\n".join("isakern-cc: " + re.sub(r"^(\w+/)?(\S+)\.(\w+)\.o", r"\2 at \3", line)
                                    for line in complaints))

    def link(self):
        def file(name):
            return os.path.join(self.out, name)

        shared, references = "lib%s.so" % self.name, "lib%s-ref.so" % self.name
        self.compiler.link(["-shared", "-o", file(references), "-Wl,-soname," + references, "-Wl,-z,defs",
                            "-nostartfiles", *self.objects["references"], "-lm"])
        self.compiler.link(["-shared", "-o", file(shared), "-Wl,-soname," + shared, "-Wl,-z,defs",
                            "-Xlinker", "--version-script=" + os.path.join(self.gen, self.name + ".map"),
                            *self.objects["shared"],
                            *self.recipe["link"], *(self.recipe["link_glibc"] if self.glibc else []), "-ldl"])
        if self.options.static:
            r = run(["ar", "rcs", file("lib%s.a" % self.name), *self.objects["static"]])
            if r.returncode:
                raise Failure(r.stdout.rstrip("\n"))
        for header in self.paths("header"):
            shutil.copyfile(header, file(os.path.basename(header)))
        newest = max((k.since for k in self.library.kernels.values()),
                     key=lambda since: list(map(int, since.split("."))))
        with open(file(self.name + ".pc"), "w", encoding="utf-8") as f:
            f.write("libdir=${pcfiledir}\nincludedir=${pcfiledir}\n\n"
                    "Name: %s\nDescription: Kernels of %s, by isakern-cc\nVersion: %s\n"
                    "Requires.private: isakern\nLibs: -L${libdir} -l%s\nLibs.private: -lm\nCflags: -I${includedir}\n"
                    % (self.name, os.path.basename(self.options.table), newest, self.name))

    def move(self):
        for name in self.outputs():
            os.replace(os.path.join(self.out, name), self.target(name))
