#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""numpy's own tests, with isakern's functions in numpy's place.

    numpys_tests.py SOURCE BUILD [FILE]     FILE: gets the failures that are not in the table

The modules of numpy/core/tests import a numpy whose functions are isakern's wherever both have one. A test counts if it calls
one of those. A test that fails must match a row of numpys_tests.tbl, which says why it does not apply; each row must match a
failure. Needs pytest.
"""
import fnmatch
import importlib
import os
import re
import sys
import types

import numpy

import direct  # sets the path to the package
from tap import done, ok, skip_all

try:
    import pytest
except ImportError:
    skip_all("there is no pytest; Debian has python3-pytest")

import isakern as isk
from isakern._names import NUMPY, OTHERS

MODULES = ("test_ufunc", "test_umath", "test_umath_accuracy", "test_numeric", "test_multiarray")
TABLE = os.path.join(direct.SOURCE, "test", "python", "numpys_tests.tbl")
OURS = {NUMPY.get(name, name): function for name, function in vars(isk).items()
        if callable(function) and not name.startswith("_") and name not in OTHERS and hasattr(numpy, NUMPY.get(name, name))}


class Numpy(types.ModuleType):
    """numpy, with isakern's functions. It notes that one was asked for."""
    asked = False

    def __init__(self, real):
        super().__init__(real.__name__)
        self.__dict__.update(__path__=getattr(real, "__path__", []), real=real)

    def __getattr__(self, name):
        if name in OURS and hasattr(self.real, name):
            Numpy.asked = True
            return OURS[name]
        return getattr(self.real, name)


class Plugin:
    """Notes the outcome of each test that concerns isakern."""

    def __init__(self):
        self.outcomes, self.reasons = {}, {}

    def pytest_runtest_setup(self, item):
        Numpy.asked = False

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        if call.when == "call":
            given = list(getattr(getattr(item, "callspec", None), "params", {}).values())
            ours = any(one is f for one in given for f in OURS.values())
            # With a function of numpy's as a parameter, that function is tested.
            ours = ours or Numpy.asked and not any(isinstance(one, numpy.ufunc) for one in given)
            if ours and not report.skipped:
                # No path: it differs between machines.
                name = item.nodeid.split("tests/")[-1]
                self.outcomes[name] = report.passed
                self.reasons[name] = str(getattr(report, "longrepr", "")).rstrip().rsplit("\n", 1)[-1][:150]


def replaced(modules):
    """The modules, imported with isakern's functions under numpy's name."""
    fake, umath = Numpy(numpy), Numpy(numpy.core.umath)
    for name in modules:
        sys.modules["numpy"] = fake
        try:
            module = importlib.import_module("numpy.core.tests." + name)
        except ValueError:  # it looks for numpy's own function in a list
            sys.modules["numpy"] = numpy
            module = importlib.import_module("numpy.core.tests." + name)
            module.np = fake
        finally:
            sys.modules["numpy"] = numpy
        if hasattr(module, "ncu"):
            module.ncu = umath
        yield module


def rows():
    """(pattern, reason), in the order of the table."""
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                yield re.split(r"  +", line.strip(), maxsplit=1)


os.environ["NPY_PROMOTION_STATE"] = "legacy"
folder = os.path.join(os.path.dirname(numpy.__file__), "core", "tests")
names = [name for name in MODULES if os.path.exists(os.path.join(folder, name + ".py"))]
if not names:
    skip_all("there are no tests in " + folder)
loaded = list(replaced(names))
plugin = Plugin()
quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:warnings", "--tb=line", "--no-header", "-m", "not slow", "--noconftest", "-o", "addopts=",
         "--rootdir", folder]
with open(os.devnull, "w", encoding="utf-8") as nowhere:
    out, sys.stdout = sys.stdout, nowhere
    try:
        pytest.main([*quiet, "--pyargs", *("numpy.core.tests." + name for name in names)], plugins=[plugin])
    finally:
        sys.stdout = out
table = list(rows())
matched = {pattern: 0 for pattern, _ in table}
failed = [name for name, passed in plugin.outcomes.items() if not passed]
unknown = []
for name in failed:
    pattern = next((p for p, _ in table if fnmatch.fnmatchcase(name, p.replace("[", "[[]"))), None)
    if pattern is None:
        unknown.append("%s: %s" % (name, plugin.reasons[name]))
    else:
        matched[pattern] += 1
if len(sys.argv) > 3:
    with open(sys.argv[3], "w", encoding="utf-8") as f:
        f.write("\n".join(unknown))
passed = len(plugin.outcomes) - len(failed)
ok(passed > 100, "tests of numpy that call isakern: %d run, %d passed, %d not applicable" % (
    len(plugin.outcomes), passed, len(failed) - len(unknown)))
ok(not unknown, "those that fail are listed in numpys_tests.tbl", "\n".join(unknown))
ok(all(matched.values()), "every row of the table is needed", [p for p, n in matched.items() if not n])
done()
