#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Type hints and docstrings: each function has both, and the example of each docstring runs.

    hints.py SOURCE BUILD [mypy]        mypy: checks calls by mypy, which takes long, too
"""
import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import direct
from tap import done, ok, skip, skip_all

import isakern

HINTS = os.path.join(direct.BUILD, "src", "python", "isakern", "__init__.pyi")
CALLS = """import numpy as np
import isakern as isk

x = np.ones((3, 4), "f4")
version: str = isk.__version__
isk.exp(x)
isk.add(x, x, out=x, where=x > 0)
isk.sum(x, axis=(0, 1), keepdims=True)
isk.clip(x, low=0, high=1)
isk.layernorm(x)
isk.topk(x, k=2)
isk.gemm(x, isk.Packed.of(x.T), activation="relu")
isk.Convolution(np.ones((8, 3, 5, 5), "f4"), stride=2, padding=2)(x)
"""
WRONG = "isk.sum(x, axes=3)\nisk.clip(x, lo=1)\n"


def public():
    return {name for name, one in vars(isakern).items() if not name.startswith("_") and not inspect.ismodule(one)}


def check_with_mypy():
    if not shutil.which("mypy"):
        skip("mypy", "it is not installed; Debian has mypy")
        return
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
        os.mkdir(os.path.join(work, "isakern"))
        shutil.copy(HINTS, os.path.join(work, "isakern"))
        for text, errors in ((CALLS, 0), (CALLS + WRONG, 2)):
            with open(os.path.join(work, "calls.py"), "w", encoding="utf-8") as f:
                f.write(text)
            r = subprocess.run(["mypy", "--no-incremental", "--follow-imports=silent", "--ignore-missing-imports", "calls.py"], cwd=work,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            ok(r.stdout.count(": error:") == errors, "mypy finds %d errors" % errors, r.stdout)


def run_examples():
    failed = []
    for name in sorted(public()):
        lines = re.findall(r"^>>> (.*)", inspect.cleandoc(getattr(isakern, name).__doc__ or ""), re.M)
        if not lines and not inspect.isclass(getattr(isakern, name)) and name not in ("info", "why", "gemm"):
            failed.append(name + ": no example")
        try:
            exec("\n".join(lines), {"np": np, "isakern": isakern})
        except Exception as reason:  # any exception fails the test
            failed.append("%s: %s: %s" % (name, type(reason).__name__, reason))
    ok(not failed, "the example of each docstring runs", "\n".join(failed))


if not os.path.exists(HINTS):
    skip_all("this build has no hints: it is a cross build or has a sanitizer")
with open(HINTS, encoding="utf-8") as f:
    tree = ast.parse(f.read())
hinted = {node.name if hasattr(node, "name") else node.target.id for node in tree.body
          if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))}
ok({name for name in hinted if not name.startswith("_")} == public(), "each function has a hint", hinted ^ public())
for node in tree.body:
    if isinstance(node, ast.FunctionDef):
        signature = getattr(getattr(isakern, node.name), "__signature__", None)
        named = [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
        wanted = None if signature is None else [p.name for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
        if wanted is not None and named != wanted:
            ok(False, node.name + " has the parameters of its hint", "%s\n%s" % (named, wanted))
run_examples()
if "mypy" in sys.argv:
    check_with_mypy()
done()
