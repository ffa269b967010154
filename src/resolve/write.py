# SPDX-License-Identifier: MIT
"""Writes what the compiler needs of a library's tables: data and prototypes, and the calls that follow from a
signature. Nothing here decides anything at run time."""
import os
import re

from tables import C_WORDS, ROOT

PRIVATE = "/* Generated from the tables of %s. */\n"
PUBLIC_MARK = "@KERNELS@"


def c_type(library, kernel, name):
    """The C type of an element type or of a variable of the kernel's shape."""
    return library.types[kernel.types.get(name, name)].c


def enum(type_name):
    return "ISK_" + type_name.upper()


def scalar(element_type):
    """The C type of a value that is of a type of the kernel's name: what its lanes compute in."""
    return {"f32": "float", "f64": "double", "-": element_type.c}[element_type.lanes]


def value_type(library, kernel, a):
    """Of a struct of arguments, which serves all kernels of a shape, a type of their names is a double: it holds any float."""
    if a.type in C_WORDS:
        return a.type
    if a.type in library.types:
        return library.types[a.type].c
    return scalar(library.types[kernel.types[a.type]]) if kernel else "double"


def parameter(library, kernel, a):
    if a.is_struct:
        return "const struct %s *%s" % (a.type, a.name)
    if a.role in ("size", "stride"):
        return "size_t " + a.name
    if a.role == "value":
        return "%s %s" % (value_type(library, kernel, a), a.name)
    element = "void" if a.packed else c_type(library, kernel, a.type)
    return "%s%s *%s" % ("const " if a.role == "in" else "", element, a.name)


def by_value(library, name):
    """The type that an element is returned in: that of its lanes, so of 16 bits as f32."""
    lanes = library.types[name].lanes
    return name if lanes == "-" else lanes


def result_type(library, kernel):
    field = result_field(library, kernel)
    return {None: "void", "size": "size_t", "status": "int"}.get(field) or library.types[field].c


def result_field(library, kernel):
    """The member of union isk_result that holds what a call returns."""
    result = kernel.shape.result
    if result in kernel.types:
        return by_value(library, kernel.types[result])
    return None if result == "void" else result


def signature(library, kernel, name):
    """The declaration of a function of a kernel's type."""
    parameters = ", ".join(parameter(library, kernel, a) for a in kernel.shape.arguments)
    return "%s %s(%s)" % (result_type(library, kernel), name, parameters or "void")


def mask(library, names):
    return sum(1 << i for i, isa in enumerate(library.isas) if isa in names)


class Writer:
    """Files under a folder. One that would not change is left as it is, so that what is made of it is not made again."""

    def __init__(self, library, name, prefix, built, out):
        self.library, self.name, self.prefix, self.built, self.out = library, name, prefix, built, out
        # As macros and version nodes have it; and where its headers are: those of isakern-sleef are isakern's.
        self.upper, self.include = name.upper().replace("-", "_"), name.split("-")[0]
        self.written = set()
        self.shapes = [s for s in library.shapes.values() if any(k.shape is s for k in library.kernels.values())]

    def file(self, path, lines):
        full = os.path.join(self.out, path)
        text = "\n".join(lines) + "\n"
        self.written.add(full)
        try:
            with open(full, encoding="utf-8") as f:
                if f.read() == text:
                    return full
        except OSError:
            os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)
        return full

    def generated(self, path, lines):
        """A file that is not installed."""
        if path.endswith(".h"):
            guard = "ISK_GENERATED_%s" % re.sub(r"\W", "_", path).upper()
            lines = ["#ifndef %s\n#define %s\n" % (guard, guard)] + lines + ["\n#endif"]
        return self.file(path, [PRIVATE % self.name] + lines)

    def remove_stale(self):
        """Rows that are no longer there have no files."""
        for folder, _, files in os.walk(self.out):
            for file in files:
                if os.path.join(folder, file) not in self.written:
                    os.remove(os.path.join(folder, file))

    def element_types(self):
        """By the name of a type: its C type, number, and vectors that compute with it; by its number its bytes."""
        types = self.library.types.values()
        lines = ["#include <stddef.h>\n", '#include "isakern/types.h"\n']
        for t in types:
            lines += ["#define ISK_C_%s %s" % (t.name, t.c), "#define ISK_ENUM_%s %s" % (t.name, enum(t.name)),
                      "#define ISK_LANE_%s %s" % (t.name, {"f32": "f", "f64": "d", "-": "i"}[t.lanes]),
                      "#define ISK_SCALAR_%s %s" % (t.name, scalar(t))]
        lines.append("#define ISK_ELEMENT_TYPES(X) %s" % " ".join("X(%s)" % t.name for t in types))
        inline = "static inline __attribute__((always_inline)) "
        lines += ["\n" + inline + "size_t isk_element_bytes(const enum isk_type type)\n{", "\tswitch (type) {"]
        for size in sorted({t.size for t in types}):
            lines += ["\tcase %s:" % enum(t.name) for t in types if t.size == size] + ["\t\treturn %d;" % size]
        lines += ["\t}", "\treturn 0;", "}\n",
                  inline + "int isk_element_is_float(const enum isk_type type)\n{",
                  "\treturn %s;" % " || ".join("type == " + enum(t.name) for t in types if t.lanes != "-"), "}"]
        return self.generated("element_types.h", lines)

    def types_header(self):
        """isakern/types.h: what is written by hand, and the enum of types.tbl."""
        with open(os.path.join(ROOT, "include", "isakern", "types.h.in"), encoding="utf-8") as f:
            text = f.read()
        types = ["enum isk_type {"] + ["\t%s = %d," % (enum(t.name), t.number) for t in self.library.types.values()]
        return self.file(os.path.join("include", "isakern", "types.h"),
                         [text.replace("@TYPES@", "\n".join(types + ["};"])).rstrip()])

    def isas(self):
        rows = ["X(%s, %d, %d, %d, %d)" % (i.name, i.lanes, i.registers, i.fma, i.name in self.built)
                for i in self.library.isas.values()]
        return self.generated("isas.h", ["/* X(name, lanes, registers, fma, built), lowest first */",
                                         "#define ISK_ISAS(X) \\\n\t" + " \\\n\t".join(rows)])

    def variables(self):
        """The environment: all libraries of a process are capped together, and each one's kernels are pinned by themselves."""
        return self.generated("variables.h", ['#define ISK_BIND_VARIABLE "%s_BIND"' % self.upper])

    def public_comment(self, k):
        words = ["%s: %s" % (k.shape.name, k.summary)]
        if k.shape.result != "size" or k.shape.arguments:
            words.append("error %s, at baseline %s" % (k.error, k.baseline) if k.error != k.baseline
                         else "error %s" % k.error)
        words += {"same": ["same bits"], "same-amx": ["same bits but for amx"], "bound": []}[k.bits]
        return "; ".join(words + ["since " + k.since])

    def family_header(self, family):
        """The contract, and where it says so the prototypes."""
        with open(os.path.join(family.folder, family.name + ".h.in"), encoding="utf-8") as f:
            text = f.read()
        prototypes = "\n\n".join("/* %s */\n%s;" % (self.public_comment(k), signature(
            self.library, k, "%s_%s" % (self.prefix, k.name))) for k in family.kernels if k.name in self.library.kernels)
        return self.file(os.path.join("include", self.include, family.name + ".h"),
                         [text.replace(PUBLIC_MARK, prototypes).rstrip()])

    def headers(self):
        """All headers that are installed and generated."""
        found = []
        for family in self.library.families:
            found.append(self.family_header(family))
            types = os.path.join(family.folder, family.name + "_types.h")
            if os.path.isfile(types):
                with open(types, encoding="utf-8") as f:
                    found.append(self.file(os.path.join("include", self.include, family.name + "_types.h"), [f.read().rstrip()]))
        if self.name == "isakern":
            found.append(self.types_header())
        if any(s.parallel for s in self.shapes):
            found.append(self.parallel_header())
            self.parallel_calls()
        return found

    def prototypes(self):
        """What a source includes that knows all kernels."""
        return ["#include <%s/%s.h>" % (self.include, f.name) for f in self.library.families]

    def parallel_header(self):
        """For isakern_omp.h to include."""
        lines = []
        for k in self.library.kernels.values():
            if k.shape.parallel:
                lines += ["/* %s */\n%s;\n" % (k.summary, signature(
                    self.library, k, "%s_parallel_%s" % (self.prefix, k.name)))]
        return self.file(os.path.join("include", self.include, "parallel.h"), lines)

    def parallel_calls(self):
        """For libisakern-omp: each kernel's form on many threads, in terms of that of its shape."""
        lines = []
        for k in self.library.kernels.values():
            if k.shape.parallel:
                lines += ["static void call_%s(union isk_args *args)\n{" % k.name,
                          "\t" + self.call(k, "%s_%s" % (self.prefix, k.name)), "}\n",
                          signature(self.library, k, "%s_parallel_%s" % (self.prefix, k.name)), "{",
                          "\tstatic const enum isk_type types[] = {%s};" % self.types(k), "\t" + self.arguments(k),
                          "\treturn parallel_%s(&args.%s, types, call_%s);\n}\n" % (k.shape.name, k.shape.name, k.name)]
        return self.generated("parallel_calls.h", lines)

    def types(self, k):
        """The numbers of a kernel's types."""
        return ", ".join(enum(t) for t in k.types.values()) or "0"

    def arguments(self, k):
        """A struct of the arguments of the function that this stands in."""
        values = [".%s = %s%s" % (a.name, "(double)" if a.role == "value" and a.type in k.shape.variables else "", a.name)
                  for a in k.shape.arguments]
        return "union isk_args args = {.%s = {%s}};\n" % (k.shape.name, ", ".join(values) or "{0}")

    def call(self, k, function):
        """Calls a function of the kernel's type with the arguments in args, and keeps what it returns there."""
        call = "%s(%s);" % (function, ", ".join("args->%s.%s" % (k.shape.name, a.name) for a in k.shape.arguments))
        field = result_field(self.library, k)
        return "args->result.%s = %s" % (field, call) if field else call

    def structs(self, kernels):
        """Declares the structs that prototypes point to."""
        return ["struct %s;" % s for s in sorted({a.type for k in kernels for a in k.shape.arguments if a.is_struct})]

    def source_header(self, family, file):
        """What one source is about: its variants, and for each of its operations the types it is wanted in."""
        kernels = [k for k in family.kernels if k.file == file and k.is_coded]
        first = kernels[0].unit
        lines = ['#include "kernel.h"']
        if first.types:
            lines += ["/* An editor sees the source without its types. */", "#ifndef ISK_TYPES", *self.macros(first), "#endif"]
        for op in dict.fromkeys(k.op for k in kernels if not first.types):
            uses = ["X(%s)" % ", ".join([k.name] + list(k.types.values()) + ["__VA_ARGS__"])
                    for k in kernels if k.op == op]
            lines.append("#define ISK_EACH_%s(X, ...) \\\n\t%s" % (op, " \\\n\t".join(uses)))
        lines += self.structs(kernels)
        lines += ["%s;" % signature(self.library, k, "ISK_FN(%s)" % k.name) for k in kernels]
        return self.generated(os.path.join("sources", file[:-len(".c")] + "_kernels.h"), lines)

    @staticmethod
    def macros(unit):
        return ["#define %s %s" % macro for macro in unit.macros]

    def typed_source(self, unit):
        """A source, compiled for one tuple of types."""
        return self.generated(os.path.join("typed", unit.name), [*self.macros(unit), '#include "%s"' % unit.file])

    def parts(self):
        """For each part and ISA, at which ISA the part is compiled that sources of that ISA may call."""
        lines = []
        for family in self.library.families:
            for file, names in family.parts.items():
                for isa in self.library.isas.values():
                    own = [n for n in [isa.name] + isa.builds_on if n in names and n in self.built]
                    if own:
                        lines.append("#define ISK_PART_%s_%s %s" % (file[:-len(".c")], isa.name, own[0]))
        return self.generated("parts.h", lines)

    def row(self, k):
        have = [isa for isa in k.isas if isa in self.built]
        return self.generated(os.path.join("rows", "row_%s.c" % k.name), [
            '#include "ifunc.h"\n',
            *self.structs([k]),
            "extern %s;" % signature(self.library, k, "%s_%s" % (self.prefix, k.name)),
            "ISK_ROW(%s, %#x, %#x," % (k.name, mask(self.library, k.isas), mask(self.library, have)),
            " ".join("ISK_VARIANT(%s, %s, %s)" % (k.name, k.code, isa) if isa in have else "ISK_ABSENT"
                     for isa in self.library.isas) + ",",
            " ".join('ISK_TUNING(%d, %d, %d, %d, "%s")' % t for t in k.tuning) + " ISK_TUNING_END);",
            "ISK_ENTRY(%s);" % k.name] + (["ISK_OVERRIDE(%s);" % k.name] if k.overrides else []))

    def kernels(self):
        """What the library is asked about its kernels."""
        kernels = list(self.library.kernels.values())
        by_name = sorted(range(len(kernels)), key=lambda i: kernels[i].name)
        rows = ['X(%s, "%s", "%s", "%s", "%s", "%s", "%s", "%s")' % (
            k.name, k.shape.name, k.family, k.since, k.bits, k.error, k.baseline, k.summary) for k in kernels]
        return self.generated("kernels.h", [
            "#define ISK_KERNEL_COUNT %d" % len(kernels),
            "/* X(name, shape, family, since, bits, error, error at baseline, summary) */",
            "#define ISK_KERNELS(X) \\\n\t" + " \\\n\t".join(rows),
            "/* the numbers of the kernels, in the order of their names */",
            "#define ISK_KERNELS_BY_NAME %s" % ", ".join(map(str, by_name)),
            "/* by kernel, the ISAs it is listed with */",
            "#define ISK_KERNEL_ISAS %s" % ", ".join("%#x" % mask(self.library, k.isas) for k in kernels)])

    def args(self):
        """For each shape a struct of its arguments, named as in its row."""
        lines = ['#include "call.h"']
        for shape in self.library.shapes.values():
            lines.append("\nstruct isk_args_%s {\n\tunion isk_result result;" % shape.name)
            for a in shape.arguments:
                lines.append("\t%s;" % (parameter(self.library, None, a) if not a.is_array
                                        else "%svoid *%s" % ("" if a.role == "out" else "const ", a.name)))
            lines.append("};")
        lines += ["\nunion isk_args {\n\tunion isk_result result;", "\tunsigned char room[ISK_ARGS_BYTES];"]
        lines += ["\tstruct isk_args_%s %s;" % (s.name, s.name) for s in self.library.shapes.values()] + ["};\n"]
        lines.append('_Static_assert(sizeof(union isk_args) == ISK_ARGS_BYTES, "tables.py: MOST_ARGUMENTS");')
        return self.generated("args.h", lines)

    def maps(self):
        """For loops.h and forms.h, the shapes that are maps: their arguments, and the word that makes kernels and oracles."""
        maps = [s for s in self.library.shapes.values() if s.is_map]
        lines = ["/* X(shape, output, size) */", "#define ISK_MAPS(X) \\\n\t" + " \\\n\t".join(
            "X(%s, %s)" % (s.name, ", ".join(a.name for a in s.arguments if a.role in ("out", "size"))) for s in maps)]
        for s in maps:
            inputs = ["X(%s, __VA_ARGS__)" % a.name for a in s.arguments if a.role == "in"]
            values = [", X(%s, %s)" % ("ISK_SCALAR(__VA_ARGS__)" if a.type in s.variables else value_type(self.library, None, a), a.name)
                      for a in s.arguments if a.role == "value"]
            lines += ["#define ISK_INPUTS_%s(X, ...) %s" % (s.name, ", ".join(inputs)),
                      "#define ISK_VALUES_%s(X, ...) %s" % (s.name, "".join(values)),
                      "#define %s(op, value) ISK_MAP(%s, op, value)" % (s.name.upper(), s.name)]
        return self.generated("maps.h", lines)

    def argument_row(self, shape, a):
        index = {other.name: i for i, other in enumerate(shape.arguments)}
        role = {"out": "ISK_OUT", "in": "ISK_IN", "size": "ISK_SIZE", "stride": "ISK_STRIDE", "value": "ISK_VALUE"}[a.role]
        if a.is_struct:
            role = "ISK_STRUCT"
        fields = ['.name = "%s"' % a.name, ".role = %s" % role,
                  ".offset = offsetof(struct isk_args_%s, %s)" % (shape.name, a.name)]
        if a.role == "value" and a.type in shape.variables:
            fields.append(".type = ISK_F64")
        if a.type in shape.variables:
            fields.append(".variable = %d" % (shape.variables.index(a.type) + 1))
        elif a.type in self.library.types:
            fields.append(".type = %s" % enum(a.type))
        if a.extents:
            fields.append(".extents = %d" % len(a.extents))
            fields.append(".extent = {%s}" % ", ".join(
                "{%d, %d}" % (index[size], index[stride] if stride else -1) for size, stride in a.extents))
        if a.measured:
            fields.append('.measured = "%s"' % a.measured.split(" of ")[0])
        if a.is_struct:
            fields.append('.structure = "%s"' % a.type)
        if a.packed:
            fields.append(".packed = 1")
        if a.inout:
            fields.append(".inout = 1")
        if a.null:
            fields.append(".null = 1")
        if a.may_be:
            fields.append(".may_be = %#x" % sum(1 << index[name] for name in a.may_be))
        if a.below:
            fields.append(".below = %d" % (index[a.below] + 1))
        if a.ascending:
            fields.append(".ascending = %d" % (index[a.ascending] + 1))
        if a.turned:
            fields.append(".turned = %d, .bit = %d" % (index[a.turned[0]] + 1, a.turned[1]))
        return "\t{%s}," % ", ".join(fields)

    def calls(self):
        """The shapes as data, and one call for each kernel."""
        lines = ['#include "args.h"\n'] + self.prototypes()
        for shape in self.shapes:
            if shape.arguments:
                lines.append("\nstatic const struct isk_argument arguments_%s[] = {" % shape.name)
                lines += [self.argument_row(shape, a) for a in shape.arguments] + ["};"]
            result = {"void": "ISK_RETURNS_NOTHING", "size": "ISK_RETURNS_SIZE", "status": "ISK_RETURNS_STATUS"}.get(
                shape.result, "ISK_RETURNS_ELEMENT")
            variable = shape.variables.index(shape.result) + 1 if shape.result in shape.variables else 0
            lines.append('static const struct isk_shape shape_%s = {"%s", %s, %d, %s, %d, %d};' % (
                shape.name, shape.name, "arguments_" + shape.name if shape.arguments else "NULL",
                len(shape.arguments), result, variable, len(shape.variables)))
        for k in self.library.kernels.values():
            lines += ["", "static void call_%s(isk_function fn, union isk_args *args)\n{" % k.name]
            lines += ["\t" + self.call(k, "((__typeof(%s_%s) *)fn)" % (self.prefix, k.name)), "}"]
        lines.append("\nconst struct isk_kernel isk_kernels[] = {")
        for k in self.library.kernels.values():
            lines.append('\t{"%s", "%s", &shape_%s, {%s}, call_%s},' % (
                k.name, k.op, k.shape.name, self.types(k), k.name))
        lines += ["};", "const size_t isk_kernels_count = %d;" % len(self.library.kernels)]
        return self.generated("calls.c", lines)

    def interposers(self):
        """The public functions of a library for LD_PRELOAD, in terms of what is called instead of all of them."""
        lines = ['#include "args.h"'] + self.prototypes() + ["\nvoid isk_interpose(size_t kernel, union isk_args *args);"]
        for number, k in enumerate(self.library.kernels.values()):
            field = result_field(self.library, k)
            lines += ["", '__attribute__((visibility("default"))) %s' % signature(
                self.library, k, "%s_%s" % (self.prefix, k.name)), "{", "\t" + self.arguments(k),
                "\tisk_interpose(%d, &args);" % number]
            lines += ["\treturn args.result.%s;" % field] if field else []
            lines += ["}"]
        lines.append("\nconst isk_function isk_interposers[] = {")
        lines += ["\t(isk_function)%s_%s," % (self.prefix, name) for name in self.library.kernels]
        return self.generated("interposers.c", lines + ["};"])

    def oracles(self):
        """The oracles of all families, for forms.h to include."""
        return self.generated("oracles.inc", ['#include "%s"' % os.path.realpath(os.path.join(f.folder, "oracle.h"))
                                            for f in self.library.families])

    def told_by_bits(self, family):
        """The operations whose oracles take elements as integers: integer_forms.h."""
        with open(os.path.join(family.folder, "oracle.h"), encoding="utf-8") as f:
            return re.findall(r"^INTEGERS\(\w+, (\w+),", f.read(), re.M)

    def all_told_by_bits(self):
        return {(f.name, op) for f in self.library.families for op in self.told_by_bits(f)}

    def references(self):
        """Each kernel's plain form, from the form of its shape and the oracle of its operation."""
        lines = self.prototypes() + ['#include "reference.h"']
        by_bits = self.all_told_by_bits()
        for k in self.library.kernels.values():
            shape, op = k.shape, k.code_op
            real = "wide" if any(self.library.types[t].lanes == "f64" or t == "s64" for t in k.types.values()) else "plain"
            field = result_field(self.library, k)
            if (k.family, op) in by_bits:
                lines += ["", "ISK_FORM(%s, %s, %s, integer, %s)" % (k.name, shape.name, op, self.types(k))]
            elif k.error == "exact" and shape.is_map and "f32" in k.types.values():
                lines += ["", "ISK_FORM_ROUNDED(%s, %s, %s)" % (k.name, shape.name, op)]
            else:
                lines += ["", "ISK_FORM(%s, %s, %s, %s, %s)" % (k.name, shape.name, op, real, self.types(k))]
            prototype = signature(self.library, k, "ISK_REFERENCE(%s)" % k.name)
            lines += ["#ifndef ISK_EXACT", prototype + ";", prototype, "{",
                      "\t" + self.arguments(k),
                      "\tISK_RUN_FORM(%s, &args);" % k.name]
            lines += ["\treturn args.result.%s;" % field] if field else []
            lines += ["}"]
            lines += ["ISK_REFERENCE_OVERRIDE(%s)" % k.name] if k.overrides else []
            lines += ["#endif"]
        lines.append("\nISK_FORMS(%s)" % ", ".join("form_" + name for name in self.library.kernels))
        return self.generated("references.c", lines)

    def bulks(self):
        """Oracles for many inputs at once, of what is made of arrays of f32, element by element."""
        by_bits = self.all_told_by_bits()
        lines, bulks = ['#include "in_bulk.h"', '#include "reference.h"', ""], []
        for k in self.library.kernels.values():
            word = "MAP" if k.shape.is_map else k.shape.name.upper()
            inputs = [k.types.get(a.type) for a in k.shape.arguments if a.role == "in"]
            op = k.code_op
            if word in ("MAP", "CVT", "QUANTIZE", "CLASSIFY", "COMPARE_TO") and set(inputs) == {"f32"} and (k.family, op) not in by_bits:
                lines.append("ISK_BULK_%s(%s, %s, %s, %s)" % (word, k.name, k.shape.name, op, self.types(k)))
                bulks.append("bulk_" + k.name)
            else:
                bulks.append("NULL")
        lines.append("\nisk_bulk *const isk_bulks[] = {%s};" % ", ".join(bulks))
        return self.generated("bulks.c", lines)

    def map(self):
        """The oldest version has all names but those that later ones list. Those of isakern that are overridden have none: so
        they serve whatever version of them a program wants. What else is not listed is hidden anyway."""
        overrides = any(k.overrides for k in self.library.kernels.values())
        by_version = {}
        for k in self.library.kernels.values():
            by_version.setdefault(tuple(map(int, k.since.split("."))), []).append("%s_%s" % (self.prefix, k.name))
        lines, before = [], ""
        for i, version in enumerate(sorted(by_version)):
            name = "%s_%d.%d" % ((self.upper,) + version)
            names = ["%s_*" % self.prefix] if i == 0 else by_version[version]
            lines += ["%s {" % name, "global:"] + ["\t%s;" % n for n in names]
            lines += (["local:", "\t*;"] if i == 0 and not overrides else []) + ["}%s;" % before]
            before = " " + name
        return self.file(self.name + ".map", lines)
