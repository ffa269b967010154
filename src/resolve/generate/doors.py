# SPDX-License-Identifier: MIT
"""What the front doors of other languages need beside the tables: the structs and enums of families, from the headers that declare
them."""
import dataclasses
import os
import re

from tables import read

STRUCT = re.compile(r"^struct (isk_\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"^enum (isk_\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\t(?P<type>(?:const )?(?:enum |struct )?\w+) (?P<names>[^;(]+);\s*(?:/\* (?P<about>.*?) \*/)?$", re.MULTILINE)
WORD = re.compile(r"^\t(?P<name>[A-Z]\w*)(?: = (?P<value>-?\d+))?,\s*(?:/\* (?P<about>.*?) \*/)?$", re.MULTILINE)


@dataclasses.dataclass
class Field:
    name: str
    type: str  # of C: "size_t", "const float", "enum isk_activation"
    is_pointer: bool
    about: str  # its comment


@dataclasses.dataclass
class Word:
    name: str  # "ISK_ACT_RELU"
    value: int
    about: str


def declarations(library):
    """The text of all headers with types of a library's families, without lines of the preprocessor."""
    paths = [os.path.join(family.folder, family.name + "_types.h") for family in library.families]
    return "\n".join(re.sub(r"^#.*\n", "", read(path), flags=re.MULTILINE) for path in paths if os.path.isfile(path))


def structs_of(library):
    """By name, the fields of each struct that a kernel takes."""
    taken = {a.type for shape in library.shapes.values() for a in shape.arguments if a.is_struct}
    found = {}
    for name, body in STRUCT.findall(declarations(library)):
        if name in taken:
            found[name] = [Field(one.lstrip("*"), field["type"], one.startswith("*"), field["about"] or "")
                           for field in FIELD.finditer(body) for one in field["names"].split(", ")]
    return found


def words(body):
    """The words of an enum, given the text between its braces."""
    found = []
    for word in WORD.finditer(body):
        follows = found[-1].value + 1 if found else 0
        found.append(Word(word["name"], int(word["value"]) if word["value"] else follows, word["about"] or ""))
    return found


def enums_of(library):
    """By name, the words of each enum."""
    return {name: words(body) for name, body in ENUM.findall(declarations(library))}


def counts_bytes(shape, a):
    """Whether a size is that of a packed matrix which the call writes, in bytes."""
    extents = [size for b in shape.arguments for size, _ in b.extents]
    return a.role == "size" and a.name not in extents and any(b.packed and b.role == "out" for b in shape.arguments)


def has_door(library, kernel):
    """Whether the doors have a kernel: JavaScript and Rust have no complex numbers of their own."""
    return not any(library.types[t].is_complex for t in kernel.types.values())
