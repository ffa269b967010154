#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_mnist.py MNIST: tests the training of a network on digits, in TAP.

Tests that need the digits are skipped, with the reason, if fetch.sh has not fetched them.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import target
from tap import done, ok, skip

HERE = os.path.dirname(os.path.abspath(__file__))
EXE = sys.argv[1]
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
FOLDER = os.path.join(CACHE, "isakern", "mnist")
NAMES = [prefix + kind for prefix in ("train", "t10k") for kind in ("-images-idx3-ubyte", "-labels-idx1-ubyte")]


def run(*args, **env):
    return subprocess.run([EXE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env})


def refuses(name, status, words, *args):
    r = run(*args)
    ok(r.returncode == status and not r.stdout and all(w in r.stderr for w in words)
       and (status == 2 or r.stderr.count("\n") == 1), "refused: " + name, r)


def images(count, kind=0x803, side=28, pixels=None):
    return struct.pack(">4I", kind, count, side, side) + (bytes(count * 784) if pixels is None else pixels)


def labels(count, kind=0x801, digits=None):
    return struct.pack(">2I", kind, count) + (bytes(i % 10 for i in range(count)) if digits is None else digits)


def data(folder, *contents):
    """A folder of the four files, of ten digits each unless other contents are given."""
    for i, name in enumerate(NAMES):
        content = contents[i] if i < len(contents) and contents[i] is not None else (labels if i % 2 else images)(10)
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)
    return folder


def test_command_line():
    r = run("--help")
    ok(r.returncode == 0 and all(o in r.stdout for o in ("--conv", "--data", "--epochs", "--batch", "--rate", "--seed", "--threads", "--json")),
       "--help names every option", r)
    for option, least, most, bad in (("epochs", 1, 100, "0 101 many"), ("batch", 1, 1024, "0 1025 -1"), ("seed", 0, 18, "-1 x"), ("threads", 1, 64, "0 65")):
        for value in bad.split():
            refuses("--%s %s" % (option, value), 2, ["%d to %d" % (least, most), value], "--%s=%s" % (option, value))
    for value in ("0", "-1", "2", "nan", "fast"):
        refuses("--rate " + value, 2, ["above 0", value], "--rate=" + value)
    refuses("an argument", 2, ["stray"], "stray")


def test_files(folder):
    refuses("no folder", 1, ["/nowhere", "fetch.sh"], "--data", "/nowhere")
    for name, words, *contents in (
            ("an empty file", ["train-images", "not the file"], b""),
            ("labels for images", ["train-images", "not the file"], labels(10)),
            ("images for labels", ["train-labels", "not the file"], None, images(10)),
            ("no images", ["0 of them"], images(0)), ("too many", ["4294967295 of them"], images(10)[:4] + b"\xff" * 4),
            ("other images", ["28 x 28"], images(10, side=32)), ("images cut short", ["cut short"], images(10)[:-1]),
            ("labels cut short", ["t10k-labels", "cut short"], None, None, None, labels(10)[:-1]),
            ("fewer labels", ["10 images", "9 labels"], None, labels(9)),
            ("a label that is no digit", ["label 3", "is 11"], None, labels(10, digits=bytes([0, 1, 2, 11] + [0] * 6)))):
        refuses(name, 1, words, "--data", data(folder, *contents))
    r = run("--data", data(folder), "--json")
    ok(r.returncode == 0 and len(r.stdout.splitlines()) == 3, "ten digits are enough", r)


def epochs(*args, **env):
    r = run("--json", *args, **env)
    return [json.loads(line) for line in r.stdout.splitlines()], r


def test_training(folder):
    whole, r = epochs()
    ok(len(whole) == 3 and whole[-1]["right"] >= 0.965, "three epochs read %g of the test" % (whole[-1]["right"] if whole else 0), r)
    ok(len(whole) == 3 and whole[0]["loss"] > whole[1]["loss"] > whole[2]["loss"], "the loss falls", whole)
    parts = []
    for name, head, each in zip(NAMES, (16, 8, 16, 8), (784, 1, 784, 1)):
        with open(os.path.join(FOLDER, name), "rb") as f:
            parts.append(f.read(head + 10000 * each))
    for i, kind in enumerate(parts):
        parts[i] = kind[:4] + struct.pack(">I", 10000) + kind[8:]
    some = data(folder, *parts)
    runs = {isa: epochs("--epochs=1", "--data", some, ISAKERN_MAX_ISA=isa)[0] for isa in target.ALL}
    ok(all(runs[isa] and runs[isa][0]["right"] > 0.85 for isa in target.ALL), "10,000 digits teach as much at every ISA", runs)
    ok(len({runs[isa][0]["checksum"] for isa in target.ALIKE}) == 1, "weights have the same bits at every ISA from %s up" % target.ALIKE[0],
       runs)
    again, other = (epochs("--epochs=1", "--data", some, "--seed", seed)[0][0]["checksum"] for seed in ("1", "2"))
    ok(again == runs[target.ALL[-1]][0]["checksum"] != other, "a seed draws the same again, another one others")
    few = data(folder, *(part[:4] + struct.pack(">I", 2000) + part[8:8 + (8 + 784 * 2000 if i % 2 == 0 else 2000)]
                         for i, part in enumerate(parts)))
    runs = {(isa, threads): epochs("--conv", "--epochs=1", "--data", few, "--threads=%d" % threads, ISAKERN_MAX_ISA=isa)[0]
            for isa in target.ALL for threads in (1, 2) if threads == 1 or isa == target.ALL[-1]}
    ok(all(run and run[0]["right"] > 0.5 for run in runs.values()), "2,000 digits teach the convolutional network", runs)
    alike = {run[0]["checksum"] for (isa, _), run in runs.items() if run and isa in target.ALIKE}
    ok(len(alike) == 1, "its weights have the same bits at every ISA from %s up, and on two threads" % target.ALIKE[0], runs)
    some = data(folder, *parts)
    r = run("--epochs=1", "--data", some)
    ok(r.returncode == 0 and re.search(r"epoch 1: mean loss 0\.\d+, 0\.\d+ of the test right", r.stdout)
       and "steps of 128 digits" in r.stdout, "people see the epochs and a curve", r)


test_command_line()
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    test_files(work)
    if all(os.path.exists(os.path.join(FOLDER, name)) for name in NAMES):
        test_training(work)
    else:
        skip("training", "no digits in %s: examples/mnist/fetch.sh gets them" % FOLDER)
done()
