#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that programs were compiled against is still there: exported names and their versions, prototypes, layouts of
structs, values of enums, compared with abi.txt.

    abi.py SOURCE BUILD COMPILER...                 the test
    abi.py --write SOURCE BUILD COMPILER...         adds new names to the list
    abi.py --write --break SOURCE BUILD COMPILER... makes the list anew: programs must be compiled again

A line of the list is a name and its description. A struct that begins with its size may grow.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

OPTIONS = [a for a in sys.argv[1:] if a in ("--write", "--break")]
SOURCE, BUILD, *COMPILER = [a for a in sys.argv[1:] if a not in OPTIONS]
sys.path.insert(0, os.path.join(SOURCE, "test"))
from tap import done, ok  # noqa: E402

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "abi.txt")
LIBRARIES = {"libisakern": "src/libisakern.so", "libisakern-omp": "libisakern-omp.so",
             "libisakern-sleef": "src/libisakern-sleef.so"}
MISSING = [library for library, path in LIBRARIES.items() if not os.path.exists(os.path.join(BUILD, path))]
HEADERS = ["isakern.h", "isakern_omp.h"] + ([] if "libisakern-sleef" in MISSING else ["isakern/sleef.h"])
FLAGS = ["-I" + os.path.join(SOURCE, "include")] + ["-I" + os.path.join(BUILD, "src/gen", name, "include")
                                                    for name in ("isakern", "isakern-sleef")]
PROGRAM = """#include <stdio.h>
%s
#define TYPE(name) printf("%%s: size %%zu, alignment %%zu\\n", #name, sizeof(name), _Alignof(name));
#define MEMBER(type, member, text) printf("%%s.%%s: at %%zu, size %%zu, %%s\\n", #type, #member, offsetof(type, member), \\
	sizeof(((type *)0)->member), text);
#define VALUE(of, name) printf("%%s %%s: %%d\\n", #of, #name, (int)name);
int main(void)
{
%s
	return 0;
}
"""


def said(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout


def exported():
    """The names that the built libraries export."""
    for library, path in LIBRARIES.items():
        path = os.path.join(BUILD, path)
        if library in MISSING:
            continue
        slots = set(re.findall(r" b (\S+)$", said("nm", path), re.M))
        for letter, name, version in re.findall(r" (\S) ([^@\s]+)(?:@@?(\S+))?$", said("nm", "-D", "--defined-only", path), re.M):
            # With -Ddispatch=pointer kernels have slots; programs use them like indirect functions.
            if name.replace("isk_", "isk_slot__", 1) in slots:
                letter = "i"
            if letter != "A":
                yield "%s %s: %s, %s" % (library, name, version, {"i": "indirect function", "T": "function"}.get(letter, letter))


def declarators(text):
    """(name, type) of each name that a declaration such as "const float *a, b[2]" declares."""
    pointer = re.fullmatch(r"(.*)\(\s*\*\s*(\w+)\s*\)\s*(\(.*\))", text, re.S)
    if pointer:
        return [(pointer[2], "%s (*)%s" % (pointer[1].strip(), pointer[3]))]
    first, *others = text.split(",")
    match = re.fullmatch(r"(.*?)(\**)\s*(\w+)\s*((?:\[[^]]*\])*)", first.strip(), re.S)
    found = [(match[3], " ".join((match[1] + match[2] + match[4]).split()))]
    for other in others:
        own = re.fullmatch(r"(\**)\s*(\w+)\s*((?:\[[^]]*\])*)", other.strip())
        found.append((own[2], " ".join((match[1] + own[1] + own[3]).split())))
    return found


def plain(parameter):
    """A parameter without its name, which callers do not see."""
    function = re.fullmatch(r"(.*\(\*)\w+(\)\(.*\))", parameter.strip())
    return "".join(function.groups()) if function else re.sub(r"\s*(?<=[\s*])\w+$", "", parameter.strip())


def declared(text):
    """Lines for prototypes, and for the rest the statements of a program that prints its lines."""
    lines, prints = [], []
    for kind, name in re.findall(r"\btypedef ([^;{}]+) (isk_\w+);", text):
        lines.append("typedef %s: %s" % (name, kind))
        prints.append("TYPE(%s)" % name)
    for name, body in re.findall(r"\bstruct (isk_\w+) \{(.*?)\};", text, re.S):
        prints.append("TYPE(struct %s)" % name)
        for member in filter(None, map(str.strip, body.split(";"))):
            for of, kind in declarators(member):
                prints.append('MEMBER(struct %s, %s, "%s")' % (name, of, kind))
    for name, body in re.findall(r"\benum (isk_\w+) \{(.*?)\};", text, re.S):
        prints.append("TYPE(enum %s)" % name)
        prints += ["VALUE(enum %s, %s)" % (name, value) for value in re.findall(r"\b(ISK_\w+)\b", body)]
    # A function that returns a pointer to a function is declared around its parameters.
    for result, name, parameters in re.findall(r"^((?:const )?\w+(?: \w+)* ?\*?)(isk_\w+)\(((?:[^()]|\([^()]*\))*)\);", text, re.M):
        lines.append("prototype %s: %s (%s)" % (name, result.strip(), ", ".join(
            plain(p) for p in re.split(r",(?![^(]*\))", parameters))))
    for result, name, parameters, outer in re.findall(r"^(\w+) \(\*(isk_\w+)\(([^()]*)\)\)\(([^()]*)\);", text, re.M):
        lines.append("prototype %s: %s (*(%s))(%s)" % (name, result, ", ".join(
            plain(p) for p in parameters.split(",")), outer))
    return lines, prints


def present():
    includes = "\n".join("#include <%s>" % h for h in HEADERS)
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
        source, program = os.path.join(work, "abi.c"), os.path.join(work, "abi")
        with open(source, "w", encoding="utf-8") as f:
            f.write(includes + "\n")
        text = said(*COMPILER, "-E", "-P", *FLAGS, source)
        # Puts each statement on a line.
        lines, prints = declared(re.sub(r"\s+", " ", text).replace("; ", ";\n"))
        with open(source, "w", encoding="utf-8") as f:
            f.write(PROGRAM % (includes, "\n".join("\t" + p for p in prints)))
        said(*COMPILER, *FLAGS, source, "-o", program)
        lines += said(program).splitlines()
    return sorted(set(lines + list(exported())))


def numbers(text):
    return [int(n) for n in re.findall(r"\d+", text)] or [0]


def compare(old, new):
    """The lines that are gone or changed, and the new ones."""
    was, now = (dict(line.split(": ", 1) for line in lines) for lines in (old, new))
    broken, added = [], []
    for name, value in was.items():
        if name not in now:
            broken.append("gone is %s: %s" % (name, value))
        elif now[name] != value:
            (size, *rest), (size_now, *rest_now) = numbers(value), numbers(now[name])
            if now.get(name + ".size", "").startswith("at 0,") and size_now > size and rest_now == rest:
                added.append("%s: %s" % (name, now[name]))
            else:
                broken.append("%s: %s; it was %s" % (name, now[name], value))
    return broken, added + ["%s: %s" % (n, v) for n, v in now.items() if n not in was]


def read():
    with open(LIST, encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if not line.startswith("#")]
    # The header of isakern-omp is installed without its library.
    gone = {name for library, name in re.findall(r"^(\S+) (\w+): ", "\n".join(lines), re.M)
            if library in MISSING and library != "libisakern-omp"}
    return [line for line in lines if line.split(" ")[0] not in MISSING
            and not (line.startswith("prototype ") and line.split(" ")[1].rstrip(":") in gone)]


def update():
    new = present()
    broken, _ = compare(read() if os.path.exists(LIST) else [], new)
    if broken and "--break" not in OPTIONS:
        sys.exit("abi.py: programs compiled before break: %s; --break writes the list all the same" % broken[0])
    with open(LIST, "w", encoding="utf-8") as f:
        f.write("# What programs are compiled against. Written by: abi.py --write\n" + "\n".join(new) + "\n")


def test():
    old, new = read(), present()
    broken, added = compare(old, new)
    ok(not broken, "%d names, layouts and values are as they were" % len(old), "\n".join(broken))
    ok(not added, "nothing is new", "\n".join(added + ["to add it to the list: " + shlex.join(
        [sys.executable, os.path.abspath(__file__), "--write", SOURCE, BUILD] + COMPILER)]))
    # The list has lines of each kind, and a change of any is noticed.
    for kind in ("libisakern isk_exp_f32: ", "prototype isk_exp_f32: ", "struct isk_post.scale: ", "struct isk_candidate: ",
                 "enum isk_status ISK_ERR_POST: ", "typedef isk_bf16: "):
        line = next((l for l in new if l.startswith(kind)), kind + "not in the list")
        rest = [l for l in new if l != line]
        ok(line in new and compare(rest + [kind + "something else"], new)[0] and compare(new, rest)[0]
           and compare(rest, new) == ([], [line]), "a change of " + kind.split(":")[0], line)
    size, = (l for l in new if l.startswith("struct isk_post: "))
    smaller = re.sub(r"size (\d+)", lambda m: "size %d" % (int(m[1]) - 8), size)
    ok(compare([smaller], new)[0] == [] and size in compare([smaller], new)[1], "a struct that says its size may grow")
    ok(compare([size], [smaller] + [l for l in new if l != size])[0], "it may not shrink")
    done()


update() if "--write" in OPTIONS else test()
