#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page docs/accuracy.md: the errors of all kernels, as the slow suite finds them.

    accuracy.py BUILD PAGE [--stride N] [--since COMMIT] [KERNEL...]

The page is written anew after each kernel, so a run that was stopped continues when it is started again. Rows from COMMIT
or later (by default the last commit) are kept; a KERNEL that is named is always tried. Functions of one array of floats
of up to 32 bits are tried on all inputs (f32: on every N-th), those of several such arrays on 2^30 / N inputs, those of
several arrays of f64 on 10^9, and others on as many values as the slow suite draws. Functions of one array of f64, matrix
products, convolutions and exact kernels are tried on the values of the fast suite; with a stride, so are all those
others. A run takes more than an hour. Progress goes to standard error, with the remaining time, which is estimated from
kernels of the same shape and type. BUILD must be a build of the last commit, with its tests.
"""
import argparse
import concurrent.futures
import datetime
import os
import platform
import re
import subprocess
import sys
import threading
import time

CPUS = len(os.sched_getaffinity(0))
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "src", "resolve", "generate"))
import tables  # noqa: E402

EXHAUSTIVE = re.compile(r"# (\w+)/(\w+): (\d+) inputs, (?:worst error (\S+) of \S+ allowed, at (.*); (\d+) misrounded|(exact)|bits of \w+)"
                        r"(; WRONG.*)?")
RANDOM = re.compile(r"# (\w+)/(\w+): \d+ calls, (\d+) results checked, \S+ s(?:; worst error (\S+) of \S+ allowed, at (.*))?")


class Seen:
    """The results of a kernel at one ISA."""

    def __init__(self, count, worst, at, misrounded):
        self.count, self.worst, self.at, self.misrounded = int(count), worst, at, misrounded


def run(program, *args, **env):
    r = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                       env={**os.environ, **env})
    if r.returncode and r.stdout:
        failed = [line for line in r.stdout.splitlines() if line.startswith("not ok")]
        sys.exit("accuracy.py: %s failed, there is no page of that\n%s" % (program, "\n".join(failed) or r.stdout[-500:]))
    return r.stdout


def try_all(build, kernel, stride):
    """Seen, by ISA. Empty if the program does not know the kernel, which it reports on standard error only."""
    out = run(os.path.join(build, "test/kernels/test_exhaustive"), kernel.name, str(stride))
    return {m[2]: Seen(m[3], m[4] or "0.5", m[5] or "", m[6] or "0") for m in map(EXHAUSTIVE.match, out.splitlines())
            if m and (m[4] or m[7])}


def isas_shown(kernel):
    """One ISA for all with the same bits, and baseline if its bound differs."""
    others = [isa for isa in kernel.isas if isa != "baseline"][:1]
    return others + (["baseline"] if kernel.baseline != kernel.error or not others else [])


def try_some(build, kernel, slow):
    program = "test/library/isakern-sleef_kernels" if kernel.family == "sleef" else "test/kernels/test_kernels"
    variants = ["%s/%s" % (kernel.name, isa) for isa in isas_shown(kernel)]
    out = run(os.path.join(build, program), *variants, **({"ISK_TEST_SLOW": "1"} if slow else {}))
    return {m[2]: Seen(m[3], m[4] or "0", m[5] or "", "") for m in map(RANDOM.match, out.splitlines()) if m}


def is_worth_more_time(kernel):
    is_map_of_one = kernel.shape.is_map and sum(a.role == "in" for a in kernel.shape.arguments) == 1
    return not (is_map_of_one or kernel.shape.threads == "many" or kernel.error == "exact")


def is_tried_at_once(library, kernel):
    """Whether test_exhaustive tries the kernel: elementwise on arrays of floats of up to 32 bits."""
    if kernel.shape.is_map and set(kernel.types.values()) & {"f32", "bf16", "f16"}:
        return True
    arrays = [a for a in kernel.shape.arguments if a.is_array]
    ins = [a for a in arrays if a.role == "in"]
    types = [library.types[kernel.types.get(a.type, a.type)] for a in ins]
    return (len(ins) == 1 and len(arrays) == 2 and not any(a.inout or a.null for a in arrays) and kernel.shape.result == "void"
            and types[0].lanes == "f32" and all(len(a.extents) == 1 and a.extents[0][1] is None for a in arrays)
            and arrays[0].extents == arrays[1].extents)


class Clock:
    """Estimates how long the remaining kernels will take."""

    def __init__(self, kinds):
        self.left, self.taken, self.lock = kinds, {}, threading.Lock()

    def done(self, name, kind, seconds):
        with self.lock:
            self.left.remove(kind)
            self.taken.setdefault(kind, []).append(seconds)
            known = [sum(t) / len(t) for t in self.taken.values()]
            left = sum(sum(self.taken[kind]) / len(self.taken[kind]) if kind in self.taken else sum(known) / len(known)
                       for kind in self.left)
            print("accuracy.py: %s; %d left, about %d min" % (name, len(self.left), left / CPUS / 60 + 1), file=sys.stderr,
                  flush=True)


def kind_of(kernel):
    return kernel.shape.name, tuple(kernel.types.values())[:1]


def rows_of(kernel, seen, commit):
    """The page's rows for a kernel: the first ISA stands for all with the same bits, and baseline is added if its bound
    differs."""
    shown = [isa for isa in seen if isa not in ("baseline", "reference")][:1]
    for isa in shown + (["baseline"] if kernel.baseline != kernel.error or not shown else []):
        if isa in seen:
            s = seen[isa]
            bound = kernel.baseline if isa == "baseline" else kernel.error
            yield "| %s | %s | %s | %s | %s | %s | %s | %s |" % (
                kernel.name, "baseline" if isa == "baseline" else "others", bound,
                "0" if bound == "exact" and not s.misrounded else s.worst, s.at, s.misrounded, "{:,}".format(s.count), commit)


def revision():
    return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], stdout=subprocess.PIPE, text=True,
                          check=False).stdout.strip() or "no commit"


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return re.search(r"model name\s*: (.*)", f.read())[1]


def is_since(commit, first):
    return not subprocess.run(["git", "-C", ROOT, "merge-base", "--is-ancestor", first, commit], stderr=subprocess.DEVNULL,
                              check=False).returncode


class Page:
    """The page: its rows, by kernel."""

    def __init__(self, path):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                for row in re.findall(r"^\| \w+_\w+ \|.*\|$", f.read(), re.MULTILINE):
                    self.rows.setdefault(row.split()[1], []).append(row)

    def commit(self, name):
        return self.rows[name][0].split("|")[-2].strip() if name in self.rows else None

    def write(self, families):
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            f.write("# Errors seen\n\nisakern %s, %s, %s, %s, by `test/kernels/accuracy.py`.\n\n" % (
                revision(), cpu(), platform.system(), datetime.date.today()))
            f.write("""The unit of a bound is that of the kernel's contract: ulp for functions of elements, else a multiple of a quantity that its
header names. *of* is the number of results that were tried; a function of one f32 has 4,294,967,296 inputs in all.
*Misrounded* results are not the exact one rounded once. From avx2 up a kernel has the same bits at every ISA; baseline is shown
if its bound differs. NaNs and the sign of 0 are checked as well. If no bound is `exact`, the oracle is a double, so a few results
that are nearer to a tie than a double can tell may be counted as misrounded. A run takes hours: the first line belongs to the
last run, and each row to the commit that it names, on the CPU of its run. Kernels without a row were not tried yet.

""")
            for family in families:
                rows = [row for kernel in family.kernels for row in self.rows.get(kernel.name, [])]
                if rows:
                    f.write("## %s\n\n| kernel | ISA | bound | worst error | at | misrounded | of | commit |\n"
                            "|---|---|---|---|---|---|---|---|\n%s\n\n" % (family.name, "\n".join(rows)))
        os.replace(self.path + ".new", self.path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("page")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--since", default="HEAD")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_intermixed_args()
    folders = sorted(os.path.join(ROOT, "src/kernels", f) for f in os.listdir(os.path.join(ROOT, "src/kernels"))
                     if os.path.isfile(os.path.join(ROOT, "src/kernels", f, "kernels.tbl")))
    library = tables.Library(folders + [os.path.join(ROOT, "src/sleef/sleef")])
    for name in options.kernels:
        if name not in library.kernels:
            sys.exit("accuracy.py: no kernel '%s'" % name)
    if not is_since("HEAD", options.since):
        sys.exit("accuracy.py: --since: '%s' is no commit before this one" % options.since)
    folder = os.path.dirname(options.page) or "."
    if not os.access(folder, os.W_OK):
        sys.exit("accuracy.py: %s: no page can be written to the folder '%s'" % (options.page, folder))
    page, commit, lock = Page(options.page), revision(), threading.Lock()
    page.rows = {name: rows for name, rows in page.rows.items() if name in library.kernels}
    kept = {name for name in page.rows if is_since(page.commit(name), options.since)}
    chosen = [k for k in library.kernels.values() if k.shape.arguments
              and (k.name in options.kernels if options.kernels else k.name not in kept)]
    # Names of one code share one result.
    named = {k.code: [other for other in chosen if other.code == k.code] for k in chosen}
    clock = Clock([kind_of(kernels[0]) for kernels in named.values()])

    def try_one(kernels):
        kernel, began = kernels[0], time.monotonic()
        seen = (is_tried_at_once(library, kernel) and try_all(options.build, kernel, options.stride)
                or try_some(options.build, kernel, options.stride == 1 and is_worth_more_time(kernel)))
        with lock:
            for other in kernels:
                page.rows[other.name] = list(rows_of(other, seen, commit))
            page.write(library.families)
        clock.done(kernel.name, kind_of(kernel), time.monotonic() - began)

    pool = concurrent.futures.ThreadPoolExecutor(CPUS)
    tried = [pool.submit(try_one, kernels) for kernels in named.values()]
    try:
        for one in concurrent.futures.as_completed(tried):
            one.result()
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
