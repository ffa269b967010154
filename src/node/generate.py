#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the npm package takes from the tables.

    generate.py --version VERSION --cpu CPU --out FOLDER --depfile FILE FAMILY...

tables.json is for the modules, structs.h for the addon, index.d.ts for TypeScript, index.mjs for `import`, package.json for npm.
"""
import argparse
import collections
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "resolve", "generate"))
import doors  # noqa: E402
import fronts  # noqa: E402
import gen  # noqa: E402
import sentences  # noqa: E402
import tables  # noqa: E402

# What index.js exports beside kernels and operations.
OWN = ["Packed", "info", "why"]
RESERVED = set("""arguments await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if import in instanceof let new null return static super switch this throw true try typeof var void
    while with yield""".split())
# Numbers of C that are numbers in JavaScript.
NUMBERS = ("size_t", "int32_t", "float", "double")


def array_of(t):
    """The class of typed arrays for an element type: floats that JavaScript lacks are integers of their width."""
    if t.is_float:
        return "Uint%dArray" % t.memory if t.is_narrow else "Float%dArray" % t.memory
    if t.kind == "bits":
        return ""
    if t.shares_byte:
        return "Uint8Array"
    return "%s%s%dArray" % ("Big" if t.memory == 64 else "", {"signed": "Int", "unsigned": "Uint"}[t.kind], t.memory)


def typescript_array(t):
    """The same for TypeScript, where bits are any class of their width."""
    widths = {8: "Int8Array | Uint8Array", 16: "Int16Array | Uint16Array", 32: "Int32Array | Uint32Array | Float32Array",
              64: "BigInt64Array | BigUint64Array | Float64Array"}
    return array_of(t) or widths[t.memory]


class Libraries:
    """The kernels and shapes of all libraries in the package."""

    def __init__(self, folders):
        by_library = {}
        for folder in folders:
            by_library.setdefault(os.path.dirname(os.path.abspath(folder)), []).append(os.path.abspath(folder))
        self.all = [tables.Library(some) for some in by_library.values()]
        self.types = self.all[0].types
        self.kernels = [k for library in self.all for k in library.kernels.values() if doors.has_door(library, k)]
        self.told = fronts.told_in_c(self.types)
        self.ops = {}
        for k in self.kernels:
            self.ops.setdefault(k.op, []).append(k)
        for name in [*OWN, *self.ops, *(k.name for k in self.kernels)]:
            tables.check(name not in RESERVED, "tables", "'%s' is reserved in JavaScript" % name)
        self.structs, self.enums = {}, {}
        for library in self.all:
            self.structs.update(doors.structs_of(library))
            self.enums.update(doors.enums_of(library))

    def is_told(self, k):
        """Whether typed arrays tell the kernel's types, so that its operation's name may stand for it."""
        return all(fronts.is_bits(self.types, k, a) or fronts.type_of(k, a) in self.told
                   for a in k.shape.arguments if a.is_array and not a.packed)


def word_of(name, words):
    """ISK_ACT_RELU as a word: relu."""
    return name[len(os.path.commonprefix([w.name for w in words])):].lower()


def counted_by(fields, field):
    """The array whose elements a field counts, as scales counts scale; None if it counts none."""
    return next((f for f in fields if f.is_pointer and field.name == f.name + "s"), None)


def field_row(libraries, fields, field):
    kind = field.type.split(" ")[-1]
    words = libraries.enums.get(kind, [])
    tables.check(field.is_pointer or words or kind in NUMBERS, "structs", "field '%s' is of '%s'" % (field.name, field.type))
    row = {"name": field.name, "kind": "array" if field.is_pointer else "word" if words else "number"}
    if counted_by(fields, field):
        return {"name": field.name, "kind": "count", "of": counted_by(fields, field).name}
    return {**row, "type": kind} if not words else {**row, "words": {word_of(w.name, words): w.value for w in words}}


def turns(shape, a):
    """Whether a value says which arrays are stored transposed."""
    return any(b.turned and b.turned[0] == a.name for b in shape.arguments)


def argument_row(shape, a):
    row = {"name": a.name, "role": "struct" if a.is_struct else a.role, "type": a.type, "extents": a.extents}
    for flag in ("measured", "packed", "inout", "null", "turned", "positive", "within", "along"):
        if getattr(a, flag):
            row[flag] = getattr(a, flag)
    if doors.counts_bytes(shape, a):
        row["counts_bytes"] = True
    if turns(shape, a):
        row["turns"] = True
    return row


def tables_json(libraries):
    shapes = {k.shape.name: k.shape for k in libraries.kernels}
    return json.dumps({
        "types": {t.name: {"number": t.number, "array": array_of(t), "bits": t.bits, "memory": t.memory, "kind": t.kind, "lanes": t.lanes}
                  for t in libraries.types.values() if not t.is_complex},
        "structs": {name: [field_row(libraries, fields, f) for f in fields[1:]] for name, fields in libraries.structs.items()},
        "shapes": {s.name: {"result": s.result, "arguments": [argument_row(s, a) for a in s.arguments]} for s in shapes.values()},
        "kernels": {k.name: {"op": k.op, "shape": k.shape.name, "types": k.types, "told": libraries.is_told(k)} for k in libraries.kernels},
    }, separators=(",", ":"))


def structs_header(libraries):
    lines = ["/* Generated from the headers of families. */", "#ifndef ISK_NODE_STRUCTS_H", "#define ISK_NODE_STRUCTS_H\n",
             "/* X(struct, field), without the field size */"]
    for name, fields in libraries.structs.items():
        lines.append("#define FIELDS_OF_%s(X) \\\n\t%s" % (name, " \\\n\t".join("X(%s, %s)" % (name, f.name) for f in fields[1:])))
    lines.append("\n/* X(struct) */\n#define STRUCTS(X) \\\n\t%s" % " \\\n\t".join("X(%s)" % name for name in libraries.structs))
    return "\n".join(lines + ["\n#endif\n"])


# TypeScript


class Declaration:
    """The TypeScript declaration of a kernel."""

    def __init__(self, libraries, k):
        self.libraries, self.k = libraries, k
        self.inputs = [a for a in k.shape.arguments if a.is_array and not a.null and (a.role == "in" or a.inout)]
        self.outputs = [a for a in k.shape.arguments if a.role == "out" and not a.inout]

    def array(self, a):
        return "Packed" if a.packed else typescript_array(self.libraries.types[fronts.type_of(self.k, a)])

    def number(self, name):
        t = self.libraries.types.get(self.k.types.get(name, name))
        return "number | bigint" if t and t.name == "s64" else "number | boolean" if not t else "number"

    def option(self, a, told_by_output):
        """A property of the last argument; None if the argument is none of them."""
        if a in self.inputs or doors.counts_bytes(self.k.shape, a):
            return None
        if a.is_struct:
            return "%s%s: %s" % (a.name, "?" if a.null else "", interface(a.type))
        if a.is_array:
            needed = told_by_output and a in self.outputs
            return None if a.packed else "%s%s: %s%s" % (a.name, "" if needed else "?", self.array(a), " | null" if a.null else "")
        if a.role == "value":
            return "%s%s: %s" % (a.name, "?" if a.along or turns(self.k.shape, a) else "", self.number(a.type))
        return "%s?: number" % a.name

    def result(self):
        result = self.k.shape.result
        if result == "size":
            return "number"
        if result not in ("void", "status"):
            return "bigint" if self.k.types[result] == "s64" else "number"
        made = self.outputs or [a for a in self.inputs if a.inout]
        texts = [self.array(a) + (" | null" if a.null else "") for a in made]
        return texts[0] if len(made) == 1 else "{%s}" % "; ".join("%s: %s" % (a.name, text) for a, text in zip(made, texts))

    def parameters(self):
        return ["%s: %s" % (a.name, self.array(a)) for a in self.inputs]

    def signature(self, told_by_output=False):
        options = [text for text in (self.option(a, told_by_output) for a in self.k.shape.arguments) if text]
        needed = any(re.match(r"\w+:", text) for text in options)
        parameters = self.parameters()
        parameters += ["options%s: {%s}" % ("" if needed else "?", "; ".join(options))] if options else []
        return "(%s): %s" % (", ".join(parameters), self.result())


def interface(struct):
    """isk_post as the name of an interface: Post."""
    return struct[len("isk_"):].title()


def typescript_field(libraries, field):
    kind = field.type.split(" ")[-1]
    words = libraries.enums.get(kind)
    if words:
        text = " | ".join("'%s'" % word_of(w.name, words) for w in words)
    elif not field.is_pointer:
        text = "number"
    else:
        text = {"float": "Float32Array", "int32_t": "Int32Array", "void": "ArrayBufferView"}[kind]
    about = "\t/** %s */\n" % field.about if field.about else ""
    return about + "\t%s?: %s;" % (field.name, text)


def index_d_ts(libraries):
    with open(os.path.join(HERE, "own.d.ts"), encoding="utf-8") as f:
        lines = [f.read()]
    for name, fields in libraries.structs.items():
        given = [f for f in fields[1:] if not counted_by(fields, f)]
        lines += ["export interface %s {" % interface(name), *(typescript_field(libraries, f) for f in given), "}\n"]
    for k in libraries.kernels:
        lines += ["/** %s; %s */" % (k.summary, sentences.promise(libraries, k)),
                  "export function %s%s;" % (k.name, Declaration(libraries, k).signature())]
    for op, kernels in libraries.ops.items():
        told = [Declaration(libraries, k) for k in kernels if libraries.is_told(k) and k.name != op]
        # A Packed knows its type, which TypeScript does not see.
        inputs = collections.Counter(tuple(one.parameters()) for one in told if not any(a.packed for a in one.inputs))
        signatures = dict.fromkeys(one.signature(inputs[tuple(one.parameters())] > 1) for one in told)
        lines += ["", "/** %s */" % kernels[0].summary] if signatures else []
        lines += ["export function %s%s;" % (op, signature) for signature in signatures]
    return "\n".join(lines) + "\n"


def names(libraries):
    return OWN + list(dict.fromkeys([k.name for k in libraries.kernels] + list(libraries.ops)))


def index_mjs(libraries):
    lines = ["import isakern from './index.js';\n", "export default isakern;", "export const {"]
    return "\n".join(lines + ["\t%s," % name for name in names(libraries)] + ["} = isakern;\n"])


def package_json(options):
    entry = {"types": "./index.d.ts", "import": "./index.mjs", "require": "./index.js"}
    return json.dumps({
        "name": "isakern", "version": options.version, "description": "Numerical kernels that bind themselves to the CPU",
        "keywords": ["simd", "numerical", "typed arrays", "softmax", "matrix"], "license": "MIT", "main": "./index.js",
        "types": "./index.d.ts", "exports": {".": entry, "./package.json": "./package.json"}, "engines": {"node": ">=18"},
        "os": ["linux"], "libc": ["glibc"], "cpu": [{"x86_64": "x64", "aarch64": "arm64"}[options.cpu]]}, indent=2) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("version", "cpu", "out", "depfile"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--isas", default=tables.isa_table())
    parser.add_argument("families", nargs="+")
    options = parser.parse_args()
    options.tuning = None
    libraries = Libraries(options.families)
    written = {"tables.json": tables_json(libraries), "structs.h": structs_header(libraries), "index.d.ts": index_d_ts(libraries),
               "index.mjs": index_mjs(libraries), "package.json": package_json(options)}
    for name, text in written.items():
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as f:
            f.write(text)
    own = [os.path.join(HERE, "generate.py"), os.path.join(HERE, "own.d.ts"), doors.__file__]
    read = sorted({path for library in libraries.all for path in gen.read_by(library, options)} | set(own))
    gen.write_depfile(options.depfile, os.path.join(options.out, "tables.json"), read)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        sys.exit(str(error))
