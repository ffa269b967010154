# SPDX-License-Identifier: MIT
"""Makes the example of a kernel from that of its operation: the text for its page and the statements for a test."""
import math
import re

import contract
import tables
import write

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)")


def split(text, separator):
    """Splits text at the separators outside brackets, strings and comments."""
    parts, depth, begin = [], 0, 0
    for match in re.finditer(r'/\*.*?\*/|"[^"]*"|[][(){}]|' + re.escape(separator), text, re.DOTALL):
        depth += (match[0] in "([{") - (match[0] in ")]}") if len(match[0]) == 1 else 0
        if match[0] == separator and not depth:
            parts.append(text[begin:match.start()])
            begin = match.end()
    return parts + [text[begin:]]


def fillers(types):
    """Types without C constants: by the word of an array's declaration, (the type, the C type of the numbers that a program
    writes, the function that converts them)."""
    return {contract.example_type(t): (t, "float", "isk_cvt_f32_" + t.name) if t.is_float else (t, "int8_t", "isk_cvt_s8_" + t.name)
            for t in types.values() if t.is_narrow or t.shares_byte}


def rounded(value, t):
    """The nearest number of a narrow type, ties to even."""
    if not t.is_narrow or not math.isfinite(value) or value == 0:
        return value
    unit = math.ldexp(1, max(math.frexp(value)[1] - 1, 1 - t.bias) - t.fraction)
    return round(value / unit) * unit


def digits(t):
    """The number of significant digits that are shown, or None for integers, which are shown whole."""
    return None if not t.is_float else 3 if t.is_narrow else 6


def same(expected, got, t):
    """Whether two numbers differ by at most one unit of the last digit that is shown."""
    if math.isnan(expected) or math.isnan(got):
        return math.isnan(expected) and math.isnan(got)
    if digits(t) is None or not math.isfinite(expected) or expected == 0:
        return expected == got
    unit = 10.0 ** (math.floor(math.log10(abs(expected))) + 1 - digits(t))
    return abs(expected - got) <= unit * (1 + 1e-9)


class Output:
    """The numbers that an example states for an output: an array or, if name is None, the result of the call."""

    def __init__(self, name, t, text, where):
        self.name, self.type, self.text = name, t, text
        tables.check(all(re.fullmatch(NUMBER, word) for word in text.replace(" / ", " ").split()), where,
                     "'%s' is no list of numbers" % text)

    @property
    def numbers(self):
        return [rounded(float(word), self.type) for word in NUMBER.findall(self.text)]

    def shown(self):
        """The numbers as a page shows them."""
        if not self.type.is_narrow:
            return self.text
        return NUMBER.sub(lambda word: "%.3g" % rounded(float(word[0]), self.type), self.text)


class Example:
    """text: the example on a page. body(): statements that call the kernel and show each output (test/contract/show.h)."""

    def __init__(self, kernel, entry, library):
        self.kernel, self.library = kernel, library
        self.where, text = entry.example_of(kernel)
        self.fillers = fillers(library.types)
        self.declaration = re.compile(r"(?:const )?(%s) (?=\w)" % "|".join(self.fillers))
        self.halves = {}  # the number of elements of each array whose elements share bytes
        tables.check(re.search(r"\bisk_%s\(" % kernel.name, text), self.where, "the example does not call isk_%s()" % kernel.name)
        text, comment = re.fullmatch(r"(.*?)\s*(?:/\* (.*?) \*/)?\s*", text, re.DOTALL).groups()
        self.statements = self.with_fills([s for s in split(text, ";") if s.strip()])
        self.outputs = self.expected(comment)
        shown = self.comment()
        self.text = "".join(s + ";" for s in self.statements).strip("\n") + (" /* %s */" % shown if shown else "")

    def with_fills(self, statements):
        """Declares arrays of the types in self.fillers without values. They are filled before the first use of one."""
        made, fills = [], []
        for statement in statements:
            if fills and not self.declaration.match(statement.strip()) and re.search(
                    r"\b(%s)\b" % "|".join(name for name, _ in fills), statement):
                made += ["\n\n" + fills[0][1]] + ["\n" + text for _, text in fills[1:]]
                statement, fills = "\n" + statement.strip(), []
            made.append(self.declared(statement, fills))
        return made

    def declared(self, statement, fills):
        match = self.declaration.match(statement.strip())
        if not match:
            return statement
        space, rest = statement[:len(statement) - len(statement.lstrip())], statement.strip()[match.end():]
        names = []
        for one in split(rest, ","):
            array = re.fullmatch(r"\s*(\w+)((?:\[\d+\])+)(?:\s*=\s*(\{.*\}))?\s*", one, re.DOTALL)
            tables.check(array, self.where, "'%s' is no array of numbers" % one.strip())
            name, sizes, numbers = array[1], [int(n) for n in re.findall(r"\d+", array[2])], array[3]
            if numbers:
                fills.append((name, self.fill(match[1], name, sizes, numbers)))
            names.append(name + self.dimensions(match[1], name, sizes))
        return "%s%s %s" % (space, self.fillers[match[1]][0].c, ", ".join(names))

    def dimensions(self, c, name, sizes):
        t = self.fillers[c][0]
        if t.shares_byte:
            tables.check(len(sizes) == 1 or sizes[-1] % 2 == 0, self.where,
                         "'%s': rows of %s have an even number of elements" % (name, t.name))
            self.halves[name] = math.prod(sizes)
            sizes = sizes[:-1] + [(sizes[-1] + 1) // 2]
        return "".join("[%d]" % n for n in sizes)

    def fill(self, c, name, sizes, numbers):
        _, number, convert = self.fillers[c]
        flat = re.findall(r"[^{},\s]+", numbers)
        count = math.prod(sizes)
        tables.check(len(flat) == count, self.where, "'%s' has %d numbers, expected %d" % (name, len(flat), count))
        return "%s(%s%s, (const %s[%d]){%s}, %d)" % (convert, name, "[0]" * (len(sizes) - 1), number, count, ", ".join(flat), count)

    def called(self):
        """The kernel and the arguments of the last statement, or (None, []) if that is no call of a kernel."""
        call = re.fullmatch(r"\s*(?:const )?(?:\w+ \*?\w+ = )?isk_(\w+)(\(.*\))\s*", self.statements[-1], re.DOTALL)
        inner = re.sub(r"\([^()]*\)", "", call[2][1:-1]) if call else ""
        kernel = self.library.kernels.get(call[1]) if call and "(" not in inner and ")" not in inner else None
        return (kernel, [a.strip() for a in split(call[2][1:-1], ",")]) if kernel else (None, [])

    def expected(self, comment):
        kernel, arguments = self.called()
        known, returned = {}, "s64"
        if kernel:
            tables.check(len(arguments) == len(kernel.shape.arguments) or not kernel.shape.arguments, self.where, "isk_%s takes %d arguments, not %d" % (
                kernel.name, len(kernel.shape.arguments), len(arguments)))
            outs = [(re.search(r"[A-Za-z_]\w*", given)[0], self.library.part_of(kernel.types.get(a.type, a.type)))
                    for a, given in zip(kernel.shape.arguments, arguments) if a.role == "out" and given != "NULL" and not a.packed]
            known.update(outs)
            field = write.result_field(self.library, kernel)
            # The comment states the status only if no output has numbers, as none does if the output is a packed matrix.
            returned = "s64" if field == "size" or field == "status" and not known else None if field == "status" else field
        found = []
        for part in (comment or "").split(", ") if comment else []:
            named = re.fullmatch(r"(?:([A-Za-z_]\w*) )?(.*)", part)
            name = named[1] if named[1] in known else None
            if name is None and returned is None:
                tables.check(len(known) == 1, self.where, "'%s' names no output of the call; there are %s" % (part, ", ".join(known)))
                name = next(iter(known))
            found.append(Output(name, self.library.types[known[name] if name else returned], part[len(named[1]) + 1:] if named[1] else part, self.where))
        listed = [o.name for o in found]
        for name in list(known) + ([None] if returned else []):
            tables.check(listed.count(name) == 1, self.where, "the comment has no numbers of %s" % (name or "what is returned"))
        return found

    def comment(self):
        single = len(self.outputs) == 1
        return ", ".join(o.shown() if single or not o.name else "%s %s" % (o.name, o.shown()) for o in self.outputs)

    def body(self):
        kernel, _ = self.called()
        last = re.sub(r"^\s*(?:const )?\w+ \*?\w+ = ", "", self.statements[-1]).strip()
        lines = "".join(s + ";" for s in self.statements[:-1]).strip("\n").split("\n")
        returned = [o for o in self.outputs if not o.name]
        status = kernel and kernel.shape.result == "status"
        lines.append("show_%s(%s);" % (returned[0].type.name, last) if returned else "show_status(%s);" % last if status else last + ";")
        for o in self.outputs:
            if o.name:
                count = self.halves.get(o.name, "sizeof %s / %d" % (o.name, o.type.size))
                lines.append("show_%s_array(\"%s\", &%s, %s);" % (o.type.name, o.name, o.name, count))
        return lines
