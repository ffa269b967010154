#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`pip install` of a source distribution in a separate environment without a network: the installed package computes, and is the
one imported. Metadata needs no compiler.

    wheel.py SOURCE
"""
import os
import subprocess
import sys
import tarfile
import tempfile

SOURCE = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCE, "test"))
import target  # noqa: E402
from tap import done, ok, skip_all  # noqa: E402


def run(*command, **env):
    return subprocess.run(command, env={**os.environ, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    r = run(sys.executable, "-m", "venv", "--system-site-packages", os.path.join(work, "env"))
    if r.returncode:
        skip_all("no environment can be made: Debian has python3-venv for it")
    python = os.path.join(work, "env", "bin", "python3")
    # An index that does not exist, because pip must not need it.
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0", "ISAKERN_MESON_ARGS": "-Disa=%s,%s" % (target.LOWEST, target.HIGHER)}
    backend = {"PYTHONPATH": os.path.join(SOURCE, "src", "python")}
    r = run(python, "-c", "import backend, sys; print(backend.prepare_metadata_for_build_wheel(sys.argv[1]))", work, PATH="/nowhere", **backend)
    ok(r.returncode == 0 and os.listdir(os.path.join(work, r.stdout.strip())) == ["METADATA"], "metadata without a compiler", r.stdout)
    r = run(python, "-c", "import backend, sys; print(backend.build_sdist(sys.argv[1]))", work, **backend)
    made = os.path.join(work, r.stdout.strip())
    ok(r.returncode == 0 and tarfile.is_tarfile(made), "a source distribution", r.stdout)
    r = run(python, "-m", "pip", "install", made, **offline)
    if ok(r.returncode == 0, "pip install of it", r.stdout):
        r = run(python, "-c", "import isakern, numpy; print(isakern.__file__); x = numpy.ones((2, 3), 'f4'); print(isakern.sum(x), "
                "isakern.info())")
        ok(r.returncode == 0 and r.stdout.startswith(work) and "6.0 {" in r.stdout, "what is installed computes", r.stdout)
        folder = os.path.dirname(r.stdout.split("\n")[0])
        ok("libisakern.so.0" in os.listdir(folder), "with the library beside it", os.listdir(folder))
        r = run("ldd", *[os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("_core")])
        ok(folder in r.stdout and "not found" not in r.stdout, "which is the one that it takes", r.stdout)
        libraries = [os.path.join(folder, name) for name in os.listdir(folder) if ".so" in name]
        r = run(python, os.path.join(SOURCE, "src", "python", "manylinux.py"), *libraries)
        ok(r.returncode == 0 and r.stdout.startswith("manylinux_2_"), "its libraries need nothing but glibc", r.stdout)
        r = run(python, "-m", "pip", "show", "--verbose", "isakern")
        ok("Author: the isakern authors" in r.stdout and "Typing :: Typed" in r.stdout, "metadata", r.stdout)
        r = run(python, "-m", "pip", "uninstall", "-y", "isakern")
        ok(r.returncode == 0 and not os.path.exists(folder), "pip uninstall leaves nothing", r.stdout)
    r = run(python, "-m", "pip", "install", SOURCE, PATH=os.path.dirname(python), **offline)
    ok(r.returncode != 0 and "there is no 'meson'" in r.stdout, "without Meson it says what is missing", r.stdout)
done()
