#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_ocr.py OCR [PAGE]: tests the program that reads pictures, in TAP.

Without PAGE, with tiny networks that it writes: dark is text for the finder, a line is upside down if red is on its left, and
the reader reads red as "r" and blue as "b". With PAGE, examples/ocr/page.py, that the real networks read the page that it
makes, and the bits of all ISAs.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import target
from onnx_file import model, node
from tap import done, equal, ok, skip_all

EXE = sys.argv[1]
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
MODELS = os.path.join(CACHE, "isakern", "ocr")
SCRATCH = tempfile.TemporaryDirectory()
WIDTH, HEIGHT = 320, 256
WHITE, BLACK, RED, BLUE = b"\xff\xff\xff", b"\0\0\0", b"\xff\0\0", b"\0\0\xff"


def path(name):
    return os.path.join(SCRATCH.name, name)


def run(*args, **env):
    return subprocess.run([EXE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env}, check=False)


def png(name, colour, width=WIDTH, height=HEIGHT):
    """A picture whose pixels are colour(x, y)."""
    rows = b"".join(b"\0" + b"".join(colour(x, y) for x in range(width)) for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path(name), "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path(name)


def write_models(folder):
    """x is 1x3xHxW, blue, green and red, from about -2 to 2 for the finder, from -1 to 1 for the others."""
    def save(name, nodes, constants):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(model(nodes, {"x": [1, 3, 48, 192]}, ["y"], constants))
    columns = node("ReduceMean", ["x"], ["c"], axes=[2], keepdims=0)
    save("ch_PP-OCRv4_det_infer.onnx", [node("ReduceMean", ["x"], ["c"], axes=[1], keepdims=1), node("Mul", ["c", "k"], ["d"]),
                                        node("Sigmoid", ["d"], ["y"])], {"k": ([1], [-40.0])})
    save("ch_ppocr_mobile_v2.0_cls_infer.onnx", [columns, node("Flatten", ["c"], ["f"]), node("MatMul", ["f", "w"], ["s"]),
                                                 node("Softmax", ["s"], ["y"], axis=1)],
         {"w": ([576, 2], [v for red in (-1, 0, 1) for j in range(192) for v in (0.0, float(red if j < 96 else -red))])})
    # Classes: none, "r", "b", and a space, which never comes.
    save("ch_PP-OCRv4_rec_infer.onnx", [columns, node("Transpose", ["c"], ["t"], perm=[0, 2, 1]), node("MatMul", ["t", "w"], ["m"]),
                                        node("Add", ["m", "a"], ["s"]), node("Softmax", ["s"], ["y"], axis=2)],
         {"w": ([3, 4], [0.0, -40.0, 40.0, 0.0] + [0.0] * 4 + [0.0, 40.0, -40.0, 0.0]), "a": ([4], [14.0, 0.0, 0.0, -99.0])})
    with open(os.path.join(folder, "ppocr_keys_v1.txt"), "w", encoding="utf-8") as f:
        f.write("r\nb\n")


def bar(cx, cy, right, down, ink=lambda u: BLACK):
    """The colours of a rectangle around a point, with two vectors to its sides, in which ink(u) is that from -1 to 1 along it."""
    rr, dd = (v[0] * v[0] + v[1] * v[1] for v in (right, down))

    def colour(x, y):
        x, y = x + .5 - cx, y + .5 - cy
        u, v = (x * right[0] + y * right[1]) / rr, (x * down[0] + y * down[1]) / dd
        return ink(u) if abs(u) <= 1 and abs(v) <= 1 else WHITE
    return colour


def lines(r):
    """Of --boxes: centre, width, height, probability and text of each line."""
    return [([float(n) for n in line.split()[:5]], line.split(None, 5)[5:]) for line in r.stdout.decode().splitlines()]


def test_boxes():
    write_models(SCRATCH.name)
    for name, right, down in (("level", (64, 0), (0, 10)), ("rising", (60, -22.5), (3.75, 10)), ("falling", (60, 22.5), (-3.75, 10)),
                              ("downward", (0, 64), (10, 0))):
        r = run("--models", SCRATCH.name, "--boxes", png("bar.png", bar(160, 128, right, down)))
        w, h = (2 * (v[0] * v[0] + v[1] * v[1]) ** .5 for v in (right, down))
        by = 2 * w * h / (2 * (w + h))
        found = lines(r)
        ok(r.returncode == 0 and len(found) == 1
           and all(abs(a - b) < 2.5 for a, b in zip(found[0][0], (160, 128, w + 2 * by, h + 2 * by))), "a bar that is " + name, r)
    two = [bar(x, 60 + y, (40, 0), (0, 8)) for x, y in ((230, 0), (70, 3), (100, 80))]
    r = run("--models", SCRATCH.name, "--boxes", png("three.png", lambda x, y: min(f(x, y) for f in two)))
    equal([[round(n / 5) for n in numbers[:2]] for numbers, _ in lines(r)], [[14, 13], [46, 12], [20, 28]], "the order of reading", r)
    r = run("--models", SCRATCH.name, png("white.png", lambda x, y: WHITE))
    ok(r.returncode == 0 and not r.stdout and r.stderr.startswith(b"0 lines"), "a picture without text", r)
    r = run("--models", SCRATCH.name, png("dot.png", lambda x, y: BLACK if (x, y) == (5, 5) else WHITE, 7, 11))
    ok(r.returncode == 0, "a picture of 7 x 11 pixels", r)


def test_text():
    inks = {"two colours": (lambda u: BLUE if u < 0 else RED, b"br"), "equal letters with a gap": (lambda u: BLACK if abs(u) < .3 else BLUE, b"bb"),
            "nothing that it reads": (lambda u: BLACK, b"")}
    for name, (ink, text) in inks.items():
        for turned, angle in (("", (1, 0)), (", by 20 degrees", (.94, -.34)), (", upside down", (-1, 0)), (", downward", (0, 1))):
            right, down = (64 * angle[0], 64 * angle[1]), (-10 * angle[1], 10 * angle[0])
            r = run("--models", SCRATCH.name, "--output", path("out.png"), png("text.png", bar(160, 128, right, down, ink)))
            ok(r.returncode == 0 and r.stdout == text + b"\n" and os.path.exists(path("out.png")), name + turned, r)


def test_command_line():
    r = run("--help")
    ok(r.returncode == 0 and all(o in r.stdout for o in (b"--models", b"--output", b"--boxes", b"--threads")), "--help names every option", r)

    def refuses(name, status, words, *args):
        r = run(*args)
        said = r.stderr.decode("utf-8", "replace")
        ok(r.returncode == status and not r.stdout and all(w in said for w in words) and (status == 2 or said.count("\n") == 1),
           "refused: " + name, r)
    white = png("white.png", lambda x, y: WHITE)
    with open(white, "rb") as f:
        whole = f.read()
    with open(path("cut.png"), "wb") as f:
        f.write(whole[:80])
    with open(path("large.png"), "wb") as f:
        f.write(whole[:16] + struct.pack(">II", 1 << 20, 1 << 20) + whole[24:29] + struct.pack(">I", zlib.crc32(whole[12:16] + struct.pack(
            ">II", 1 << 20, 1 << 20) + whole[24:29])) + whole[33:])
    refuses("no picture", 2, ["which picture"])
    refuses("two pictures", 2, ["one picture", "b.png"], "a.png", "b.png")
    refuses("no threads", 2, ["1 to 1024"], "--threads", "0", white)
    refuses("a missing picture", 1, ["nowhere.png", "No such file"], "nowhere.png")
    refuses("a text as picture", 1, ["PNG"], __file__)
    refuses("a picture cut short", 1, ["cut.png"], path("cut.png"))
    refuses("a picture of 2^40 pixels", 1, ["large.png"], path("large.png"))
    refuses("missing networks", 1, ["/nowhere/"], "--models", "/nowhere", white)
    refuses("networks for other characters", 1, ["another network", "rec"], "--models", changed("ppocr_keys_v1.txt", b"a\n"),
            png("bar.png", bar(160, 128, (64, 0), (0, 10))))
    refuses("an empty network", 1, ["det_infer.onnx", "without nodes"], "--models", changed("ch_PP-OCRv4_det_infer.onnx", b""), white)
    full = path("full.png")
    os.symlink("/dev/full", full)
    refuses("a full disk", 1, ["full.png", "No space left"], "--models", SCRATCH.name, "--output", full, white)
    ok(os.path.islink(full), "a file that cannot be written is not deleted")
    refuses("a folder that is not there", 1, ["/nowhere/out.png"], "--models", SCRATCH.name, "--output", "/nowhere/out.png", white)


def changed(name, content):
    """A folder with the tiny networks, of which this file has another content."""
    folder = tempfile.mkdtemp(dir=SCRATCH.name)
    write_models(folder)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)
    return folder


def page(script):
    made = subprocess.run([script, path("page.png")], stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode:
        skip_all("page.py makes no page, it takes python3-pil, fonts-dejavu-core and fonts-wqy-microhei: " + made.stderr.strip().split("\n")[-1])
    if not os.path.exists(os.path.join(MODELS, "ppocr_keys_v1.txt")):
        skip_all("examples/ocr/fetch.sh has not fetched the networks")
    wanted = subprocess.run([script, "--text"], stdout=subprocess.PIPE, check=True).stdout.decode()
    r = run(path("page.png"))
    equal(r.stdout.decode(), wanted, "the page is read without a mistake", r)
    sums = {(isa, threads): re.findall(rb"[0-9a-f]{16}", run(path("page.png"), "--threads", threads, ISAKERN_MAX_ISA=isa).stderr)
            for isa in target.ALIKE for threads in "12"}
    ok(len({tuple(s) for s in sums.values()}) == 1 and sums[target.ALIKE[0], "1"],
       "the same bits at every ISA from %s up, with 1 and 2 threads" % target.ALIKE[0], sums)


if len(sys.argv) > 2:
    page(sys.argv[2])
else:
    for test in (test_boxes, test_text, test_command_line):
        test()
done()
