# SPDX-License-Identifier: MIT
"""Writes the headers by which C and C++ choose kernels: a generic name for each operation in C11, overloads in C++17.
Their base is written by hand: isakern/choose.h and isakern/front.hpp."""
import os
import re

import tables
from write import c_type, parameter, result_type

# Names that C++ reserves. An operation with such a name gets an underscore behind it.
KEYWORDS = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using
    virtual void volatile wchar_t while xor xor_eq""".split())
# Names that C has another use for beside those, or that compilers define as macros, and those of namespaces that are not a
# user's: no prefix of a library either.
RESERVED = KEYWORDS | {"restrict", "typeof", "typeof_unqual", "linux", "unix", "std", "posix"}
# The struct for which isakern.hpp can compute the lengths of arrays.
MEASURES = "isk_conv"


def type_of(kernel, a):
    return kernel.types.get(a.type, a.type)


def is_bits(types, kernel, a):
    """Whether its elements may have any type of the right size."""
    return types[type_of(kernel, a)].kind == "bits"


def told_in_c(types):
    """The element types that C distinguishes from all others: no typedefs of our own, and one for each type of C."""
    found = {}
    for t in types.values():
        if t.c != "void" and not t.c.startswith("isk_"):
            found.setdefault(t.c, t.name)
    return set(found.values())


def pointee(t):
    """The type of C behind an element type, with our own typedefs resolved."""
    return "uint%d_t" % (8 * t.size) if t.c.startswith("isk_") else t.c


def keys_of(shape):
    """The arrays that decide which kernel a call means: those that have a type and are never NULL."""
    return [a for a in shape.arguments if a.is_array and not a.packed and not a.null]


def header(w, name, purpose, lines):
    """Writes a header beside those of families. isakern's own have no name of a library in front of theirs."""
    guard = re.sub(r"\W", "_", "%s_TABLES_%s" % (w.name, name)).upper()
    own = re.sub("^isakern-", "", w.name)
    path = name if own == "isakern" else own + {"generic.h": "_generic.h", "overloads.hpp": ".hpp"}[name]
    tables.check(path not in [family.name + ".h" for family in w.library.families], "--name",
                 "a library %s makes a header %s, and so does a table of that name" % (w.name, path))
    return w.file(os.path.join("include", w.include, path), [
        "/* SPDX-License-Identifier: MIT */", "/* %s, from the tables of %s. */" % (purpose, w.name),
        "#ifndef %s\n#define %s\n" % (guard, guard), *lines, "\n#endif"])


def contracts(w):
    return ['#include "%s.h"' % family.name for family in w.library.families]


# C11


def association(types, kernel):
    """The arrays that decide a call of a kernel, as the type of a function."""
    words = []
    for a in keys_of(kernel.shape):
        t = types[type_of(kernel, a)]
        if is_bits(types, kernel, a):
            words += (["void *"] if a.role == "out" else []) + ["char (*)[%d]" % t.size]
        else:
            words.append("%s%s *" % ("const " if a.role == "in" else "", pointee(t)))
    return "void (*)(%s)" % ", ".join(words)


def key_words(types, kernel):
    """The macros of isakern/choose.h that make the parameters of that type from the arguments of a generic name."""
    return ["ISK_%s%s" % ("BITS_" if is_bits(types, kernel, a) else "", a.role.upper()) for a in keys_of(kernel.shape)]


def have_one_list(types, kernels):
    """Whether one macro can call all these kernels."""
    return len({(tuple((a.role, a.is_array) for a in k.shape.arguments), tuple(key_words(types, k))) for k in kernels}) == 1


def one_of(types, same):
    """The kernel that is meant among those that take the same arrays in C, or None. If they differ only in the type of a
    packed matrix, which the matrix itself records, it is the kernel that has a single type."""
    by_elements = {tuple(type_of(k, a) for a in keys_of(k.shape)) for k in same}
    if len(same) > 1 and len(by_elements) == 1:
        same = [k for k in same if len(set(k.types.values())) == 1]
    told = told_in_c(types)
    told_all = all(is_bits(types, k, a) or type_of(k, a) in told for k in same for a in keys_of(k.shape))
    return same[0] if len(same) == 1 and told_all else None


def chosen_in_c(library):
    """By operation, the kernels that its generic name may stand for."""
    by_op = {}
    for k in library.kernels.values():
        # C cannot tell complex numbers from others, because pointers to them are void *.
        if k.types and keys_of(k.shape) and not any(library.types[t].is_complex for t in k.types.values()):
            by_op.setdefault(k.op, []).append(k)
    chosen = {}
    for op, kernels in by_op.items():
        # A kernel without types in its name may have that name.
        if op in library.kernels or not have_one_list(library.types, kernels):
            continue
        by_arrays = {}
        for k in kernels:
            by_arrays.setdefault(association(library.types, k), []).append(k)
        found = [one_of(library.types, same) for same in by_arrays.values()]
        if any(found):
            chosen[op] = [k for k in found if k]
    return chosen


def generic_header(w):
    """A macro for each operation. A library beside isakern, with its prefix, adds cases to the macros that isakern has."""
    lines = ["#include <isakern/choose.h>\n", *contracts(w), ""]
    for op, kernels in chosen_in_c(w.library).items():
        shape = kernels[0].shape
        cases = ", \\\n\t".join("%s: %s_%s" % (association(w.library.types, k), w.prefix, k.name) for k in kernels)
        if w.name != "isakern" and w.prefix == "isk":
            lines.append("#define ISK_ALSO_%s_%s 0, \\\n\t%s" % (w.prefix, op, cases))
            continue
        names = ", ".join(a.name for a in shape.arguments)
        key = ", ".join("%s(%s)" % pair for pair in zip(key_words(w.library.types, kernels[0]), [a.name for a in keys_of(shape)]))
        lines.append("#define %s_%s(%s) _Generic((void (*)(%s))0, ISK_ALSO(ISK_ALSO_%s_%s) \\\n\t%s)(%s)" % (
            w.prefix, op, names, key, w.prefix, op, cases, names))
    return header(w, "generic.h", "Generic names: isakern_generic.h", lines)


# C++17


def is_strong(types, name):
    return types[name].c != "void" and name not in told_in_c(types)


def element_types(w):
    """The element types for which C has no type of its own."""
    types = w.library.types
    return header(w, "types.hpp", "Types of elements: isakern.hpp", [
        "#include <cstdint>\n", "namespace isk {\n",
        *["enum class %s : std::%s {};" % (t.name, pointee(t)) for t in types.values() if is_strong(types, t.name)], "\n}"])


class Overloads:
    """The overloads of one kernel: one for pointers, and one for spans, which checks their sizes."""

    def __init__(self, w, kernel):
        self.w, self.k, self.types, self.shape = w, kernel, w.library.types, kernel.shape
        self.symbol = "%s_%s" % (w.prefix, kernel.name)
        self.arrays = [a for a in self.shape.arguments if a.is_array and not a.packed]
        self.bits = {}  # by the name of a type of bits, the first array that has it
        for a in self.arrays:
            if is_bits(self.types, kernel, a):
                self.bits.setdefault(type_of(kernel, a), a)
        # The spans give the sizes, if all arrays have one dimension.
        self.from_spans = {}
        if all(len(a.extents) == 1 and a.extents[0][1] is None for a in self.arrays):
            for a in keys_of(self.shape):
                self.from_spans.setdefault(a.extents[0][0], a)

    def element(self, a, of_bits):
        """The type of an element in C++; of_bits is the format that makes it for types of bits."""
        name = type_of(self.k, a)
        if self.types[name].is_complex:
            return "std::complex<%s>" % self.types[name].scalar
        return of_bits % name if name in self.bits else ("::isk::" + name if is_strong(self.types, name) else self.types[name].c)

    def const(self, a, of_bits):
        return ("const " if a.role == "in" else "") + self.element(a, of_bits)

    def to_c(self, a, pointer):
        """A pointer, cast to the type that the kernel takes."""
        if is_strong(self.types, type_of(self.k, a)):
            return "reinterpret_cast<%s%s *>(%s)" % ("const " if a.role == "in" else "", c_type(self.w.library, self.k, a.type), pointer)
        return pointer

    def scalar(self, a):
        """The declaration of a parameter that is no array."""
        if a.packed and a.role == "in":
            return "::isk::packed<%s> %s" % (self.element(a, "%s"), a.name)
        return parameter(self.w.library, self.k, a)

    def call(self, pointer, nullable):
        """A call of the kernel, with a check of its status. The formats pass an array, and one that may be NULL."""
        arguments = []
        for a in self.shape.arguments:
            if a.packed:
                arguments.append(a.name + ".data" if a.role == "in" else a.name)
            else:
                arguments.append(self.to_c(a, (nullable if a.null else pointer) % a.name) if a.is_array else a.name)
        call = "%s(%s)" % (self.symbol, ", ".join(arguments))
        return '::isk::detail::check(%s, "%s")' % (call, self.symbol) if self.shape.result == "status" else call

    def function(self, templates, result, parameters, body):
        head = ["template <%s>" % ", ".join(templates)] if templates else []
        return head + ["inline %s %s(%s)\n{" % (
            result, self.k.op + "_" * (self.k.op in KEYWORDS), ", ".join(parameters))] + ["\t" + line for line in body] + ["}"]

    def for_pointers(self):
        templates = []
        for name in self.bits:
            templates += ["class " + name, "::isk::detail::if_bits<%s, %d> = 0" % (name, self.types[name].size)]
        parameters = ["%s *%s" % (self.const(a, "%s"), a.name) if a in self.arrays else self.scalar(a) for a in self.shape.arguments]
        status = self.shape.result == "status"
        return self.function(templates, "::isk::detail::answer<void>" if status else result_type(self.w.library, self.k), parameters,
                             ["%s%s;" % ("" if result_type(self.w.library, self.k) == "void" else "return ", self.call("%s", "%s"))])

    def measure(self, a):
        """The struct that determines how many elements an array has."""
        return next(b for b in self.shape.arguments if b.name == a.measured.split(" of ")[1])

    def elements(self, a):
        """The least number of elements that a span must have, as an expression of C++."""
        if a.measured:
            return "::isk::detail::%s_of(%s)" % (a.measured.split(" of ")[0], self.measure(a).name)

        def step(extents, i):
            stride, inner = extents[i][1], [size for size, _ in extents[i + 1:]]
            return stride or ("::isk::detail::product({%s})" % ", ".join(inner) if inner else "1")

        def of(extents):
            return "::isk::detail::elements({%s})" % ", ".join(
                "{%s, %s}" % (size, step(extents, i)) for i, (size, _) in enumerate(extents))

        if a.turned:
            *outer, (rows, stride), (cols, _) = a.extents
            argument, bit = a.turned
            turned = of(outer + [(cols, stride), (rows, None)])
            return "%s ? %s : %s" % ("%s & %du" % (argument, bit) if bit else argument + " != 0", turned, of(a.extents))
        return of(a.extents)

    def checks(self):
        """The checks before the kernel is called."""
        lines = ["const size_t %s = %s.size();" % (size, a.name) for size, a in self.from_spans.items()]
        for a in self.arrays:
            sizes = [size for size, _ in a.extents]
            exactly = len(sizes) == 1 and sizes[0] in self.from_spans
            if exactly and self.from_spans[sizes[0]] is a:
                continue
            absent = "!%s.empty() && " % a.name if a.null else ""
            wanted = sizes[0] if exactly else "wanted"
            lines += ["if (%s%s%s.size() %s %s)" % ("" if exactly else "const size_t wanted = %s; " % self.elements(a), absent,
                                                    a.name, "!=" if exactly else "<", wanted),
                      '\treturn ::isk::detail::mismatch<%s>("%s", "%s", %s.size(), %s);' % (
                          self.returned(), self.symbol, a.name, a.name, wanted)]
        return lines

    def returned(self):
        return "void" if self.shape.result == "status" else result_type(self.w.library, self.k)

    def for_spans(self):
        if not self.arrays or any(self.types[type_of(self.k, a)].shares_byte or a.measured and self.measure(a).type != MEASURES
                                  for a in self.arrays):
            return []
        parameters, views, templates = [], [], []
        for a in self.shape.arguments:
            if a not in self.arrays:
                if a.name not in self.from_spans:
                    parameters.append(self.scalar(a))
                continue
            name = type_of(self.k, a)
            if name in self.bits:
                of = "::isk::detail::element<%s_, %d>" % (self.bits[name].name, self.types[name].size)
                if self.bits[name] is a:
                    templates.append("class %s_" % a.name)
                    parameters.append("%s_ &&%s_from" % (a.name, a.name))
                    views.append("const ::isk::span<%s%s> %s(%s_from);" % ("const " if a.role == "in" else "", of, a.name, a.name))
                    templates.append("class = " + of)
                    continue
                parameters.append("::isk::span<%s%s> %s" % ("const " if a.role == "in" else "", of, a.name))
            else:
                parameters.append("::isk::span<%s> %s" % (self.const(a, "%s"), a.name))
        checks = self.checks()
        fails = self.shape.result == "status" or any("mismatch" in line for line in checks)
        call = self.call("%s.data()", "::isk::detail::or_null(%s)")
        if self.returned() != "void" or self.shape.result == "status":
            last = ["return %s;" % call]
        else:
            last = [call + ";"] + (["return ::isk::detail::done();"] if fails else [])
        return self.function(templates, "::isk::detail::answer<%s>" % self.returned() if fails else self.returned(), parameters,
                             views + checks + last)


def overloads(w):
    lines = ["#include <isakern.hpp>\n"] if w.name != "isakern" else []
    # A header of a family may be written for C alone.
    lines += ['extern "C" {', *contracts(w), "}", "\nnamespace %s {\ninline namespace ISK_ERRORS {\n" % w.prefix]
    for k in w.library.kernels.values():
        one = Overloads(w, k)
        lines += one.for_pointers() + one.for_spans() + [""]
    return header(w, "overloads.hpp", "Overloads: isakern.hpp", lines + ["}\n}"])


def headers(w):
    """Writes all headers of this module and returns their paths, to be installed."""
    return ([element_types(w)] if w.name == "isakern" else []) + [generic_header(w), overloads(w)]
