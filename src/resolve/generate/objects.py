# SPDX-License-Identifier: MIT
"""Checks of the contents of object files. Each check returns a list of complaints, empty if all is well. isakern-cc makes
no library from objects with complaints, and the tests use the checks too. Each tool runs once for all objects of a list, because
starting it takes longer than it takes to read most objects."""
import collections
import os
import platform
import re
import subprocess
import tempfile

# The assembler's name of each instruction set for which gcc has another.
GAS = {"avxvnni": "avx_vnni", "avx512vnni": "avx512_vnni", "avx512bf16": "avx512_bf16",
       "avx512fp16": "avx512_fp16", "avx512vbmi2": "avx512_vbmi2", "avx512bitalg": "avx512_bitalg",
       "avx512vpopcntdq": "avx512_vpopcntdq", "avx512vp2intersect": "avx512_vp2intersect",
       "amx-tile": "amx_tile", "amx-int8": "amx_int8", "amx-bf16": "amx_bf16"}
# The features that a compiler uses because it was told of another: -mavx2 allows SSE4.2 as well.
IMPLIED = {"avx2": "sse3 ssse3 sse4.1 sse4.2 avx".split()}
RESOLVER_MAY_NEED = {"environ", "__libc_stack_end", "__x86_get_cpuid_feature_leaf", "_GLOBAL_OFFSET_TABLE_",
                     # on AArch64, only for questions of the API
                     "getauxval"}


def tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def architecture(path):
    with open(path, "rb") as f:
        return {62: "x86_64", 183: "aarch64"}[int.from_bytes(f.read(20)[18:], "little")]


def binutil(name, architecture):
    """The name of a binutil. If the architecture is not this machine's, its name stands in front."""
    return name if architecture == platform.machine() else "%s-linux-gnu-%s" % (architecture, name)


# symbols: (letter, name), with nm's letters. sections: name -> (size, flags). relocations: (section, type, symbol). code:
# (function, instruction); on x86-64 in AT&T syntax, which the assembler can read again.
Contents = collections.namedtuple("Contents", "symbols sections has_groups relocations code")


def by_path(paths, header, *command):
    """The output of a tool for each object. A tool names the objects if there are two or more, so it gets the first one twice."""
    parts = re.split(r"(?m)^%s$" % header, tool(*command, *paths, paths[0]))
    return dict(zip(parts[1::2], parts[2::2]))


def symbols_in(text):
    # AArch64's $d and $x only mark data and code.
    return [(f[-2], f[-1]) for f in (line.split() for line in text.split("\n")) if len(f) >= 2 and not f[-1].startswith("$")]


def sections_in(text):
    found = {}
    for line in text.split("\n"):
        m = re.match(r"\s*\[\s*\d+\] (\S+)\s+\S+\s+\S+ \S+ (\S+) \S+\s+(\w*)\s+\d+\s+\d+\s+\d+$", line)
        if m:
            found[m[1]] = (int(m[2], 16), m[3])
    return found


def relocations_in(text):
    section = "?"
    for line in text.split("\n"):
        m = re.match(r"Relocation section '\.rela(.*)' at", line)
        if m:
            section = m[1]
        m = re.match(r"[0-9a-f]{12,}\s+[0-9a-f]+\s+(R_\w+)\s+[0-9a-f]*\s*(\S*)", line)
        if m:
            yield section, m[1], m[2]


def symbols_of(paths):
    """path -> symbols. Works for libraries, too."""
    return {path: symbols_in(text) for path, text in by_path(paths, "(.+):", "nm").items()}


def symbols(path):
    return symbols_of([path])[path]


def sections(path):
    return sections_in(tool("readelf", "-SW", path))


def relocations(path):
    return list(relocations_in(tool("readelf", "-rW", path)))


def disassembled(paths, machine):
    """path -> the output of objdump"""
    return by_path(paths, r"(.+):     file format .*", binutil("objdump", machine), "-d", "-w", "--no-show-raw-insn")


def code_of(paths):
    """path -> code"""
    machine = architecture(paths[0])
    return {path: list(instructions(text, machine)) for path, text in disassembled(paths, machine).items()}


def placed_code_of(paths):
    """The same for objects with very many functions and no hidden symbol of another object. Each function is at address 0 of a
    section of its own, and objdump looks through all symbols of an address: it takes 12 s of isakern's 3,500 references and their
    forms, and .2 s once the linker has placed them."""
    machine = architecture(paths[0])
    with tempfile.TemporaryDirectory(prefix="isakern-objects-") as folder:
        placed = {os.path.join(folder, "%d.out" % i): path for i, path in enumerate(paths)}
        for out, path in placed.items():
            tool(binutil("ld", machine), "--entry=0", "--unresolved-symbols=ignore-all", "--no-relax", "-o", out, path)
        return {placed[out]: list(instructions(text, machine)) for out, text in disassembled(list(placed), machine).items()}


def contents(paths):
    """path -> Contents"""
    named, code = symbols_of(paths), code_of(paths)
    texts = by_path(paths, "File: (.+)", "readelf", "-gSrW")
    return {path: Contents(named[path], sections_in(texts[path]), "no section groups" not in texts[path],
                           list(relocations_in(texts[path])), code[path]) for path in paths}


def is_lto(path):
    return any(name.startswith(".gnu.lto_") for name in sections(path))


def features_of(isa):
    """The features that the compilation of an ISA may use, under the compiler's names."""
    march = [f for f in isa.flags if f.startswith("-march=")][-1][len("-march="):]
    if march.startswith("armv"):
        return march.split("+")
    words = [f[2:] for f in isa.flags if not re.match(r"-m(arch|tune|prefer)", f)]
    return [implied for word in words for implied in IMPLIED.get(word, []) + [word]]


# Removed before the assembler reads the code: branch targets, because they are only numbers, and padding prefixes.
AARCH64_TARGET = re.compile(r"^((?:b|bl|b\.\w+|cbn?z|tbn?z|adrp?|ldr|ldrsw|prfm)\s(?:.*,)?\s*)[0-9a-f]+$")
TARGET = re.compile(r"^((?:bnd |notrack |data16 |rex\.W |addr32 )*(?:j\w+|call\w?|xbegin|loop\w*)(?:,p[nt])?)\s+[0-9a-f]+$")
PADDING = re.compile(r"^((data16|cs|rex\.W|addr32) )+(?=nop|xchg|call|lea)")
COMMENT = {"x86_64": re.compile(r"\s*(#.*|<.*>)$"), "aarch64": re.compile(r"\s*//.*$|\s*<.*>")}
HEADER = re.compile(r"[0-9a-f]+ <(.*)>:$")


def instructions(text, machine):
    """(function, instruction) in the output of objdump."""
    function = "?"
    comment = COMMENT[machine]
    known = {}  # most instructions occur several times
    for line in text.split("\n"):
        _, tab, said = line.partition(":\t")
        if not tab:
            m = HEADER.match(line)
            function = m[1] if m else function
            continue
        if said not in known:
            bare = comment.sub("", said).strip()
            known[said] = (AARCH64_TARGET.sub(r"\1.", bare) if machine == "aarch64"
                           else PADDING.sub("", TARGET.sub(r"\1 .", bare)))
        yield function, known[said]


def refused(code, machine, features):
    """A complaint for each instruction that the assembler refuses if told only of these features. code: path -> code"""
    found = []
    if machine == "aarch64":
        march = "+".join(features) or "armv8-a"
    else:
        march = "generic64" + "".join("+" + GAS.get(f, f) for f in features)
    # Most instructions occur many times. Try each once.
    first = {}
    for path, function, text in ((path, f, t) for path in code for f, t in code[path]):
        if "bmi" not in features and text.startswith("tzcnt"):
            # gcc writes rep bsf, which CPUs with BMI1 run as tzcnt. The result is the same, unless the operand is 0.
            text = "rep bsf" + text[len("tzcnt"):]
        if text and not text.startswith("endbr"):
            first.setdefault(text, (path, function))
    r = subprocess.run([binutil("as", machine), "-march=" + march, "-o", os.devnull, "-"], input="".join(t + "\n" for t in first),
                       capture_output=True, text=True)
    tried = list(first.items())
    for line in r.stderr.split("\n"):
        m = re.match(r"\{standard input\}:(\d+): Error: (.*)$", line)
        if m:
            instruction, (path, function) = tried[int(m[1]) - 1]
            found.append("%s: %s: '%s' (%s)" % (os.path.basename(path), function, instruction, m[2]))
    assert r.returncode == 0 or found, r.stderr
    return found


def above(paths, features, functions=""):
    """Instructions beyond the architecture and the given features, in functions whose names match (by default in all)."""
    code = {path: [(f, t) for f, t in pairs if re.search(functions, f)] for path, pairs in code_of(paths).items()}
    return refused(code, architecture(paths[0]), features)


VECTOR_REGISTER = {"x86_64": re.compile(r"%([xyz]?mm|st|k)\d?\b"), "aarch64": re.compile(r"\b[bhsdqvz]\d+\b|\bp\d+[./]")}
FORBIDDEN = re.compile(r"\.(init|fini|preinit)_array|\.ctors|\.dtors|\.init$|\.fini$|\.t(data|bss)|"
                       r"__?_?sancov|__llvm_prf|asan|"
                       r"\.data\.rel|\.gcc_except")


def resolver_complaints(paths, prefix="isk", others=()):
    """Checks objects against src/resolve/README.md: no call out, nothing relocated, no state except one 64-bit word, no
    vector register (except in bind.c, which saves them). They may define the names `others` beside those of the prefix."""
    read, machine = contents(paths), architecture(paths[0])
    # For XGETBV on x86-64, and for rdvl on AArch64, which runs only after a test.
    features = {"x86_64": ["xsave"], "aarch64": ["armv8.2-a", "sve"]}[machine]
    bad = ["%s %s" % (os.path.basename(path), complaint)
           for path in paths for complaint in complaints_of_resolver(read[path], machine, prefix, others)]
    return bad + refused({path: read[path].code for path in paths}, machine, features)


def complaints_of_resolver(read, machine, prefix, others):
    bad = []
    for letter, name in read.symbols:
        if letter in "Uwv" and name not in RESOLVER_MAY_NEED and not name.startswith(prefix + "_"):
            bad.append("needs " + name)
        elif letter in "TDBRVWiu" and not name.startswith(prefix + "_") and name not in others:
            bad.append("defines " + name)
    for name, (size, flags) in read.sections.items():
        if size and FORBIDDEN.search(name):
            bad.append("has " + name)
        elif size and "W" in flags and "A" in flags and not name.startswith(".bss"):
            bad.append("has writable " + name)
        elif size and name.startswith(".bss") and size != 8:
            bad.append("has %d bytes of %s; one word of 8 is allowed" % (size, name))
    for section, kind, symbol in read.relocations:
        if kind in ("R_X86_64_64", "R_AARCH64_ABS64") and not section.startswith((".debug", ".stab")):
            bad.append("has %s with the address of %s, which a relocation must fill" % (section, symbol))
        elif "GOT" in kind and symbol not in RESOLVER_MAY_NEED:
            bad.append("takes the address of %s from the GOT, which a relocation must fill" % symbol)
    for function, text in read.code:
        if not function.endswith("_bind") and VECTOR_REGISTER[machine].search(text):
            bad.append("%s uses a vector register: %s" % (function, text))
            break
    return bad


# Masked stores that fault even on elements that the mask leaves out: no CPU suppresses the fault.
FAULTING_STORE = re.compile(r"vextract[fi]\d+x\d\s.*\)\{%k")
SLEEF_DISPATCH = re.compile(r"Sleef_(?!.*(sse2|sse4|avx2|avx2128|avx512f|avx512fnofma|purec)\w*$)")


# Stores past the caches. Later stores may overtake them unless a fence comes between. AArch64's vi_stream() is an ordinary store.
STREAMING_STORE = re.compile(r"v?(movnt(i|q|dq|ps|pd|ss|sd)|maskmovdqu|maskmovq)\b")
FENCE = re.compile(r"[sm]fence\b")


def unfenced(code):
    """The functions in which a streaming store stands behind the last fence, each with its last such store."""
    last = {}
    for function, text in code:
        if STREAMING_STORE.match(text):
            last[function] = text
        elif FENCE.match(text):
            last.pop(function, None)
    return last.items()


def variant_complaints(units, isa, library, prefix="isk"):
    """Checks the objects of units at an ISA (path -> unit). A unit must define the variants of its kernels, and a part must define
    functions that are no kernel's. Neither may have other visible symbols, or instructions that the ISA lacks."""
    paths = list(units)
    read = contents(paths)
    bad = ["%s/%s %s" % (isa, os.path.basename(path), complaint)
           for path, unit in units.items() for complaint in complaints_of_variant(read[path], isa, unit, library, prefix)]
    return bad + refused({path: read[path].code for path in paths}, architecture(paths[0]), features_of(library.isas[isa]))


def complaints_of_variant(read, isa, unit, library, prefix):
    bad = []
    kernels = library.kernels
    mine = {"%s_%s__%s" % (prefix, k.name, isa) for k in kernels.values() if k.unit == unit and k.is_coded and isa in k.isas}
    # Parts of these ISAs may be called, because this ISA has all their instructions.
    below = [isa] + library.isas[isa].builds_on
    defined = set()
    for letter, name in read.symbols:
        if letter in "TDBRGSC":
            defined.add(name)
        elif letter in "WVuvi":
            bad.append("has weak, unique or indirect " + name)
        elif letter == "U" and name.startswith(prefix + "_") and "__" in name:
            function, at = name[len(prefix) + 1:].rsplit("__", 1)
            if at != isa and (function in kernels or at not in below):
                bad.append("calls %s of another ISA" % name)
        elif letter == "U" and name.startswith(prefix + "_") and name[len(prefix) + 1:] in kernels:
            bad.append("calls %s through the dispatch" % name)
        elif letter == "U" and SLEEF_DISPATCH.match(name):
            bad.append("calls SLEEF's dispatcher " + name)
    if any(unit.file in family.parts for family in library.families):
        as_part = {n for n in defined if n.endswith("__" + isa) and n[len(prefix) + 1:-len("__" + isa)] not in kernels}
        bad += [] if as_part else ["defines nothing that is no kernel"]
        mine |= as_part
    for name in sorted(defined - mine):
        bad.append("defines " + name)
    for name in sorted(mine - defined):
        bad.append("lacks " + name)
    if read.has_groups:
        bad.append("has a COMDAT group")
    bad += ["has a masked store that faults: %s in %s" % (text, function) for function, text in read.code if FAULTING_STORE.match(text)]
    bad += ["has a streaming store without a fence behind it: %s in %s" % (text, function) for function, text in unfenced(read.code)]
    for name, (size, flags) in read.sections.items():
        if size and (FORBIDDEN.search(name)
                     and name != ".data.rel.ro.local" and not name.startswith(".data.rel.ro")):
            bad.append("has " + name)
        elif size and "W" in flags and "A" in flags and not name.startswith(".data.rel.ro"):
            bad.append("has writable " + name)
    return bad
