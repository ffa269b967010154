#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion of isakern and isakern-cc: the words are those that the commands know, and bash, zsh and fish offer them.

    completion.py ISAKERN BASH ZSH FISH ISAKERN-CC
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

from tap import done, equal, ok, skip

ISAKERN, BASH, ZSH, FISH, CC = (os.path.abspath(path) for path in sys.argv[1:6])
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("ISAKERN_")}, "LC_ALL": "C.UTF-8", "TERM": "dumb",
               "PATH": ":".join([os.path.dirname(ISAKERN), os.path.dirname(CC), os.environ["PATH"]])}
work = tempfile.TemporaryDirectory(prefix="isakern-test-")
ENVIRONMENT["HOME"] = work.name
for file in ("a page.html", "another.html"):
    with open(os.path.join(work.name, file), "w", encoding="utf-8"):
        pass


def output(*command, **options):
    return subprocess.run(command, env=ENVIRONMENT, cwd=work.name, capture_output=True, text=True, check=False, **options).stdout


def words(*line):
    """What the command offers for the last word."""
    return [answer.split("\t")[0] for answer in output(ISAKERN, "complete", *line).splitlines()]


kernels = json.loads(output(ISAKERN, "kernels", "--json"))
names = [k["kernel"] for k in kernels]
commands = re.findall(r"^  ([a-z]+) ", output(ISAKERN, "--help"), re.MULTILINE)


def options_in_help(*command):
    """The long options, with = if they have a value, and both ways if they may have one."""
    found = set()
    for option, value in re.findall(r"^ +(?:-\w, +)?(--[a-z-]+)(\[?=)?", output(ISAKERN, *command, "--help"), re.MULTILINE):
        found |= {option + "="} if value == "=" else {option, option + "="} if value else {option}
    return found


# The words are those of the help and of the library.
equal(sorted(words("")), sorted(commands), "the commands")
equal(set(words("--")), options_in_help(), "the options before a command")
for command in commands:
    equal(set(words(command, "--")), options_in_help(command), "the options of " + command)
    offered, usage = words(command, ""), output(ISAKERN, command, "--help").splitlines()[0]
    wanted = sorted(names) if "KERNEL" in usage else ["FILE"] if "FILE" in usage else []
    equal(sorted(offered), wanted, "the arguments of " + command)
equal(set(words("kernels", "--family=r")), {"--family=" + k["family"] for k in kernels if k["family"].startswith("r")}, "families after =")
equal(words("kernels", "--family", "ro"), ["rows", "rope"], "a family in a word of its own")
for kind in words("kernels", "--type="):
    some = json.loads(output(ISAKERN, "kernels", kind, "--json"))
    ok(some and all(kind[7:] in k["kernel"] for k in some), kind + " is in the names of all kernels that it chooses", some[:3])
why = json.loads(output(ISAKERN, "why", "exp_f32", "--json"))[0]
variants = ["exp_f32/" + c["isa"] for c in why["candidates"]]
equal(words("bench", "exp_f32/"), variants, "the variants of a kernel")
equal(words("verify", "exp_f32/"), [*variants, "exp_f32/reference"], "and its reference, where that is allowed")
equal(words("why", "exp_f32/"), [], "why takes no variants")
equal(words("bench", "--html="), ["FILE"], "names of files")
for line in (("nosuch", ""), ("kernels", "--nosuch="), ("verify", "--seed="), ("bench", "nosuch/"), ("--library=/no/such.so", "why", ""),
             ("why", "exp_f32", "nosuch"), ()):
    equal(words(*line), sorted(commands, key=words("").index) if not line else [], "nothing to offer: isakern " + " ".join(line))
sleef = os.path.join(os.path.dirname(os.path.dirname(ISAKERN)), "src", "libisakern-sleef.so.0")
if os.path.exists(sleef):
    ok("exp_f64" in words("--library=" + sleef, "why", "exp_") and "exp_f64" in words("--library", sleef, "why", "exp_"),
       "the kernels of another library")
else:
    skip("the kernels of another library", "no libisakern-sleef")

def words_of_cc(*line):
    return [answer.split("\t")[0] for answer in output(CC, "complete", *line).splitlines()]


isas = [c["isa"] for c in why["candidates"] if c["isa"] != "reference"]
equal(set(words_of_cc("--")), {option + "=" * bool(value) for option, value in re.findall(
    r"^ +(?:-\w, +)?(--[a-z]+)( [A-Z{])?", output(CC, "--help"), re.MULTILINE)}, "the options of isakern-cc")
ok(set(isas) <= set(words_of_cc("--isa", "")), "ISAs of isakern-cc", words_of_cc("--isa", ""))
equal(words_of_cc("--isa=avx2,b"), ["--isa=avx2,baseline"], "the next ISA of a list")
equal(words_of_cc("--dispatch", "i"), ["ifunc"], "the choices of an option of isakern-cc")
for line in ((), ("my.tbl", ""), ("-o", ""), ("--prefix=my", "-o", "lib")):
    equal(words_of_cc(*line), ["FILE"], "names of files for isakern-cc " + " ".join(line))
equal(words_of_cc("--prefix", "m"), [], "a prefix is the user's own")

# What a shell offers for a line. Bash gets the words as it separates them.
LINES = {"isakern ": commands, "isakern ker": ["kernels"], "isakern kernels --fam": ["--family="],
         "isakern kernels --family=ro": ["--family=rows", "--family=rope"], "isakern kernels --family ro": ["rows", "rope"],
         "isakern verify exp_f32/": [*variants, "exp_f32/reference"], "isakern used an": ["another.html"],
         "isakern bench --html=an": ["--html=another.html"], "isakern nosuch ": [], "isakern-cc --sta": ["--static"],
         "isakern-cc --dispatch=p": ["--dispatch=pointer"], "isakern-cc an": ["another.html"]}


def bash_words(line):
    return [word for part in line.split(" ") for word in re.findall(r"[^=]+|=", part) or [""]]


for line, wanted in LINES.items():
    separated = bash_words(line)
    script = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _isakern "$1"; printf "%s\\n" "${COMPREPLY[@]}"'
    offered = [word for word in output("bash", "--norc", "-c", script, BASH, *separated).splitlines() if word]
    equal(sorted(offered), sorted(w.split("=")[1] if "=" in separated else w for w in wanted), "bash: " + line)


def typed(shell, start, line, wanted):
    """Whether a shell on a terminal that gets the line, with tabs in it, prints what is wanted."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(work.name)
        os.execvpe(shell[0], shell, ENVIRONMENT)
    text, end = b"", time.monotonic() + 30

    def read(until):
        nonlocal text
        while until not in text and time.monotonic() < end:
            if select.select([fd], [], [], 0.1)[0]:
                try:
                    text += os.read(fd, 65536)
                except OSError:
                    return
    os.write(fd, start.encode() + b"\necho rea''dy\n")
    read(b"\nready")
    text = b""
    os.write(fd, line.encode() + b"\necho en''d\n")
    read(b"\nend")
    os.write(fd, b"exit\n")
    os.close(fd)
    os.waitpid(pid, 0)
    return ok(wanted.encode() in text, "%s on a terminal: %s" % (shell[0], line.replace("\t", "<TAB>")), text.decode(errors="replace"))


# A family whose name begins no kernel's name.
cell = next(k for k in kernels if k["family"] == "cells")["kernel"]
try:
    for fd in pty.openpty():
        os.close(fd)
    shells = {"bash": (["bash", "--norc", "-i"], "source " + BASH),
              "zsh": (["zsh", "-f", "-i"], "fpath=(%s $fpath); autoload -U compinit; compinit -u -D" % os.path.dirname(ZSH))}
except OSError as error:
    shells = {}
    skip("a line on a terminal", "no pseudo-terminals: %s" % error)
for shell, (command, start) in shells.items():
    if not shutil.which(shell):
        skip("a line in %s on a terminal" % shell, "no " + shell)
        continue
    # The rest of the option and of its value, and that no blank comes between; and a file with a blank in its name.
    typed(command, start, "isakern kern\t--fam\tcel\t", cell)
    typed(command, start, "isakern used a\\ p\t", ": a page.html: no program")
    typed(command, start, "isakern-cc --prefix=my -o libmy.so --disp\tpo\t", "--dispatch=pointer")

for shell, script in (("zsh", ZSH), ("fish", FISH)):
    if not shutil.which(shell):
        skip("the syntax of %s" % os.path.basename(script), "no " + shell)
        continue
    r = subprocess.run([shell, "-n", script], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    ok(r.returncode == 0 and not r.stderr, "the syntax of %s" % os.path.basename(script), r.stderr)
if shutil.which("fish"):
    for line, wanted in LINES.items():
        offered = output("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", FISH, line).splitlines()
        equal(sorted(word.split("\t")[0] for word in offered), sorted(wanted), "fish: " + line)
else:
    skip("what fish offers", "no fish")
done()
