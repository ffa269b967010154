# SPDX-License-Identifier: MIT
"""Calls of all kernels by their names in C and C++, with distinguishable arguments: an array is at(its index), any other
argument a number of its own."""
import re

import tables
from write import result_type, signature, value_type

# The struct conv of all calls, and the elements that it gives each array.
CONV = """conv.images = 1, conv.height = 4, conv.width = 5, conv.channels = 2, conv.out_channels = 3;
	conv.kernel_h = conv.kernel_w = 2;"""
MEASURED = {"image": 4 * 5 * 2, "output": 3 * 4 * 3, "weights": 3 * 2 * 2 * 2}


class Call:
    def __init__(self, library, kernel):
        self.library, self.k, self.arguments = library, kernel, kernel.shape.arguments
        self.arrays = [a for a in self.arguments if a.is_array and not a.packed]
        self.always = [a for a in self.arrays if not a.null]
        self.one_dimension = all(len(a.extents) == 1 and not a.extents[0][1] for a in self.arrays)

    def type(self, a):
        return self.library.types[self.k.types.get(a.type, a.type)]

    def result(self):
        return result_type(self.library, self.k)

    def number(self, a):
        return 3 + self.arguments.index(a)

    def other(self, a):
        """The text of an argument that is not an array."""
        return ("&conv" if a.type == "isk_conv" else "NULL") if a.is_struct else str(self.number(a))

    def place(self, a):
        return "at(%d)" % self.arguments.index(a)

    def stub(self):
        """A stub with the kernel's name, which notes its arguments in 8 bytes each."""
        noted = ["\tgot(%s%s);" % ("(uintptr_t)" if a.is_array or a.is_struct else "(uint64_t)", a.name) for a in self.arguments]
        returns = [] if self.result() == "void" else ["\treturn (%s)returned;" % self.result()]
        return "\n".join([signature(self.library, self.k, "isk_" + self.k.name) + "\n{\n\tcalled(\"%s\");" % self.k.name]
                         + noted + returns + ["}\n"])

    def expected(self):
        noted = ["(uintptr_t)" + (self.place(a) if a.is_array else self.other(a)) if a.is_array or a.is_struct else self.other(a)
                 for a in self.arguments]
        return "%d%s" % (len(noted), "".join(", (uint64_t)" + word for word in noted))

    # C: the type of an element, and whether the element type's name tells it.

    def is_told(self, a):
        name, c = self.type(a).name, self.type(a).c
        integer = re.fullmatch(r"([us])(\d+)", name)
        return not self.type(a).is_complex and c in ("void", {"f32": "float", "f64": "double"}.get(name),
                     "%sint%s_t" % ("u" * (integer[1] == "u"), integer[2]) if integer else None)

    def in_c(self, a):
        t = self.type(a)
        if t.is_complex:
            return t.scalar
        return {1: "int8_t", 2: "isk_f16", 4: "float", 8: "struct eight"}[t.size] if t.c == "void" else t.c

    def looks(self):
        """The arrays as C's generic selection sees them: the type of their elements, or for packed ones their size."""
        return [str(self.type(a).size) if self.type(a).c == "void" else re.sub("isk_.*", "uint%d_t" % (8 * self.type(a).size),
                                                                              self.type(a).c) for a in self.always]

    def c(self, named=False):
        """The call in C; inputs are const or not."""
        words = []
        for a in self.arguments:
            const = "const " * (a.role == "in" and self.number(a) % 2)
            words.append(a.name if named else self.other(a) if not a.is_array else self.place(a) if a.packed
                         else "(%s%s *)%s" % (const, self.in_c(a), self.place(a)))
        return "isk_%s(%s)" % (self.k.op, ", ".join(words))

    # C++

    def in_cpp(self, a):
        t = self.type(a)
        if t.is_complex:
            return "std::complex<%s>" % t.scalar
        if t.c == "void":
            return {1: "std::byte", 2: "isk::f16", 4: "float", 8: "eight"}[t.size]
        return t.c if self.is_told(a) else "isk::" + t.name

    def cpp(self, array, named=False, dropped=()):
        """The call in C++. array(a, place) gives the text of an array."""
        words = []
        for a in self.arguments:
            place = a.name if named else self.place(a)
            if a.packed:
                words.append("isk::packed<%s>(%s)" % (self.in_cpp(a), place) if a.role == "in" else place)
            elif a.name not in dropped:
                words.append(array(a, place) if a.is_array else a.name if named else self.other(a))
        return "isk::%s(%s)" % (self.k.op, ", ".join(words))

    def by_pointers(self):
        return self.cpp(lambda a, place: "reinterpret_cast<%s%s *>(%s)" % (
            "const " * (a.role == "in" and self.number(a) % 2), self.in_cpp(a), place))

    def has_spans(self):
        return self.arrays and not any(self.type(a).shares_byte for a in self.arrays)

    def dropped(self):
        return [a.extents[0][0] for a in self.always] if self.one_dimension else []

    def needed(self, a):
        """The elements that an array must have, given the strides between its rows."""
        if a.measured:
            return MEASURED[a.measured.split(" ")[0]]
        number = {b.name: self.number(b) for b in self.arguments}
        extents = list(a.extents)
        if a.turned and number[a.turned[0]] & (a.turned[1] or -1):
            (rows, stride), (cols, _) = extents[-2:]
            extents[-2:] = [(cols, stride), (rows, None)]
        last, inner = 0, 1
        for size, stride in reversed(extents):
            last += (number[size] - 1) * (number[stride] if stride else inner)
            inner *= number[size]
        return last + 1

    def by_spans(self, short=None):
        return self.cpp(lambda a, place: "isk::span<%s%s>(reinterpret_cast<%s *>(%s), %d)" % (
            "const " * (a.role == "in"), self.in_cpp(a), self.in_cpp(a), place, self.needed(a) - (a is short)),
            dropped=self.dropped())

    def may_be_short(self):
        """The arrays whose length is checked. Among arrays of the same length the first one sets it."""
        firsts = {}
        for a in self.always if self.one_dimension else []:
            firsts.setdefault(a.extents[0][0], a)
        return [a for a in self.arrays if a not in firsts.values()]

    # Functions whose body is one call.

    def function(self, element, call):
        parameters = [
            "%s%s *%s" % ("const " * (a.role == "in"), "void" if a.packed else element(a), a.name) if a.is_array
            else "const struct %s *%s" % (a.type, a.name) if a.is_struct
            else "%s %s" % ("size_t" if a.role in ("size", "stride") else value_type(self.library, self.k, a), a.name)
            for a in self.arguments]
        head = "%s f_%s(%s)" % (self.result(), self.k.name, ", ".join(parameters) or "void")
        return "%s;\n%s\n{\n\t%s%s;\n}\n" % (head, head, "" if self.result() == "void" else "return ", call)

    def function_of_kernel(self):
        call = "isk_%s(%s)" % (self.k.name, ", ".join(a.name for a in self.arguments))
        return self.function(lambda a: "void" if self.type(a).c == "void" else self.type(a).c, call)

    def function_of_c(self):
        return self.function(self.in_c, self.c(named=True))

    def function_of_cpp(self):
        """The function in C++. A call that may fail returns its status."""
        status = ".status()" if self.k.shape.result == "status" else ""
        return self.function(self.in_cpp, self.cpp(lambda a, place: place, named=True) + status)


def all_calls(families):
    library = tables.Library(families)
    return [Call(library, k) for k in library.kernels.values()]


def by_generic_name(calls):
    """Calls that generic names reach, and calls that must not compile. If an operation has no generic name at all, one such
    call is enough, because compilers complain once. A call that differs from a reachable one only in a packed matrix is
    in neither list, because it looks the same."""
    by_look = {}
    for call in calls:
        if call.k.types and call.always:
            by_look.setdefault((call.k.op, *call.looks()), []).append(call)
    reached, refused = [], []
    for alike in by_look.values():
        plain = [c for c in alike if all(c.is_told(a) for a in c.always)]
        # Kernels whose visible arrays all have the same elements.
        seen = {tuple(c.type(a).name for a in c.always) for c in alike}
        meant = plain if len(alike) == 1 else [c for c in plain if len(seen) == 1 and len(set(c.k.types.values())) == 1]
        reached += meant
        refused += [] if meant else alike
    ops = {c.k.op for c in reached}
    return reached, [c for c in refused if c.k.op in ops] + list({c.k.op: c for c in refused if c.k.op not in ops}.values())
