#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kernel of the npm package gives what a call of C gives, with the same bits. door.js has the kernels that need a struct:
convolutions, packing with scales, and products whose results are quantized.

    kernels.py SOURCE BUILD NODE PACKAGE FOLDER:LIBRARY:FAMILY,...
"""
import json
import os
import subprocess
import sys

SOURCE, BUILD, NODE, PACKAGE, *WORDS = sys.argv[1:]
sys.path[:0] = [os.path.join(SOURCE, "src", "node"), os.path.join(SOURCE, "test")]
import generate  # noqa: E402
import jobs  # noqa: E402
import doors  # noqa: E402
from tap import done, equal, ok  # noqa: E402

LIBRARIES = generate.Libraries([os.path.join(SOURCE, folder, f) for folder, _, families in (w.split(":") for w in WORDS)
                                for f in families.split(",")])


def given(job, a):
    if job.arrays[a.name] is None:
        return None
    of_bits = {8: "Int8Array", 16: "Uint16Array", 32: "Float32Array", 64: "Float64Array"}
    array = generate.array_of(job.type_of(a)) or of_bits[job.type_of(a).memory]
    return {"array": array, "hex": job.arrays[a.name].hex(), "packed": a.packed}


def line(job):
    """For call.js."""
    about = generate.Declaration(LIBRARIES, job.kernel)
    options = {a.name: given(job, a) for a in job.kernel.shape.arguments
               if a.is_array and a not in about.inputs and (a.role == "in" or a.inout or a.name in job.absent)}
    options.update(job.values)
    sizes = {name: size for name, size in job.sizes.items()
             if not doors.counts_bytes(job.kernel.shape, next(a for a in job.kernel.shape.arguments if a.name == name))}
    return json.dumps({"kernel": job.kernel.name, "inputs": [given(job, a) for a in about.inputs], "options": options, "sizes": sizes})


def expected(job):
    """What call.js must print."""
    result, written = job.call()
    about = generate.Declaration(LIBRARIES, job.kernel)
    outs = about.outputs or [a for a in about.inputs if a.inout]
    made = {a.name: None if written[a.name] is None else written[a.name].hex() for a in outs}
    changed = [(written[a.name] if a.inout else job.arrays[a.name]).hex() for a in about.inputs]
    if job.kernel.shape.result in ("void", "status"):
        return next(iter(made.values())) if len(made) == 1 else made, changed
    return result, changed


def is_expected(got, wanted):
    made, changed = wanted
    right = got["changed"] == changed
    if isinstance(made, (int, float)):
        return right and (float(got["made"]) == made or made != made)
    return right and got["made"] == made


JOBS = jobs.of(BUILD, WORDS)
run = subprocess.run([NODE, os.path.join(SOURCE, "test", "node", "call.js"), PACKAGE], input="\n".join(map(line, JOBS)),
                     text=True, stdout=subprocess.PIPE, check=True)
answers = [json.loads(line) for line in run.stdout.splitlines()]
equal(len(answers), len(JOBS), "each call has an answer")
by_shape = {}
for job, answer in zip(JOBS, answers):
    wanted = expected(job)
    for way in ("whole", "short"):
        if way not in answer or not is_expected(answer[way], wanted):
            told = job.kernel.name, way, str(answer.get(way, answer))[:300], str(wanted)[:300]
            by_shape.setdefault(job.kernel.shape.name, []).append("%s %s\n  %s\n  %s" % told)
    by_shape.setdefault(job.kernel.shape.name, [])
for shape, wrong in by_shape.items():
    ok(not wrong, "kernels of shape %s, as C has them" % shape, "\n".join(wrong))
ok(len({job.kernel.name for job in JOBS}) > 1200, "nearly all kernels were called", len(JOBS))
done()
