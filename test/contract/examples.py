#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each kernel's example in its manual page is compiled and run, and makes the numbers that the page says it makes.

    examples.py SOURCE BUILD COMPILER...

All examples of a family are one program. It names each kernel before its example runs and then prints the outputs.
"""
import glob
import os
import subprocess
import sys
import tempfile

SOURCE, BUILD, COMPILER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import contract  # noqa: E402
import examples  # noqa: E402
import tables  # noqa: E402
from tap import done, ok  # noqa: E402

HEAD = """#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isakern.h>
#include <isakern/%s.h>
"""
# How an element is printed: of a float all digits, so that nothing is rounded twice.
PRINT = """
static inline void show_%(name)s_array(const char *const name, const void *const array, const size_t n)
{
	const unsigned char *const bytes = array;

	printf("%%s", name);
	for (size_t i = 0; i < n; i++) {
		%(element)s
		printf(" %(format)s", %(value)s);
	}
	puts("");
}

static inline void show_%(name)s(const %(returned)s value)
{
	printf("- %(format)s\\n", %(cast)svalue);
}
"""
STATUS = """
static inline void show_status(const int status)
{
	if (status)
		printf("status %d\\n", status);
}
"""


def shown(t):
    """The functions that print elements of a type."""
    words = {"name": t.name, "returned": "double", "format": "%.17g", "value": "(double)value", "cast": ""}
    copied = "%s value;\n\t\tmemcpy(&value, bytes + i * sizeof value, sizeof value);"
    if t.shares_byte:
        words["element"] = "int8_t two[2];\n\t\tisk_cvt_%s_s8(two, bytes + i / 2, 2);" % t.name
        words.update(returned="int64_t", format='%" PRId64 "', value="(int64_t)two[i % 2]")
    elif t.is_narrow:
        words["element"] = "float value;\n\t\tisk_cvt_%s_f32(&value, (const %s *)array + i, 1);\n\t\t(void)bytes;" % (t.name, t.c)
    elif t.is_float:
        words["element"] = copied % t.c
    else:
        words["element"] = copied % contract.example_type(t)
        words.update(returned="int64_t", format='%" PRId64 "', value="(int64_t)value")
    return PRINT % words


def program(library, made):
    types = [t for t in library.types.values() if not t.c.endswith("]")]
    functions = ["static void example_%s(void)\n{\n\t%s\n}\n" % (e.kernel.name, "\n\t".join(e.body())) for e in made]
    calls = ['\tputs("kernel %s");\n\tfflush(stdout);\n\texample_%s();' % (e.kernel.name, e.kernel.name) for e in made]
    return HEAD % made[0].kernel.family + "".join(map(shown, types)) + STATUS + "\n" + "\n".join(functions) + (
        "\nint main(void)\n{\n%s\n\treturn 0;\n}\n" % "\n".join(calls))


def printed(said):
    """By kernel, its lines as (name or "-", numbers)."""
    found = {}
    for line in said.split("\n"):
        words = line.split()
        if words[:1] == ["kernel"]:
            lines = found[words[1]] = []
        elif words:
            lines.append((words[0], [float(w) for w in words[1:]]))
    return found


def complaint(example, lines):
    """What an example makes in place of what its page says; None if it is that."""
    got = dict(lines)
    if "status" in got:
        return "%s: %s returns the status %g" % (example.where, example.kernel.name, got["status"][0])
    for output in example.outputs:
        numbers = got.get(output.name or "-", [])
        alike = len(numbers) == len(output.numbers) and all(
            examples.same(a, b, output.type) for a, b in zip(output.numbers, numbers))
        if not alike:
            return "%s: %s: %s: expected %s, got %s" % (example.where, example.kernel.name, output.name or "returned",
                                                        output.shown(), " ".join("%g" % n for n in numbers))
    return None


def run(*command):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_"))}
    r = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=kept, check=False)
    return r.returncode, r.stdout


def try_family(family, library, name, work):
    """Compiles and runs all examples of a family."""
    about = contract.Contract(contract.path_of(family), family, library)
    made = [examples.Example(k, about.entry(k), library) for k in family.kernels]
    source, binary = (os.path.join(work, family.name + ending) for ending in (".c", ""))
    with open(source, "w", encoding="utf-8") as f:
        f.write(program(library, made))
    libraries = [os.path.join(BUILD, "src", "lib%s.so" % one) for one in dict.fromkeys((name, "isakern"))]
    generated = ["-I" + os.path.join(BUILD, "src", "gen", one, "include") for one in dict.fromkeys(("isakern", name))]
    status, said = run(*COMPILER, "-std=c11", "-O0", "-Wall", "-Werror", "-Wno-unused-value", "-I" + os.path.join(SOURCE, "include"),
                       *generated, source, *libraries, "-lm", "-Wl,-rpath," + os.path.join(BUILD, "src"), "-o", binary)
    if not ok(status == 0, "the examples of %s compile" % family.name, said):
        return
    status, said = run(binary)
    got = printed(said)
    wrong = [c for c in (complaint(e, got.get(e.kernel.name, [])) for e in made) if c]
    ok(status == 0 and not wrong, "the %d examples of %s make the numbers that they say" % (len(made), family.name),
       "\n".join(wrong + (["exit status %d after %s" % (status, list(got)[-1:])] if status else [])))


try:
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as folder:
        for part, name in (("kernels", "isakern"), ("sleef", "isakern-sleef")):
            paths = sorted(glob.glob(os.path.join(SOURCE, "src", part, "*", "kernels.tbl")))
            if os.path.exists(os.path.join(BUILD, "src", "lib%s.so" % name)):
                library = tables.Library([os.path.dirname(path) for path in paths])
                for one in library.families:
                    try_family(one, library, name, folder)
except tables.TableError as error:
    ok(False, "the contracts are whole", str(error))
done()
