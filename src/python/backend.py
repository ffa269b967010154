# SPDX-License-Identifier: MIT
"""Makes a wheel (PEP 517) by Meson, for the Python that pip runs on. It contains the package and, beside its extension,
the libraries that it needs.

Environment: ISAKERN_MESON_ARGS, more arguments for `meson setup`, such as -Disa=avx2.
"""
import base64
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = "isakern"


def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as f:
        return re.search(r"^ *version: '([^']*)'", f.read(), re.M).group(1)


def run(*command):
    """Runs a command without the variables by which pip hides the installed numpy and Meson from a backend."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    # The installed extension finds the libraries in its own folder.
    env["LDFLAGS"] = (env.get("LDFLAGS", "") + " -Wl,-rpath,$ORIGIN").strip()
    r = subprocess.run(command, cwd=ROOT, env=env)
    if r.returncode:
        sys.exit("isakern: '%s' failed with status %d" % (" ".join(command), r.returncode))


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            sys.exit("isakern: there is no '%s', which builds the kernels: install it, on Debian by ./bootstrap.sh deps" % program)


def compiled(build):
    """The folder of the package as Meson installs it, with the libraries copied into it."""
    stage = os.path.join(build, "stage")
    run("meson", "setup", os.path.join(build, "build"), "-Dpython=enabled", "-Dinterpreter=" + sys.executable, "-Dtests=disabled",
        "-Dtools=disabled", "-Dexamples=disabled", "-Dbenchmarks=disabled", "-Ddocs=false", "--prefix=/usr",
        *shlex.split(os.environ.get("ISAKERN_MESON_ARGS", "")))
    run("meson", "install", "-C", os.path.join(build, "build"), "--destdir", stage, "--tags", "python-runtime,runtime")
    package = glob.glob(os.path.join(stage, "**", NAME, "__init__.py"), recursive=True)[0]
    for library in ("libisakern.so.0", "libisakern-sleef.so.0"):
        path = os.path.join(stage, "usr", "lib", library)
        if os.path.exists(path):
            shutil.copy(os.path.realpath(path), os.path.join(os.path.dirname(package), library))
    return os.path.dirname(package)


def metadata():
    """The texts in the folder dist-info, by name, and the tag of the wheel."""
    tag = "cp%d%d" % sys.version_info[:2]
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return {"METADATA": "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: Numerical kernels that bind themselves to the CPU\n"
                        "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n" % (NAME, version()),
            "WHEEL": "Wheel-Version: 1.0\nGenerator: isakern\nRoot-Is-Purelib: false\nTag: %s-%s-%s\n" % (tag, tag, platform)}, "%s-%s-%s" % (
                tag, tag, platform)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    need("meson", "ninja", "pkg-config")
    info = "%s-%s.dist-info" % (NAME, version())
    texts, tag = metadata()
    wheel = "%s-%s-%s.whl" % (NAME, version(), tag)
    with tempfile.TemporaryDirectory(prefix="isakern-wheel-") as build:
        package = compiled(build)
        files = {NAME + "/" + name: os.path.join(package, name) for name in sorted(os.listdir(package))
                 if os.path.isfile(os.path.join(package, name))}
        record = []
        with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as z:
            def add(name, content):
                z.writestr(name, content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                record.append("%s,sha256=%s,%d\n" % (name, digest, len(content)))

            for name, path in files.items():
                with open(path, "rb") as f:
                    add(name, f.read())
            with open(os.path.join(ROOT, "LICENSE"), "rb") as f:
                add(info + "/LICENSE", f.read())
            for name, text in texts.items():
                add(info + "/" + name, text.encode())
            z.writestr(info + "/RECORD", "".join(record) + info + "/RECORD,,\n")
    return wheel
