#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""one_answer.py [--record | --table] [--root ROOT] LIBRARY ISAKERN ISAS PROGRAM...: numpy, R and Octave print the same bits with
our libblas.so.3 at each of ISAS (names with commas), with one thread and with two, and those that answers.tbl records.

In a build for AArch64 the programs are those of Debian's arm64, which are fetched and unpacked and run by QEMU. --root ROOT has
them unpacked already. --record writes the answers of this architecture into answers.tbl. --table prints a table of
configurations, with OpenBLAS, for the documentation.
"""
import argparse
import contextlib
import hashlib
import os
import shutil
import sys
import tempfile

import arm64_root
import programs
from programs import HERE, LIBRARIES, PROGRAMS
import stand_in
import target
from tap import done, equal, ok, skip, skip_all

TABLE = os.path.join(HERE, "answers.tbl")
HEAD = """# The answers of answer.py, answer.R and answer.m on Debian 12: program, case, MD5 on x86-64 and on AArch64. Where both are the
# same, the second is "same". Written by one_answer.py --record.
#
# The versions of programs and of LAPACK for which they hold:
"""
COLUMNS = {"x86_64": 0, "aarch64": 1}
# What LAPACK computes by BLAS, divisions and square roots alone. Its other routines, and divisions of complex numbers, have
# products and sums of their own, which Debian's compiler fuses on AArch64 and not on x86-64.
BY_BLAS = ("product", "solve", "inverse", "cholesky")
OPENBLAS = "/%s/openblas-pthread" % LIBRARIES
LAPACK = "/%s/lapack" % LIBRARIES
REFERENCE = "/%s/blas" % LIBRARIES


def is_by_blas(case):
    return case.startswith(BY_BLAS) and case != "solve c128"


def read():
    versions, rows = {}, {}
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            fields = line.lstrip("# ").rstrip("\n").split("  ")
            if line.startswith("#   "):
                versions[fields[0].split()[0]] = fields[0]
            elif not line.startswith("#"):
                program, case, *digests = [word.strip() for word in line.split("|")]
                rows[program, case] = [digests[0], digests[0] if digests[1] == "same" else digests[1]]
    return versions, rows


def record(found):
    """Writes the answers of this architecture, and keeps those of the other one."""
    versions, rows = read() if os.path.exists(TABLE) else ({}, {})
    for name, answers in found.items():
        versions[name], versions["LAPACK"] = answers.version, lapack_of(answers)
        for case, digest in answers.digests.items():
            rows.setdefault((name, case), ["-", "-"])[COLUMNS[target.ARCHITECTURE]] = digest
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(HEAD + "".join("#   %s\n" % version for version in versions.values()))
        f.writelines("%-6s | %-26s | %s | %s\n" % (*key, x86_64, "same" if x86_64 == aarch64 else aarch64)
                     for key, (x86_64, aarch64) in rows.items())


def lapack_of(answers):
    return "LAPACK " + next((path.split(".so.")[-1] for path in answers.libraries if "/lapack/" in path), "")


def configurations(isas):
    for isa in isas:
        for threads in "12":
            yield "%s, threads: %s" % (isa, threads), {"ISAKERN_MAX_ISA": isa, "ISAKERN_NUM_THREADS": threads,
                                                       "OMP_NUM_THREADS": threads}


def compare(name, folder, isas, root):
    """Runs a program in all configurations, and returns its answers."""
    first = None
    for configuration, variables in configurations(isas):
        answers = programs.run(name, [folder, LAPACK], root, **variables)
        if first is None:
            first = answers
            loaded = [os.path.realpath(path) for path in answers.libraries]
            if not ok(os.path.realpath(folder + "/libblas.so.3") in loaded and "/lapack/" in " ".join(loaded),
                      name + " has our libblas.so.3, and reference LAPACK", answers.said):
                return None
        changed = [case for case in first.digests if answers.digests.get(case) != first.digests[case]]
        equal(changed, [], "%s at %s: %d answers, those of the first configuration" % (name, configuration, len(answers.digests)),
              answers.said if not answers.digests else "")
    if not any(" of views" in case for case in first.digests):
        return first
    plain = {case.split(" of views")[0]: digest for case, digest in first.digests.items() if " of views" not in case}
    moved = [case for case, digest in first.digests.items() if plain[case.split(" of views")[0]] != digest]
    equal(moved, [], name + ": views of another alignment have the same products")
    return first


def compare_with_record(name, answers):
    versions, rows = read()
    now = {answers.version, lapack_of(answers)}
    if not now <= set(versions.values()):
        skip(name + ": the answers of answers.tbl", "they are for %s" % ", ".join(sorted(versions.values())))
        return
    column = COLUMNS[target.ARCHITECTURE]
    recorded = {case: digests[column] for (program, case), digests in rows.items() if program == name}
    equal(answers.digests, recorded, name + ": the answers of answers.tbl")


def check_record():
    _, rows = read()
    differ = [key for key, digests in rows.items() if len(set(digests)) > 1 and is_by_blas(key[1])]
    equal(differ, [], "answers.tbl: those by BLAS alone are the same on both architectures")


def shown(name, folders, root, variables):
    """Two digests of a program's answers: those by BLAS alone, and the others."""
    digests = programs.run(name, folders, root, **variables).digests
    for wanted in True, False:
        text = "".join(digest for case, digest in digests.items() if is_by_blas(case) == wanted)
        yield hashlib.md5(text.encode()).hexdigest()[:8]


def table(folder, isas, names, root):
    rows = [("isakern, " + about, [folder, LAPACK], variables) for about, variables in configurations(isas)]
    if os.path.exists(OPENBLAS) and root == "/":
        rows += [("OpenBLAS, %s, threads: %s" % (core, threads), [OPENBLAS, LAPACK],
                  {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": threads})
                 for core in ("Haswell", "SkylakeX") for threads in "12"]
    if os.path.exists(os.path.join(root, REFERENCE[1:])):
        rows.append(("reference BLAS", [REFERENCE, LAPACK], {}))
    print("| configuration |" + "".join(" %s: by BLAS | LAPACK |" % name for name in names))
    print("| --- |" + " --- | --- |" * len(names))
    for about, folders, variables in rows:
        cells = [digest for name in names for digest in shown(name, folders, root, variables)]
        print("| %s | %s |" % (about, " | ".join(cells)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--root", default="")
    parser.add_argument("library")
    parser.add_argument("isakern")
    parser.add_argument("isas", type=lambda text: [isa for isa in text.split(",") if isa in target.ALIKE])
    parser.add_argument("programs", nargs="+", choices=PROGRAMS)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        root = os.path.abspath(options.root) if options.root else "/"
        if target.WRAPPER and not options.root:
            if not shutil.which("debootstrap") or os.getuid():
                skip_all("the programs of arm64 take root and debootstrap (Debian: debootstrap)")
            work = stack.enter_context(tempfile.TemporaryDirectory(prefix="isakern-arm64-"))
            root, reason = arm64_root.unpack(work, "arm64", [PROGRAMS[name].package for name in options.programs])
            if reason:
                skip_all(reason)
        folder = stack.enter_context(stand_in.folder(options.library, options.isakern))
        if options.table:
            table(folder, options.isas, options.programs, root)
            return
        found = {}
        for name in options.programs:
            reason = programs.missing(name, root)
            if reason:
                skip(name, reason)
                continue
            answers = compare(name, folder, options.isas, root)
            if answers and options.record:
                found[name] = answers
            elif answers:
                compare_with_record(name, answers)
        if options.record:
            record(found)
    check_record()
    done()


main()
