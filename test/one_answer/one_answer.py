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
from programs import LIBRARIES, PROGRAMS
import recorded
import stand_in
import target
from tap import done, equal, ok, skip, skip_all

# What LAPACK computes by BLAS, divisions and square roots alone. Its other routines, and divisions of complex numbers, have
# products and sums of their own, which Debian's compiler fuses on AArch64 and not on x86-64.
BY_BLAS = ("product", "solve", "inverse", "cholesky")
OPENBLAS = "/%s/openblas-pthread" % LIBRARIES
LAPACK = "/%s/lapack" % LIBRARIES
REFERENCE = "/%s/blas" % LIBRARIES


def is_by_blas(case):
    return case.startswith(BY_BLAS) and case != "solve c128"


def lapack_of(answers):
    return "LAPACK " + next((path.split(".so.")[-1] for path in answers.libraries if "/lapack/" in path), "")


def configurations(isas):
    for isa in isas:
        for threads in "12":
            yield "%s, threads: %s" % (isa, threads), {"ISAKERN_MAX_ISA": isa, "ISAKERN_NUM_THREADS": threads,
                                                       "OMP_NUM_THREADS": threads, "OMP_DYNAMIC": "false"}


def compare(name, folder, isas, root):
    """Runs a program in all configurations, and returns its answers."""
    first = None
    for configuration, variables in configurations(isas):
        answers = programs.answers(name, [folder, LAPACK], root, **variables)
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
    versions, now = recorded.read()[0], {answers.version, lapack_of(answers)}
    if now <= set(versions.values()):
        equal(answers.digests, recorded.of(name, target.ARCHITECTURE), name + ": the answers of answers.tbl")
    else:
        skip(name + ": the answers of answers.tbl", "they are for " + ", ".join(versions.values()))


def check_record():
    _, rows = recorded.read()
    differ = [key for key, digests in rows.items() if len(set(digests)) > 1 and is_by_blas(key[1])]
    equal(differ, [], "answers.tbl: those by BLAS alone are the same on both architectures")


def shown(name, folders, root, variables):
    """Two digests of a program's answers: those by BLAS alone, and the others."""
    digests = programs.answers(name, folders, root, **variables).digests
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
            versions = {version.split()[0]: version for a in found.values() for version in (a.version, lapack_of(a))}
            recorded.write(versions, {name: a.digests for name, a in found.items()}, target.ARCHITECTURE)
    check_record()
    done()


main()
