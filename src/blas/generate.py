#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py TABLE FOLDER: writes the functions that programs call, from routines.tbl.

cores.h has the prototypes of the functions that compute. s.c, d.c, c.c and z.c have the routines of a type: for each its
forms for Fortran and C, with integers of 32 and 64 bits, and its function run_NAME(), which checks the arguments and
returns 0, or after an error the position of the wrong one. row_major.h has the arguments that change places. cblas.h has the
prototypes of CBLAS, for programs.

A malformed table ends with "FILE:LINE: reason" and exit status 1.
"""
import dataclasses
import os
import re
import sys
import textwrap

LETTERS = ("uplo", "side", "diag", "trans", "transa", "transb")
DIMENSIONS = ("m", "n", "k", "kl", "ku")
RESULTS = {"none": "void", "elem": "elem", "real": "real", "double": "double", "index": "int64_t"}
NEGATED = {"!": "other_of_%s(%s)", "^": "adjoint_of(%s)", "~": "conj_of(%s)"}
ARGUMENT = re.compile(r"(?P<name>[a-z]+[12]?)(?P<real>\.r)?(?P<array>[*!])?(?:(?P<sign>>?=)(?P<rest>\S+))?$")
ENUMS = {"uplo": "CBLAS_UPLO", "side": "CBLAS_SIDE", "diag": "CBLAS_DIAG", "trans": "CBLAS_TRANSPOSE"}
HEAD = "/* SPDX-License-Identifier: MIT */\n/* Written by src/blas/generate.py from routines.tbl. */\n"


CBLAS_HEAD = """/* CBLAS: the BLAS for C. The functions of integers of 64 bits have names with 64_ at the end. A void * is an array of
 * complex numbers, or a complex number: its real part, then its imaginary part. */
#ifndef CBLAS_H
#define CBLAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CBLAS_INT int32_t
#define CBLAS_INDEX size_t

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

/* The older name of CBLAS_LAYOUT. */
#define CBLAS_ORDER CBLAS_LAYOUT

/* Called for a wrong argument. A program may define them. */
void cblas_xerbla(int32_t position, const char *routine, const char *form, ...);
void cblas_xerbla64_(int64_t position, const char *routine, const char *form, ...);

"""
CBLAS_TAIL = """
#ifdef __cplusplus
}
#endif

#endif
"""


class TableError(Exception):
    pass


@dataclasses.dataclass
class Argument:
    name: str
    real: bool
    array: str  # "*", "!" or ""
    bound: str  # of a stride: an expression
    letters: str  # of trans: which of its letters are taken

    @property
    def kind(self):
        if self.name in LETTERS:
            return "letter"
        return "integer" if self.name in DIMENSIONS or re.match("inc|ld", self.name) else "array" if self.array else "number"

    @property
    def option(self):
        """The option whose letters this one has: transa has those of trans."""
        return "trans" if self.name.startswith("trans") else self.name

    @property
    def type(self):
        return "real" if self.real else "elem"

    def core(self):
        """Its declaration in the function that computes."""
        if self.kind == "array":
            return "%s%s *%s" % ("const " if self.array == "*" else "", self.type, self.name)
        return {"letter": "int ", "integer": "int64_t ", "number": self.type + " "}[self.kind] + self.name

    def fortran(self, integer):
        if self.kind == "array":
            return self.core()
        return "const %s *%s" % ({"letter": "char", "integer": integer, "number": self.type}[self.kind], self.name)

    def c(self, integer, is_complex):
        if self.kind == "number" and is_complex and not self.real:
            return "const elem *" + self.name
        return integer + " " + self.name if self.kind == "integer" else self.core()


@dataclasses.dataclass
class Routine:
    core: str
    names: dict  # type: name
    result: str
    arguments: list
    swaps: dict  # argument: the one whose place it takes
    changes: dict  # argument: how it changes in row-major order
    row: bool
    level1: bool

    def positions(self):
        """The pairs of positions in C that change places. Letters do not count: they are checked before."""
        place = {a.name: i for i, a in enumerate(self.arguments, 2)}
        return [(place[a], place[b]) for a, b in self.swaps.items()
                if place[a] < place[b] and a[:3] != "tra" and not (len(a) == 1 and a in "abxy")]


def argument(word, where):
    match = ARGUMENT.match(word)
    if not match:
        raise TableError("%s: no argument: %s" % (where, word))
    sign, rest = match["sign"], match["rest"] or ""
    return Argument(match["name"], bool(match["real"]), match["array"] or "", rest if sign == ">=" else "",
                    rest if sign == "=" else "NTC")


def routine(line, where):
    try:
        front, form = line.split("|")
        core, names, result, *words = front.split()
    except ValueError:
        raise TableError("%s: core, names, result, arguments | row-major form" % where) from None
    if result not in RESULTS:
        raise TableError("%s: no result: %s" % (where, result))
    listed = names.split(",") if "," in names or ":" in names else list(names)
    named = {n[0]: n.split(":")[1] if ":" in n else n + core for n in listed}
    swaps, changes, rest = {}, {}, []
    for word in form.split():
        if "-" in word[1:]:
            a, b = word.split("-")
            swaps.update({a: b, b: a})
        elif word[0] in NEGATED:
            changes[word[1:]] = word[0]
        else:
            rest.append(word)
    arguments = [argument(word, where) for word in words]
    unknown = (set(swaps) | set(changes)) - {a.name for a in arguments}
    if unknown or rest not in (["-"], ["row"], []):
        raise TableError("%s: no row-major form: %s" % (where, form.strip()))
    return Routine(core, named, result, arguments, swaps, changes, "row" in rest, rest == ["-"])


def read(path):
    with open(path, encoding="utf-8") as f:
        return [routine(line, "%s:%d" % (path, number)) for number, line in enumerate(f, 1)
                if line.strip() and not line.startswith("#")]


def parameters(r):
    return (["int row"] if r.row else []) + [a.core() for a in r.arguments]


def prototypes(routines):
    seen = {}
    for r in routines:
        seen.setdefault(r.core, "%s CORE(%s)(%s);\n" % (RESULTS[r.result], r.core, ", ".join(parameters(r))))
    return HEAD + "".join(seen.values())


def checks(r):
    """The conditions under which an argument is wrong, with their positions."""
    for position, a in enumerate(r.arguments, 1):
        if a.kind == "letter" and a.letters == "NTC":
            yield position, "%s < 0" % a.name
        elif a.kind == "letter":
            yield position, "%s != 0 && %s != %s" % (a.name, a.name, "TRANSPOSED" if a.letters == "NT" else "ADJOINT")
        elif a.name in DIMENSIONS:
            yield position, "%s < 0" % a.name
        elif a.name.startswith("inc"):
            yield position, "%s == 0" % a.name
        elif a.bound:
            yield position, "%s < at_least_1(%s)" % (a.name, a.bound)


def runner(r, name):
    """The function that checks the arguments and calls the one that computes."""
    given = ", ".join((["row"] if r.row else []) + [a.name for a in r.arguments])
    lines = ["static int run_%s(%s)\n{" % (name, ", ".join(parameters(r)))]
    for position, wrong in checks(r):
        lines.append("\tif (%s)\n\t\treturn %d;" % (wrong, position))
    return "\n".join(lines) + "\n\tCORE(%s)(%s);\n\treturn 0;\n}\n" % (r.core, given)


def in_fortran(r, name, bits):
    """The function for Fortran, and for a function that returns a value its form as a subroutine."""
    suffix, integer = ("_", "int32_t") if bits == 32 else ("_64_", "int64_t")
    declared = [a.fortran(integer) for a in r.arguments]
    given = ["%s_of_letter(*%s)" % (a.option, a.name) if a.kind == "letter" else a.name if a.kind == "array" else "*" + a.name
             for a in r.arguments]
    if not r.level1:
        call = "run_%s(%s)" % (name, ", ".join((["0"] if r.row else []) + given))
        return 'EXPORT void %s%s(%s)\n{\n\trefuse_%d("%-6s", %s);\n}\n' % (
            name, suffix, ", ".join(declared), bits, name.upper(), call)
    result = integer if r.result == "index" else RESULTS[r.result]
    call = "CORE(%s)(%s)" % (r.core, ", ".join(given))
    if r.result == "none":
        return "EXPORT void %s%s(%s)\n{\n\t%s;\n}\n" % (name, suffix, ", ".join(declared), call)
    call = "(%s)%s" % (result, call)
    return ("EXPORT %s %s%s(%s)\n{\n\treturn %s;\n}\n" % (result, name, suffix, ", ".join(declared), call)
            + "EXPORT void %ssub%s(%s, %s *result)\n{\n\t*result = %s;\n}\n" % (name, suffix, ", ".join(declared), result, call))


def by_columns(r, value):
    return ", ".join((["0"] if r.row else []) + [value[a.name] for a in r.arguments])


def by_rows(r, value):
    """The arguments of the same routine on the transposes."""
    given = ["1"] if r.row else []
    for a in r.arguments:
        v = value[r.swaps.get(a.name, a.name)]
        if a.name in r.changes:
            change = NEGATED[r.changes[a.name]]
            v = change % (a.option, v) if change.count("%s") == 2 else change % v
        given.append(v)
    return ", ".join(given)


def in_c(r, name, bits, is_complex):
    """The function of CBLAS."""
    suffix, integer = ("", "int32_t") if bits == 32 else ("64_", "int64_t")
    is_complex_result = is_complex and r.result == "elem"
    declared = [a.c(integer, is_complex) for a in r.arguments]
    value = {a.name: "%s_of_c(%s)" % (a.option, a.name) if a.kind == "letter"
             else "*" + a.name if a.kind == "number" and is_complex and not a.real else a.name for a in r.arguments}
    if r.level1:
        call = "CORE(%s)(%s)" % (r.core, by_columns(r, value))
        if is_complex_result:
            return "EXPORT void cblas_%s_sub%s(%s, elem *result)\n{\n\t*result = %s;\n}\n" % (
                name, suffix, ", ".join(declared), call)
        if r.result == "index":
            return "EXPORT size_t cblas_%s%s(%s)\n{\n\treturn from_0(%s);\n}\n" % (name, suffix, ", ".join(declared), call)
        return "EXPORT %s cblas_%s%s(%s)\n{\n\t%s%s;\n}\n" % (
            RESULTS[r.result], name, suffix, ", ".join(declared), "" if r.result == "none" else "return ", call)
    lines = ["EXPORT void cblas_%s%s(int order, %s)\n{" % (name, suffix, ", ".join(declared)),
             '\tstatic const char name[] = "cblas_%s";\n' % name,
             "\tif (order == COLUMN_MAJOR)",
             "\t\trefuse_c_%d(name, 0, run_%s(%s));" % (bits, name, by_columns(r, value))]
    # Two letters that change places are checked before, so that the position is the caller's.
    for i, a in enumerate(r.arguments, 1):
        if a.kind == "letter" and a.name in r.swaps:
            lines += ["\telse if (order == ROW_MAJOR && %s < 0)" % value[a.name], "\t\trefuse_c_%d(name, 1, %d);" % (bits, i)]
    lines += ["\telse if (order == ROW_MAJOR)", "\t\trefuse_c_%d(name, 1, run_%s(%s));" % (bits, name, by_rows(r, value)),
              "\telse", "\t\trefuse_order_%d(name);" % bits, "}"]
    return "\n".join(lines) + "\n"


def cblas_argument(a, letter, integer):
    """Its declaration in cblas.h."""
    if a.kind == "letter":
        return "%s %s" % (ENUMS[a.option], a.name)
    if a.kind == "integer":
        return "%s %s" % (integer, a.name)
    real = "float" if letter in "sc" else "double"
    pointed = real if a.real or letter in "sd" else "void"
    if a.kind == "array":
        return "%s%s *%s" % ("const " if a.array == "*" else "", pointed, a.name)
    return ("const void *" if pointed == "void" else real + " ") + a.name


def cblas_prototype(r, letter, bits):
    suffix, integer = ("", "int32_t") if bits == 32 else ("64_", "int64_t")
    real = "float" if letter in "sc" else "double"
    result = {"none": "void", "double": "double", "index": "CBLAS_INDEX"}.get(r.result, real)
    declared = ([] if r.level1 else ["CBLAS_LAYOUT layout"]) + [cblas_argument(a, letter, integer) for a in r.arguments]
    name = r.names[letter]
    if r.result == "elem" and letter in "cz":
        result, name = "void", name + "_sub"
        declared.append("void *result")
    line = "%s cblas_%s%s(%s);" % (result, name, suffix, ", ".join(declared))
    return "\n".join(textwrap.wrap(line, 120, subsequent_indent="\t")) + "\n"


def cblas(routines):
    lines = [cblas_prototype(r, letter, bits) for r in routines for letter in r.names for bits in (32, 64)]
    return HEAD + CBLAS_HEAD + "".join(lines) + CBLAS_TAIL


def row_major(routines):
    """The table by which cblas_xerbla() finds the caller's position."""
    lines = []
    for r in routines:
        pairs = "".join("{%d, %d}, " % pair for pair in r.positions())
        lines += ['{"cblas_%s", {%s}},\n' % (name, pairs[:-2]) for name in r.names.values() if pairs]
    return HEAD + "".join(lines)


def source(routines, letter):
    parts = [HEAD, '#include "export.h"\n']
    for r in routines:
        if letter in r.names:
            name = r.names[letter]
            parts += [] if r.level1 else [runner(r, name)]
            parts += [in_fortran(r, name, bits) for bits in (32, 64)]
            parts += [in_c(r, name, bits, letter in "cz") for bits in (32, 64)]
    return "\n".join(parts)


def main():
    table, folder = sys.argv[1:]
    try:
        routines = read(table)
    except TableError as error:
        sys.exit(str(error))
    written = {"cores.h": prototypes(routines), "row_major.h": row_major(routines), "cblas.h": cblas(routines)}
    written.update({letter + ".c": source(routines, letter) for letter in "sdcz"})
    for name, text in written.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
