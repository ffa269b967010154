#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The objects of this build are clean, and objects that are wrong on purpose are each caught."""
import glob
import os
import re

from kit import BUILT, CC, FEATURES, IFUNC, INSTRUMENTED, INTERNAL, ISAS, KERNELS, LIBDIR, LIBRARY, NAME, SHARED, Tap
from objects import above, architecture, code_of, is_lto, placed_code_of, refused, resolver_complaints, symbols_of, variant_complaints

tap = Tap()
# The names of all objects: kernels_elementwise_exp.c.o, and of generated sources isakern_norm_bf16.c.o with a folder in front.
FOLDERS = {family.name: os.path.basename(os.path.dirname(family.folder)) for family in LIBRARY.families}
OBJECTS = {"%s_%s.o" % (NAME, unit.name) if unit.types else "%s_%s_%s.o" % (FOLDERS[unit.family], unit.family, unit.name): unit
           for unit in LIBRARY.units()}
RESOLVER_FLAGS = ["-c", "-O2", "-fPIC", "-march=x86-64", "-fno-stack-protector"] + INTERNAL


def objects_of(library):
    found = sorted(glob.glob(os.path.join(LIBDIR, "lib%s.a.p" % library, "*.o")))
    assert found, "no objects of " + library
    return found


def unit_of(path):
    """kernels_elementwise_exp.c.o -> the unit exp.c"""
    return OBJECTS[re.sub(r"^meson-generated_(\.\._)*", "", os.path.basename(path))]


def clean(complaints, name):
    tap.ok(not complaints, name, "\n".join(complaints[:20]))


# The build's objects.
words = []
for form in ("shared", "static"):
    objects = objects_of(NAME + "_resolve_" + form) + objects_of(NAME + "_rows_" + form)
    clean(resolver_complaints(objects), "%d resolver objects, %s" % (len(objects), form))
    words = [name for named in symbols_of(objects).values() for letter, name in named if letter in "bB"]
    slots = [] if IFUNC else ["isk_slot__" + k for k in KERNELS]
    tap.equal(sorted(w for w in words if "_slot__" in w), sorted(slots), "where there is no ifunc, one slot a kernel, " + form)
    # AArch64 also keeps ld.so's arguments to a resolver.
    tap.equal(len(words) - len(slots), 1 + (IFUNC and architecture(objects[0]) == "aarch64"), "words of state, " + form, words)
for isa in BUILT:
    if not LIBRARY.units(isa):
        continue
    objects = objects_of("%s_%s" % (NAME, isa))
    if is_lto(objects[0]):
        # The machine code is only in the library. Variants are told apart there by the names that remain.
        clean(above([SHARED], FEATURES[isa], "__%s(\\.|$)" % isa),
              "link-time optimisation: no instruction above " + isa)
        tap.skip("leak audit, " + isa, "link-time optimisation: the objects hold no machine code")
        continue
    if INSTRUMENTED:
        tap.skip("leak audit, " + isa, "instrumented by " + INSTRUMENTED)
        clean(above(objects, FEATURES[isa]), "no instruction above " + isa)
    else:
        clean(variant_complaints({o: unit_of(o) for o in objects}, isa, LIBRARY), "leak audit, and no instruction above " + isa)
        tap.equal({unit_of(o) for o in objects}, set(LIBRARY.units(isa)), "every unit is there, " + isa)
for library, read in ((NAME + "_reference", placed_code_of), (NAME + "_api_shared", code_of), (NAME + "_api_static", code_of)):
    objects = objects_of(library)
    if is_lto(objects[0]):
        tap.skip("objects of " + library, "link-time optimisation: they hold no machine code")
    else:
        clean(refused(read(objects), architecture(objects[0]), []), "no instruction above the lowest ISA, " + library)


def check_instructions(one_of, lowest, jump):
    """An instruction of each feature, also of those that no row has, is caught in an object of a row without the feature."""
    features = list(one_of)
    source = tap.path("each.s")
    with open(source, "w", encoding="utf-8") as f:
        for i, feature in enumerate(features):
            f.write(".globl f%d\nf%d:\t%s\n\t%s f%d\n" % (i, i, one_of[feature], jump, i))
    each = tap.cc("each.o", "-c", source, compiler=ASSEMBLER)
    for isa in ISAS:
        for feature in [f for f in FEATURES[isa] if f not in one_of and f not in lowest.get(isa, ())]:
            tap.skip("an instruction of %s in %s" % (feature, isa), "this test knows no instruction of it")
        caught = {features[int(complaint.split(": ")[1][1:])] for complaint in above([each], FEATURES[isa])}
        allowed = set(FEATURES[isa]) | set(lowest.get(isa, ()))
        missed = ["%s (%s)" % (f, one_of[f]) for f in features if (f in caught) == (f in allowed)]
        clean(missed, "instructions above %s are caught, its own are not" % isa)


if architecture(objects[0]) == "aarch64":
    ASSEMBLER = [*CC, "-Wa,-march=armv9-a+sve2+i8mm+bf16+fp16fml+sme"]
    # Armv8.2-A has these features, and SVE half floats.
    OF_8_2 = ("crc", "lse", "rdma")
    check_instructions({
        "crc": "crc32b w0, w1, w2", "lse": "ldadd w0, w1, [x2]", "rdma": "sqrdmlah v0.4s, v1.4s, v2.4s",
        "dotprod": "sdot v0.4s, v1.16b, v2.16b", "i8mm": "usdot v0.4s, v1.16b, v2.16b", "bf16": "bfdot v0.4s, v1.8h, v2.8h",
        "fp16": "fadd v0.8h, v1.8h, v2.8h", "sve": "fmla z0.s, p0/m, z1.s, z2.s", "sve2": "sqdmlalbt z0.s, z1.h, z2.h",
        "fp16fml": "fmlal v0.4s, v1.4h, v2.4h",
    }, {isa: OF_8_2 + (("fp16",) if "sve" in FEATURES[isa] else ()) + ("armv8.2-a", "armv8-a")
        if "armv8.2-a" in FEATURES[isa] else ("armv8-a",) for isa in ISAS}, "b")
    tap.done()

if NAME != "isakern":
    tap.done()

# Resolver objects that break a rule, and the complaint that each must cause.
BAD_RESOLVERS = {
    "getenv": ("needs getenv", '#include <stdlib.h>\nchar *isk_bad(void) { return getenv("X"); }', []),
    "memset": ("needs memset", "#include <string.h>\nvoid isk_bad(char *p, int n) { memset(p, 0, n); }", []),
    "stack protector": ("needs __stack_chk_fail",
                        "void isk_f(char *);\nvoid isk_bad(void) { char a[64]; isk_f(a); }",
                        ["-fstack-protector-all"]),
    "profiling": ("needs ", "void isk_bad(void) {}", ["-pg", "-fno-pie"]),
    "pointer table": (".data.rel",
                      "void isk_f(void), isk_g(void);\nvoid (*const isk_t[])(void) = {isk_f, isk_g};", []),
    "constructor": (".init_array",
                    "int *isk_f(void);\n__attribute__((constructor)) static void c(void) { isk_f(); }", []),
    "thread-local": (".tbss", "__thread int isk_bad;", []),
    "writable data": ("writable .data", "int isk_bad = 1;", []),
    "more state": ("bytes of .bss", "long isk_bad[2];", []),
    "foreign name": ("defines helper", "void helper(void) {}", []),
    "vector register": ("vector register",
                        "struct s { long a, b; };\nvoid isk_bad(struct s *p, const struct s *q) { *p = *q; }",
                        []),
    "newer instruction": ("popcnt", "int isk_bad(unsigned x) { return __builtin_popcount(x); }",
                          ["-mpopcnt"]),
}
for name, (complaint, text, flags) in BAD_RESOLVERS.items():
    source = tap.path("bad.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text + "\n")
    found = resolver_complaints([tap.cc("bad.o", *RESOLVER_FLAGS, *flags, source)])
    tap.ok(any(complaint in c for c in found), "a resolver object with %s is caught" % name, found)

# Variant objects that break a rule. The source has more kernels, which are right.
REST = "".join("void isk_%s__avx2(void) {}\n" % k.name for k in KERNELS.values()
               if k.unit == KERNELS["relu_f32"].unit and k.is_coded and k.name != "relu_f32")
GOOD = "float isk_relu_f32__avx2(float x) { return x; }\n"
BAD_VARIANTS = {
    "nothing wrong": (None, GOOD, []),
    "a helper that is not static": ("defines helper", GOOD + "float helper(float x) { return x; }", []),
    "a weak function": ("weak", GOOD + "__attribute__((weak)) void helper(void) {}", []),
    "a COMDAT": ("COMDAT", GOOD + '__asm__(".section .text.g,\\"axG\\",@progbits,grp,comdat\\nnop\\n.text");',
                 []),
    "a constructor": (".init_array",
                      GOOD + "int *isk_f(void);\n"
                      "__attribute__((constructor)) static void c(void) { isk_f(); }", []),
    "writable data": ("writable .bss", GOOD + "static int calls; int *isk_f(void);\n"
                      "__attribute__((used)) static int n(void) { return calls++; }", []),
    "a masked store that faults": ("masked store that faults", GOOD + "__attribute__((used)) static void f(void)"
                                   '{ __asm__("vextractf32x4 $0, %ymm0, (%rdi){%k1}"); }', []),
    "a streaming store without a fence": ("streaming store", GOOD + "__attribute__((used)) static void f(void)"
                                          '{ __asm__("sfence; vmovntdq %ymm0, (%rdi)"); }', []),
    "a streaming store and a fence": (None, GOOD + "__attribute__((used)) static void f(void)"
                                      '{ __asm__("vmovntdq %ymm0, (%rdi); sfence"); }', []),
    "a variant missing": ("lacks isk_relu_f32__avx2", "extern int unused;", []),
    "the variant of another ISA": ("defines isk_relu_f32__avx512",
                                   GOOD + "void isk_relu_f32__avx512(void) {}", []),
    "a call of another ISA": ("of another ISA", "float isk_exp_f32__baseline(float);\n"
                              "float isk_relu_f32__avx2(float x) { return isk_exp_f32__baseline(x) + 1; }",
                              []),
    "a call of a part above it": ("calls isk_drive__avx512 of another ISA", "float isk_drive__avx512(float);\n"
                                  "float isk_relu_f32__avx2(float x) { return isk_drive__avx512(x) + 1; }", []),
    "a call of a part below it": (None, "float isk_drive__baseline(float);\n"
                                  "float isk_relu_f32__avx2(float x) { return isk_drive__baseline(x) + 1; }", []),
    "a call of the public name": ("through the dispatch", "float isk_relu_f32(float);\n"
                                  "float isk_relu_f32__avx2(float x) { return isk_relu_f32(x) + 1; }", []),
    "a call of SLEEF's dispatcher": ("dispatcher",
                                     "float Sleef_sinf8_u10(float), Sleef_finz_sinf8_u10avx2(float);\n"
                                     "float isk_relu_f32__avx2(float x) { return Sleef_sinf8_u10(x) +"
                                     " Sleef_finz_sinf8_u10avx2(x); }", []),
}
for name, (complaint, text, flags) in BAD_VARIANTS.items():
    source = tap.path("relu.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text + "\n" + REST)
    found = variant_complaints({tap.cc("relu.o", "-c", "-O1", *flags, source): KERNELS["relu_f32"].unit}, "avx2", LIBRARY)
    if complaint:
        tap.ok(any(complaint in c for c in found), "a variant object with %s is caught" % name, found)
    else:
        clean(found, "a variant object with %s passes" % name)

# The unit of a part, which may define any names except a kernel's.
PART = next(unit for unit in LIBRARY.units() if unit.file == "driver.c")
for name, complaint, text in (
        ("nothing wrong", None, "void isk_anything__avx2(void) {}"),
        ("a function of another ISA", "defines isk_anything__avx512", "void isk_anything__avx512(void) {}"),
        ("a function of no ISA", "defines isk_anything", "void isk_anything(void) {}"),
        ("a kernel", "defines isk_relu_f32__avx2", "void isk_relu_f32__avx2(void) {}"),
        ("nothing", "defines nothing", "extern int unused;")):
    source = tap.path("part.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text + "\n")
    found = variant_complaints({tap.cc("part.o", "-c", "-O1", source): PART}, "avx2", LIBRARY)
    tap.ok(any(complaint in c for c in found) if complaint else not found,
           "the object of a part with %s %s" % (name, "is caught" if complaint else "passes"), found)

ONE_OF = {
    "sse3": "haddps %xmm0, %xmm1", "ssse3": "pshufb %xmm0, %xmm1", "sse4.1": "pmulld %xmm0, %xmm1",
    "sse4.2": "pcmpgtq %xmm0, %xmm1", "popcnt": "popcnt %eax, %eax", "movbe": "movbe (%rax), %eax",
    "lzcnt": "lzcnt %eax, %eax", "bmi": "andn %eax, %eax, %eax", "bmi2": "shlx %eax, %eax, %eax",
    "avx": "vaddps %ymm0, %ymm0, %ymm0", "f16c": "vcvtph2ps %xmm0, %ymm0",
    "fma": "vfmadd231ps %ymm0, %ymm0, %ymm0",
    "avx2": "vpaddd %ymm0, %ymm0, %ymm0", "avxvnni": "{vex} vpdpbusd %ymm0, %ymm0, %ymm0",
    "avx512f": "vaddps %zmm0, %zmm0, %zmm0", "avx512vl": "vaddps %ymm16, %ymm0, %ymm0",
    "avx512bw": "vpaddb %zmm0, %zmm0, %zmm0", "avx512dq": "vpmullq %zmm0, %zmm0, %zmm0",
    "avx512cd": "vpconflictd %zmm0, %zmm0", "avx512vnni": "vpdpbusd %zmm0, %zmm0, %zmm0",
    "avx512bf16": "vdpbf16ps %zmm0, %zmm0, %zmm0", "amx-tile": "tilerelease",
    "amx-int8": "tdpbusd %tmm0, %tmm1, %tmm2",
    "amx-bf16": "tdpbf16ps %tmm0, %tmm1, %tmm2", "avx512fp16": "vaddph %zmm0, %zmm0, %zmm0",
    "avx512vp2intersect": "vp2intersectd %zmm0, %zmm0, %k0", "avx512vbmi": "vpermb %zmm0, %zmm0, %zmm0",
    "avx512vbmi2": "vpcompressb %zmm0, %zmm0{%k1}", "avx512ifma": "vpmadd52luq %zmm0, %zmm0, %zmm0",
    "avx512bitalg": "vpopcntb %zmm0, %zmm0", "avx512vpopcntdq": "vpopcntd %zmm0, %zmm0",
    "vaes": "vaesenc %ymm0, %ymm0, %ymm0", "vpclmulqdq": "vpclmulqdq $0, %ymm0, %ymm0, %ymm0",
    "gfni": "gf2p8mulb %xmm0, %xmm1", "sha": "sha1msg1 %xmm0, %xmm0", "aes": "aesenc %xmm0, %xmm1",
    "sse4a": "extrq %xmm0, %xmm1", "fma4": "vfmaddps %xmm0, %xmm0, %xmm0, %xmm0",
}
ASSEMBLER = ["gcc"]
check_instructions(ONE_OF, {}, "jmp")
tap.done()
