#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""threads.py LIBRARY ISAKERN: how many threads the BLAS starts, by the environment, and that a child of fork() computes alone
and does not wait for threads that it does not have."""
import array
import ctypes
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import stand_in
from tap import done, equal, ok

# Of level 3 and of level 2, enough for teams of 1, 3 and 5 threads, which thus stay as they are from call to call
SIZE = 640


def compute(library):
    """A product and a solution of level 3 and an update of level 2: the bytes of the results."""
    n, one = ctypes.byref(ctypes.c_int(SIZE)), ctypes.byref(ctypes.c_double(1))
    inc, letters = ctypes.byref(ctypes.c_int(1)), [ctypes.c_char_p(c) for c in (b"N", b"L")]
    matrix = ctypes.c_double * (SIZE * SIZE)
    a, b = (matrix.from_buffer(array.array("d", numbers * SIZE * SIZE)) for numbers in ([1, 2, 3, 4, 5, 6, 7], [-1, 0, 2]))
    c = matrix()
    library.dgemm_(letters[0], letters[0], n, n, n, one, a, n, b, n, one, c, n)
    library.dtrsm_(letters[1], letters[1], letters[0], ctypes.c_char_p(b"U"), n, n, one, b, n, c, n)
    library.dger_(n, n, one, a, inc, b, inc, c, n)
    return bytes(c)


def threads():
    return len(os.listdir("/proc/self/task"))


def worker(path):
    """Prints the threads of this process after its work, and with two generations of children whether they do the same."""
    library = ctypes.CDLL(path)
    first = compute(library)
    print(threads(), flush=True)
    for depth in (1, 2):
        child = os.fork()
        if not child:
            if depth == 2 and (grandchild := os.fork()):
                os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
            os._exit(0 if compute(library) == first and threads() == 1 else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    print(int(compute(library) == first), threads())


def run(folder, **variables):
    return subprocess.run([sys.executable, os.path.abspath(__file__), "--worker", os.path.join(folder, "libblas.so.3")], text=True,
                          capture_output=True, timeout=60, check=False,
                          env=dict(os.environ, LD_LIBRARY_PATH=folder, OMP_WAIT_POLICY="passive", OMP_DYNAMIC="false",
                                   **variables))


def main():
    with stand_in.folder(*sys.argv[1:3]) as folder:
        for variables, wanted in (({"OMP_NUM_THREADS": "1"}, 1), ({"OMP_NUM_THREADS": "3"}, 3),
                                  ({"ISAKERN_NUM_THREADS": "5", "OMP_NUM_THREADS": "1"}, 5),
                                  ({"ISAKERN_NUM_THREADS": "1", "OMP_NUM_THREADS": "3"}, 1)):
            result = run(folder, **variables)
            told = " ".join("%s=%s" % v for v in variables.items())
            equal(result.stdout.split(), [str(wanted), "0", "0", "1", str(wanted)],
                  told + ": threads, the same bits in a child and in its child, and again in the parent", result.stderr)
        for wrong in ("0", "two", "3x", "4097"):
            result = run(folder, ISAKERN_NUM_THREADS=wrong, OMP_NUM_THREADS="2")
            ok(result.stdout.split()[:1] == ["2"]
               and result.stderr == "isakern: ISAKERN_NUM_THREADS: '%s' ignored; allowed: 1 to 4096\n" % wrong,
               "ISAKERN_NUM_THREADS='%s' is ignored, and said once" % wrong, result.stdout + result.stderr)
        done()


if sys.argv[1] == "--worker":
    worker(sys.argv[2])
else:
    main()
