#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The routines of libisakern-blas3 and, on it, functions of numpy, beside other BLAS libraries: how many times as fast they
are, as tables of Markdown.

    blas.py [--threads N] [--sizes N,...] [--types LETTERS] [--routines PATTERN,...] [--numpy] LIBRARY ISAKERN

Each library is in a process of its own, because all have the same names and keep threads. The processes take turns, in an
order that changes from round to round, because a library is slower after some others, and a ratio is that of the medians.
Times on one thread are those of the CPU, so that other programs disturb them less. Matrices are square, and vectors of level 1
have N * N elements. For numpy, OpenBLAS brings a LAPACK of its own; the others have reference LAPACK.
"""
import argparse
import fnmatch
import glob
import os
import random
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../src/blas"), os.path.join(HERE, "../test/blas")]
import generate  # noqa: E402
import stand_in  # noqa: E402

LAPACK = "/usr/lib/*/lapack/liblapack.so.3"
PEERS = {"OpenBLAS": "openblas-pthread", "BLIS": "blis-openmp", "reference": "blas"}
# The option letters that are measured; the others are the first of each: U, L, N.
LETTERS = {"gemv": ("N", "T"), "trmv": ("UNN", "UTN"), "trsv": ("UNN", "UTN"), "trmm": ("LUNN", "RUNN"),
           "trsm": ("LUNN", "RUNN"), "gemm": ("NN", "TN"), "syrk": ("UN", "UT")}
FIRST = {"uplo": "U", "side": "L", "diag": "N", "trans": "N", "transa": "N", "transb": "N"}
# Bands and packed triangles are the same code as whole ones, and these two are single numbers.
LEFT_OUT = ("gbmv", "hbmv", "hpmv", "tbmv", "tpmv", "tbsv", "tpsv", "hpr", "hpr2", "rotg", "rotmg", "cabs1")
NUMPY = {"A @ B": "a @ b", "solve": "linalg.solve(a, b)", "inv": "linalg.inv(a)", "cholesky": "linalg.cholesky(s)",
         "qr": "linalg.qr(a)", "lstsq, a vector": "linalg.lstsq(a, b[:, 0], None)",
         "lstsq, a matrix": "linalg.lstsq(a[:, :n // 2], b, None)", "eigh": "linalg.eigh(s)", "svd": "linalg.svd(a)"}
SAMPLE, ROUNDS, LONGEST = .02, 7, 3.0
PAUSE = .06  # Threads of OpenBLAS wait for 2^26 cycles before they sleep, and take time from the next library.


def seconds(call, least, clock):
    """Of a call, by as many as take `least` seconds."""
    count, start = 0, clock()
    while not count or clock() - start < least:
        call()
        count += 1
    return (clock() - start) / count


def routine_call(library, routine, letter, letters, n):
    """The call of a routine on random operands. What a routine computes in place stays of the same size from call to call."""
    import ctypes
    import numpy as np
    part, elem = {"s": (np.float32,) * 2, "d": (np.float64,) * 2, "c": (np.float32, np.complex64),
                  "z": (np.float64, np.complex128)}[letter]
    rng = np.random.default_rng(1)
    length = n * n
    kept, letters = [], list(letters)
    for a in routine.arguments:
        if a.kind == "letter":
            value = ctypes.c_char(letters.pop(0).encode())
        elif a.name.startswith("inc"):
            value = ctypes.c_int(1)
        elif a.kind == "integer":
            value = ctypes.c_int(length if routine.level1 else n)
        elif a.kind == "array":
            value = rng.uniform(-1, 1, (length, 2 if elem is not part else 1)).astype(part)
            if a.name == "a" and routine.core[:2] == "tr":
                value *= 1e-6 / n
                value[::n + 1] = -1
        else:
            value = np.array([.5 if routine.core == "rot" else -1.0 if routine.core in ("scal", "real_scal") else .75], elem)
        kept.append(value)
    function = getattr(ctypes.CDLL(library), routine.names[letter] + "_")
    given = [v.ctypes.data_as(ctypes.c_void_p) if isinstance(v, np.ndarray) else ctypes.byref(v) for v in kept]
    lengths = [ctypes.c_size_t(1)] * sum(a.kind == "letter" for a in routine.arguments)
    return lambda: function(*given, *lengths)


def numpy_call(expression, n):
    import numpy as np
    rng = np.random.default_rng(1)
    a, b = rng.uniform(-1, 1, (2, n, n))
    names = {"a": a, "b": b, "s": a @ a.T + n * np.eye(n), "n": n, "linalg": np.linalg}
    code = compile(expression, "numpy", "eval")
    return lambda: eval(code, names)


def worker(library):
    """Answers each line `what letter letters n` or `numpy NAME n` by the seconds of a call, again for each empty line."""
    routines = {name: r for r in generate.read(os.path.join(HERE, "../src/blas/routines.tbl")) for name in r.names.values()}
    call, clock = None, time.process_time if os.environ["OMP_NUM_THREADS"] == "1" else time.perf_counter
    for line in sys.stdin:
        words = line.rstrip("\n").split("|")
        if words[0] == "numpy":
            call = numpy_call(NUMPY[words[1]], int(words[2]))
        elif words[0]:
            call = routine_call(library, routines[words[0]], words[1], words[2], int(words[3]))
        time.sleep(PAUSE)
        call()
        print(seconds(call, SAMPLE, clock), flush=True)


class Library:
    def __init__(self, folder, threads):
        own = os.path.exists(os.path.join(folder, "liblapack.so.3"))
        folder += "" if own else "".join(":" + os.path.dirname(f) for f in glob.glob(LAPACK)[:1])
        variables = ("ISAKERN_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS")
        self.path = os.path.join(folder.split(":")[0], "libblas.so.3")
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--worker", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=dict(os.environ, LD_LIBRARY_PATH=folder, **dict.fromkeys(variables, str(threads))))

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def row(libraries, line):
    """Our microseconds, and the others' times by ours. A library that takes very long has one sample."""
    times = {name: [library.ask(line)] for name, library in libraries.items()}
    fast = [name for name in libraries if times[name][0] < LONGEST / ROUNDS]
    order = random.Random(ROUNDS)
    for _ in range(ROUNDS - 1):
        for name in order.sample(fast, len(fast)):
            times[name].append(libraries[name].ask(""))
    ours, *others = (statistics.median(t) for t in times.values())
    return [ours * 1e6] + [other / ours for other in others]


def table(libraries, title, lines):
    """lines: (the words of a row, what to ask)."""
    print("| %s | us | %s |\n|%s" % (title, " | ".join(list(libraries)[1:]), "---|" * (len(libraries) + 1)))
    for words, line in lines:
        ours, *others = row(libraries, line)
        print("| %s | %.1f | %s |" % (words, ours, " | ".join("%.2f" % other for other in others)), flush=True)
    print()


def routine_lines(patterns, types, sizes):
    for r in generate.read(os.path.join(HERE, "../src/blas/routines.tbl")):
        for letter, name in r.names.items():
            if letter in types and r.core not in LEFT_OUT and any(fnmatch.fnmatch(name, p) for p in patterns):
                options = [a.option for a in r.arguments if a.kind == "letter"]
                for letters in LETTERS.get(r.core, ["".join(FIRST[o] for o in options)]):
                    for n in sizes:
                        yield "%s %s %d" % (name, letters, n), "%s|%s|%s|%d" % (name, letter, letters, n)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sizes", default="64,256,1000")
    parser.add_argument("--types", default="sdcz")
    parser.add_argument("--routines", default="*")
    parser.add_argument("--numpy", action="store_true", help="numpy's functions in place of the routines")
    parser.add_argument("library")
    parser.add_argument("isakern")
    given = parser.parse_args()
    sizes = [int(n) for n in given.sizes.split(",")]
    with stand_in.folder(given.library, given.isakern) as ours:
        folders = {"isakern": ours}
        for name, folder in PEERS.items():
            found = glob.glob("/usr/lib/*/%s/libblas.so.3" % folder)
            folders.update({name: os.path.dirname(f) for f in found[:1]})
            if not found:
                print("%s is missing: no /usr/lib/*/%s/libblas.so.3" % (name, folder), file=sys.stderr)
        libraries = {name: Library(folder, given.threads) for name, folder in folders.items()}
        if given.numpy:
            lines = (("%s %d" % (name, n), "numpy|%s|%d" % (name, n)) for name in NUMPY for n in sizes)
        else:
            lines = routine_lines(given.routines.split(","), given.types, sizes)
        table(libraries, "%d thread%s" % (given.threads, "s" * (given.threads > 1)), lines)


if sys.argv[1:2] == ["--worker"]:
    worker(sys.argv[2])
else:
    main()
