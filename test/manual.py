#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages: whatever a program can call or fill in has one, with all of its parts, and groff takes them all. A page of
a kernel begins with what FAMILY.md says about its operation, and shows a call of this kernel.

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
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "src", "resolve", "generate"))
import tables  # noqa: E402

LIBRARIES = {name: os.path.join(BUILD, "src", name + ".so") for name in ("libisakern", "libisakern-sleef")}


def run(*command, **kwargs):
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
    return r.returncode, r.stdout


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def plain(text):
    """The words of a page's source, without what groff makes of it."""
    text = re.sub(r"\\\[u([0-9A-F]{4})\]", lambda m: chr(int(m[1], 16)), text)
    return text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")


def definitions():
    """By the name of an operation and its family, the first paragraph below its heading in FAMILY.md."""
    found = {}
    for path in glob.glob(os.path.join(SOURCE, "src", "kernels", "*", "*.md")) + glob.glob(os.path.join(SOURCE, "src", "sleef", "*", "*.md")):
        for names, text in re.findall(r"^## (?!shape:)(.*)\n+((?:.+\n)+?)(?=\n|- )", read(path), re.MULTILINE):
            found.update(((op, os.path.basename(path)[:-3]), " ".join(text.replace("`", "").split())) for op in names.split(", "))
    return found


def lacking(pages, kernels, defined):
    """The kernels whose DESCRIPTION does not begin with the definition of their operation, and those whose EXAMPLE does not
    call them."""
    undescribed, uncalled = [], []
    for k in kernels:
        page = plain(pages.get("isk_" + k.name, ""))
        sections = dict(re.findall(r"^\.SH (.*)\n((?:(?!\.SH ).*\n?)*)", page, re.MULTILINE))
        wanted = defined.get((k.op, k.family))
        pattern = wanted and re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(wanted))
        if not pattern or not re.match(pattern + r"$", sections.get("DESCRIPTION", "").split("\n")[0]):
            undescribed.append(k.name)
        if not re.search(r"\bisk_%s\(" % k.name, sections.get("EXAMPLE", "")):
            uncalled.append(k.name)
    return undescribed, uncalled


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
        parts = re.findall(r"\(\*(\w+)\)|(\w+)(?:\[\w+\])*(?= = |[,;])", code)
        missing = [part for pair in parts for part in pair if part and not re.search(r"\b%s\b" % part, page_of(name))]
        ok(parts and not missing, "the page of %s has all of it" % name, missing or code)

    folders = families + [b[len("--beside="):] for b in beside]
    kernels = [k for family in folders for k in tables.Library([family]).kernels.values()]
    for lacks, name in zip(lacking(pages, kernels, definitions()), ("begins with its operation", "calls it in its example")):
        ok(kernels and not lacks, "the page of each of %d kernels %s" % (len(kernels), name), "%d: %s" % (len(lacks), ", ".join(lacks)))
    # The pages of two kernels that have changed places lack both.
    other = dict(pages, isk_exp_f32=pages.get("isk_log_f32", ""))
    ok(lacking(other, [k for k in kernels if k.name == "exp_f32"], definitions()) == (["exp_f32"], ["exp_f32"]),
       "a page that is about another operation is counted")

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
