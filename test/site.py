#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site.py PYTHON MAKE ROOT OUT FAMILY...: the site is made without a warning, and has all that the tables have. In TAP."""
import glob
import html
import json
import os
import re
import subprocess
import sys

from tap import done, ok, skip_all

PYTHON, MAKE, ROOT, OUT, *FAMILIES = sys.argv[1:]
sys.path.insert(0, os.path.join(ROOT, "src", "resolve", "generate"))
import tables  # noqa: E402

MODULES = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "furo": "furo", "matplotlib": "python3-matplotlib"}
missing = [package for module, package in MODULES.items()
           if subprocess.run([PYTHON, "-c", "import " + module], stderr=subprocess.DEVNULL, check=False).returncode]
if missing:
    skip_all("not installed: " + ", ".join(missing))
r = subprocess.run([PYTHON, MAKE, ROOT, OUT, *FAMILIES], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
if ok(r.returncode == 0, "made without a warning", r.stdout):
    pages = {}
    for name in os.listdir(os.path.join(OUT, "html")):
        if name.endswith(".html"):
            with open(os.path.join(OUT, "html", name), encoding="utf-8") as f:
                pages[name] = f.read()
    with open(os.path.join(OUT, "html", "searchindex.js"), encoding="utf-8") as f:
        index = json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)\s*", f.read(), re.DOTALL)[1])

    def first(word):
        """The pages that the search lists first: those with a title or an entry that is just this word count most."""
        exact = index["alltitles"].get(word, []) + index["indexentries"].get(word, [])
        return {index["docnames"][page] for page, _ in exact}

    for family in tables.Library(FAMILIES).families:
        words = {word for k in family.kernels for word in (k.op, k.name, "isk_" + k.name)}
        elsewhere = [w for w in words if "family-" + family.name not in first(w)]
        ok(not elsewhere, "the search for a kernel or an operation of %s leads to its page" % family.name, sorted(elsewhere))
        undeclared = [k.name for k in family.kernels if ">isk_%s<" % k.name not in pages.get("family-%s.html" % family.name, "")]
        ok(not undeclared, "the page of %s has a prototype of each kernel" % family.name, undeclared)
        text = pages.get("family-%s.html" % family.name, "")
        absent = [k.op for k in family.kernels if ">isk_%s<" % k.op not in text]
        ok(not absent, "the page of %s has its kernels" % family.name, absent)
        ok('href="family-%s.html"' % family.name in pages["index.html"].split('id="what-there-is"')[-1],
           "the first page leads to that of %s" % family.name)
    small = [name for name in os.listdir(os.path.join(ROOT, "examples", "small")) if name.endswith(".c")]
    absent = [name for name in small if ">%s<" % name not in pages["example-small.html"]]
    ok(small and not absent, "the small programs have a page", absent)
    broken = []
    for name, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^"#?]+)[^"]*"', text):
            if "://" not in target and not os.path.exists(os.path.join(OUT, "html", html.unescape(target))):
                broken.append("%s: %s" % (name, target))
    ok(not broken, "no link leads nowhere", "\n".join(broken))
    measurements = glob.glob(os.path.join(ROOT, "docs", "speed", "*.json"))
    ok(pages["speed.html"].count(".svg") == len(measurements), "each measurement has a plot")
done()
