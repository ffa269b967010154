#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_vad.py VAD: tests the speech detector, in TAP.

Tests that need the model are skipped, with the reason, if fetch.sh has not fetched it. vad_probabilities.json comes from
an independent implementation, by vad_record.mjs.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import target
from tap import done, ok, skip

HERE = os.path.dirname(os.path.abspath(__file__))
EXE = sys.argv[1]
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
FOLDER = os.path.join(CACHE, "isakern", "silero-vad")
MODEL, SPEECH = (os.path.join(FOLDER, name) for name in ("silero_vad_v5.onnx", "jfk.wav"))
TOLERANCE = 1e-5


def run(*args, data=b"", **env):
    return subprocess.run([EXE, *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env})


def refuses(name, status, words, *args, data=b""):
    """The message begins with the program's name, holds these words, and is one line unless the command line is wrong."""
    r = run(*args, data=data)
    said = r.stderr.decode("utf-8", "replace")
    ok(r.returncode == status and not r.stdout and said.startswith(("vad: ", EXE)) and all(w in said for w in words)
       and (status == 2 or said.count("\n") == 1), "refused: " + name, r)


def wav(samples=b"\0\0" * 800, kind=1, channels=1, rate=16000, bits=16, told=None, before=b""):
    fmt = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack(
        "<I", len(samples) if told is None else told) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def test_command_line():
    r = run("--help")
    ok(r.returncode == 0 and all(o in r.stdout.decode() for o in ("--model", "--threshold", "--probabilities", "--json")),
       "--help names every option", r)
    refuses("no sound", 2, ["which sound"])
    refuses("two sounds", 2, ["one sound", "b.wav"], "a.wav", "b.wav")
    refuses("an unknown option", 2, ["--nonsense"], "--nonsense")
    for threshold in "0", "1", "nan", "half", "":
        refuses("--threshold '%s'" % threshold, 2, ["0.01 to 0.99"], "--threshold", threshold, "-")


def test_sounds():
    refuses("a missing file", 1, ["nowhere.wav", "No such file"], "nowhere.wav")
    refuses("a folder", 1, ["/", "directory"], "/")
    for name, data, words in (
            ("nothing", b"", ["not a WAV"]), ("a text", b"this is no sound at all", ["not a WAV"]),
            ("a head alone", wav()[:12], ["without samples"]), ("a format cut short", wav()[:30], ["10 bytes"]),
            ("no samples", wav(b""), ["no sample"]), ("half a sample", wav(b"\0"), ["no sample"]),
            ("samples cut short", wav(told=4000), ["1600 bytes of 4000"]),
            ("samples before their format", wav(before=b"data" + struct.pack("<I", 4) + b"\0" * 4), ["before"]),
            ("8 bits", wav(bits=8), ["8 bits"]), ("a compressed kind", wav(kind=85), ["kind 85"]),
            ("another rate", wav(rate=44100), ["44100", "sox"]), ("no channels", wav(channels=0), ["0 channels"]),
            ("a NaN", wav(struct.pack("<f", float("nan")), kind=3, bits=32), ["no sound"]),
            ("a chunk beyond the end", wav()[:36] + b"junk" + struct.pack("<I", 0xffffffff), ["without samples"])):
        refuses(name, 1, ["standard input", *words], "-", data=data)


def test_models(folder):
    def file(data):
        path = os.path.join(folder, "model")
        with open(path, "wb") as f:
            f.write(data)
        return path

    refuses("a missing model", 1, ["/nowhere", "fetch.sh", "--model"], "--model", "/nowhere", "-", data=wav())
    refuses("an empty model", 1, ["ONNX"], "--model", file(b""), "-", data=wav())
    refuses("a text as model", 1, ["ONNX"], "--model", file(b"no model"), "-", data=wav())
    if os.path.exists(MODEL):
        with open(MODEL, "rb") as f:
            whole = f.read()
        refuses("a model cut short", 1, ["ONNX"], "--model", file(whole[:1000000]), "-", data=wav())
        # A basis of another name, as the 16 kHz model's is missing then.
        refuses("another model", 1, ["Silero"], "--model", file(whole.replace(b"forward_basis", b"another_basis")), "-", data=wav())


def probabilities(*args, **env):
    r = run("--probabilities", *args, **env)
    return [float(line.split()[1]) for line in r.stdout.decode().splitlines()], r


def test_speech():
    with open(os.path.join(HERE, "vad_probabilities.json"), encoding="utf-8") as f:
        wanted = json.load(f)
    outputs = {}
    for isa in target.ALL:
        got, r = probabilities(SPEECH, ISAKERN_MAX_ISA=isa)
        outputs[isa] = r.stdout
        worst = max((abs(a - b) for a, b in zip(got, wanted)), default=1)
        ok(r.returncode == 0 and len(got) == len(wanted) and worst <= TOLERANCE,
           "%s: %d probabilities as recorded, to within %g" % (isa, len(got), worst), r.stderr)
    ok(len({outputs[isa] for isa in target.ALIKE}) == 1, "the same bits at every ISA from %s up" % target.ALIKE[0])
    r = run("--json", SPEECH)
    parts = [(p["from"], p["to"]) for p in json.loads(r.stdout)["segments"]]
    ok(len(parts) == 4 and all(a < b for a, b in parts) and all(a[1] <= b[0] for a, b in zip(parts, parts[1:])),
       "four parts of it are speech", parts)
    r = run(SPEECH)
    ok(r.returncode == 0 and "7.02 of 11.00 s are speech, in 4 parts" in r.stdout.decode(), "they are told to people", r)
    with open(SPEECH, "rb") as f:
        data = f.read()
    ok(run("-p", "-", data=data).stdout == outputs_of(SPEECH), "standard input is as good as a file")
    samples = data[data.index(b"data") + 8:]
    both = b"".join(samples[i:i + 2] * 2 for i in range(0, len(samples), 2))
    ok(run("-p", "-", data=wav(both, channels=2)).stdout == outputs_of(SPEECH), "two equal channels are as good as one")
    floats = b"".join(struct.pack("<f", s / 32768) for s in struct.unpack("<%dh" % (len(samples) // 2), samples))
    ok(run("-p", "-", data=wav(floats, kind=3, bits=32)).stdout == outputs_of(SPEECH), "so are floats")
    ok(run("-p", "-", data=wav(samples, told=0xffffffff)).stdout == outputs_of(SPEECH), "and a file whose writer could not tell its length")
    r = run("--json", "-", data=wav())
    ok(r.returncode == 0 and json.loads(r.stdout)["segments"] == [], "silence has no part that is speech", r)
    with open("/dev/full", "wb") as full:
        r = subprocess.run([EXE, SPEECH], stdout=full, stderr=subprocess.PIPE, check=False)
    ok(r.returncode == 1 and b"standard output" in r.stderr, "a full disk is told", r)


def outputs_of(path):
    return run("--probabilities", path).stdout


test_command_line()
test_sounds()
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    test_models(work)
if os.path.exists(MODEL) and os.path.exists(SPEECH):
    test_speech()
else:
    skip("speech", "no model in %s: examples/vad/fetch.sh gets it" % FOLDER)
done()
