# SPDX-License-Identifier: MIT
"""Writes the parts of a library's tables that the compiler needs: data, prototypes, and the calls that follow from a
signature. Nothing here decides anything at run time."""
import json
import os
import re
import textwrap

import contract
import sentences
from tables import C_WORDS, ROOT, read

PRIVATE = "/* Generated from the tables of %s. */\n"
PUBLIC_MARK = "@KERNELS@"
CONTRACT_MARK = "@CONTRACT@"
# A header is read with whatever coding an editor has.
PLAIN = str.maketrans({"·": "*", "×": "x", "²": "^2", "³": "^3", "≤": "<=", "≥": ">=", "−": "-", "–": "-", "≠": "!=", "√": "sqrt "})
# The bullets of a contract that the comment at a prototype has, beside the first sentence.
BRIEF = re.compile(r"NaN|Inf\b|^Returns |n is 0|n = 0")


def c_type(library, kernel, name):
    """The C type of an element type or of a variable of the kernel's shape."""
    return library.types[kernel.types.get(name, name)].c


def enum(type_name):
    return "ISK_" + type_name.upper()


def value_type(library, kernel, a):
    """The C type of a value. Without a kernel, it is the type in the struct of arguments. That struct serves all kernels of
    a shape, so a type of their names is a double there, which holds any float."""
    if a.type in C_WORDS:
        return a.type
    if a.type in library.types:
        return library.types[a.type].c
    return library.types[kernel.types[a.type]].scalar if kernel else "double"


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
    """The type in which an element is returned: that of its lanes, so 16-bit floats are returned as f32."""
    lanes = library.types[name].lanes
    return name if lanes == "-" else lanes


def result_type(library, kernel):
    field = result_field(library, kernel)
    return {None: "void", "size": "size_t", "status": "int"}.get(field) or library.types[field].c


def result_field(library, kernel):
    """The member of union isk_result that holds the result of a call."""
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


def block_comment(paragraphs, between=""):
    """Paragraphs as a comment of C, with as much between them."""
    blocks = [textwrap.wrap(p.translate(PLAIN).replace("*/", "* /"), 97, break_on_hyphens=False, break_long_words=False)
              for p in paragraphs]
    return "/*\n%s\n */" % (between + "\n").join("\n".join(" * " + line for line in block) for block in blocks).replace(
        "\n\n", "\n *\n")


class Writer:
    """Writes files under a folder. A file that would not change is left as it is, so that nothing is built again."""

    def __init__(self, library, name, prefix, built, out):
        self.library, self.name, self.prefix, self.built, self.out = library, name, prefix, built, out
        # The name in macros and version nodes, and the folder of headers, which isakern-sleef shares with isakern.
        self.upper, self.include = name.upper().replace("-", "_"), name.split("-")[0]
        self.written = set()
        self.contracts = {f.name: contract.read(f, library) for f in library.families}
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
        """Removes the files of an earlier run that this one did not write."""
        for folder, _, files in os.walk(self.out):
            for file in files:
                if os.path.join(folder, file) not in self.written:
                    os.remove(os.path.join(folder, file))

    def element_types(self):
        """By the name of a type: its C type, its number, and the vectors that compute with it. For formats.h, all types with
        their formats."""
        types = self.library.types.values()
        lines = ['#include "isakern/types.h"\n']
        for t in types:
            lines += ["#define ISK_C_%s %s" % (t.name, t.c), "#define ISK_ENUM_%s %s" % (t.name, enum(t.name)),
                      "#define ISK_LANE_%s %s" % (t.name, {"f32": "f", "f64": "d", "-": "i"}[t.lanes]),
                      "#define ISK_SCALAR_%s %s" % (t.name, t.scalar)]
        rows = ["X(%s, %s, %d, %d, %d, %d, %d, %d, %s)" % (
            t.name, t.kind.upper(), t.bits, t.memory, t.fraction, t.bias, "inf" in t.special, "nan" in t.special,
            t.numpy.replace("-", "")) for t in types]
        lines += ["/* X(name, kind, bits, memory, fraction, bias, infinity, nan, name in numpy): the columns of types.tbl */",
                  "#define ISK_ELEMENT_TYPES(X) \\\n\t" + " \\\n\t".join(rows)]
        return self.generated("element_types.h", lines)

    def types_header(self):
        """isakern/types.h, from the text of types.h.in, and the typedefs and the enum that types.tbl makes."""
        with open(os.path.join(ROOT, "include", "isakern", "types.h.in"), encoding="utf-8") as f:
            text = f.read()
        typedefs, members = [], []
        for t in self.library.types.values():
            about = " /* %s */" % t.meaning if t.meaning != "-" else ""
            typedefs += ["typedef uint%d_t %s;%s" % (8 * t.size, t.c, about)] if t.is_narrow else []
            members.append("\t%s = %d,%s" % (enum(t.name), t.number, "" if t.is_narrow else about))
        text = text.replace("@TYPEDEFS@", "\n".join(typedefs)).replace("@TYPES@", "\n".join(["enum isk_type {"] + members + ["};"]))
        return self.file(os.path.join("include", "isakern", "types.h"), [text.rstrip()])

    def isas(self):
        rows = ["X(%s, %d, %d, %d, %d)" % (i.name, i.lanes, i.registers, i.fma, i.name in self.built)
                for i in self.library.isas.values()]
        return self.generated("isas.h", ["/* X(name, lanes, registers, fma, built), lowest first */",
                                         "#define ISK_ISAS(X) \\\n\t" + " \\\n\t".join(rows)])

    def variables(self):
        """The variable of pins, one for each library. The caps of the environment apply to all libraries of a process."""
        return self.generated("variables.h", ['#define ISK_BIND_VARIABLE "%s_BIND"' % self.upper])

    def entry_comment(self, entry, kernels):
        lines = ["%s: %s" % (", ".join(entry.ops), entry.whole_definition())]
        lines += [note for note in entry.whole_notes() if BRIEF.search(note)]
        return block_comment(lines + sentences.promises(self.library, entry, kernels))

    def prototype(self, k):
        return signature(self.library, k, "%s_%s" % (self.prefix, k.name)) + ";"

    def family_prototypes(self, family, about):
        """Those of an operation together, below what its contract says; or each below its summary."""
        kernels = [k for k in family.kernels if k.name in self.library.kernels]
        if not about:
            return ["/* %s: %s; %s */\n%s" % (k.shape.name, k.summary, sentences.promise(self.library, k), self.prototype(k)) for k in kernels]
        groups = [(entry, [k for k in kernels if k.op in entry.ops]) for entry in about.entries]
        return ["\n".join([self.entry_comment(entry, some)] + [self.prototype(k) for k in some]) for entry, some in groups if some]

    def family_header(self, family):
        """Where its text says so the family's contract, and the prototypes."""
        with open(os.path.join(family.folder, family.name + ".h.in"), encoding="utf-8") as f:
            text = f.read()
        about = self.contracts[family.name]
        head = ["What isakern.h says about every kernel, and shapes.tbl about their shapes, holds for these kernels."]
        if about:
            head = [about.title + "."] + about.general
            for texts in {id(texts): texts for texts in about.shapes.values()}.values():
                names = [name for name, own in about.shapes.items() if own is texts]
                head += ["Kernels of the shape%s %s: %s" % ("s" if len(names) > 1 else "", sentences.listed(names), texts[0])] + texts[1:]
        text = text.replace(CONTRACT_MARK, block_comment(head, "\n"))
        return self.file(os.path.join("include", self.include, family.name + ".h"),
                         [text.replace(PUBLIC_MARK, "\n\n".join(self.family_prototypes(family, about))).rstrip()])

    def docstrings(self):
        """For the Python package: by family and operation, what its contract says."""
        texts = {name: {op: entry.whole_text() for entry in about.entries for op in entry.ops}
                 for name, about in self.contracts.items() if about}
        return self.file("contracts.json", [json.dumps(texts, indent=0, ensure_ascii=False)])

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
            found += [self.types_header(), self.file(os.path.join("include", self.include, "families.h"), self.prototypes())]
        if self.name == "isakern" and any(k.is_parallel for k in self.library.kernels.values()):
            found.append(self.parallel_header())
            self.parallel_calls()
        return found

    def prototypes(self):
        """The includes of a source that knows all kernels."""
        return ["#include <%s/%s.h>" % (self.include, f.name) for f in self.library.families]

    def parallel_header(self):
        """For isakern_omp.h to include."""
        lines = []
        for k in self.library.kernels.values():
            if k.is_parallel:
                lines += ["/* %s */\n%s;\n" % (k.summary, signature(
                    self.library, k, "%s_parallel_%s" % (self.prefix, k.name)))]
        return self.file(os.path.join("include", self.include, "parallel.h"), lines)

    def parallel_calls(self):
        """For libisakern-omp: each product's form on many threads, which calls that of its shape."""
        lines = []
        for k in self.library.kernels.values():
            if k.shape.threads == "many":
                lines += ["static void call_%s(union isk_args *args)\n{" % k.name,
                          "\t" + self.call(k, "%s_%s" % (self.prefix, k.name)), "}\n",
                          signature(self.library, k, "%s_parallel_%s" % (self.prefix, k.name)), "{",
                          "\tif (is_small_%s(%s))\n\t\treturn %s_%s(%s);\n" % (
                              k.shape.name, ", ".join(a.name for a in k.shape.arguments if a.role == "size"), self.prefix, k.name,
                              ", ".join(a.name for a in k.shape.arguments)),
                          "\tstatic const enum isk_type types[] = {%s};" % self.types(k), "\t" + self.arguments(k),
                          "\treturn parallel_%s(&args.%s, types, call_%s);\n}\n" % (k.shape.name, k.shape.name, k.name)]
        return self.generated("parallel_calls.h", lines)

    def parallel_parts(self, family, file):
        """For libisakern-omp: the forms of a source's kernels that are calls of parts. None: it has no such kernel."""
        kernels = [k for k in family.kernels
                   if k.file == file and (k.shape.cuts or k.join) and k.name in self.library.kernels]
        if not kernels:
            return None
        lines = ['#include "isakern_omp.h"\n', '#include "in_parts.h"']
        for shape in {k.shape.name: k.shape for k in kernels}.values():
            lines += ["", *self.shape(shape)]
        for k in kernels:
            name = "%s_%s" % (self.prefix, k.name)
            call = "%s(%s)" % (name, ", ".join(a.name for a in k.shape.arguments))
            lines += ["", *self.thunk(k), "\nstatic const struct isk_kernel kernel_%s = %s;" % (k.name, self.described(k)),
                      "\n" + signature(self.library, k, "%s_parallel_%s" % (self.prefix, k.name)),
                      "{", "\tconst size_t bytes = (%s) / 8;" % self.bits(k), "\n\tif (bytes < 2 * ISK_BYTES_A_THREAD / ISK_CREW_GAIN) {"]
            arguments = "&kernel_%s, (isk_function)%s, &args, bytes" % (k.name, name)
            many = "isk_in_parts(%s)" % arguments
            if k.join:
                many = "isk_joined(%s, ISK_JOIN_%s).%s" % (arguments, k.join.upper(), result_field(self.library, k))
            alone = "\t\t%s;\n\t\treturn;\n\t}" if k.shape.result == "void" else "\t\treturn %s;\n\t}"
            lines += [alone % call, "\t" + self.arguments(k), "\t%s%s;\n}" % ("" if k.shape.result == "void" else "return ", many)]
        return self.generated(os.path.join("parallel", "parallel_%s_%s" % (family.name, file)), lines)

    def bits(self, k):
        """The bits that a kernel reads and writes, as an expression of its arguments."""
        # If indices name the rows of an array, the kernel uses one row for each index.
        named = {a.below: a.extents[0][0] for a in k.shape.arguments if a.below}
        counts = {}
        for a in k.shape.arguments:
            if a.is_array:
                extents = [extent for extent, _ in a.extents]
                product = " * ".join([named.get(extents[0], extents[0])] + extents[1:])
                counts[product] = counts.get(product, 0) + self.library.types[k.types.get(a.type, a.type)].memory
        return " + ".join("%d * %s" % (bits, product) for product, bits in counts.items())

    def types(self, k):
        """The numbers of a kernel's types."""
        return ", ".join(enum(t) for t in k.types.values()) or "0"

    def arguments(self, k):
        """A definition of args with the arguments of the function in which this line stands."""
        values = [".%s = %s%s" % (a.name, "(double)" if a.role == "value" and a.type in k.shape.variables else "", a.name)
                  for a in k.shape.arguments]
        return "union isk_args args = {.%s = {%s}};\n" % (k.shape.name, ", ".join(values) or "{0}")

    def call(self, k, function):
        """Calls a function of the kernel's type with the arguments in args, and keeps its result in args."""
        call = "%s(%s);" % (function, ", ".join("args->%s.%s" % (k.shape.name, a.name) for a in k.shape.arguments))
        field = result_field(self.library, k)
        return "args->result.%s = %s" % (field, call) if field else call

    def structs(self, kernels):
        """Declares the structs that prototypes point to."""
        return ["struct %s;" % s for s in sorted({a.type for k in kernels for a in k.shape.arguments if a.is_struct})]

    def source_header(self, family, file):
        """The header of one source: its variants, and the types of each of its operations."""
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
        """A source, compiled for one tuple of types. Its family's name keeps apart the sources of other folders."""
        return self.generated(os.path.join("typed", unit.name),
                              [*self.macros(unit), '#include "%s"' % os.path.join(unit.family, unit.file)])

    def parts(self):
        """For each part and ISA, the ISA of the compiled part that sources of that ISA call."""
        lines = []
        for family in self.library.families:
            for file, names in family.parts.items():
                for isa in self.library.isas.values():
                    own = [n for n in [isa.name] + isa.builds_on if n in names and n in self.built]
                    if own:
                        lines.append("#define ISK_PART_%s_%s %s" % (file[:-len(".c")], isa.name, own[0]))
        return self.generated("parts.h", lines)

    def rows(self, family, file):
        """The rows and indirect functions of a source's kernels: a static program that uses one has that source anyway."""
        kernels = [k for k in family.kernels if k.file == file and k.name in self.library.kernels]
        return self.generated(os.path.join("rows", "rows_%s_%s" % (family.name, file)), [
            '#include "ifunc.h"\n',
            *self.structs(kernels),
            *(line for k in kernels for line in self.row(k))])

    def row(self, k):
        have = [isa for isa in k.isas if isa in self.built]
        return [
            "extern %s;" % signature(self.library, k, "%s_%s" % (self.prefix, k.name)),
            "ISK_ROW(%s, %#x, %#x," % (k.name, mask(self.library, k.isas), mask(self.library, have)),
            " ".join("ISK_VARIANT(%s, %s, %s)" % (k.name, k.code, isa) if isa in have else "ISK_ABSENT"
                     for isa in self.library.isas) + ",",
            " ".join('ISK_TUNING(%d, %d, %d, %d, "%s")' % t for t in k.tuning) + " ISK_TUNING_END);",
            "ISK_ENTRY(%s);" % k.name, *(["ISK_OVERRIDE(%s);" % k.name] if k.overrides else [])]

    def kernels(self):
        """The columns of kernels that the API tells."""
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
        """For each shape, a struct of its arguments, named as in its row."""
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
        """For loops.h and forms.h, the shapes that are maps: their arguments, and macros that make kernels and oracles."""
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
        if a.positive:
            fields.append(".positive = 1")
        if a.limit:
            fields.append(".limit = %d" % a.limit)
        if a.within:
            fields.append(".within = %d" % (shape.variables.index(a.within) + 1))
        if a.solved:
            fields.append(".solved = 1")
        if a.any_order:
            fields.append(".any_order = 1")
        if a.turned:
            fields.append(".turned = %d, .bit = %d" % (index[a.turned[0]] + 1, a.turned[1]))
        if a.along:
            fields.append(".along = %d" % (index[a.along] + 1))
        return "\t{%s}," % ", ".join(fields)

    def shape(self, shape):
        """A shape as data."""
        lines = []
        if shape.arguments:
            lines += ["static const struct isk_argument arguments_%s[] = {" % shape.name,
                      *(self.argument_row(shape, a) for a in shape.arguments), "};"]
        result = {"void": "ISK_RETURNS_NOTHING", "size": "ISK_RETURNS_SIZE", "status": "ISK_RETURNS_STATUS"}.get(
            shape.result, "ISK_RETURNS_ELEMENT")
        variable = shape.variables.index(shape.result) + 1 if shape.result in shape.variables else 0
        index = {a.name: i for i, a in enumerate(shape.arguments)}
        return lines + ['static const struct isk_shape shape_%s = {"%s", %s, %d, %s, %d, %d, %d, {%s}};' % (
            shape.name, shape.name, "arguments_" + shape.name if shape.arguments else "NULL", len(shape.arguments), result, variable,
            len(shape.variables), len(shape.cuts), ", ".join(str(index[size]) for size in shape.cuts) or "0")]

    def thunk(self, k):
        """Calls a function of the kernel's type with arguments in their struct."""
        return ["static void call_%s(isk_function fn, union isk_args *args)\n{" % k.name,
                "\t" + self.call(k, "((__typeof(%s_%s) *)fn)" % (self.prefix, k.name)), "}"]

    def described(self, k):
        """A kernel as data."""
        return '{"%s", "%s", &shape_%s, {%s}, call_%s}' % (k.name, k.op, k.shape.name, self.types(k), k.name)

    def calls(self):
        """The shapes as data, and one call for each kernel."""
        lines = ['#include "args.h"\n'] + self.prototypes()
        for shape in self.shapes:
            lines += ["", *self.shape(shape)]
        for k in self.library.kernels.values():
            lines += ["", *self.thunk(k)]
        lines.append("\nconst struct isk_kernel isk_kernels[] = {")
        for k in self.library.kernels.values():
            lines.append("\t%s," % self.described(k))
        lines += ["};", "const size_t isk_kernels_count = %d;" % len(self.library.kernels)]
        return self.generated("calls.c", lines)

    def interposers(self):
        """The public functions of a library for LD_PRELOAD. Each calls isk_interpose() instead of its kernel."""
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
        # Between angles, because a folder may have a quotation mark in its name; compilers take a full path so as well.
        return self.generated("oracles.inc", ["#include <%s>" % os.path.realpath(os.path.join(f.folder, "oracle.h"))
                                            for f in self.library.families])

    def told_by_bits(self, family):
        """The operations whose oracles take elements as integers: integer_forms.h."""
        return re.findall(r"^INTEGERS\(\w+, (\w+),", read(os.path.join(family.folder, "oracle.h")), re.M)

    def all_told_by_bits(self):
        return {(f.name, op) for f in self.library.families for op in self.told_by_bits(f)}

    def forms(self):
        """The form of each kernel: that of its shape, with the oracle of its operation."""
        lines = self.prototypes() + ['#include "reference.h"', ""]
        by_bits = self.all_told_by_bits()
        for k in self.library.kernels.values():
            shape, op = k.shape, k.code_op
            real = "wide" if any(self.library.types[t].lanes == "f64" or t == "s64" for t in k.types.values()) else "plain"
            if (k.family, op) in by_bits:
                lines += ["ISK_FORM(%s, %s, %s, integer, %s)" % (k.name, shape.name, op, self.types(k))]
            elif k.error == "exact" and shape.is_map and "f32" in k.types.values():
                lines += ["ISK_FORM_ROUNDED(%s, %s, %s)" % (k.name, shape.name, op)]
            else:
                lines += ["ISK_FORM(%s, %s, %s, %s, %s)" % (k.name, shape.name, op, real, self.types(k))]
        lines.append("\nISK_FORMS(%s)" % ", ".join("form_" + name for name in self.library.kernels))
        return self.generated("forms.c", lines)

    def references(self):
        """Each kernel as a plain function, which runs its form."""
        lines = self.prototypes() + ['#include "rounding.h"']
        for number, k in enumerate(self.library.kernels.values()):
            field = result_field(self.library, k)
            prototype = signature(self.library, k, "ISK_REFERENCE(%s)" % k.name)
            lines += ["", prototype + ";", prototype, "{",
                      "\t" + self.arguments(k),
                      "\trun_form(ISK_FORM_OF(%s, %d), &args);" % (k.name, number)]
            lines += ["\treturn args.result.%s;" % field] if field else []
            lines += ["}"]
            lines += ["ISK_REFERENCE_OVERRIDE(%s)" % k.name] if k.overrides else []
        return self.generated("references.c", lines)

    def bulks(self):
        """Oracles for many inputs at once, of the kernels that compute element by element from arrays of f32."""
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
        """The version script. The oldest version has all names except those that later ones list. Kernels that override
        isakern's have no version, so they serve a program that wants any version of them. All others are hidden anyway."""
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
