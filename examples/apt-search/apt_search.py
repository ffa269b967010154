#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Searches the descriptions of all Debian packages by meaning, on several machines at once.

The packages that `apt-cache dumpavail` knows are cut into chunks, which are tasks of Dask. A worker turns each
description into a vector (semsearch --embed) and finds those nearest to a question. The vectors and the scores have
the same bits, whatever CPUs the workers have and whichever chunks they get; scores that numpy computes from the same
vectors do not.
"""
import argparse
import collections
import contextlib
import ctypes
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SEMSEARCH = "examples/semsearch/semsearch"
QUERIES = ["a program to draw the family tree", "watch birds through a camera", "repair broken photos"]
CHUNK = 1000
WIDTH = 384
# OpenBLAS's name for the CPU that a cap of isakern stands for; by itself OpenBLAS looks at the real CPU.
CORES = {"x86_64": {"avx2": "Haswell", "avx512": "SkylakeX"},
         "aarch64": {"neon": "ARMV8", "neon_dot": "NEOVERSEN1"}}[platform.machine()]

os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "error")
try:
    import numpy
    from distributed import Client, LocalCluster, as_completed
except ImportError as error:
    sys.exit("apt_search: %s; on Debian: apt install python3-distributed python3-numpy, and run it with /usr/bin/python3" % error)


def arguments():
    parser = argparse.ArgumentParser(prog="apt_search", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-q", "--query", action="append", help="a question; may be given again")
    parser.add_argument("-w", "--workers", default=",".join(CORES), metavar="ISA,...",
                        help="caps of the workers to start here: %(default)s")
    parser.add_argument("-s", "--scheduler", metavar="ADDRESS",
                        help="use the workers of a running cluster instead, such as tcp://host:8786")
    parser.add_argument("-n", "--limit", type=int, metavar="N", help="take only the first N packages")
    parser.add_argument("-k", type=int, default=3, metavar="N", help="how many answers to show: %(default)s")
    parser.add_argument("-m", "--model", required=True, metavar="DIR", help="the folder from examples/semsearch/fetch.sh")
    parser.add_argument("-b", "--build", default=os.path.join(ROOT, "build"), metavar="DIR", help="%(default)s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if options.k < 1 or (options.limit is not None and options.limit < 1):
        parser.error("-k and --limit are numbers from 1 up")
    for cap in options.workers.split(","):
        if cap not in CORES:
            parser.error("no ISA '%s'; there are %s" % (cap, ", ".join(CORES)))
    for path in (os.path.join(options.build, SEMSEARCH), os.path.join(options.model, "tokenizer.json")):
        if not os.path.exists(path):
            parser.error("no file %s" % path)
    return options


def packages(limit):
    """A line for each package: its name and its description."""
    if not shutil.which("apt-cache"):
        sys.exit("apt_search: no apt-cache here; this is no Debian system")
    found, name = {}, None
    known = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in known.splitlines():
        if line.startswith("Package: "):
            name = line[9:]
        elif line.startswith(("Description: ", "Description-en: ")) and name not in found:
            found[name] = "%s: %s" % (name, line.split(": ", 1)[1])
    return sorted(found.values())[:limit]


class Embedder:
    """The programs that workers run, at paths that they share with this program."""

    def __init__(self, build, model):
        self.build, self.model = build, model

    def library(self):
        return ctypes.CDLL(os.path.join(self.build, "src/libisakern.so.0"))

    def isa(self):
        current = self.library().isk_isa_current
        current.restype = ctypes.c_char_p
        return current().decode()

    def vectors(self, lines):
        """Weights of f16 give the bits of f32 on every CPU."""
        command = [os.path.join(self.build, SEMSEARCH), "--embed", "--corpus", "-", "--model", self.model, "--weights", "f16",
                   "--threads", "1"]
        r = subprocess.run(command, input="\n".join(lines), stdout=subprocess.PIPE, text=True, check=True)
        found = numpy.array([json.loads(line) for line in r.stdout.splitlines()], dtype=numpy.float32)
        if found.shape != (len(lines), WIDTH):
            raise ValueError("%d lines became an array of %s" % (len(lines), found.shape))
        return found

    def embed(self, lines):
        return self.isa(), self.vectors(lines)

    def scores(self, vectors, questions):
        """questions by vectors: the cosines, since all vectors have length 1."""
        product = numpy.empty((len(questions), len(vectors)), dtype=numpy.float32)
        pointers = [a.ctypes.data_as(ctypes.POINTER(ctypes.c_float)) for a in (product, questions, vectors)]
        sizes = [ctypes.c_size_t(n) for n in (len(questions), len(vectors), WIDTH, len(vectors), WIDTH, WIDTH)]
        transposed_b = ctypes.c_uint(2)
        status = self.library().isk_matmul_f32(*pointers, *sizes, transposed_b, None)
        if status:
            raise ValueError("isk_matmul_f32: status %d" % status)
        return product

    def best(self, embedded, questions, k):
        scores = self.scores(embedded[1], questions)
        order = numpy.argsort(-scores, axis=1, kind="stable")[:, :k]
        return order, numpy.take_along_axis(scores, order, 1)

    def compare(self, embedded):
        """On one worker: all scores among a chunk's packages, as our bits and numpy's."""
        vectors = embedded[1]
        return self.isa(), checksum([self.scores(vectors, vectors)]), checksum([vectors @ vectors.T])


def checksum(arrays):
    whole = hashlib.sha256()
    for a in arrays:
        whole.update(a.tobytes())
    return whole.hexdigest()[:16]


@contextlib.contextmanager
def started(caps):
    """Starts a scheduler and workers, and gives its address. The environment says which CPU each worker must assume."""
    with LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as cluster:
        workers = [subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--nthreads", "1", "--no-dashboard",
             "--memory-limit", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "ISAKERN_MAX_ISA": cap, "OPENBLAS_CORETYPE": CORES[cap], "OPENBLAS_NUM_THREADS": "1"})
            for cap in caps]
        try:
            yield cluster.scheduler_address, len(caps)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()


def shares(by_isa):
    return ", ".join("%s %d" % pair for pair in sorted(by_isa.items()))


def show(done, total, by_isa, began):
    """One line that changes, on a terminal."""
    if not sys.stderr.isatty():
        return
    bar, speed = "#" * (30 * done // total), done / (time.monotonic() - began)
    print("\r\033[K[%-30s] %d of %d packages, %.0f/s; %s" % (bar, done, total, speed, shares(by_isa)), end="", file=sys.stderr,
          flush=True)


def search(client, options, lines):
    embedder = Embedder(os.path.abspath(options.build), os.path.abspath(options.model))
    chunks = [lines[i:i + CHUNK] for i in range(0, len(lines), CHUNK)]
    began, done, by_isa = time.monotonic(), 0, collections.Counter()
    embedded = client.map(embedder.embed, chunks, pure=False)
    sizes = {f.key: len(chunk) for f, chunk in zip(embedded, chunks)}
    for future, (isa, _) in as_completed(embedded, with_results=True):
        done += sizes[future.key]
        by_isa[isa] += sizes[future.key]
        show(done, len(lines), by_isa, began)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    seconds = time.monotonic() - began
    vectors = [v for _, v in client.gather(embedded)]
    questions = embedder.vectors(options.query)
    best = client.gather([client.submit(embedder.best, e, questions, options.k, pure=False) for e in embedded])
    answers = []
    for q, text in enumerate(options.query):
        found = []
        for chunk, (order, scores) in zip(chunks, best):
            found += [{"score": float(s), "package": chunk[i]} for i, s in zip(order[q], scores[q])]
        answers.append({"query": text, "answers": sorted(found, key=lambda a: (-a["score"], a["package"]))[:options.k]})
    workers = sorted(client.scheduler_info()["workers"])
    compared = client.gather([client.submit(embedder.compare, embedded[0], workers=[w], pure=False) for w in workers])
    return {"packages": len(lines), "seconds": seconds, "by_isa": dict(by_isa), "bits": checksum(vectors),
            "queries": answers,
            "scores": [{"isa": isa, "isakern": ours, "numpy": theirs} for isa, ours, theirs in compared]}


def report(found):
    print("%d packages in %.1f s; by ISA: %s" % (found["packages"], found["seconds"], shares(found["by_isa"])))
    print("checksum of all vectors: %s, the same on whatever CPUs from AVX2 up\n" % found["bits"])
    for q in found["queries"]:
        print(q["query"])
        for a in q["answers"]:
            print("  %.3f  %s" % (a["score"], a["package"]))
    print("\nThe first %d packages among each other, on each worker, bits of all scores:" % min(CHUNK, found["packages"]))
    print("  %-14s %-18s %s" % ("ISA", "isakern", "numpy"))
    for s in found["scores"]:
        print("  %-14s %-18s %s" % (s["isa"], s["isakern"], s["numpy"]))


def main():
    options = arguments()
    options.query = options.query or QUERIES
    lines = packages(options.limit)
    if not lines:
        sys.exit("apt_search: apt-cache dumpavail knows no package; run apt-get update")
    running = contextlib.nullcontext((options.scheduler, 1)) if options.scheduler else started(options.workers.split(","))
    try:
        with running as (address, workers), Client(address, timeout=30) as client:
            client.wait_for_workers(workers, timeout=60)
            found = search(client, options, lines)
    except OSError as error:
        sys.exit("apt_search: %s" % error)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        report(found)


if __name__ == "__main__":
    main()
