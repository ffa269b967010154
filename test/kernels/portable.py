#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weights packed under one cap of ISAKERN_MAX_ISA are multiplied under each other cap.

    portable.py STORED      the program of stored.c

All ISAs must write the same bytes. Products must have the same bits from avx2 up if their rows promise it; those of
integers must have them everywhere.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import target  # noqa: E402
from tap import done, ok, skip  # noqa: E402


def run(program, cap, what, *directory):
    """The lines that the program prints under this cap, split into words."""
    done = subprocess.run([program, what, *directory], env=dict(os.environ, ISAKERN_MAX_ISA=cap),
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("Bail out! %s under %s: %d, %s" % (what, cap, done.returncode, done.stdout))
    return [line.split() for line in done.stdout.splitlines()]


def read(directory):
    files = {}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), "rb") as f:
            files[name] = f.read()
    return files


def main(program):
    with tempfile.TemporaryDirectory() as top:
        packed, differ, isas = {}, [], {}
        caps = [line[0] for line in run(program, "", "isas")]
        for cap in caps:
            os.mkdir(os.path.join(top, cap))
            isas[cap] = run(program, cap, "pack", os.path.join(top, cap))
            packed[cap] = read(os.path.join(top, cap))
            differ += ["%s under %s" % (name, cap) for name, data in packed[cap].items()
                       if data != packed[caps[0]][name]]
        used = sorted({isa for words in isas.values() for _, isa in words})
        print("# packed at %s: %d files of %d bytes" % (", ".join(used), len(packed[caps[0]]),
                                                        sum(map(len, packed[caps[0]].values()))))

        products, wrong, count, ran = {}, [], 0, set()
        for packer in caps:
            for cap in caps:
                for kernel, isa, bits, result in run(program, cap, "multiply", os.path.join(top, packer)):
                    exact = kernel.endswith("_s32")
                    if isa == "baseline" and not exact or isa == "amx" and bits == "same-amx" or bits == "bound":
                        kernel += "/" + isa
                    count += 1
                    ran.add(isa)
                    if products.setdefault(kernel, result) != result:
                        wrong.append("%s at %s, packed under %s" % (kernel, isa, packer))
        print("# %d products, %d different ones allowed" % (count, len(products)))
        what = "files are the same whatever packed them"
        # The ISAs that all packing kernels are compiled for.
        if len(ran & set(target.ISAS)) < 2:
            skip(what, "no ISA but %s packs here" % used[0])
        else:
            ok(not differ and len(packed[caps[0]]) >= 4 and len(used) >= 2, what, differ)
        ok(not wrong, "products of all with all have the same bits", "\n".join(wrong))
    done()


if __name__ == "__main__":
    main(sys.argv[1])
