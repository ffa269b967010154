#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_listen.py LISTEN [speech | second]: tests the program that writes down speech, in TAP.

Without more, the command line and what is refused. "speech" tests words, times and bits, with the networks and the speech that
examples/listen/fetch.sh and examples/vad/fetch.sh fetch. "second" tests the bits of the first second, on the machine of the build,
which may be emulated: on two cores of Zen 4, QEMU takes 1 to 3 minutes.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import wave

import target
from tap import done, equal, ok, skip_all

EXE = sys.argv[1]
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "isakern")
MODELS, SPEECH = os.path.join(CACHE, "whisper-tiny"), os.path.join(CACHE, "silero-vad", "jfk.wav")
FIRST_SECOND = b"e56e2cd26486b907"  # the checksum of its logits, on x86-64 and AArch64
WORDS = "And so my fellow Americans ask not what your country can do for you, ask what you can do for your country."


def run(*args, data=b"", **env):
    return subprocess.run([EXE, *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env}, check=False)


def wav(samples):
    fmt = struct.pack("<HHIIHH", 1, 1, 16000, 32000, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def refuses(name, status, words, *args, data=b""):
    r = run(*args, data=data)
    said = r.stderr.decode("utf-8", "replace")
    ok(r.returncode == status and not r.stdout and all(w in said for w in words) and (status == 2 or said.count("\n") == 1),
       "refused: " + name, r)


def test_refusals(folder):
    r = run("--help")
    ok(r.returncode == 0 and all(o in r.stdout for o in (b"--models", b"--threads")), "--help names every option", r)
    refuses("no sound", 2, ["which sound"])
    refuses("two sounds", 2, ["one sound", "b.wav"], "a.wav", "b.wav")
    refuses("no threads", 2, ["1 to 1024"], "--threads", "0", "-")
    refuses("a missing sound", 1, ["nowhere.wav", "No such file"], "nowhere.wav")
    refuses("a text as sound", 1, ["not a WAV"], "-", data=b"this is no sound")
    sound = wav(bytes(3200))
    refuses("missing networks", 1, ["/nowhere/vocab.json"], "--models", "/nowhere", "-", data=sound)
    words = {"word %d" % i: i for i in range(50257)}
    for name, text, said in (("nothing as vocabulary", " ", "vocab.json: not Whisper's"), ("a text as vocabulary", "{no JSON", "vocab.json: not Whisper's"),
                             ("a vocabulary without its last word", json.dumps({w: i for w, i in words.items() if i < 50256}), "50257"),
                             ("a vocabulary without networks", json.dumps(words), "encoder_model_quantized.onnx: No such file")):
        with open(os.path.join(folder, "vocab.json"), "w", encoding="utf-8") as f:
            f.write(text)
        refuses(name, 1, [said], "--models", folder, "-", data=sound)


def checksum(*args, **more):
    r = run(*args, **more)
    return re.findall(rb"checksum of the logits ([0-9a-f]{16})", r.stderr), r.stdout


def need_files():
    for file, fetch in ((os.path.join(MODELS, "vocab.json"), "listen"), (SPEECH, "vad")):
        if not os.path.exists(file):
            skip_all("examples/%s/fetch.sh has not fetched %s" % (fetch, os.path.basename(file)))


def second():
    need_files()
    with wave.open(SPEECH) as f:
        sound = wav(f.readframes(16000))
    r = target.run([EXE, "-"], input=sound, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    ok(r.returncode == 0 and b"checksum of the logits " + FIRST_SECOND in r.stderr, "a second of speech has the recorded bits", r)


def speech():
    need_files()
    r = run(SPEECH)
    equal(re.sub(" +", " ", r.stdout.decode()).strip(), "0.00 11.00 " + WORDS, "the speech is written down, with its times", r)
    with open(SPEECH, "rb") as f:
        samples = f.read()[44:]
    r = run("-", data=wav(4 * samples))
    lines = [line.split(None, 2) for line in r.stdout.decode().splitlines()]
    ok(len(lines) == 4 and all(a[1] == b[0] for a, b in zip(lines, lines[1:])) and abs(float(lines[-1][1]) - 44) < 1
       and sum("fellow Americans" in line[2] for line in lines) == 4, "four times the speech, over a window's end", r)
    r = run("-", data=wav(bytes(96000)))
    ok(r.returncode == 0 and not r.stdout, "silence has no words", r)
    for name, sound in (("the speech", wav(samples)), ("its second second", wav(samples[32000:64000]))):
        sums = {(isa, threads): checksum("--threads", threads, "-", data=sound, ISAKERN_MAX_ISA=isa) for isa in target.ALIKE for threads in "12"}
        ok(len(set(map(str, sums.values()))) == 1 and sums[target.ALIKE[0], "1"][0],
           "%s: the same bits at every ISA from %s up, with 1 and 2 threads" % (name, target.ALIKE[0]), sums)


if sys.argv[2:] == ["speech"]:
    speech()
elif sys.argv[2:] == ["second"]:
    second()
else:
    with tempfile.TemporaryDirectory() as made:
        test_refusals(made)
done()
