#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recipes in packaging/, the files of the forge and CITATION.cff agree with the build, and the tools of their formats accept
them. debian/ has tests of its own: test_debian.py, deb.py.

    packaging.py SOURCE BUILD VERSION           agreement, with Python alone
    packaging.py SOURCE BUILD VERSION MESON...  the tools as well; one that is missing is skipped. hadolint and conda-build are
                                                not in Debian, so a Dockerfile and a conda recipe are only read, by this script
"""
import configparser
import fnmatch
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import done, equal, ok, skip

SOURCE, BUILD, VERSION, *MESON = sys.argv[1:]
FOLDERS = {"bindir": "/usr/bin", "includedir": "/usr/include", "libdir": "/usr/lib", "libdir_shared": "/usr/lib", "libdir_static": "/usr/lib",
           "datadir": "/usr/share", "mandir": "/usr/share/man"}
MACROS = {**FOLDERS, "_bindir": "/usr/bin", "_includedir": "/usr/include", "_libdir": "/usr/lib", "_datadir": "/usr/share",
          "_mandir": "/usr/share/man"}


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as f:
        return f.read()


def run(*command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)


spec, nix, conda = read("packaging/isakern.spec"), read("packaging/default.nix"), read("packaging/conda/meta.yaml")
docker, cff, ci = read("packaging/Dockerfile"), read("CITATION.cff"), read(".github/workflows/ci.yml")
wrap = configparser.ConfigParser(delimiters="=")
wrap.read_string(read("packaging/isakern.wrap"))

# One version.
for name, text, pattern in (("RPM", spec, r"^Version: +(\S+)$"), ("its changelog", spec, r"^\* .* - (\S+)-\d+$"), ("Nix", nix, r'version = "(.*)";'),
                            ("conda", conda, r'set version = "(.*)"'), ("CITATION.cff", cff, r"^version: (\S+)$"),
                            ("NEWS.md", read("NEWS.md"), r"^## (\d[\d.]*)")):
    equal(re.findall(pattern, text, re.MULTILINE)[:1], [VERSION], "the version in " + name)

# Options of the build that there are.
with open(os.path.join(BUILD, "meson-info", "intro-buildoptions.json"), encoding="utf-8") as f:
    options = {option["name"] for option in json.load(f)}
for name, text in (("RPM", spec), ("Nix", nix), ("conda", conda), ("Docker", docker)):
    given = set(re.findall(r"-D([a-z_]+)=", text))
    ok(given and given <= options, name + " gives options that the build has", given - options)

# What is installed is in one package of the RPM, which has no packages of Python and npm.
patterns = [re.sub(r"%\{(\w+)\}", lambda m: MACROS[m[1]], line) for part in re.findall(r"^%files.*\n((?:%(?:license|doc|\{).*\n)+)", spec, re.MULTILINE)
            for line in part.splitlines() if line.startswith("%{")]
with open(os.path.join(BUILD, "meson-info", "intro-install_plan.json"), encoding="utf-8") as f:
    plan = [file["destination"] for files in json.load(f).values() for file in files.values()]
plan = [path.replace("{" + match[1] + "}", FOLDERS[match[1]]) for path in plan if (match := re.match(r"\{(\w+)\}", path)) and match[1] in FOLDERS]
found = {path: [p for p in patterns if fnmatch.fnmatch(path, p) or fnmatch.fnmatch(path, p + "/*")] for path in plan}
ok(len(plan) > 50 and patterns, "the files of the installation")
equal([path for path, where in found.items() if len(where) != 1 and not re.search("python|nodejs", path)], [], "each is in one package of the RPM",
      [found[p] for p in found if len(found[p]) > 1][:3])

# The wrap file provides what the build declares, but the BLAS, which no program takes by the name of isakern.
declared = {os.path.basename(p)[:-3] for p in glob.glob(os.path.join(BUILD, "meson-private", "isakern*.pc"))} - {"isakern-blas3"}
provided = {name.strip() for name in wrap["provide"]["dependency_names"].split(",")}
ok(declared and declared <= provided and provided <= declared | {"isakern-sleef", "isakern-omp"}, "the wrap file provides the libraries",
   (declared, provided))
equal(wrap["wrap-git"]["directory"], "isakern", "in the folder isakern")

# Docker: stages, files, and what the shell is given.
lines = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", docker, flags=re.MULTILINE)).splitlines()
instructions = [line.split(None, 1) for line in lines if line.strip()]
known = {"FROM", "RUN", "COPY", "WORKDIR", "USER", "CMD", "ENV", "ARG", "LABEL", "ENTRYPOINT"}
equal([word for word, _ in instructions if word not in known], [], "instructions of the Dockerfile")
stages = [match[1] for word, rest in instructions if word == "FROM" and (match := re.search(r" AS (\w+)$", rest))]
equal([rest for word, rest in instructions if word == "COPY" and "--from=" in rest and re.search(r"--from=(\w+)", rest)[1] not in stages], [],
      "its stages are there")
ok(instructions[-1][0] == "CMD" and ["USER", "nobody"] in instructions, "its program does not run as root")
for word, rest in instructions:
    if word == "RUN":
        r = run("sh", "-n", "-c", rest)
        ok(r.returncode == 0, "a command of the Dockerfile: %.40s" % rest, r.stdout)
ok(re.search(r"^ +\.ci/run$", ci, re.MULTILINE) and os.access(os.path.join(SOURCE, ".ci/run"), os.X_OK), "the forge's CI runs .ci/run")
if not MESON:
    done()

# The tools of the formats.
for tool, package, command in (("rpmspec", "rpm", ["rpmspec", "-P", "packaging/isakern.spec"]),
                               ("rpmlint", "rpmlint", ["rpmlint", "packaging/isakern.spec"]),
                               ("nix-instantiate", "nix-bin", ["nix-instantiate", "--parse", "packaging/default.nix"])):
    if shutil.which(tool):
        r = run(*command, cwd=SOURCE, env={**os.environ, "NIX_STATE_DIR": tempfile.gettempdir()})
        ok(r.returncode == 0 and not re.search(r": E: |error:|unknown tag", r.stdout), " ".join(command), r.stdout)
    else:
        skip(" ".join(command), "no %s (Debian: %s)" % (tool, package))
packages = {word for rest in (rest for word, rest in instructions if word == "RUN" and "apt-get install" in rest)
            for word in re.search(r"--no-install-recommends ([^&]*)", rest)[1].split()}
packages |= set(re.search(r"apt-get install -y --no-install-recommends (.*)$", ci, re.MULTILINE)[1].split())
policy = run("apt-cache", "policy", *sorted(packages)).stdout if shutil.which("apt-cache") else ""
if re.search("(?m)^  Candidate: \\d", policy) and "bookworm" in read("/etc/os-release"):
    equal([p for p in sorted(packages) if not re.search(r"(?m)^%s:\n.*\n  Candidate: \d" % re.escape(p), policy)], [], "packages of Debian 12")
else:
    skip("packages of Debian 12", "no lists of packages of Debian 12")
try:
    import yaml
except ImportError:
    yaml = None
    skip("YAML", "no python3-yaml")
if yaml:
    cited = yaml.safe_load(cff)
    equal([key for key in ("cff-version", "message", "title", "authors", "version", "license") if key not in cited], [], "CITATION.cff has its keys")
    ok(all("name" in a or "family-names" in a for a in cited["authors"]), "and authors with names", cited["authors"])
    workflow = yaml.safe_load(ci)
    steps = workflow["jobs"]["check"]["steps"]
    ok(True in workflow and all(("run" in s) != ("uses" in s) for s in steps), "the steps of CI", steps)
    for path in sorted(glob.glob(os.path.join(SOURCE, ".github/ISSUE_TEMPLATE/*.yml"))):
        form, name = yaml.safe_load(read(path)), os.path.basename(path)
        if name == "config.yml":
            equal(list(form), ["blank_issues_enabled"], name)
            continue
        ids = [part.get("id") for part in form["body"]]
        ok({"name", "description", "body"} <= set(form) and len(set(ids)) == len(ids)
           and all(part["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes") and part["attributes"]["label"]
                   for part in form["body"]), "the issue form " + name, form)
    plain = re.sub(r"\{%.*?%\}\n", "", conda)
    recipe = yaml.safe_load(re.sub(r"\{\{ *(.*?) *\}\}", lambda m: "'%s'" % m[1].replace("'", "").replace('"', ""), plain))
    ok({"package", "source", "build", "requirements", "test", "about"} <= set(recipe) and recipe["package"]["version"] == "version",
       "the conda recipe, without what Jinja puts in", recipe)

# A project that builds isakern by the wrap file.
if not shutil.which("git") or run("git", "-C", SOURCE, "rev-parse").returncode:
    skip("a project with the wrap file", "%s is no git repository" % SOURCE)
    done()
with tempfile.TemporaryDirectory(prefix="isakern-wrap-") as work:
    os.mkdir(os.path.join(work, "subprojects"))
    with open(os.path.join(work, "subprojects", "isakern.wrap"), "w", encoding="utf-8") as f:
        f.write(re.sub("url = .*", "url = file://" + os.path.abspath(SOURCE), read("packaging/isakern.wrap")))
    with open(os.path.join(work, "first.c"), "w", encoding="utf-8") as f:
        f.write("#include <isakern.h>\nint main(void) { return isk_isa_count() == 0; }\n")
    with open(os.path.join(work, "meson.build"), "w", encoding="utf-8") as f:
        f.write("project('user', 'c')\nexecutable('first', 'first.c', dependencies: dependency('isakern'))\n")
    r = run(*MESON, "setup", "build", "-Disakern:isa=baseline", "-Disakern:kernels=exp_f32", cwd=work)
    if ok(r.returncode == 0 and "Executing subproject isakern" in r.stdout, "a project with the wrap file is configured", r.stdout):
        r = run("ninja", "-C", "build", "first", cwd=work)
        ok(r.returncode == 0 and run(os.path.join(work, "build/first")).returncode == 0, "built, and runs", r.stdout)
done()
