#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the tables of isakern into data for the compiler: prototypes, X-macros,
one row per kernel, the version script. Nothing here decides anything at run time.

    gen.py isas                        the ISA rows, one "name lanes flags..." line each
    gen.py plan BUILT                  for each ISA of BUILT its sources; the kernels; for each shape of
                                       these the number of their variants
    gen.py header|parallel|tables|map|row KERNEL  [BUILT]   one generated file, on standard output

BUILT is a comma-separated list of ISA names. A malformed table ends with
"FILE:LINE: reason" on standard error and exit status 1.
"""
import os
import re
import sys

SRC = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
C_TYPES = {"f32": "float", "bf16": "isk_bf16", "f16": "isk_f16", "s8": "int8_t", "u8": "uint8_t",
           "s32": "int32_t", "b8": "uint8_t", "b16": "uint16_t", "b32": "uint32_t", "b64": "uint64_t"}

# What the types of a product's name stand for: gemm_u8s8_f32 multiplies u8 by s8 into f32. A type left out
# is that of A.
PRODUCT = "A, B and C"

# shape -> (return type, parameters, number of types in the name or PRODUCT); {0}, {1} are those types
SHAPES = {
    "map": ("void", "{0} *y, const {0} *x, size_t n", 1),
    "zip": ("void", "{0} *y, const {0} *a, const {0} *b, size_t n", 1),
    "cvt": ("void", "{1} *y, const {0} *x, size_t n", 2),
    "quantize": ("void", "{1} *y, const {0} *x, size_t n, float scale, int32_t zero", 2),
    "dequantize": ("void", "{1} *y, const {0} *x, size_t n, float scale, int32_t zero", 2),
    "reduce": ("{0}", "const {0} *x, size_t n", 1),
    "reduce2": ("{0}", "const {0} *a, const {0} *b, size_t n", 1),
    "index": ("size_t", "const {0} *x, size_t n", 1),
    "softmax": ("void", "{0} *y, const {0} *x, size_t rows, size_t cols, size_t ldy, size_t ldx", 1),
    "norm": ("void", "{0} *y, const {0} *x, const {0} *weight, const {0} *bias, size_t rows, "
                     "size_t cols, size_t ldy, size_t ldx, float epsilon", 1),
    "pool": ("void", "{0} *y, const {0} *x, size_t rows, size_t cols, size_t ldx", 1),
    "pack": ("int", "void *packed, const {0} *b, size_t bytes, size_t k, size_t n, size_t ldb, "
                    "int transposed", 1),
    "gemm": ("int", "{2} *c, const {0} *a, const void *packed, size_t m, size_t n, size_t k, "
                    "size_t ldc, size_t lda, const struct isk_post *post", PRODUCT),
    "matmul": ("int", "{0} *c, const {0} *a, const {0} *b, size_t m, size_t n, size_t k, size_t ldc, "
                      "size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post", 1),
    "matmul_batch": ("int", "{0} *c, const {0} *a, const {0} *b, size_t batch, size_t m, size_t n, size_t k, "
                            "size_t ldc, size_t lda, size_t ldb, size_t stride_c, size_t stride_a, "
                            "size_t stride_b, unsigned transposed, const struct isk_post *post", 1),
    "conv_pack": ("int", "void *packed, const {0} *w, size_t bytes, const struct isk_conv *conv", 1),
    "conv": ("int", "{2} *y, const {0} *x, const void *packed, const struct isk_conv *conv, "
                    "const struct isk_post *post", PRODUCT),
    "transpose": ("void", "void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx", 1),
    "images": ("void", "void *y, const void *x, size_t images, size_t channels, size_t pixels", 1),
    "query": ("size_t", "void", 0),
}

# Shapes whose kernels have a form for many threads: see isakern_omp.h.
PARALLEL = ("gemm", "matmul", "matmul_batch", "conv")


class TableError(Exception):
    pass


def rows_of(path, columns):
    """Yields (where, fields) for each row; the last column takes the rest of the line."""
    shown = os.path.relpath(path, os.path.dirname(SRC))
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if not line.strip() or line.startswith("#"):
                continue
            where = "%s:%d" % (shown, number)
            fields = line.split(None, columns - 1)
            if len(fields) != columns:
                raise TableError("%s: %d columns, expected %d" % (where, len(fields), columns))
            fields[-1] = fields[-1].strip()
            yield where, fields


def check(ok, where, reason):
    if not ok:
        raise TableError("%s: %s" % (where, reason))


def read_isas():
    isas = {}
    for where, (name, lanes, flags) in rows_of(os.path.join(SRC, "isa", "x86_64.tbl"), 3):
        check(re.fullmatch(r"[a-z][a-z0-9_]*", name) and "__" not in name, where,
              "'%s' is no ISA name: lower-case letters, digits and single underscores" % name)
        check(len(name) <= 15, where, "'%s' is longer than 15 characters" % name)
        check(name not in isas, where, "ISA '%s' is listed twice" % name)
        check(lanes in ("4", "8", "16"), where, "%s lanes: vec.h has 4, 8 and 16" % lanes)
        words = []
        for word in flags.split():
            if word.startswith("@"):
                check(word[1:] in isas, where, "'%s' names no row above" % word)
                words += isas[word[1:]]["flags"]
            else:
                check(word.startswith("-m"), where, "'%s' is no -m flag" % word)
                words.append(word)
        isas[name] = {"lanes": int(lanes), "flags": words}
    check("baseline" in isas and next(iter(isas)) == "baseline", "src/isa/x86_64.tbl",
          "the first row must be baseline")
    return isas


def number(text):
    return text == "exact" or re.fullmatch(r"\d+(\.\d+)?", text)


def types_in(name, count):
    """The element types that a kernel of this name works on."""
    words = name.split("_")
    if count != PRODUCT:
        return words[-count:] if count else []
    one = "(%s)" % "|".join(C_TYPES)
    match = re.fullmatch("[a-z_]+?_%s%s?(?:_%s)?" % (one, one, one), name)
    if not match:
        return [name]
    a, b, c = match.groups()
    return [a, b or a, c or a]


def read_kernels(isas):
    kernels = {}
    files = {}
    for where, fields in rows_of(os.path.join(SRC, "kernels", "kernels.tbl"), 8):
        name, shape, source, listed, bits, error, baseline, summary = fields
        check(re.fullmatch(r"[a-z][a-z0-9_]*", name) and "__" not in name, where,
              "'%s' is no kernel name: lower-case letters, digits and single underscores" % name)
        # KERNEL=ISA must fit a word of ISAKERN_BIND: see policy.c.
        check(len(name) <= 47, where, "'%s' is longer than 47 characters" % name)
        check(name not in kernels, where, "kernel '%s' is listed twice" % name)
        check(shape in SHAPES, where, "unknown shape '%s'; there are %s" % (shape, ", ".join(SHAPES)))
        check(os.path.isfile(os.path.join(SRC, "kernels", source)), where,
              "no file src/kernels/%s" % source)
        names = list(isas) if listed == "all" else listed.split(",")
        for isa in names:
            check(isa in isas, where, "unknown ISA '%s'; there are %s" % (isa, ", ".join(isas)))
        check("baseline" in names, where, "every kernel needs a baseline variant")
        check(files.setdefault(source, set(names)) == set(names), where,
              "another kernel of %s has other ISAs; a file is compiled as a whole" % source)
        check(bits in ("same", "same-amx", "bound"), where,
              "bits are 'same', 'same-amx' or 'bound', not '%s'" % bits)
        check(number(error) and number(baseline), where, "an error bound is a number or 'exact'")
        check('"' not in summary and "\\" not in summary, where, "no quotes or backslashes in a summary")
        types = types_in(name, SHAPES[shape][2])
        for t in types:
            check(t in C_TYPES, where, "'%s' in the name is no element type; there are %s"
                  % (t, ", ".join(C_TYPES)))
        kernels[name] = {"shape": shape, "file": source, "isas": names, "bits": bits, "error": error,
                         "baseline": baseline, "summary": summary, "types": types, "tuning": []}
    check(kernels, "src/kernels/kernels.tbl", "no kernels")
    return kernels


def read_tuning(isas, kernels):
    for where, (name, isa, family, models, reason) in rows_of(
            os.path.join(SRC, "isa", "tuning.tbl"), 5):
        check(name in kernels, where, "unknown kernel '%s'" % name)
        check(isa in kernels[name]["isas"] and isa != "baseline", where,
              "'%s' has no variant '%s' to demote" % (name, isa))
        check(family.isdigit() and re.fullmatch(r"\d+-\d+", models), where,
              "family is a number, models a range like 0-15")
        low, high = map(int, models.split("-"))
        check(low <= high <= 255 and int(family) <= 270, where, "family or models out of range")
        check('"' not in reason and "\\" not in reason, where, "no quotes or backslashes in a reason")
        # It must fit isk_candidate.reason, behind an ISA and a few words.
        check(len(reason) <= 75, where, "a reason has at most 75 characters, this one %d" % len(reason))
        kernels[name]["tuning"].append((list(isas).index(isa), int(family), low, high, reason))


def prototype(name, kernel, prefix="isk_"):
    result, params, _ = SHAPES[kernel["shape"]]
    types = [C_TYPES[t] for t in kernel["types"]]
    return "%s %s%s(%s)" % (result.format(*types), prefix, name, params.format(*types))


def mask(isas, names):
    return sum(1 << i for i, isa in enumerate(isas) if isa in names)


def header(isas, kernels, built):
    print("/* Generated from src/kernels/kernels.tbl. Included by isakern.h, which holds the contract. */\n")
    for name, k in kernels.items():
        unit = "" if k["shape"] == "query" else "; error %s, at baseline %s" % (k["error"], k["baseline"])
        same = {"same": "; same bits", "same-amx": "; same bits but for amx", "bound": ""}[k["bits"]]
        print("/* %s: %s%s%s */\n%s;\n" % (k["shape"], k["summary"], unit, same, prototype(name, k)))


def parallel(isas, kernels, built):
    print("/* Generated from src/kernels/kernels.tbl. Included by isakern_omp.h, which holds the contract. */\n")
    for name, k in kernels.items():
        if k["shape"] in PARALLEL:
            print("/* %s */\n%s;\n" % (k["summary"], prototype(name, k, "isk_parallel_")))


def tables(isas, kernels, built):
    print("/* Generated from src/isa/x86_64.tbl and src/kernels/kernels.tbl. */")
    print("/* X(name, lanes, built) */\n#define ISK_ISAS(X) \\")
    print(" \\\n".join("\tX(%s, %d, %d)" % (n, i["lanes"], n in built) for n, i in isas.items()))
    print("/* X(name, shape, bits, error, error at baseline, summary) */\n#define ISK_KERNELS(X) \\")
    print(" \\\n".join('\tX(%s, %s, "%s", "%s", "%s", "%s")' % (
        n, k["shape"], k["bits"], k["error"], k["baseline"], k["summary"]) for n, k in kernels.items()))
    print("/* by kernel, the ISAs it is listed with */")
    print("#define ISK_KERNEL_ISAS %s" % ", ".join("%#x" % mask(isas, k["isas"]) for k in kernels.values()))
    print("/* by the name of a type, its name in C */")
    for name, c_type in C_TYPES.items():
        print("#define ISK_C_%s %s" % (name, c_type))
    print("/* X(name, types in the name...) for every kernel of a shape */")
    for shape in SHAPES:
        uses = ["X(%s)" % ", ".join([n] + k["types"]) for n, k in kernels.items() if k["shape"] == shape]
        print("#define ISK_KERNELS_%s(X) %s" % (shape, " ".join(uses)))


def version_map(isas, kernels, built):
    print("ISAKERN_0.1 {\nglobal:\n\tisk_*;\nlocal:\n\t*;\n};")


def row(isas, kernels, built, name):
    k = kernels[name]
    have = [isa for isa in k["isas"] if isa in built]
    print("/* Generated from src/kernels/kernels.tbl and src/isa/tuning.tbl. */")
    print('#include "ifunc.h"\n')
    print("ISK_ROW(%s, %#x, %#x," % (name, mask(isas, k["isas"]), mask(isas, have)))
    print(" ".join("ISK_VARIANT(%s, %s)" % (name, isa) if isa in have else "ISK_ABSENT" for isa in isas) + ",")
    print(" ".join('ISK_TUNING(%d, %d, %d, %d, "%s")' % t for t in k["tuning"]) + " ISK_TUNING_END);")
    print("ISK_IFUNC(%s);" % name)


def plan(isas, kernels, built):
    for isa in isas:
        if isa in built:
            print("isa", isa, *sorted({k["file"] for k in kernels.values() if isa in k["isas"]}))
    print("kernels", *kernels)
    variants = {}
    for k in kernels.values():
        variants[k["shape"]] = variants.get(k["shape"], 0) + len([isa for isa in k["isas"] if isa in built])
    for shape, count in variants.items():
        print("shape", shape, count)


def main(argv):
    isas = read_isas()
    if argv[1:] == ["isas"]:
        for name, isa in isas.items():
            print(name, isa["lanes"], *isa["flags"])
        return
    kernels = read_kernels(isas)
    read_tuning(isas, kernels)
    writers = {"plan": plan, "header": header, "parallel": parallel, "tables": tables, "map": version_map, "row": row}
    if len(argv) < 3 or argv[1] not in writers:
        sys.exit(__doc__)
    built = argv[2].split(",")
    for isa in built:
        check(isa in isas, "-Disa", "unknown ISA '%s'; there are %s" % (isa, ", ".join(isas)))
    writers[argv[1]](isas, kernels, built, *argv[3:])


if __name__ == "__main__":
    try:
        main(sys.argv)
    except TableError as error:
        sys.exit(str(error))
