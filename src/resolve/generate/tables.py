# SPDX-License-Identifier: MIT
"""Reads the tables: types, shapes, ISAs, kernels, tuning. A mistake in them raises a TableError that names file, line
and reason."""
import dataclasses
import fnmatch
import functools
import itertools
import os
import platform
import re

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOT = os.path.dirname(SRC)
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# The architectures: each has a table of its ISAs.
ARCHITECTURES = ("x86_64", "aarch64")
# The types of C that a value may have, beside the element types.
C_WORDS = ("int", "unsigned")
# ISK_ARGS_BYTES of call.h has room for these and for the result of the call.
MOST_ARGUMENTS = 31
MOST_CUTS = 2


class TableError(Exception):
    pass


def check(ok, where, reason):
    if not ok:
        raise TableError("%s: %s" % (where, reason))


@functools.cache  # since every line of a table asks, and each answer takes a dozen system calls
def shown(path):
    """A path as a reader finds it: isakern's own files relative to its root, others relative to the current folder."""
    real = os.path.realpath(path)
    return os.path.relpath(real, ROOT if real.startswith(os.path.realpath(ROOT) + os.sep) else None)


def read(path):
    """The text of a file: UTF-8 without NUL characters, since compilers and os.path take no others."""
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    bad = re.search("[\0\udc80-\udcff]", text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        raise TableError("%s:%d: byte 0x%02x; a file must be UTF-8 without NUL" % (shown(path), line, ord(bad[0]) & 0xff))
    return text


def lines_of(path):
    """Yields (where, line) for each line of a table that is neither empty nor a comment."""
    for number, line in enumerate(read(path).split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield "%s:%d" % (shown(path), number), line.strip()


def split(where, line, columns):
    """The columns of a row; the last one takes the rest of the line."""
    fields = line.split(None, columns - 1)
    check(len(fields) == columns, where, "%d columns, expected %d" % (len(fields), columns))
    return fields


def check_name(name, what, where, most):
    check(NAME.fullmatch(name), where,
          "'%s' is no %s name: lower-case letters, digits and single underscores" % (name, what))
    check(len(name) <= most, where, "'%s' is longer than %d characters" % (name, most))


def check_text(text, what, where):
    """It becomes a string and a comment of C."""
    check('"' not in text and "\\" not in text, where, "no quotes or backslashes in a " + what)
    check("*/" not in text and "/*" not in text, where, "no '/*' or '*/' in a %s, because it stands in a comment" % what)


@dataclasses.dataclass
class Type:
    name: str
    number: int
    c: str
    kind: str  # one of KINDS
    bits: int
    memory: int  # bits that an element takes in memory
    fraction: int  # 0 unless it is a float, as is bias
    bias: int
    special: str  # "inf,nan", "nan" or "-"
    lanes: str  # "f32", "f64" or "-"
    numpy: str  # its name in numpy or ml_dtypes, or "-"
    meaning: str  # a comment, or "-"

    @property
    def size(self):
        """The bytes from which elements of the type are read: one if elements share a byte."""
        return max(1, self.memory // 8)

    @property
    def shares_byte(self):
        return self.memory < 8

    @property
    def is_float(self):
        return self.kind == "float"

    @property
    def is_complex(self):
        return self.kind == "complex"

    @property
    def is_narrow(self):
        """Whether it is a float without a type in C: kernels compute with it in f32."""
        return self.is_float and self.c.startswith("isk_")

    @property
    def scalar(self):
        """The C type of a value that is of a type of a kernel's name, and of the parts of a complex number: what its lanes
        compute in."""
        return {"f32": "float", "f64": "double", "-": self.c}[self.lanes]


KINDS = ("float", "signed", "unsigned", "bits", "complex")


def check_format(where, t):
    check(t.kind in KINDS, where, "'%s' is no kind; there are %s" % (t.kind, ", ".join(KINDS)))
    check(t.memory in (4, 8, 16, 32, 64, 128) and 0 < t.bits <= t.memory, where,
          "an element has 4, 8, 16, 32, 64 or 128 bits of memory, and no more bits than that")
    check(t.lanes in ("f32", "f64", "-") and (t.lanes != "-") == (t.is_float or t.is_complex), where,
          "lanes are f32 or f64 for a float and for complex numbers, and - for others")
    check(t.special in ("inf,nan", "nan", "-"), where, "special is inf,nan or nan or -, not '%s'" % t.special)
    check(0 < t.fraction < t.bits - 2 and t.bias > 0 if t.is_float else t.fraction == t.bias == 0 and t.special == "-", where,
          "a float has a sign, an exponent of two bits or more, a fraction and a bias; other types have - there")


def read_types():
    types = {}
    for where, line in lines_of(os.path.join(SRC, "kernels", "types.tbl")):
        name, number, c, kind, bits, memory, fraction, bias, special, lanes, numpy, meaning = split(where, line, 12)
        check(NAME.fullmatch(name) and "_" not in name, where, "'%s' is no type name" % name)
        for text in (number, bits, memory) + ((fraction, bias) if kind == "float" else ()):
            check(text.isdigit(), where, "'%s' is no number" % text)
        check(name not in types and int(number) not in [t.number for t in types.values()], where,
              "type '%s', or its number, is listed twice" % name)
        check_text(meaning, "meaning", where)
        types[name] = Type(name, int(number), c, kind, int(bits), int(memory), int(fraction.replace("-", "0")),
                           int(bias.replace("-", "0")), special, lanes, numpy, meaning)
        check_format(where, types[name])
    return types


@dataclasses.dataclass
class Argument:
    name: str
    role: str  # "out", "in", "size", "stride" or "value"
    type: str = ""  # an element type, a variable that stands for one, a struct, or one of C_WORDS
    extents: list = dataclasses.field(default_factory=list)  # (extent, stride or None) each; empty for a struct
    measured: str = ""  # "image of conv": the struct conv determines its length
    packed: bool = False  # a packed matrix
    inout: bool = False  # an output that is also read
    null: bool = False  # may be NULL
    may_be: list = dataclasses.field(default_factory=list)  # the inputs that this output may be the same array as
    below: str = ""  # its integers are all less than this size
    ascending: str = ""  # its integers never decrease, and are at most this size
    solved: bool = False  # a matrix of equations
    any_order: bool = False  # its strides may have any order of size
    turned: tuple = ()  # (argument, bit): that bit of the argument (0: any value but 0) says that the matrix is transposed
    positive: bool = False  # a value that must be positive and finite
    limit: int = 0  # a value of integers that must be less than this; 0: any
    within: str = ""  # the variable whose integers are allowed for a value
    along: str = ""  # the size whose every element adds 1 to this value

    @property
    def is_array(self):
        return self.role in ("in", "out") and not self.is_struct

    @property
    def is_struct(self):
        return self.role == "in" and not self.extents and not self.measured


@dataclasses.dataclass
class Shape:
    name: str
    types: str  # "-", "AB_C", or letters like "T" and "F_T"
    result: str  # "void", "T", "size" or "status"
    threads: str  # "one", "many", "join", or the sizes along which a call may be cut into parts: "rows/cols"
    arguments: list

    @property
    def cuts(self):
        return [] if self.threads in ("one", "many", "join") else self.threads.split("/")

    @property
    def variables(self):
        return [c for c in self.types if c.isupper()]

    @property
    def is_map(self):
        """Whether each output element depends on the inputs at the same index, all of type T, and on values: map, zip."""
        sizes = [a.name for a in self.arguments if a.role == "size"]
        return (self.types == "T" and self.result == "void"
                and bool(re.fullmatch("out( in)+ size( value)*", " ".join(a.role for a in self.arguments)))
                and all(a.type == "T" and a.extents == [(sizes[0], None)] and not (a.packed or a.inout or a.null or a.turned or a.below or a.ascending)
                        for a in self.arguments if a.role in ("out", "in")))


ARRAY = re.compile(r"(?P<name>\w+) (?P<role>inout|out|in)(?P<packed> packed)? (?P<type>\w+)\[(?P<extents>[^]]+)\]")
STRUCT = re.compile(r"(?P<name>\w+) in (?P<type>\w+)")
SIZES = re.compile(r"(?P<names>\w+(?: \w+)*) (?P<role>size|stride)")
VALUE = re.compile(r"(?P<name>\w+) (?P<type>\w+)(?P<positive> above 0)?(?: below (?P<limit>\d+))?(?: within (?P<within>\w+))?(?: along (?P<along>\w+))?")
BEHIND = re.compile(r" may be (?P<may_be>\w+(?: \w+)*?)(?=$| turned)| below (?P<below>\w+)| ascending to (?P<ascending>\w+)| (?P<solved>solved)| in (?P<order>any order)| turned by (?P<turned>\w+)(?: (?P<bit>\d+))?")


def parse_extents(text):
    for extent in text.split(", "):
        words = extent.split(" by ")
        yield words[0], words[1] if len(words) > 1 else None


def parse_argument(where, text):
    """The arguments that one piece between semicolons declares. Only sizes and strides share a piece."""
    match = SIZES.fullmatch(text)
    if match:
        return [Argument(name, match["role"]) for name in match["names"].split()]
    match = ARRAY.match(text) or STRUCT.match(text)
    if match:
        fields = match.groupdict()
        role = fields.get("role", "in")
        a = Argument(fields["name"], "in" if role == "in" else "out", fields["type"],
                     packed=bool(fields.get("packed")), inout=role == "inout")
        extents = fields.get("extents", "")
        if " of " in extents:
            a.measured = extents
        elif extents:
            a.extents = list(parse_extents(extents))
        rest = text[match.end():]
        while rest:
            behind = BEHIND.match(rest)
            check(behind, where, "'%s' is no part of an argument" % rest.strip())
            if behind["turned"]:
                a.turned = (behind["turned"], int(behind["bit"] or 0))
            elif behind["below"]:
                a.below = behind["below"]
            elif behind["ascending"]:
                a.ascending = behind["ascending"]
            elif behind["solved"]:
                a.solved = True
            elif behind["order"]:
                a.any_order = True
            else:
                words = behind["may_be"].split()
                a.null = words == ["NULL"]
                a.may_be = [] if a.null else words
            rest = rest[behind.end():]
        return [a]
    match = VALUE.fullmatch(text)
    check(match, where, "'%s' is no argument" % text)
    return [Argument(match["name"], "value", match["type"], positive=bool(match["positive"]), limit=int(match["limit"] or 0), within=match["within"] or "",
                     along=match["along"] or "")]


def check_shape(where, shape, types):
    known = {a.name: a for a in shape.arguments}
    check(len(known) == len(shape.arguments), where, "two arguments have the same name")
    check(len(known) <= MOST_ARGUMENTS, where, "more than %d arguments" % MOST_ARGUMENTS)
    variables = shape.variables
    check(shape.result in ("void", "size", "status") or shape.result in variables, where,
          "a result is void, size, status or a type of the name, not '%s'" % shape.result)
    for a in shape.arguments:
        if a.is_array:
            check(a.type in types or a.type in variables, where, "'%s' is no element type" % a.type)
        if a.role == "value":
            check(a.type in types or a.type in C_WORDS or a.type in variables, where,
                  "'%s' is no type of a value; there are %s" % (a.type, ", ".join(list(types) + list(C_WORDS) + variables)))
        check(not a.limit or (a.type in C_WORDS and shape.result == "status"), where,
              "'%s' is below %d: an int or unsigned is below a number, and the call returns a status" % (a.name, a.limit))
        check(not a.within or a.within in variables, where, "'%s' is within '%s', but the name has no such type" % (a.name, a.within))
        for extent, stride in a.extents:
            check(extent in known and known[extent].role == "size", where, "'%s' is no size" % extent)
            check(stride is None or (stride in known and known[stride].role == "stride"), where,
                  "'%s' is no stride" % stride)
        if a.measured:
            struct = a.measured.split(" of ")[1]
            check(struct in known and known[struct].is_struct, where, "'%s' is no struct" % struct)
        for other in a.may_be:
            check(a.role == "out" and other in known and known[other].role == "in"
                  and known[other].is_array, where, "'%s' may be '%s', which is no input" % (a.name, other))
        if a.below:
            check(a.role == "in" and shape.result == "status" and a.below in known and known[a.below].role == "size", where,
                  "'%s' is below '%s': an input is below a size, and the call returns a status" % (a.name, a.below))
        if a.ascending:
            check(a.role == "in" and shape.result == "status" and a.ascending in known and known[a.ascending].role == "size", where,
                  "'%s' ascends to '%s': an input ascends to a size, and the call returns a status" % (a.name, a.ascending))
        check(not a.along or (a.along in known and known[a.along].role == "size" and a.type == "s64"), where,
              "'%s' grows along '%s': a value of s64 grows along a size" % (a.name, a.along))
        check(not a.any_order or (a.role == "in" and all(stride for _, stride in a.extents)), where,
              "'%s' has any order: only an input of which each extent has a stride may" % a.name)
        if a.solved:
            check(a.role == "in" and len(a.extents) == 2 and a.extents[0][0] == a.extents[1][0], where,
                  "'%s' is solved: only a square matrix is" % a.name)
        if a.turned:
            check(a.turned[0] in known and known[a.turned[0]].type in C_WORDS, where,
                  "'%s' is turned by '%s', which is no int or unsigned" % (a.name, a.turned[0]))


def check_cuts(where, shape):
    """Checks that a part of the call along each size is a call: its arrays are parts of the arrays."""
    known = {a.name: a for a in shape.arguments}
    if shape.threads == "join":
        sizes = [a.name for a in shape.arguments if a.role == "size"]
        check(shape.result not in ("void", "status") and len(sizes) == 1
              and all([e for e, _ in a.extents] == sizes for a in shape.arguments if a.is_array), where,
              "threads: results are joined if there is one, of arrays that all have one size")
    check(len(shape.cuts) <= MOST_CUTS, where, "threads: more than %d sizes" % MOST_CUTS)
    for size in shape.cuts:
        check(size in known and known[size].role == "size", where,
              "threads are one, many, join or sizes as in rows/cols, not '%s'" % size)
        check(shape.result in ("void", "status"), where, "threads: the parts of a call have no one result")
        for a in shape.arguments:
            place = [extent for extent, _ in a.extents].index(size) if size in [extent for extent, _ in a.extents] else None
            check(a.role != "out" or place is not None, where, "threads: '%s' is written by every part along %s" % (a.name, size))
            check(place is None or all(stride for _, stride in a.extents[:place]), where,
                  "threads: a part of '%s' along %s has gaps that no stride tells" % (a.name, size))
            check(place is None or not (a.packed or a.turned or a.ascending), where, "threads: '%s' cannot be cut" % a.name)


JOINS = ("sum", "add", "xor", "max", "min", "argmax", "argmin")


def read_joins():
    """How the results of parts are joined, by operation."""
    joins = {}
    for where, line in lines_of(os.path.join(SRC, "kernels", "joins.tbl")):
        join, operations = split(where, line, 2)
        check(join in JOINS, where, "unknown join '%s'; there are %s" % (join, ", ".join(JOINS)))
        for op in operations.split(","):
            check(op not in joins, where, "'%s' is listed twice" % op)
            joins[op] = join
    return joins


def join_of(joins, op, shape, types):
    """How a kernel's results are joined; "": they are not. types: those of its name."""
    join = joins.get(op, "") if shape.threads == "join" else ""
    floats = [t.kind == "float" for t in types]
    if join == "sum" and not all(floats):
        return "" if any(floats) else "add"
    return join


def read_shapes(paths, types):
    shapes = {}
    for path in paths:
        for where, line in lines_of(path):
            fields = line.split(None, 4)
            check(len(fields) >= 4, where, "%d columns, expected 5" % len(fields))
            name, names, result, threads = fields[:4]
            check_name(name, "shape", where, 15)
            check(name not in shapes, where, "shape '%s' is listed twice" % name)
            check(names in ("AB_C", "-") or (re.fullmatch("[A-Z](_[A-Z]){0,2}", names) and len(set(names) - {"_"}) * 2 == len(names) + 1),
                  where, "types are -, AB_C, or letters like T and F_T, not '%s'" % names)
            arguments = []
            for piece in (fields[4].split(";") if len(fields) > 4 else []):
                arguments += parse_argument(where, piece.strip())
            shapes[name] = Shape(name, names, result, threads, arguments)
            check_shape(where, shapes[name], types)
            check_cuts(where, shapes[name])
    return shapes


@dataclasses.dataclass
class Isa:
    name: str
    vocabulary: str
    lanes: int
    registers: int
    fma: bool
    lists: list
    flags: list
    builds_on: list  # the rows whose flags this one includes, nearest first


def isa_table(architecture=None):
    """The table of an architecture: by default ISK_ARCHITECTURE, which tests of cross builds set, else this machine's."""
    return os.path.join(SRC, "isa", (architecture or os.environ.get("ISK_ARCHITECTURE") or platform.machine()) + ".tbl")


def architecture_of(table):
    return os.path.basename(table)[:-len(".tbl")]


def elsewhere(path):
    """The names of rows and of lists in the tables of other architectures."""
    rows, lists = set(), set()
    for other in map(isa_table, ARCHITECTURES):
        for isa in read_isas(other).values() if os.path.basename(other) != os.path.basename(path) else []:
            rows.add(isa.name)
            lists.update(isa.lists)
    return rows, lists


def read_isas(path):
    isas = {}
    for where, line in lines_of(path):
        name, vocabulary, lanes, registers, fma, lists, flags = split(where, line, 7)
        check_name(name, "ISA", where, 15)
        check(name not in isas, where, "ISA '%s' is listed twice" % name)
        check(len(isas) < 32, where, "there is room for 32 ISAs")
        check(os.path.isfile(os.path.join(SRC, "isa", "vec_%s.h" % vocabulary)), where,
              "no file src/isa/vec_%s.h" % vocabulary)
        check(lanes in ("4", "8", "16"), where, "%s lanes: 4, 8 or 16" % lanes)
        check(registers.isdigit() and int(registers) >= 16, where, "%s registers: at least 16" % registers)
        check(fma in ("yes", "no"), where, "fma is yes or no, not '%s'" % fma)
        words, builds_on = [], []
        for word in flags.split():
            if word.startswith("@"):
                check(word[1:] in isas, where, "'%s' names no row above" % word)
                words += isas[word[1:]].flags
                builds_on += [word[1:]] + isas[word[1:]].builds_on
            else:
                check(word.startswith("-m"), where, "'%s' is no -m flag" % word)
                words.append(word)
        isas[name] = Isa(name, vocabulary, int(lanes), int(registers), fma == "yes",
                         [] if lists == "-" else lists.split(","), words, builds_on)
    check(isas, shown(path), "no ISAs")
    first = next(iter(isas.values()))
    check(all(f.startswith(("-march=", "-mtune=")) for f in first.flags), shown(path),
          "every CPU runs the first row, '%s': it has no flags but -march and -mtune" % first.name)
    return isas


@dataclasses.dataclass
class Kernel:
    name: str
    op: str
    code: str  # the kernel whose variants this one has: itself, unless it is another name
    code_op: str  # the operation of that kernel
    shape: Shape
    types: dict  # the element type of each variable of the shape
    family: str
    file: str
    isas: list
    bits: str
    error: str
    baseline: str
    since: str
    summary: str
    tuning: list
    overrides: bool  # whether it replaces isakern's kernel of this name
    unit: "Unit" = None  # the compilation that defines it
    join: str = ""  # how the results of parts are joined: joins.tbl

    @property
    def is_parallel(self):
        """Whether libisakern-omp has a form of it."""
        return bool(self.shape.threads == "many" or self.shape.cuts or self.join)

    @property
    def is_coded(self):
        """Whether a source defines it. If not, it is another name of a kernel."""
        return self.code == self.name


# A source that includes this header is compiled for one tuple of element types at a time.
OF_TYPE = re.compile(r'^#include "of_type\.h"$', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Unit:
    """One compilation of a source: all of it, or its kernels of some types."""
    family: str
    file: str
    types: str = ""  # as they end the names of its kernels: f32, f32_bf16
    variables: tuple = ()  # (variable, element type)

    @property
    def name(self):
        """norm_bf16.c, or the source itself."""
        return "%s_%s.c" % (self.file[:-len(".c")], self.types) if self.types else self.file

    @property
    def path(self):
        return os.path.join(self.family, self.name)

    @property
    def macros(self):
        """(name, value) of what tells the source its types."""
        return [("ISK_" + letter, name) for letter, name in self.variables] + ([("ISK_TYPES", self.types)] if self.types else [])


@dataclasses.dataclass
class Family:
    name: str
    folder: str
    kernels: list
    parts: dict  # file -> ISAs: sources that only other sources of the library call
    units: dict  # file -> the units of a part
    api: dict  # file -> the kernel without which it is not compiled, or "": sources of ordinary functions


def isas_of(where, text, isas, others):
    """The ISAs that lists and names stand for, in the order of their table. Lists of other architectures stand for none."""
    lists = {"all": list(isas), "lowest": list(isas)[:1], **{name: [] for name in others}}
    for name, isa in isas.items():
        for one in isa.lists:
            lists.setdefault(one, []).append(name)
    chosen = set()
    for word in text.split(","):
        check(word in lists or word in isas, where, "unknown ISA or list '%s'; there are %s"
              % (word, ", ".join(list(isas) + sorted(lists))))
        chosen |= set(lists.get(word, [word]))
    return [name for name in isas if name in chosen]


def types_in(where, text, shape, types):
    """The element type of each variable of a shape, from the types in a kernel's name."""
    if shape.types == "-":
        check(text == "-", where, "shape '%s' has no types: '-', not '%s'" % (shape.name, text))
        return {}
    one = "(%s)" % "|".join(types)
    pattern = "%s%s?(?:_%s)?" % (one, one, one) if shape.types == "AB_C" else re.sub("[A-Z]", lambda _: one, shape.types)
    match = re.fullmatch(pattern, text)
    check(match, where, "'%s' is not %s of the types %s" % (text, shape.types, ", ".join(types)))
    found, last = {}, None
    for variable, word in zip(shape.variables, match.groups()):
        last = word or (found["A"] if variable in "BC" else last)
        found[variable] = last
    return found


def bound(where, text):
    """Returns (error, error without fused multiply-add)."""
    words = text.split("/")
    check(len(words) <= 2 and all(w == "exact" or re.fullmatch(r"\d+(\.\d+)?", w) for w in words), where,
          "an error bound is a number or 'exact', and one for baseline behind a slash")
    return words[0], words[-1]


def read_family(folder, shapes, isas, others, types, joins, seen):
    family = Family(os.path.basename(folder), folder, [], {}, {}, {})
    of_type = {}  # file -> whether it is compiled by types
    path = os.path.join(folder, "kernels.tbl")
    check(os.path.isfile(path), shown(folder), "a family has a file kernels.tbl")
    files = {}

    def check_file(where, file):
        path = os.path.join(folder, file)
        check(os.path.isfile(path), where, "no file %s" % shown(path))
        if file not in of_type:
            with open(path, encoding="utf-8") as f:
                of_type[file] = bool(OF_TYPE.search(f.read()))

    for where, line in lines_of(path):
        kind = line.split()[0]
        if kind == "part":
            _, named, listed, _ = split(where, line, 4)
            file, _, listed_types = named.partition(":")
            check_file(where, file)
            check(file not in family.parts, where, "part '%s' is listed twice" % file)
            check(listed_types or not of_type[file], where, "%s includes of_type.h: the part names its types, as in %s:f32,f64" % (file, file))
            check(of_type[file] or not listed_types, where, "%s has types, but does not include of_type.h" % named)
            of_types = listed_types.split(",") if listed_types else []
            for name in of_types:
                check(name in types, where, "unknown type '%s'; there are %s" % (name, ", ".join(types)))
            family.parts[file] = isas_of(where, listed, isas, others)
            family.units[file] = [Unit(family.name, file, name, (("T", name),)) for name in of_types] or [Unit(family.name, file)]
            continue
        if kind == "api":
            _, named, _ = split(where, line, 3)
            file, _, kernel = named.partition(":")
            check_file(where, file)
            family.api[file] = kernel
            continue
        overrides = kind == "override"
        listed_ops, shape, listed_types, file, listed, bits, error, since, summary = split(
            where, line[len(kind):].lstrip() if overrides else line, 9)
        ops = listed_ops.split(",")
        for op in ops:
            check_name(op, "operation", where, 40)
        check(shape in shapes, where, "unknown shape '%s'; there are %s" % (shape, ", ".join(shapes)))
        check_file(where, file)
        names = isas_of(where, listed, isas, others)
        lowest = next(iter(isas))
        check(lowest in names, where, "every kernel needs a %s variant" % lowest)
        check(files.setdefault(file, names) == names, where,
              "another kernel of %s has other ISAs; a file is compiled as a whole" % file)
        check(bits in ("same", "same-amx", "bound"), where,
              "bits are 'same', 'same-amx' or 'bound', not '%s'" % bits)
        check(re.fullmatch(r"\d+\.\d+", since), where, "since is a version like 0.1, not '%s'" % since)
        check_text(summary, "summary", where)
        for op, text in itertools.product(ops, listed_types.split(",")):
            found = types_in(where, text, shapes[shape], types)
            name, code = (one if text == "-" else one + "_" + text for one in (op, ops[0]))
            # KERNEL=ISA must fit struct token of policy.c, which cuts longer items of ISAKERN_BIND.
            check(len(name) <= 46, where, "'%s' is longer than 46 characters" % name)
            check(name not in seen, where, "kernel '%s' is listed twice" % name)
            try:
                summed_up = summary.format(**found)
            except (KeyError, IndexError, ValueError):
                check(False, where, "'%s': braces hold a type, one of %s"
                      % (summary, ", ".join(shapes[shape].variables) or "none"))
            check(found or not of_type[file], where, "%s includes of_type.h: its kernels have types" % file)
            unit = Unit(family.name, file, text, tuple(found.items())) if of_type[file] else Unit(family.name, file)
            seen[name] = Kernel(name, op, code, ops[0], shapes[shape], found, family.name, file, names, bits,
                                *bound(where, error), since, summed_up, [], overrides, unit,
                                join_of(joins, op, shapes[shape], [types[name] for name in found.values()]))
            family.kernels.append(seen[name])
    check(family.kernels, shown(path), "no kernels")
    for file, kernel in family.api.items():
        check(not kernel or kernel in seen, shown(path), "%s is for an unknown kernel '%s'" % (file, kernel))
    for unit in {k.unit for k in family.kernels if k.unit.types}:
        ops = {k.op for k in family.kernels if k.file == unit.file and k.is_coded}
        lacking = ops - {k.op for k in family.kernels if k.unit == unit}
        check(not lacking, shown(path), "%s includes of_type.h, so all its operations have the same types: %s has no %s"
              % (unit.file, min(lacking, default=""), unit.types))
    return family


def read_tuning(path, isas, others, kernels):
    for where, line in lines_of(path):
        names, isa, family, models, reason = split(where, line, 5)
        names = names.split(",")
        for name in names:
            check(name in kernels, where, "unknown kernel '%s'" % name)
            check(isa in others or isa in kernels[name].isas[1:], where, "'%s' has no variant '%s' to demote" % (name, isa))
        if isa in others:
            continue
        check(family.isdigit() and re.fullmatch(r"\d+-\d+", models), where,
              "family is a number, models a range like 0-15")
        low, high = map(int, models.split("-"))
        check(low <= high <= 0xfff and int(family) <= 270, where, "family or models out of range")
        check_text(reason, "reason", where)
        # The reason must fit isk_candidate.reason, behind the name of an ISA and a few words.
        check(len(reason) <= 75, where, "a reason has at most 75 characters, this one %d" % len(reason))
        for name in names:
            kernels[name].tuning.append((list(isas).index(isa), int(family), low, high, reason))


@dataclasses.dataclass
class Port:
    """Functions of another library, the operations and functions that serve them here, and how these behave differently."""
    theirs: list
    ours: list
    difference: str


@dataclasses.dataclass
class Origin:
    """A library to port from, and a note on all of its functions."""
    name: str
    note: str
    ports: list


def read_porting(path, library):
    known = {k.op for k in library.kernels.values()}
    for header in (os.path.join(f.folder, f.name + "_types.h") for f in library.families):
        if os.path.isfile(header):
            with open(header, encoding="utf-8") as f:
                known.update(re.findall(r"^\w.*\bisk_(\w+)\(", f.read(), re.MULTILINE))
    origins = {}
    for where, line in lines_of(path):
        if line.split()[0] == "library":
            _, source, note = split(where, line, 3)
            check(source not in origins, where, "library '%s' is listed twice" % source)
            origins[source] = Origin(source, note, [])
            continue
        source, theirs, ours, difference = split(where, line, 4)
        check(source in origins, where, "no line 'library %s ...' comes before this row" % source)
        port = Port(theirs.split(","), ours.split(","), "" if difference == "-" else difference)
        for op in port.ours:
            check(op in known, where, "'%s' is no operation of a kernel and no function of a family" % op)
        seen = {name for earlier in origins[source].ports for name in earlier.theirs}
        for name in port.theirs:
            check(name not in seen, where, "'%s' is listed twice" % name)
            seen.add(name)
        origins[source].ports.append(port)
    return list(origins.values())


class Library:
    """The tables of one library: its families, and the ISAs that they are compiled for. kernels are the kernels of the
    library, which may be fewer than those of its families."""

    def __init__(self, folders, tuning=None, isas=None):
        isas = isas or isa_table()
        shapes = [os.path.join(SRC, "kernels", "shapes.tbl")]
        shapes += [p for p in (os.path.join(f, "shapes.tbl") for f in folders) if os.path.isfile(p)]
        self.types = read_types()
        self.shapes = read_shapes(shapes, self.types)
        joins = read_joins()
        self.isas = read_isas(isas)
        rows, lists = elsewhere(isas)
        self.kernels = {}
        self.families = [read_family(f, self.shapes, self.isas, lists, self.types, joins, self.kernels) for f in folders]
        files = {}
        for family in self.families:
            for file in {n for k in family.kernels for n in (k.file, k.unit.name)} | {
                    n for f, units in family.units.items() for n in [f, *(unit.name for unit in units)]} | set(family.api):
                check(files.setdefault(file, family) is family, family.folder,
                      "'%s' is a source of %s too: sources of a library have different names"
                      % (file, files[file].name))
        for family in self.families:
            for file in (family.name + ".h.in", "oracle.h"):
                check(os.path.isfile(os.path.join(family.folder, file)), shown(family.folder), "a family has a file " + file)
        if tuning:
            read_tuning(tuning, self.isas, rows, self.kernels)

    def part_of(self, name):
        """The type of the parts of complex numbers; any other type is its own."""
        return self.types[name].lanes if self.types[name].is_complex else name

    def matching(self, pattern):
        return [name for name in self.kernels if fnmatch.fnmatchcase(name, pattern)]

    def keep(self, names):
        self.kernels = {name: k for name, k in self.kernels.items() if name in names}

    def api_of(self, family):
        """The family's sources of ordinary functions that this library has if it has any source of the family."""
        return [file for file, kernel in family.api.items() if not kernel or kernel in self.kernels]

    def units(self, isa=None):
        """What is compiled, for an ISA or for any."""
        found = set()
        for family in self.families:
            found |= {k.unit for k in family.kernels if isa is None or isa in k.isas}
            found |= {unit for f, names in family.parts.items() if isa is None or isa in names for unit in family.units[f]}
        return sorted(found, key=lambda unit: unit.path)
