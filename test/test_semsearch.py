#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_semsearch.py SEMSEARCH: tests the sentence search, in TAP.

Tests that need the model are skipped, with the reason, if fetch.sh has not fetched it ($SEMSEARCH_MODEL names another
folder). semsearch_embeddings.json comes from an independent implementation, by semsearch_record.mjs.
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
MODEL = os.environ.get("SEMSEARCH_MODEL") or os.path.join(CACHE, "isakern", "all-MiniLM-L6-v2")
HAVE_MODEL = all(os.path.exists(os.path.join(MODEL, f)) for f in ("model.fp16.safetensors", "tokenizer.json"))
TOLERANCE = 1e-5
# Types of weights other than f32: the least cosine between their embeddings and those of f32.
COSINES = {"f16": 0.999999, "bf16": 0.9999, "int8": 0.99}


def run(*args, text=b"", **env):
    return subprocess.run([EXE, *args], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **env})


def refuses(name, status, words, *args, text=b""):
    """The program fails with that exit status, one line on standard error that holds these words, and nothing on standard
    output."""
    r = run(*args, text=text)
    said = r.stderr.decode("utf-8", "replace")
    good = (r.returncode == status and not r.stdout and said.startswith("semsearch: ") and
            said.count("\n") == 1 and all(w in said for w in words))
    ok(good, "refused: " + name, "exit status %d, standard output %r, standard error %r"
           % (r.returncode, r.stdout[:80], said))


def test_command_line():
    r = run("--help")
    options = ["--corpus", "--model", "--query", "-k", "--threads", "--json", "--embed", "--isa-ladder",
               "--weights", "--compare-weights"]
    ok(r.returncode == 0 and all(o in r.stdout.decode() for o in options), "--help names every option", r)
    refuses("an unknown option", 2, ["--nonsense", "--help"], "--nonsense")
    refuses("an unknown letter", 2, ["-x"], "-x")
    refuses("an option without its value", 2, ["--corpus"], "--corpus")
    refuses("a stray argument", 2, ["stray", "--query"], "stray")
    for k in "0", "-1", "1001", "many", "":
        refuses("-k '%s'" % k, 2, ["-k", "1 to 1000"], "-k", k)
    refuses("--threads 0", 2, ["--threads", "1 to 1024"], "--threads", "0")
    refuses("--weights f64", 2, ["--weights", "bf16"], "--weights", "f64")
    refuses("--embed and --json", 2, ["exclude"], "--embed", "--json")
    refuses("--isa-ladder with a query", 2, ["--query"], "--isa-ladder", "--query", "why")
    refuses("--compare-weights with a query", 2, ["--query"], "--compare-weights", "--query", "why")
    refuses("--isa-ladder of standard input", 2, ["several times"], "--isa-ladder", "--corpus", "-")
    refuses("standard input as text and questions", 2, ["--query"], "--corpus", "-")


def test_corpus(folder):
    def file(name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(content)
        return path

    refuses("a missing corpus", 1, ["nowhere.txt", "No such file"], "--corpus", "nowhere.txt", "--json")
    refuses("a folder as corpus", 1, [folder, "directory"], "--corpus", folder, "--json")
    refuses("an empty corpus", 1, ["empty corpus"], "--corpus", file("empty", b""), "--json")
    refuses("a blank corpus", 1, ["empty corpus"], "--corpus", file("blank", b"\n \t\r\n\n"), "--json")
    refuses("an empty standard input", 1, ["standard input", "empty"], "--corpus", "-", "--json")
    for name, bad in (("a stray byte", b"\xff"), ("Latin-1", b"caf\xe9 au lait"), ("an overlong form", b"\xc0\xaf"),
                      ("a surrogate", b"\xed\xa0\x80"), ("beyond Unicode", b"\xf4\x90\x80\x80"),
                      ("a cut character", b"\xe2\x82")):
        path = file("bad", b"good\n\n" + "gut: ä€😀\n".encode() + b"x" + bad + b"\n")
        refuses("not UTF-8, " + name, 1, [path + ":4:", "UTF-8"], "--corpus", path, "--json")


def fake_tokenizer(**changes):
    vocab = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
    vocab.update(("w%d" % i, i) for i in range(len(vocab), 30522))
    whole = {"added_tokens": [], "normalizer": {"type": "BertNormalizer", "clean_text": True, "lowercase": True,
             "handle_chinese_chars": True, "strip_accents": None}, "pre_tokenizer": {"type": "BertPreTokenizer"},
             "model": {"type": "WordPiece", "vocab": vocab}}
    whole.update(changes)
    return json.dumps(whole).encode()


def safetensors(header, data=b""):
    text = json.dumps(header).encode() if isinstance(header, dict) else header
    return struct.pack("<Q", len(text)) + text + data


def test_model_files(folder):
    def refused(name, words, tokenizer, weights):
        for file, content in ("tokenizer.json", tokenizer), ("model.fp16.safetensors", weights):
            with open(os.path.join(folder, file), "wb") as f:
                f.write(content)
        refuses(name, 1, words, "--model", folder, "--json", "--corpus", "-", text=b"a sentence\n")

    words = "embeddings.word_embeddings.weight"
    size = 30522 * 384 * 2
    rank = {"type": "WordPiece", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 7}}
    tensor = {"dtype": "F16", "shape": [30522, 384], "data_offsets": [0, size]}
    good = fake_tokenizer()
    refuses("a missing model", 1, ["no model in /nowhere", "fetch.sh", "--model"], "--model", "/nowhere", "--json")
    refused("an empty tokenizer", ["tokenizer.json", "empty"], b"", b"")
    refused("a cut tokenizer", ["tokenizer.json", "JSON"], good[:-9], b"")
    refused("another tokenizer", ["tokenizer.json", "WordPiece"], fake_tokenizer(normalizer=None), b"")
    refused("no vocabulary", ["vocabulary"], fake_tokenizer(model={"type": "WordPiece"}), b"")
    refused("an id out of range", ["[SEP]", "0 to 2"], fake_tokenizer(model=rank), b"")
    refused("a small vocabulary", ["4 tokens", "30522"], fake_tokenizer(
        model={"type": "WordPiece", "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}}), b"")
    refused("empty weights", ["safetensors", "empty"], good, b"")
    refused("7 bytes of weights", ["7 bytes"], good, b"1234567")
    refused("text as weights", ["not a safetensors file"], good, b"<!doctype html><html><body>404</body></html>")
    refused("a header that is not JSON", ["JSON"], good, safetensors(b"}{"))
    refused("a cut header", ["cut short"], good, safetensors({words: tensor})[:40])
    refused("no tensors", ["no tensor"], good, safetensors({}))
    refused("cut weights", ["cut short"], good, safetensors({words: tensor}, bytes(size - 1)))
    refused("left-over weights", ["header tells"], good, safetensors({words: tensor}, bytes(size + 1)))
    refused("weights of another type", ["BF16"], good, safetensors({words: {**tensor, "dtype": "BF16"}}, bytes(size)))
    refused("weights of another shape", ["384 x 30522", "30522 x 384"], good,
            safetensors({words: {**tensor, "shape": [384, 30522]}}, bytes(size)))
    refused("a shape beyond its bytes", [words, "bytes"], good,
            safetensors({words: {**tensor, "data_offsets": [2, size]}}, bytes(size)))
    refused("offsets that are not numbers", [words], good,
            safetensors({words: {**tensor, "data_offsets": ["0", None]}}, bytes(size)))
    refused("weights of zero", ["damaged"], good, safetensors({words: tensor}, bytes(size)))
    refused("infinite weights", ["damaged"], good, safetensors({words: tensor}, b"\0\x7c" + bytes(size - 2)))
    refused("the rest missing", ["no tensor 'embeddings.position"], good,
            safetensors({words: tensor}, b"\0\x3c" * (size // 2)))


def bits(vectors):
    return [struct.pack("<384f", *v) for v in vectors]


def checksum(vectors):
    """As --json has it: FNV-1a of the 32-bit words."""
    h = 0xCBF29CE484222325
    for word in struct.unpack("<%dI" % (384 * len(vectors)), b"".join(bits(vectors))):
        h = (h ^ word) * 0x100000001B3 % 2**64
    return "%016x" % h


def embed(text, **options):
    env = options.pop("env", {})
    options.setdefault("weights", "f32")
    args = [a for k, v in options.items() for a in ("--" + k, str(v))]
    r = run("--embed", "--model", MODEL, "--corpus", "-", *args, text=text.encode(), **env)
    return [json.loads(line) for line in r.stdout.decode().splitlines()], r


def told(texts, weights, queries=(), **env):
    """The object that --json writes for the texts as corpus."""
    r = run("--json", "--model", MODEL, "--corpus", "-", "--weights", weights, *("--query=" + q for q in queries),
            text="".join(t + "\n" for t in texts).encode(), **env)
    return json.loads(r.stdout)


def same_bits(name, best, texts, weights):
    """Each sentence alone has the bits that it has among the others."""
    got = told(texts, weights, texts)
    alone = [q["bits"] for q in got["queries"]]
    ok(got["bits"] == checksum(best) and alone == [checksum([v]) for v in best], name, got)


def record():
    with open(os.path.join(HERE, "semsearch_embeddings.json"), encoding="utf-8") as f:
        recorded = json.load(f)
    return recorded, [r["text"] for r in recorded]


def test_embeddings(best, r):
    recorded, texts = record()
    text = "".join(t + "\n" for t in texts)
    said = r.stderr.decode()
    ok(said.count("\n") == 1 and ":%d:" % len(recorded) in said and "256" in said,
           "an over-long sentence: one line that names it", said)
    norms = [abs(sum(x * x for x in v) - 1) for v in best]
    ok(max(norms) < 1e-6, "vectors have length 1", norms)
    for isa in target.ALL:
        capped = {"ISAKERN_MAX_ISA": isa}
        name = "embeddings at " + isa
        got = told(texts, "f32", **capped)
        if got["isa"] != isa:
            skip(name, "this machine or build has no %s: the cap binds to %s" % (isa, got["isa"]))
            continue
        same = got["bits"] == checksum(best)
        mine, r = (best, got) if same else embed(text, env=capped)
        if len(mine) != len(recorded):
            ok(False, name, r)
            continue
        worst = [max(abs(a - b) for a, b in zip(m, r["embedding"])) for m, r in zip(mine, recorded)]
        at = recorded[worst.index(max(worst))]["text"][:40]
        print("# %s: largest difference from the reference %.3g (%s...)" % (isa, max(worst), at))
        ok(max(worst) <= TOLERANCE, name + ": within %g of the independent implementation" % TOLERANCE, worst)
        if isa in target.ALIKE:
            ok(same, "the same bits at %s as uncapped" % isa)
    same_bits("alone and in company: the same bits", best, texts, "f32")
    messy, _ = embed("\n\n" + text.replace("\n", "\r\n\r\n") + "last line without end", threads=1)
    ok(bits(messy[:-1]) == bits(best) and len(messy) == len(best) + 1,
       "one thread, blank lines and CRLF make no difference")
    with_nul, r = embed("\0\u200b\0\n")
    ok(bits(with_nul) == bits([best[texts.index("\u200b")]]), "NUL bytes are passed over", r)


def cosine(x, y):
    """The cosine of vectors of length 1."""
    return sum(a * b for a, b in zip(x, y))


def test_weights(f32):
    recorded, texts = record()
    text = "".join(t + "\n" for t in texts)
    for weights, least in COSINES.items():
        best, r = embed(text, weights=weights)
        name = "weights of %s" % weights
        if weights == "f16":
            ok(bits(best) == bits(f32), name + ": the same bits as f32", r)
        # One sentence is a zero-width space, which has no word, so there is little to average.
        worst = min(cosine(a, r["embedding"]) for a, r in zip(best, recorded) if r["text"] != "\u200b")
        print("# %s: least cosine with the independent implementation %.6f" % (weights, worst))
        ok(worst >= least, name + ": cosine of at least %g with the independent implementation" % least, worst)
        same_bits(name + ": the same bits alone and in company", best, texts, weights)
        for isa in target.ALIKE:
            got = told(texts, weights, ISAKERN_MAX_ISA=isa)
            same = name + ": the same bits at " + isa
            if got["isa"] != isa:
                skip(same, "this machine or build has no %s: the cap binds to %s" % (isa, got["isa"]))
            elif got["gemm_isa"] == "amx" and weights == "bf16":
                skip(same, "amx adds products of bf16 in another order")
            else:
                ok(got["bits"] == checksum(best), same)


def test_compared_weights():
    """--compare-weights embeds five times to measure, so it gets few sentences. All of the corpus is compared here."""
    with open(os.path.join(HERE, "..", "examples", "semsearch", "corpus.txt"), encoding="utf-8") as f:
        lines = [line for line in f if line.strip()]
    f32, _ = embed("".join(lines))
    cosines = {w: [cosine(x, y) for x, y in zip(embed("".join(lines), weights=w)[0], f32)] for w in COSINES}
    ok(all(len(cosines[w]) == len(lines) > 400 and min(cosines[w]) >= least for w, least in COSINES.items()),
       "all of the corpus is within these bounds", {w: min(cosines[w], default=None) for w in COSINES})
    few = 20
    r = run("--compare-weights", "--model", MODEL, "--corpus", "-", text="".join(lines[:few]).encode())
    rows = {line.split()[0]: [float(word) for word in line.split()[2:]] for line in r.stdout.decode().splitlines()[2:]}
    print("# " + r.stdout.decode().replace("\n", "\n# "))
    ok(r.returncode == 0 and list(rows) == ["f32"] + list(COSINES) and all(
        rows[w][0] > 0 and abs(rows[w][1] - sum(cosines[w][:few]) / few) < 2e-6 and abs(rows[w][2] - min(cosines[w][:few])) < 2e-6
        for w in COSINES), "--compare-weights prints the cosines of its vectors", r)


def test_search(folder):
    queries = ["how do birds find their way home", "my pasta sticks together", "how far away is the lightning?"]
    wanted = ["pigeons", "pasta", "flash"]
    r = run("--model", MODEL, "--json", "-k", "2", *[a for q in queries for a in ("--query", q)])
    answer = json.loads(r.stdout)
    best = [q["answers"][0]["text"] for q in answer["queries"]]
    ok(all(w in b for w, b in zip(wanted, best)), "three questions get their answers", best)
    ok(answer["sentences_per_second"] > 0 and answer["gemm"] and answer["gemm_isa"] and all(
        len(q["answers"]) == 2 and q["answers"][0]["score"] >= q["answers"][1]["score"] for q in answer["queries"]),
        "--json tells speed, ISA and sorted answers", answer)
    r = run("--model", MODEL, "-k", "1", text="\n".join(queries).encode())
    lines = r.stdout.decode().splitlines()
    ok(r.returncode == 0 and "ISA " + answer["isa"] in lines[0] and "sentences/s" in lines[1] and
           all(any(w in line for line in lines) for w in wanted), "questions on standard input", r)
    r = run("--model", MODEL, "--corpus", "-", "--query", "dog", text=b"a cat\n\na puppy\nthe stock market\n")
    ok(r.returncode == 0 and r.stdout.decode().splitlines()[4].endswith("a puppy"), "a corpus on standard input", r)
    with open(os.path.join(MODEL, "model.fp16.safetensors"), "rb") as f:
        weights = f.read()
    os.symlink(os.path.join(MODEL, "tokenizer.json"), os.path.join(folder, "tokenizer.json"))
    for name, content, words in (("cut", weights[:-1000], ["cut short"]),
                                 ("overwritten", weights[:-9000000] + b"\xff" * 9000000, ["damaged"])):
        with open(os.path.join(folder, "model.fp16.safetensors"), "wb") as f:
            f.write(content)
        refuses("the model, " + name, 1, words, "--model", folder, "--json")


def test_ladder(folder):
    path = os.path.join(folder, "small.txt")
    with open(path, "w") as f:
        f.write("one sentence\nand another one\n")
    r = run("--isa-ladder", "--model", MODEL, "--corpus", path, "--weights", "f16")
    rows = {line.split()[0]: line.split() for line in r.stdout.decode().splitlines()}
    ran = [isa for isa in target.ALIKE if isa in rows and rows[isa][1] != "-"]
    ok(r.returncode == 0 and not r.stderr and float(rows[target.LOWEST][1]) > 0 and all(isa in rows for isa in target.ALL),
           "--isa-ladder has a row for each ISA", r)
    ok(len({rows[isa][2] for isa in ran}) <= 1, "--isa-ladder shows the same bits from %s up" % target.ALIKE[0], r.stdout.decode())


def main():
    test_command_line()
    for test in test_corpus, test_model_files:
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    if HAVE_MODEL:
        f32, r = embed("".join(text + "\n" for text in record()[1]))
        test_embeddings(f32, r)
        test_weights(f32)
        test_compared_weights()
        for test in test_search, test_ladder:
            with tempfile.TemporaryDirectory() as folder:
                test(folder)
    else:
        why = "no model in %s: examples/semsearch/fetch.sh gets it" % MODEL
        for name in "embeddings against the recorded ones, and the same bits at every ISA", "types of weights", "search", "--isa-ladder":
            skip(name, why)
    done()


main()
