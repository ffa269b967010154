# SPDX-License-Identifier: MIT
"""isakern-cc: a library of kernels from a table and sources, made as isakern itself is."""
import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import objects
import recipe
import tables
import write

RESOLVE = os.path.dirname(os.path.abspath(__file__))
QUESTIONS = "@QUESTIONS@"


class Failure(Exception):
    """One line for the user; or what another program has said."""


def arguments(argv):
    parser = argparse.ArgumentParser(prog="isakern-cc", allow_abbrev=False, description="Makes a library of your own kernels. See isakern-cc(1).")
    parser.add_argument("--prefix", required=True, metavar="NAME", help="what its symbols begin with: my makes my_norm_f32")
    parser.add_argument("-o", dest="output", required=True, metavar="libNAME.so", help="the library; all else goes beside it")
    parser.add_argument("--static", action="store_true", help="make libNAME.a too")
    parser.add_argument("--isa", default="all", metavar="LIST", help="for these ISAs alone, with commas, and baseline; by default all")
    parser.add_argument("table", metavar="TABLE.tbl")
    parser.add_argument("sources", metavar="SOURCE.c", nargs="+")
    return parser.parse_args(argv)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError as error:
        raise Failure("%s: %s" % (command[0], error.strerror)) from None


def all_of(jobs, function):
    """What the function returns for each, on all CPUs."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, jobs))


class Compiler:
    """That of CC. The library is to have the flags of its recipe and no others, so CFLAGS are not asked."""

    def __init__(self, work):
        self.command = shlex.split(os.environ.get("CC") or "cc")
        self.empty = os.path.join(work, "empty.c")
        with open(self.empty, "w", encoding="utf-8") as f:
            f.write("extern int unused;\n")
        self.told = set()
        for program in (self.command[0], "nm", "objdump", "readelf", "as", "ar"):
            if not shutil.which(program):
                raise Failure("no program '%s'%s" % (program, "; CC names the compiler" if program == self.command[0] else ""))
        r = self.compiles_with([])
        if r.returncode:
            raise Failure("'%s' does not compile an empty file: %s" % (" ".join(self.command), r.stdout.strip().split("\n")[0]))

    def compiles_with(self, flags):
        return run(self.command + ["-Werror", *flags, "-c", "-o", os.devnull, self.empty])

    def takes(self, flags):
        return self.compiles_with(flags).returncode == 0

    def supported(self, flags):
        return flags if self.takes(flags) else [f for f in flags if self.takes([f])]

    def links(self, symbol):
        source = self.empty[:-len(".c")] + "_call.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write("char %s(void);\nint main(void) { return %s(); }\n" % (symbol, symbol))
        return run(self.command + ["-w", "-fno-builtin", "-o", source + ".out", source]).returncode == 0

    def compile(self, job):
        """(source, object, flags); what the compiler said is told once, whatever number of ISAs it says it for."""
        source, path, flags = job
        r = run(self.command + ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wno-psabi", *flags, "-c", "-o", path, source])
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))
        if r.stdout not in self.told:
            self.told.add(r.stdout)
            sys.stderr.write(r.stdout)

    def link(self, words):
        r = run(self.command + words)
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))


def isas_to_build(compiler, text):
    rows = tables.read_isas(os.path.join(tables.SRC, "isa", "x86_64.tbl"))
    wanted = text.split(",")
    for name in wanted:
        if name != "all" and name not in rows:
            raise Failure("--isa: no ISA '%s'; there are %s" % (name, ", ".join(rows)))
    built = []
    for row in rows.values():
        if "all" not in wanted and row.name not in wanted and row.name != "baseline":
            continue
        if compiler.takes(row.flags):
            built.append(row.name)
        else:
            sys.stderr.write("isakern-cc: ISA %s: left out, this compiler does not take %s\n" % (row.name, " ".join(row.flags)))
    if "baseline" not in built:
        raise Failure("'%s' does not compile for x86-64" % " ".join(compiler.command))
    return built


def questions(prefix, include):
    """The prototypes of library.h, under the prefix."""
    for folder in include:
        path = os.path.join(folder, "isakern", "library.h")
        if os.path.isfile(path):
            lines = [line for line in read(path).split("\n") if re.match(r"\w.*\bisk_\w+\(.*;$", line)]
            return "/* Asking this library: as isakern/library.h says of these names with isk_. */\n" + "\n".join(
                re.sub(r"\bisk_(?=\w+\()", prefix + "_", line) for line in lines)
    raise Failure("no isakern/library.h in %s" % ", ".join(include))


class Build:
    """What is made of one command line, in a folder of its own until all is well."""

    def __init__(self, options, include, work):
        self.options, self.include, self.work = options, include, work
        self.name = re.fullmatch(r"lib([a-z][a-z0-9]*([_-][a-z0-9]+)*)\.so", os.path.basename(options.output))[1]
        self.stem = os.path.basename(options.table)[:-len(".tbl")]
        self.family, self.gen, self.out = (os.path.join(work, d) for d in ("tables/" + self.stem, "gen", "out"))
        self.sources = {os.path.basename(s): s for s in options.sources}
        for folder in (self.family, self.gen, self.out):
            os.makedirs(folder)
        self.compiler = Compiler(work)
        self.built = isas_to_build(self.compiler, options.isa)

    def beside(self, ending):
        """my_oracle.h for my.tbl"""
        return self.options.table[:-len(".tbl")] + ending

    def lay_out(self):
        """The folder of a family, as the generator wants it."""
        links = {"kernels.tbl": self.options.table, "oracle.h": self.beside("_oracle.h"), **self.sources}
        if os.path.exists(self.beside("_shapes.tbl")):
            links["shapes.tbl"] = self.beside("_shapes.tbl")
        for name, path in links.items():
            os.symlink(os.path.realpath(path), os.path.join(self.family, name))
        contract = self.beside(".h.in")
        text = read(contract if os.path.exists(contract) else os.path.join(RESOLVE, "own.h.in"))
        if "@KERNELS@" not in text:
            raise Failure("%s: @KERNELS@ must stand where the prototypes are wanted" % contract)
        for mark, value in ((QUESTIONS, questions(self.options.prefix, self.include)), ("@GUARD@", self.stem.upper())):
            text = text.replace(mark, value)
        with open(os.path.join(self.family, self.stem + ".h.in"), "w", encoding="utf-8") as f:
            f.write(text)

    def generate(self):
        """Files, and what is to be compiled: (word, rest) for each line that gen.py prints."""
        try:
            self.library = tables.Library([self.family])
        except tables.TableError as error:
            raise tables.TableError(str(error).replace(tables.shown(self.family) + os.sep, "")) from None
        named = {os.path.basename(s) for isa in self.library.isas for s in self.library.sources(isa)}
        named |= {s for family in self.library.families for s in family.api}
        for source in set(self.sources) - named:
            raise Failure("%s: no row of %s names it" % (self.sources[source], self.options.table))
        self.check_overrides()
        r = run([sys.executable, "-B", os.path.join(RESOLVE, "gen.py"), "write", "--name", self.name, "--prefix", self.options.prefix,
                 "--built", ",".join(self.built), "--out", self.gen, self.family])
        if r.returncode:
            raise Failure(r.stdout.rstrip("\n"))
        self.plan = [line.split(" ") for line in r.stdout.rstrip("\n").split("\n")]

    def check_overrides(self):
        """Isakern must have such a kernel, called alike."""
        text = "".join(read(path) for folder in self.include for path in glob.glob(os.path.join(folder, "isakern", "*.h")))
        for k in self.library.kernels.values():
            if k.overrides and write.signature(self.library, k, "isk_" + k.name) + ";" not in text:
                raise Failure("%s: override %s: isakern has no kernel of that name and shape" % (self.options.table, k.name))

    def planned(self, word):
        return [line[1:] for line in self.plan if line[0] == word]

    def object(self, *words):
        return os.path.join(self.work, ".".join(words) + ".o")

    def compile(self):
        """Fills self.shared, self.reference and self.archive with objects, each checked where there is something to check."""
        prefix, supported = self.options.prefix, self.compiler.supported
        folders = [os.path.join(tables.SRC, d) for d in ("isa", "kernels", "resolve")]
        folders += [self.gen, os.path.join(self.gen, "include"), os.path.join(self.gen, "sources")]
        common = ["-DISK_PREFIX=" + prefix, "-DISK_OWN=" + prefix] + ["-I" + d for d in folders + self.include]
        baseline = self.library.isas["baseline"].flags
        kernel_args = recipe.KERNEL + supported(recipe.KERNEL_IF) + common
        flags = {isa: words for isa, *words in self.planned("flags")}
        kernels = [(file, isa) for isa, *files in self.planned("isa") for file in map(os.path.basename, files)]

        def own(jobs):
            all_of([(self.sources[file], self.object(file, isa), flags[isa] + kernel_args + ["-Wall", "-Wextra"])
                    for file, isa in jobs], self.compiler.compile)
            self.check([self.object(*job) for job in jobs], lambda i: complaints(*jobs[i]))

        def complaints(file, isa):
            path = self.object(file, isa)
            return (objects.variant_complaints(path, isa, file, self.library, prefix)
                    + objects.above(path, objects.features_of(self.library.isas[isa])))

        # What is wrong with a source is told once, not for each ISA.
        own([k for k in kernels if k[1] == "baseline"])
        own([k for k in kernels if k[1] != "baseline"])
        forms = {"shared": ['-DISK_REFERENCES="lib%s-ref.so"' % self.name]}
        if self.options.static:
            leaf = self.compiler.links("__x86_get_cpuid_feature_leaf")
            forms["static"] = ["-DISK_STATIC"] + (["-DISK_GLIBC_LEAF"] if leaf else [])
        rows = [path for path, in self.planned("row")]
        self.objects = {}
        for form, words in forms.items():
            resolver = [(s, self.object(os.path.basename(s), form), baseline + supported(recipe.RESOLVER_IF) + words + common)
                        for s in self.kit(recipe.RESOLVER_SOURCES) + rows]
            api = [(s, self.object(os.path.basename(s), form), baseline + supported(recipe.API_IF) + words + common)
                   for s in self.kit(recipe.API_SOURCES) + [self.sources[s] for _, s in map(os.path.split, sum(self.planned("api"), []))]]
            all_of(resolver + api, self.compiler.compile)
            self.check([path for _, path, _ in resolver], lambda i: objects.resolver_complaints(
                resolver[i][1], prefix, {"isk_" + k.name for k in self.library.kernels.values() if k.overrides}))
            self.objects[form] = [self.object(*k) for k in kernels] + [path for _, path, _ in resolver + api]
        references, calls = (os.path.join(self.gen, f) for f in ("references.c", "calls.c"))
        public = [(s, self.object(os.path.basename(s), "public"), baseline + kernel_args + ["-DISK_REFERENCE_PUBLIC"])
                  for s in [references, calls] + self.kit(recipe.DESCRIPTION_SOURCES)]
        hidden = [(references, self.object("references", "static"), baseline + kernel_args)] if self.options.static else []
        all_of(public + hidden, self.compiler.compile)
        self.objects["public"] = [path for _, path, _ in public]
        self.objects.setdefault("static", []).extend(path for _, path, _ in hidden)

    @staticmethod
    def kit(names):
        return [os.path.join(tables.SRC, name) for name in names]

    @staticmethod
    def check(paths, complaints):
        if not paths:
            return
        objects.read_symbols(paths)
        found = sum(all_of(range(len(paths)), complaints), [])
        if found:
            # Of avx2/my_norm.c.avx2.o, in a folder that is removed, the source and the ISA matter.
            raise Failure("\n".join("isakern-cc: " + re.sub(r"^(\w+/)?(\S+)\.(\w+)\.o", r"\2 at \3", line) for line in found))

    def link(self):
        def file(name):
            return os.path.join(self.out, name)

        shared, references = "lib%s.so" % self.name, "lib%s-ref.so" % self.name
        self.compiler.link(["-shared", "-o", file(references), "-Wl,-soname," + references, "-Wl,-z,defs",
                            *self.objects["public"], "-lm"])
        self.compiler.link(["-shared", "-o", file(shared), "-Wl,-soname," + shared, "-Wl,-z,defs",
                            "-Wl,--version-script," + os.path.join(self.gen, self.name + ".map"), *self.objects["shared"],
                            *recipe.LINK, "-ldl"])
        if self.options.static:
            r = run(["ar", "rcs", file("lib%s.a" % self.name), *self.objects["static"]])
            if r.returncode:
                raise Failure(r.stdout.rstrip("\n"))
        for header, in self.planned("header"):
            shutil.copyfile(header, file(os.path.basename(header)))
        newest = max((k.since for k in self.library.kernels.values()), key=lambda since: list(map(int, since.split("."))))
        with open(file(self.name + ".pc"), "w", encoding="utf-8") as f:
            f.write("libdir=${pcfiledir}\nincludedir=${pcfiledir}\n\nName: %s\nDescription: Kernels of %s, by isakern-cc\nVersion: %s\n"
                    "Requires.private: isakern\nLibs: -L${libdir} -l%s\nLibs.private: -lm\nCflags: -I${includedir}\n"
                    % (self.name, os.path.basename(self.options.table), newest, self.name))

    def move(self):
        folder = os.path.dirname(self.options.output) or "."
        names = os.listdir(self.out)
        for name in names:
            if os.path.isdir(os.path.join(folder, name)):
                raise Failure("%s is a folder" % os.path.join(folder, name))
        for name in names:
            os.replace(os.path.join(self.out, name), os.path.join(folder, name))


def check_options(options):
    if not re.fullmatch(r"lib[a-z][a-z0-9]*([_-][a-z0-9]+)*\.so", os.path.basename(options.output)):
        raise Failure("-o: '%s' is no name like libmy.so: lower-case letters, digits, '_' and '-'" % options.output)
    tables.check_name(options.prefix, "prefix", "isakern-cc: --prefix", 20)
    if options.prefix == "isk":
        raise Failure("--prefix: isk is isakern's own")
    if not options.table.endswith(".tbl"):
        raise Failure("%s: a table NAME.tbl comes first" % options.table)
    tables.check_name(os.path.basename(options.table)[:-len(".tbl")], "table", "isakern-cc: " + options.table, 30)
    for source in options.sources:
        if not source.endswith(".c"):
            raise Failure("%s: sources are C, NAME.c" % source)
        if [os.path.basename(s) for s in options.sources].count(os.path.basename(source)) > 1:
            raise Failure("%s: two sources have that name" % source)
    for path in [options.table, options.table[:-len(".tbl")] + "_oracle.h"] + options.sources:
        try:
            with open(path, "rb"):
                pass
        except OSError as error:
            raise Failure("%s: %s" % (path, error.strerror)) from None


def make(argv, include):
    options = arguments(argv)
    check_options(options)
    # Beside the output: what is whole is then moved there at once, and where nothing can be written nothing is compiled.
    try:
        work = tempfile.TemporaryDirectory(prefix=".isakern-cc-", dir=os.path.dirname(options.output) or ".")
    except OSError as error:
        raise Failure("%s: %s" % (os.path.dirname(options.output) or ".", error.strerror)) from None
    with work:
        build = Build(options, include, os.path.abspath(work.name))
        build.lay_out()
        build.generate()
        build.compile()
        build.link()
        build.move()


def main(argv, include):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        make(argv, include)
    except (Failure, tables.TableError) as error:
        text = str(error)
        # What others have said stands for itself: a compiler, or FILE:LINE of a table.
        alone = isinstance(error, Failure) and "\n" not in text and not text.startswith("isakern-cc: ")
        sys.stderr.write("%s%s\n" % ("isakern-cc: " if alone else "", text))
        return 1
    except OSError as error:
        sys.stderr.write("isakern-cc: %s: %s\n" % (error.filename, error.strerror))
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0
