#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the crates take from the tables and headers, and copies the sources written by hand beside it.

    generate.py --version VERSION --out FOLDER --depfile FILE [--sleef FAMILY] FAMILY...

isakern-sys/src/lib.rs has the functions of C, isakern/src/kernels.rs safe functions of slices.
"""
import argparse
import glob
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "resolve", "generate"))
import doors  # noqa: E402
import fronts  # noqa: E402
import gen  # noqa: E402
import sentences  # noqa: E402
import tables  # noqa: E402
import write  # noqa: E402

BY_HAND = sorted(os.path.relpath(path, HERE) for kind in ("toml", "rs")
                 for path in glob.glob(os.path.join(HERE, "**", "*." + kind), recursive=True))
RUST = {"float": "f32", "double": "f64", "int": "c_int", "unsigned": "c_uint", "size_t": "usize", "char": "c_char", "void": "c_void",
        **{"%sint%d_t" % (u, n): "%s%d" % ("u" if u else "i", n) for u in ("", "u") for n in (8, 16, 32, 64)}}
# Functions of headers whose arguments are numbers, texts and the structs that kernels take.
FUNCTION = re.compile(r"^(\w[\w ]*[ *])(isk_\w+)\(([^()]*)\);", re.MULTILINE)
STRUCTS = {"isk_post": "Post<%s, %s>", "isk_conv": "Conv", "isk_groups": "Groups"}


def pointed(t):
    """The type of Rust for elements: those that C lacks are passed as their bits."""
    return RUST[fronts.pointee(t)] if t.c != "void" else "c_void"


def of_c(text, known):
    """A type of C in Rust; None if it is none of those known."""
    words = re.fullmatch(r"(const )?((?:enum |struct )?\w+) ?(\*?)", text.strip())
    if not words:
        return None
    const, name, star = words.groups()
    name = RUST.get(name) or re.sub("^(enum|struct) ", "", name) if name in RUST or name.split(" ")[-1] in known else None
    return name and ("*%s %s" % ("const" if const else "mut", name) if star else name)


def about(text, indent=""):
    """A text of the tables as documentation. In Markdown, brackets would be links."""
    return "%s/// %s" % (indent, re.sub(r"([\[\]<>])", r"\\\1", text))


# isakern-sys


def constants(name, words):
    lines = ["pub type %s = c_uint;" % name] if all(w.value >= 0 for w in words) else ["pub type %s = c_int;" % name]
    for w in words:
        lines += ([about(w.about)] if w.about else []) + ["pub const %s: %s = %d;" % (w.name, name, w.value)]
    return lines + [""]


def structure(name, fields, known):
    lines = ["#[repr(C)]", "#[derive(Clone, Copy, Debug)]", "pub struct %s {" % name]
    for f in fields:
        lines += [about(f.about, "    ")] if f.about else []
        lines.append("    pub %s: %s," % (f.name, of_c(f.type + (" *" if f.is_pointer else ""), known)))
    return lines + ["}\n"]


def foreign(library, k):
    parameters = []
    for a in k.shape.arguments:
        kind = "mut" if a.role == "out" else "const"
        if a.is_struct:
            text = "*const " + a.type
        elif a.is_array:
            text = "*%s %s" % (kind, "c_void" if a.packed else pointed(library.types[fronts.type_of(k, a)]))
        else:
            text = "usize" if a.role in ("size", "stride") else RUST[write.value_type(library, k, a)]
        parameters.append("%s: %s" % (a.name, text))
    result = write.result_type(library, k)
    returned = "" if result == "void" else " -> " + RUST[result]
    return [about(k.summary, "    "), "    pub fn isk_%s(%s)%s;" % (k.name, ", ".join(parameters), returned)]


def functions(text, known):
    """The declarations of functions in headers, if all their types are known."""
    lines = []
    for result, name, parameters in FUNCTION.findall(text):
        pairs = [re.fullmatch(r"(.*?[ *])(\w+)", one.strip()) for one in parameters.split(",")] if parameters != "void" else []
        types = [of_c(pair[1], known) if pair else None for pair in pairs]
        returned = of_c(result, known)
        if returned and all(types):
            arguments = ["%s: %s" % (pair[2].replace("type", "r#type"), t) for pair, t in zip(pairs, types)]
            lines.append("    pub fn %s(%s)%s;" % (name, ", ".join(arguments), "" if returned == "c_void" else " -> " + returned))
    return lines


def sys_lib(library, sleef):
    headers = "\n".join(tables.read(os.path.join(tables.ROOT, "include", "isakern", name)) for name in ("types.h.in", "library.h"))
    enums, taken = doors.enums_of(library), doors.structs_of(library)
    for name, body in doors.ENUM.findall(headers):
        enums[name] = doors.words(body)
    known = {*enums, *taken, "isk_type"}
    lines = ["//! The functions of isakern as C has them. Generated from the tables; see the crate isakern for safe ones.",
             "#![allow(non_camel_case_types, clippy::too_many_arguments)]\n", "mod ask;\npub use ask::*;\n", "use std::os::raw::{c_char, c_int, c_uint, c_void};\n"]
    lines += constants("isk_type", [doors.Word("ISK_" + t.name.upper(), t.number, t.meaning.strip("-")) for t in library.types.values()])
    for name, words in enums.items():
        lines += constants(name, words)
    for name, fields in taken.items():
        lines += structure(name, fields, known)
    lines += ['extern "C" {', *functions(headers + doors.declarations(library), known)]
    for k in library.kernels.values():
        lines += foreign(library, k)
    lines.append("}\n")
    if sleef:
        lines += ['#[cfg(feature = "sleef")]', '#[link(name = "isakern-sleef")]', 'extern "C" {']
        for k in sleef.kernels.values():
            lines += foreign(sleef, k)
        lines.append("}\n")
    return "\n".join(lines)


# isakern


class Function(fronts.Overloads):
    """A kernel as a safe function of slices, with the checks of the overload of C++ for spans."""

    def __init__(self, library, kernel):
        self.k, self.types, self.shape = kernel, library.types, kernel.shape
        self.library = library
        self.arrays = [a for a in self.shape.arguments if a.is_array and not a.packed]
        self.conv = next((a for a in self.shape.arguments if a.type == "isk_conv"), None)
        self.packs = next((a for a in self.shape.arguments if a.packed and a.role == "out"), None)
        self.from_spans = {}
        # Elements that share bytes do not tell how many they are.
        if all(len(a.extents) == 1 and a.extents[0][1] is None and not self.type_of(a).shares_byte for a in self.arrays):
            for a in fronts.keys_of(self.shape):
                self.from_spans.setdefault(a.extents[0][0], a)

    def type_of(self, a):
        return self.types[fronts.type_of(self.k, a)]

    def element(self, a):
        return fronts.type_of(self.k, a).upper() if self.type_of(a).kind == "bits" else pointed(self.type_of(a))

    def generics(self):
        bits = sorted({self.element(a): self.type_of(a) for a in self.arrays if self.type_of(a).kind == "bits"}.items())
        return "<%s>" % ", ".join("%s: Bits<%d>" % (name, t.size) for name, t in bits) if bits else ""

    def real(self):
        """The type of the numbers in a post-operation."""
        c = next(a for a in self.arrays if a.role == "out")
        return self.element(c), "f64" if self.element(c) == "f64" else "f32"

    def is_hidden(self, a):
        """Whether an argument is known from others: a size from slices, and what holds the packed matrix that is returned."""
        return a.name in self.from_spans or a is self.packs or doors.counts_bytes(self.shape, a)

    def parameter(self, a):
        if a.is_struct:
            kind = STRUCTS[a.type] % self.real() if a.type == "isk_post" else STRUCTS[a.type]
            return "Option<&%s>" % kind if a.null else "&" + kind
        if a.packed:
            return "&Packed"
        if a.is_array:
            text = "&%s[%s]" % ("mut " if a.role == "out" else "", self.element(a))
            return "Option<%s>" % text if a.null else text
        if a.role in ("size", "stride"):
            return "usize"
        return RUST[write.value_type(self.library, self.k, a)].replace("c_int", "i32").replace("c_uint", "u32")

    def least(self, a):
        """The least number of elements of an array, as an expression."""
        if a.measured:
            return "conv.%s()" % a.measured.split(" of ")[0]

        def of(extents):
            def step(i):
                inner = [size for size, _ in extents[i + 1:]]
                return extents[i][1] or ("product(&[%s])" % ", ".join(inner) if inner else "1")
            return "elements(&[%s])" % ", ".join("(%s, %s)" % (size, step(i)) for i, (size, _) in enumerate(extents))

        text = of(a.extents)
        if a.turned:
            *outer, (rows, stride), (cols, _) = a.extents
            value, bit = a.turned
            is_turned = "%s & %d != 0" % (value, bit) if bit else value + " != 0"
            text = "if %s { %s } else { %s }" % (is_turned, of(outer + [(cols, stride), (rows, None)]), text)
        return "bytes_of(%s)" % text if self.type_of(a).shares_byte else text

    def check(self, a):
        """The statements that check the length of a slice, and that its rows do not overlap if it is written."""
        sizes = [size for size, _ in a.extents]
        exactly = len(sizes) == 1 and sizes[0] in self.from_spans
        if exactly and self.from_spans[sizes[0]] is a:
            return []
        call = '%s(NAME, "%s", %%s.len(), %s)?;' % ("exactly" if exactly else "at_least", a.name, sizes[0] if exactly else self.least(a))
        lines = ["if let Some(a) = &%s {" % a.name, "    " + call % "a", "}"] if a.null else [call % a.name]
        strided = [i for i, (_, stride) in enumerate(a.extents) if stride]
        if a.role == "out" and strided:
            size, stride = a.extents[strided[-1]]
            inner = [size for size, _ in a.extents[strided[-1] + 1:]]
            lines.append('apart(NAME, "%s", %s, %s, product(&[%s]))?;' % (stride, size, stride, ", ".join(inner)))
        return lines

    def value_checks(self):
        lines = []
        for a in self.shape.arguments:
            if a.role == "value" and a.positive:
                lines.append('positive(NAME, "%s", %s)?;' % (a.name, a.name))
            elif a.role == "value" and a.within:
                t = RUST[self.types[self.k.types[a.within]].c] if not self.types[self.k.types[a.within]].shares_byte else None
                low, high = ("%s::MIN as i64" % t, "%s::MAX as i64" % t) if t else ("-8", "7")
                lines.append('within(NAME, "%s", %s as i64, %s, %s)?;' % (a.name, a.name, low, high))
            elif a.role == "value" and a.type in tables.C_WORDS:
                lines.append('within(NAME, "%s", %s as i64, 0, i32::MAX as i64)?;' % (a.name, a.name))
        return lines

    def argument(self, a):
        """What is passed to C."""
        if a.type == "isk_post":
            return "post.as_ref().map_or(null(), |p| p)"
        if a.is_struct:
            return "%s.as_ptr()" % a.name
        if a is self.packs:
            return "bytes.as_mut_ptr().cast()"
        if a.packed:
            return "packed.bytes().as_ptr().cast()"
        if a.is_array:
            kind, zero = ("as_mut_ptr()", "null_mut()") if a.role == "out" else ("as_ptr()", "null()")
            text = "%s.map_or(%s, |a| a.%s)" % (a.name, zero, kind) if a.null else "%s.%s" % (a.name, kind)
            return text + (".cast()" if self.type_of(a).kind == "bits" else "")
        if self.packs and self.is_hidden(a):
            return "bytes.len()"
        return a.name

    def packed_size(self):
        number = "sys::ISK_" + self.k.types[self.packs.type].upper()
        if self.conv:
            transposed = "transpose_" if self.packs.measured.startswith("transposed") else ""
            return "sys::isk_conv_%spacked_size(%s, conv.as_ptr())" % (transposed, number)
        if any(a.type == "isk_groups" for a in self.shape.arguments):
            return "sys::isk_packed_groups_size(%s, k, n, groups.as_ptr())" % number
        return "sys::isk_packed_size(%s, k, n)" % number

    def prepared(self):
        """The statements before the call, after the lengths are checked."""
        lines = []
        for a in self.shape.arguments:
            if a.type == "isk_post":
                lines.append("let post = post.map(|p| p.raw(NAME, %s)).transpose()?;" % (
                    "(1, 0), conv.%s" % ("image_pixels(), conv.channels" if next(b for b in self.arrays if b.role == "out").measured.startswith("image")
                                         else "pixels(), conv.out_channels") if self.conv else
                    "(batch, stride_c), m, n" if any(b.name == "batch" for b in self.shape.arguments) else "(1, 0), m, n"))
            elif a.type == "isk_groups":
                lines.append("groups.check(NAME, k, n)?;")
        if self.packs:
            lines.append("let mut bytes = zeroed(NAME, unsafe { %s })?;" % self.packed_size())
        return lines

    def text(self):
        inferred = ["let %s = %s.len();" % (size, a.name) for size, a in self.from_spans.items()]
        checks = [line for a in self.arrays for line in self.check(a)] + self.value_checks()
        before = self.prepared()
        call = "sys::isk_%s(%s)" % (self.k.name, ", ".join(map(self.argument, self.shape.arguments)))
        status = self.shape.result == "status"
        value = None if self.shape.result in ("void", "status") else RUST[write.result_type(self.library, self.k)]
        fails = status or checks or before
        if status:
            last = ["status(NAME, unsafe { %s })?;" % call, "Ok(Packed::of_kernel(bytes))" if self.packs else "Ok(())"]
            result = "Packed<'static>" if self.packs else "()"
        else:
            last = ["Ok(unsafe { %s })" % call if fails else "unsafe { %s }" % call]
            result = value or "()"
        arguments = ", ".join("%s: %s" % (a.name, self.parameter(a)) for a in self.shape.arguments if not self.is_hidden(a))
        result = " -> Result<%s, Error>" % result if fails else " -> " + result if value else ""
        name = ['const NAME: &str = "%s";' % self.k.name] if fails else []
        promise = sentences.promise(self.library, self.k)
        lines = [about(self.k.summary), "///", "/// %s. The contract: `man isk_%s`." % (promise[0].upper() + promise[1:], self.k.name)]
        return [*lines, "pub fn %s%s(%s)%s {" % (self.k.name, self.generics(), arguments, result),
                *("    " + line for line in name + inferred + checks + before + last), "}\n"]

    def placement(self):
        """(the output, the input in whose place it may be, the strides of that input and their equals of the output), for a function
        without that input; None if there is none."""
        outs = [a for a in self.arrays if a.role == "out"]
        if len(outs) != 1 or not outs[0].may_be:
            return None
        out, = outs
        other = next(a for a in self.arrays if a.name == out.may_be[0])
        strides = {theirs: ours for (_, theirs), (_, ours) in zip(other.extents, out.extents) if theirs and theirs != ours}
        is_shared = any(stride in strides for a in self.arrays if a is not other for _, stride in a.extents)
        return None if other.null or is_shared else (out, other, strides)

    def in_place(self):
        """The function for an output in the place of an input. One pointer stands for both, because two slices may not overlap."""
        if not self.placement():
            return []
        out, other, strides = self.placement()
        inferred = ["let %s = %s.len();" % (size, a.name) for size, a in self.from_spans.items()]
        checks = [line for a in self.arrays if a is not other for line in self.check(a)] + self.value_checks()
        both = "both" + (".cast()" if self.type_of(out).kind == "bits" else "")
        arguments = [both if a in (out, other) else strides.get(a.name) or self.argument(a) for a in self.shape.arguments]
        call = "sys::isk_%s(%s)" % (self.k.name, ", ".join(arguments))
        is_status = self.shape.result == "status"
        last = ["status(NAME, unsafe { %s })" % call] if is_status else ["unsafe { %s };" % call] + (["Ok(())"] if checks else [])
        fails = is_status or checks
        parameters = ", ".join("%s: %s" % (a.name, self.parameter(a)) for a in self.shape.arguments
                               if not self.is_hidden(a) and a is not other and a.name not in strides)
        return ["/// [`%s`] with %s in the place of %s." % (self.k.name, out.name, other.name),
                "pub fn %s_in_place%s(%s)%s {" % (self.k.name, self.generics(), parameters, " -> Result<(), Error>" if fails else ""),
                *("    " + line for line in (['const NAME: &str = "%s";' % self.k.name] if fails else []) + inferred + checks
                  + ["let both = %s.as_mut_ptr();" % out.name] + last), "}\n"]


def camel(word):
    return "".join(part.title() for part in word.split("_"))


def enumeration(name, words):
    """An enum of Rust, for a field of a struct."""
    prefix = len(os.path.commonprefix([w.name for w in words]))
    lines = ["#[derive(Clone, Copy, Debug, PartialEq, Eq)]", "#[repr(u32)]", "pub enum %s {" % name]
    for w in words:
        lines += ([about(w.about, "    ")] if w.about else []) + ["    %s = %d," % (camel(w.name[prefix:].lower()), w.value)]
    return lines + ["}\n"]


def kernels_rs(library, sleef):
    lines = ["// Generated from the tables.",
             "use crate::check::{apart, at_least, bytes_of, elements, exactly, positive, product, status, within, zeroed};",
             "use crate::{Bits, Conv, Error, Groups, Packed, Post};", "use core::ptr::{null, null_mut};", "use isakern_sys as sys;\n"]
    enums = doors.enums_of(library)
    lines += enumeration("Activation", enums["isk_activation"]) + enumeration("Binary", enums["isk_binary"])
    for one, feature in [(library, "")] + ([(sleef, '#[cfg(feature = "sleef")]')] if sleef else []):
        for k in filter(lambda k, one=one: doors.has_door(one, k), one.kernels.values()):
            for text in (Function(one, k).text(), Function(one, k).in_place()):
                lines += [feature] * bool(feature and text) + text
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("version", "out", "depfile"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--isas", default=tables.isa_table())
    parser.add_argument("--sleef")
    parser.add_argument("families", nargs="+")
    options = parser.parse_args()
    options.tuning = None
    library = tables.Library([os.path.abspath(f) for f in options.families])
    sleef = tables.Library([os.path.abspath(options.sleef)]) if options.sleef else None
    for name, text in {"isakern-sys/src/lib.rs": sys_lib(library, sleef), "isakern/src/kernels.rs": kernels_rs(library, sleef)}.items():
        os.makedirs(os.path.dirname(os.path.join(options.out, name)), exist_ok=True)
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as f:
            f.write(text)
    for name in BY_HAND:
        with open(os.path.join(HERE, name), encoding="utf-8") as f:
            text = f.read().replace("@VERSION@", options.version)
        os.makedirs(os.path.dirname(os.path.join(options.out, name)), exist_ok=True)
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as f:
            f.write(text)
    shutil.copy(os.path.join(tables.ROOT, "docs", "rust.md"), os.path.join(options.out, "isakern", "README.md"))
    with open(os.path.join(options.out, "generated"), "w", encoding="utf-8"):
        pass
    read = sorted({path for one in (library, sleef) if one for path in gen.read_by(one, options)}
                  | {os.path.abspath(__file__), doors.__file__} | {os.path.join(HERE, name) for name in BY_HAND} | {os.path.join(tables.ROOT, "docs", "rust.md")})
    gen.write_depfile(options.depfile, os.path.join(options.out, "generated"), read)


if __name__ == "__main__":
    try:
        main()
    except tables.TableError as error:
        sys.exit(str(error))
