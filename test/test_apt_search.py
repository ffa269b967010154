#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_apt_search.py SOURCE BUILD: the same checksum on every mix of workers, and if one of them is killed. In TAP."""
import json
import os
import signal
import subprocess
import sys
import time

import target
from tap import done, ok, skip, skip_all

SOURCE, BUILD = sys.argv[1:]
# Caps for which the example knows cores of OpenBLAS.
LOW, HIGH = ("avx2", "avx512") if target.ARCHITECTURE == "x86_64" else ("neon", "neon_dot")
PYTHON = "/usr/bin/python3"
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
MODEL = os.environ.get("SEMSEARCH_MODEL") or os.path.join(CACHE, "isakern", "all-MiniLM-L6-v2")
COMMAND = [PYTHON, os.path.join(SOURCE, "examples/apt-search/apt_search.py"), "--build", BUILD, "--model", MODEL]


def run(*options):
    return subprocess.run(COMMAND + list(options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def search(workers):
    r = run("--json", "--limit", "3000", "--workers", workers)
    return json.loads(r.stdout) if ok(r.returncode == 0, "workers " + workers, r.stderr) else None


def parent_of(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            return int(f.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def is_below(pid, ancestor):
    while pid > 1 and pid != ancestor:
        pid = parent_of(pid)
    return pid == ancestor


def embedding_workers(search):
    """The processes below `search` that have started semsearch."""
    r = subprocess.run(["pgrep", "-x", "semsearch"], stdout=subprocess.PIPE, text=True, check=False)
    return [parent for parent in map(parent_of, map(int, r.stdout.split())) if parent != search and is_below(parent, search)]


def search_and_kill():
    """Kills a worker once it has begun to embed."""
    search = subprocess.Popen(COMMAND + ["--json", "--limit", "3000", "--workers", LOW + "," + LOW], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    workers = []
    while search.poll() is None and not workers:
        time.sleep(0.05)
        workers = embedding_workers(search.pid)
    if ok(workers, "a worker embeds"):
        os.kill(workers[0], signal.SIGKILL)
    out, err = search.communicate()
    return json.loads(out) if ok(search.returncode == 0, "it is killed, and the search goes on", err) else None


if subprocess.run([PYTHON, "-c", "import distributed, numpy"], stderr=subprocess.DEVNULL, check=False).returncode:
    skip_all("no python3-distributed")
elif not os.path.exists(os.path.join(MODEL, "tokenizer.json")):
    skip_all("no model in %s; examples/semsearch/fetch.sh fetches it" % MODEL)
elif not (r := run("--limit", "1", "--workers", LOW, "--json")).stdout:
    skip_all(r.stderr.strip().splitlines()[-1])
else:
    mixed, alike, killed = search(LOW + "," + HIGH), search(LOW + "," + LOW), search_and_kill()
    if mixed and alike and killed:
        ok(mixed["bits"] == alike["bits"] == killed["bits"], "the vectors have one checksum", (mixed, alike, killed))
        ok(mixed["queries"] == alike["queries"] == killed["queries"], "and the answers are the same")
        ok(len({s["isakern"] for s in mixed["scores"]}) == 1 and len(mixed["scores"]) == 2, "scores have the same bits", mixed["scores"])
        if len({s["isa"] for s in mixed["scores"]}) == 2:
            ok(len({s["numpy"] for s in mixed["scores"]}) == 2, "those of numpy have not", mixed["scores"])
        else:
            skip("those of numpy have not", "no %s here, both workers are alike" % HIGH)
    for options, words in ((["--workers", "avx9"], LOW + ", " + HIGH), (["--limit", "0"], "1 up"), (["-k", "0"], "1 up"),
                           (["--build", "/nonexistent"], "no file"), (["--scheduler", "tcp://127.0.0.1:1"], "127.0.0.1")):
        r = run(*options)
        last = r.stderr.strip().splitlines()[-1] if r.stderr else ""
        ok(r.returncode != 0 and not r.stdout and words in last and last.startswith("apt_search: "),
           "refused: " + " ".join(options), r.stderr)
done()
