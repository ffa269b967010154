# SPDX-License-Identifier: MIT
"""Reads the contracts of operations: FAMILY.md beside the kernels.tbl of a family. A mistake in one raises a TableError
with file, line and reason. src/kernels/README.md describes the format."""
import dataclasses
import os
import re

import tables
from sentences import words_of

PLACEHOLDER = re.compile(r"\{(isk_\w+|lane_\w+|[A-Z]|[a-z]\w*)\}")
BARE = {8: "uint8_t", 16: "uint16_t", 32: "uint32_t", 64: "uint64_t"}


def example_type(element):
    """The C type of an element in an example. A kernel that only moves bits takes an array of any type of their width. If
    elements share a byte, the word stands for them until examples.py makes the array one of bytes. An array of complex numbers
    is one of their parts."""
    if element.shares_byte:
        return "isk_" + element.name
    if element.is_complex:
        return element.scalar
    return BARE[8 * element.size] if element.c == "void" else element.c


@dataclasses.dataclass
class Note:
    """A paragraph, a bullet or an example. types: the types of the kernels that it is about; empty if it is about all."""
    where: str
    types: list
    text: str


class Entry:
    """The entry in FAMILY.md of an operation, or of several operations that share one text."""

    def __init__(self, where, ops, kernels, library):
        self.where, self.ops, self.kernels, self.library = where, ops, kernels, library
        self.names = {words_of(k) for k in kernels}
        self.definition, self.notes, self.errors, self.exacts, self.examples = "", [], [], [], []

    def is_about(self, note, kernel):
        """Whether a note is about a kernel. A word of note.types stands for the kernel with exactly these types in its name
        or, if there is no such kernel, for all kernels that have this type."""
        own = words_of(kernel)
        return not note.types or any(w == own if w in self.names else w in own.split("_") or w in kernel.types.values()
                                     for w in note.types)

    def filled(self, where, text, kernel, error=None):
        """The text for a kernel: its types take the place of the placeholders."""
        known = {"types": words_of(kernel), "op": kernel.op}
        for variable, name in kernel.types.items():
            element = self.library.types[name]
            known.update({variable: name, "isk_" + variable: example_type(element), "lane_" + variable: element.scalar})
        if error:
            known["error"] = error
        if len(kernel.types) == 3:
            text = re.sub(r"\{A\}(\{B\})?_\{C\}", "{types}", text)

        def word(match):
            tables.check(match[1] in known, where, "unknown placeholder '%s' for %s; there are %s" % (
                match[0], kernel.name, ", ".join("{%s}" % w for w in known)))
            return known[match[1]]
        return PLACEHOLDER.sub(word, text)

    def sentence(self, text):
        """The text of a bullet after its types, with a capital unless an argument or an operation is its first word."""
        names = {a.name for k in self.kernels for a in k.shape.arguments} | set(self.ops)
        first = re.match(r"[a-z]{2,}(?=[ ,])", text)
        return text[0].upper() + text[1:] if first and first[0] not in names else text

    def whole(self, where, text):
        """The text for all kernels together. A letter stands for a type unless all kernels have the same type there."""
        for variable in {v for k in self.kernels for v in k.types}:
            names = {k.types.get(variable) for k in self.kernels}
            text = text.replace("{%s}" % variable, names.pop() if len(names) == 1 else variable)
        return self.filled(where, text, self.kernels[0])

    def whole_definition(self):
        return self.whole(self.where, self.definition)

    def whole_notes(self):
        return ["%s%s" % (", ".join(n.types) + ": " if n.types else "", self.whole(n.where, n.text)) for n in self.notes]

    def whole_text(self):
        """The text of a docstring: the definition, and a bullet for each note and each unit of the error bound."""
        errors = ["%s%s" % (", ".join(n.types) + ": " if n.types else "", self.whole(n.where, n.text.replace("{error}", "E")))
                  for n in self.errors]
        errors = ["Error, with E for the number below: " + text for text in errors]
        return "\n".join([self.whole_definition(), ""] + ["- " + text for text in self.whole_notes() + errors])

    def definition_of(self, kernel):
        return self.filled(self.where, self.definition, kernel)

    def notes_of(self, kernel):
        return [self.filled(n.where, n.text, kernel) for n in self.notes if self.is_about(n, kernel)]

    def error_of(self, kernel, bound):
        """The sentence about an error bound, which is a number."""
        for note in sorted(self.errors, key=lambda n: not n.types):
            if self.is_about(note, kernel):
                text = re.sub(r"\{error\} · ", "", note.text) if float(bound) == 1 else note.text
                return self.filled(note.where, text, kernel, bound)
        raise tables.TableError("%s: no bullet 'Error: ...' for %s, whose bound is %s" % (self.where, kernel.name, bound))

    def exact_of(self, kernel):
        """The sentence that replaces the usual one about exact kernels, or None."""
        return next((self.filled(n.where, n.text, kernel) for n in self.exacts if self.is_about(n, kernel)), None)

    def example_of(self, kernel):
        """The place and the text of the example: one for exactly these types, else one for one of them, else one for all."""
        def rank(note):
            return 2 if not note.types else 0 if words_of(kernel) in note.types else 1
        found = sorted((n for n in self.examples if self.is_about(n, kernel)), key=rank)
        tables.check(found, self.where, "no example for %s" % kernel.name)
        return found[0].where, self.filled(found[0].where, found[0].text, kernel)

    def check(self):
        """Checks that each kernel has all texts that its page needs, and that each text is about a kernel."""
        tables.check(self.definition, self.where, "no sentence that says what is computed")
        for note in self.notes + self.errors + self.exacts + self.examples:
            tables.check(any(self.is_about(note, k) for k in self.kernels), note.where,
                         "no kernel of %s has the types %s" % (", ".join(self.ops), ", ".join(note.types)))
        bounds = [b for k in self.kernels for b in (k.error, k.baseline) if b != "exact"]
        tables.check(bounds or not self.errors, self.where, "a bullet 'Error: ...', but all kernels are exact")
        tables.check("exact" in [k.error for k in self.kernels] or not self.exacts, self.where,
                     "a bullet 'Exact: ...', but no kernel is exact")
        for k in self.kernels:
            for bound in {k.error, k.baseline} - {"exact"}:
                self.error_of(k, bound)
            self.example_of(k)
            self.definition_of(k)
            self.notes_of(k)


class Contract:
    """A FAMILY.md: its title, the paragraphs about the whole family and about shapes, and an entry for each operation."""

    def __init__(self, path, family, library):
        self.path, self.family, self.library = path, family, library
        self.title, self.general, self.shapes, self.entries = "", [], {}, []
        ops = list(dict.fromkeys(k.op for k in family.kernels))
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        self.read(lines, ops)
        found = [op for entry in self.entries for op in entry.ops]
        for op in ops:
            tables.check(op in found, tables.shown(path), "operation '%s' of kernels.tbl has no entry" % op)
        for entry, op in zip((e for e in self.entries for _ in e.ops), ops):
            tables.check(op in entry.ops, entry.where, "'%s' stands where '%s' is next in kernels.tbl" % (", ".join(entry.ops), op))
        for entry in self.entries:
            entry.check()

    def place(self, number):
        return "%s:%d" % (tables.shown(self.path), number)

    def read(self, lines, ops):
        title = re.fullmatch(r"# (\w+): (.+)", lines[0])
        tables.check(title and title[1] == self.family.name, self.place(1), "the first line is '# %s: TITLE'" % self.family.name)
        self.title = title[2][0].upper() + title[2][1:].rstrip(".")
        section, number = self.general, 1
        while number < len(lines):
            line, where = lines[number], self.place(number + 1)
            number += 1
            if line.startswith("## "):
                section = self.heading(where, line[3:], ops)
            elif line.startswith("```"):
                end = next((i for i in range(number, len(lines)) if lines[i].startswith("```")), None)
                tables.check(end, where, "the example does not end")
                self.example(where, section, line, lines[number:end])
                number = end + 1
            elif line.strip():
                # A paragraph or a bullet may take several lines.
                more = [line]
                while number < len(lines) and lines[number].strip() and not re.match(r"- |#|```", lines[number]):
                    more.append(lines[number])
                    number += 1
                self.text(where, section, " ".join(one.strip() for one in more))

    def heading(self, where, text, ops):
        shape = re.fullmatch(r"shape: (.+)", text)
        names = (shape[1] if shape else text).split(", ")
        if shape:
            for name in names:
                tables.check(any(k.shape.name == name for k in self.family.kernels), where, "no kernel of %s has the shape '%s'"
                             % (self.family.name, name))
                tables.check(name not in self.shapes, where, "shape '%s' has two sections" % name)
            section = []
            self.shapes.update((name, section) for name in names)
            return section
        for op in names:
            tables.check(op in ops, where, "'%s' is no operation of kernels.tbl" % op)
            tables.check(not any(op in e.ops for e in self.entries), where, "'%s' has two entries" % op)
        self.entries.append(Entry(where, names, [k for k in self.family.kernels if k.op in names], self.library))
        return self.entries[-1]

    def text(self, where, section, text):
        text = text.replace("`", "")
        bullet = text.startswith("- ")
        text = text[2:] if bullet else text
        if isinstance(section, list):
            section.append(text)
            return
        types, rest = self.prefix(text) if bullet else ([], text)
        text = section.sentence(rest) if types else rest
        if text.startswith("Exact: "):
            section.exacts.append(Note(where, types, section.sentence(text[len("Exact: "):])))
            return
        error = re.match(r"Error(?:,? (?:of )?([a-z0-9_, ]+))?: ", text)
        if error:
            types = types or re.findall(r"\w+", error[1] or "")
            section.errors.append(Note(where, types, section.sentence(text[error.end():])))
        elif bullet:
            section.notes.append(Note(where, types, text))
        else:
            section.definition += (" " if section.definition else "") + text

    def prefix(self, text):
        """The types at the beginning of a bullet, and the text after them."""
        one = "(?:%s)" % "|".join(self.library.types)
        words = r"%s+(?:_%s+)*" % (one, one)
        match = re.match(r"(%s(?:(?:, | and )%s)*): (.*)" % (words, words), text)
        return (re.split(", | and ", match[1]), match[2]) if match else ([], text)

    def example(self, where, section, fence, lines):
        tables.check(isinstance(section, Entry), where, "an example belongs to an operation")
        words = fence[3:].replace(",", " ").split()
        tables.check(words[:1] == ["c"], where, "an example begins with ```c, and types if it is for some")
        section.examples.append(Note(where, words[1:], "\n".join(lines).strip("\n")))

    def entry(self, kernel):
        return next(e for e in self.entries if kernel.op in e.ops)

    def shape(self, kernel):
        """The paragraphs about the shape of a kernel."""
        return self.shapes.get(kernel.shape.name, [])


def path_of(family):
    return os.path.join(family.folder, family.name + ".md")


def read(family, library):
    """The contract of a family, or None: libraries of other projects need none, since their kernels have summaries."""
    path = path_of(family)
    return Contract(path, family, library) if os.path.isfile(path) else None
