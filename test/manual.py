#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages: every function and struct has one, with all its sections, and groff accepts them.

    manual.py SOURCE BUILD
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import done, ok, skip

SOURCE, BUILD = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LIBRARIES = {name: os.path.join(BUILD, "src", name + ".so") for name in ("libisakern", "libisakern-sleef")}


def run(*command, **kwargs):
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
    return r.returncode, r.stdout


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


families = sorted(os.path.dirname(p) for p in glob.glob(os.path.join(SOURCE, "src", "kernels", "*", "kernels.tbl")))
headers = [read(p) for p in glob.glob(os.path.join(SOURCE, "include", "**", "*.h"), recursive=True)
           + glob.glob(os.path.join(BUILD, "src", "gen", "isakern*", "include", "**", "*.h"), recursive=True)]
beside = ["--beside=" + os.path.dirname(p) for p in glob.glob(os.path.join(SOURCE, "src", "sleef", "*", "kernels.tbl"))]
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    folder = os.path.join(work, "man3")
    status, said = run(sys.executable, "-B", os.path.join(SOURCE, "src", "resolve", "generate", "man.py"), "--out", folder, *beside, *families)
    ok(status == 0, "the pages are made", said)
    pages = {name[:-len(".3")]: read(os.path.join(folder, name)) for name in os.listdir(folder)}

    for name, path in LIBRARIES.items():
        if not os.path.exists(path):
            skip("each function of %s.so has a page" % name, "it is not built")
            continue
        status, said = run("nm", "-D", "--defined-only", path)
        functions = re.findall(r" [TWi] (isk_\w+)@", said)
        ok(functions and not set(functions) - set(pages), "each function of %s.so has a page" % name,
           sorted(set(functions) - set(pages)) or said)
    functions = {name for text in headers for name in re.findall(r"\b(isk_parallel_\w+)\(", text)}
    ok(functions and not functions - set(pages), "so has each of libisakern-omp.so", sorted(functions - set(pages)))

    def page_of(name):
        """The text of a page, or of the page that it refers to."""
        other = re.match(r"\.so man3/(\w+)\.3\n", pages.get(name, ""))
        return (pages.get(other[1], "") if other else pages.get(name, "")).replace("\\-", "-")

    for name, body in sorted({pair for text in headers
                              for pair in re.findall(r"^(?:struct|enum) (isk_\w+) \{\n(.*?)^\};", text, re.DOTALL | re.MULTILINE)}):
        code = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
        parts = re.findall(r"\(\*(\w+)\)|(\w+)(?:\[\w+\])?(?= = |[,;])", code)
        missing = [part for pair in parts for part in pair if part and not re.search(r"\b%s\b" % part, page_of(name))]
        ok(parts and not missing, "the page of %s has all of it" % name, missing or code)

    unnamed = [name for name in pages if not re.search(r"^\.SH NAME\n.*\b%s\b.* \\- ." % name, page_of(name).replace(
        " - ", " \\- "), re.MULTILINE)]
    ok(not unnamed, "each page has its name and a summary in one line", unnamed)
    if shutil.which("groff"):
        whole = [os.path.join(folder, n + ".3") for n, text in pages.items() if not text.startswith(".so ")]
        whole.append(os.path.join(SOURCE, "tools", "isakern.1"))
        status, said = run("groff", "-man", "-ww", "-Tutf8", "-z", *whole)
        ok(status == 0 and not said, "groff has nothing to say of %d pages" % len(whole), said)
    else:
        skip("groff has nothing to say", "no groff")
done()
