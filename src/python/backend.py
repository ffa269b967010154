# SPDX-License-Identifier: MIT
"""Makes wheels and source distributions (PEP 517). A wheel is compiled by Meson for the Python that pip runs on; it contains the
package and, beside its extension, the libraries that it needs.

Environment: ISAKERN_MESON_ARGS, more arguments for `meson setup`, such as -Disa=avx2; ISAKERN_BUILD, a folder for Meson that is
kept, so that wheels for several Pythons share the kernels.
"""
import base64
import glob
import gzip
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

import manylinux

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = "isakern"
LIBRARIES = ("libisakern.so.0", "libisakern-sleef.so.0")
# The time of files in archives, so that the same sources give the same bytes: the first that a zip file can hold.
TIME = 315532800


def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as f:
        return re.search(r"^ *version: '([^']*)'", f.read(), re.M).group(1)


def environment():
    """The variables without those by which pip hides the installed numpy and Meson from a backend."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}


def run(*command):
    """Runs a command, whose output is that of the backend: `pip install -v` shows it as it comes."""
    # The installed extension finds the libraries in its own folder.
    flags = (os.environ.get("LDFLAGS", "") + " -Wl,-rpath,$ORIGIN").strip()
    r = subprocess.run(command, cwd=ROOT, env={**environment(), "LDFLAGS": flags})
    if r.returncode:
        sys.exit("isakern: '%s' failed with status %d" % (" ".join(command), r.returncode))


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            sys.exit("isakern: there is no '%s', which builds the kernels: install it, on Debian by ./bootstrap.sh deps" % program)


def project():
    """The table [project] of pyproject.toml, which has one value, or one list or table of strings, at a time."""
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        from pip._vendor import tomli as tomllib
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as f:
        return tomllib.load(f)["project"]


def numpy_needed():
    """An extension runs with the numpy that it was compiled with and newer ones of the same major version; numpy 2 takes 1.x in."""
    r = subprocess.run([sys.executable, "-c", "import numpy; print(numpy.__version__)"], env=environment(), text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = re.match(r"(\d+)\.(\d+)", r.stdout)
    if not found:
        sys.exit("isakern: %s has no numpy, which the extension is compiled with: install it, on Debian python3-numpy" % sys.executable)
    major, minor = map(int, found.groups())
    return "numpy>=1.23" if major > 1 else "numpy>=%d.%d,<2" % (major, minor)


def metadata(needed):
    """The text of METADATA, and of PKG-INFO."""
    about = project()
    with open(os.path.join(ROOT, about["readme"]), encoding="utf-8") as f:
        text = f.read()
    people = [("Author", one["name"]) for one in about["authors"]]
    people += [("Maintainer-email", "%s <%s>" % (one["name"], one["email"])) for one in about["maintainers"]]
    rows = [("Metadata-Version", "2.1"), ("Name", about["name"]), ("Version", version()), ("Summary", about["description"]), *people,
            ("License", about["license"]["text"]), ("Keywords", ",".join(about["keywords"])),
            *(("Classifier", one) for one in about["classifiers"]), ("Requires-Python", about["requires-python"]),
            ("Requires-Dist", needed), ("Description-Content-Type", "text/markdown")]
    return "".join("%s: %s\n" % row for row in rows) + "\n" + text


def compiled(build, work):
    """The folder of the package as Meson installs it, with the libraries copied into it."""
    setup = ["meson", "setup", build, "-Dpython=enabled", "-Dinterpreter=" + sys.executable, "-Dtests=disabled", "-Dtools=disabled",
             "-Dexamples=disabled", "-Dbenchmarks=disabled", "-Ddocs=false", "--prefix=/usr", "--libdir=lib",
             *shlex.split(os.environ.get("ISAKERN_MESON_ARGS", ""))]
    run(*setup, *(["--reconfigure"] if os.path.exists(os.path.join(build, "build.ninja")) else []))
    run("meson", "compile", "-C", build, "python-package")
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", work, "--tags", "python-runtime")
    package = os.path.dirname(glob.glob(os.path.join(glob.escape(work), "**", NAME, "__init__.py"), recursive=True)[0])
    for library in LIBRARIES:
        path = os.path.join(build, "src", library)
        if os.path.exists(path):
            shutil.copy(os.path.realpath(path), os.path.join(package, library))
    shared = os.path.join(package, LIBRARIES[1])
    outside = subprocess.run(["ldd", shared], text=True, stdout=subprocess.PIPE).stdout if os.path.exists(shared) else ""
    for path in re.findall(r"=> (\S*/libsleef\.so\.3)\b", outside):  # without a static SLEEF
        shutil.copy(os.path.realpath(path), os.path.join(package, "libsleef.so.3"))
    return package


def tag_of(package):
    """The tag of a wheel, with that of manylinux if the libraries allow one."""
    python = "cp%d%d" % sys.version_info[:2]
    libraries = [os.path.join(package, name) for name in os.listdir(package) if ".so" in name]
    reason = manylinux.refusal(libraries)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if reason:
        print("isakern: no manylinux tag: " + reason, flush=True)
    else:
        platform = manylinux.tag(libraries, os.uname().machine)
    return "%s-%s-%s" % (python, python, platform)


def info_folder():
    return "%s-%s.dist-info" % (NAME, version())


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Compiles nothing."""
    folder = os.path.join(metadata_directory, info_folder())
    os.makedirs(folder)
    with open(os.path.join(folder, "METADATA"), "w", encoding="utf-8") as f:
        f.write(metadata(numpy_needed()))
    return info_folder()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    need("meson", "ninja", "pkg-config", "readelf")
    text = metadata(numpy_needed())
    with tempfile.TemporaryDirectory(prefix="isakern-wheel-") as work:
        package = compiled(os.path.abspath(os.environ.get("ISAKERN_BUILD") or os.path.join(work, "build")), os.path.join(work, "stage"))
        tag = tag_of(package)
        wheel = "%s-%s-%s.whl" % (NAME, version(), tag)
        files = {}
        for name in sorted(os.listdir(package)):
            if os.path.isfile(os.path.join(package, name)):
                files[NAME + "/" + name] = open(os.path.join(package, name), "rb").read()
        with open(os.path.join(ROOT, "LICENSE"), "rb") as f:
            files[info_folder() + "/LICENSE"] = f.read()
        files[info_folder() + "/METADATA"] = text.encode()
        files[info_folder() + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: isakern\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode()
        write_wheel(os.path.join(wheel_directory, wheel), files)
    return wheel


def write_wheel(path, files):
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(content))
    files = {**files, info_folder() + "/RECORD": (record + info_folder() + "/RECORD,,\n").encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            z.writestr(entry, content)


def sources():
    """The files of a source distribution: those that git tracks or, in an unpacked one, all."""
    r = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) if os.path.exists(
        os.path.join(ROOT, ".git")) else None
    if r and r.returncode == 0:
        return sorted(name for name in r.stdout.decode().split("\0") if name and os.path.isfile(os.path.join(ROOT, name)))
    found = [os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(ROOT) for name in names]
    return sorted(name for name in found if name != "PKG-INFO" and "__pycache__" not in name)


def build_sdist(sdist_directory, config_settings=None):
    top = "%s-%s" % (NAME, version())
    path = os.path.join(sdist_directory, top + ".tar.gz")
    with open(path, "wb") as f, gzip.GzipFile("", "wb", fileobj=f, mtime=TIME) as packed, tarfile.open(
            fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        def add(name, content, mode):
            entry = tarfile.TarInfo(top + "/" + name)
            entry.size, entry.mtime, entry.mode = len(content), TIME, mode
            tar.addfile(entry, io.BytesIO(content))

        for name in sources():
            with open(os.path.join(ROOT, name), "rb") as source:
                add(name, source.read(), os.stat(os.path.join(ROOT, name)).st_mode & 0o755)
        add("PKG-INFO", metadata("numpy").encode(), 0o644)
    return os.path.basename(path)
