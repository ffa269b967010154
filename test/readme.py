# SPDX-License-Identifier: MIT
"""The commands and programs that README.md and its pages tell a new user to type, word for word."""
import math
import os
import re


def page(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name), encoding="utf-8") as f:
        return f.read()


TEXT = page("README.md")
# The first program, the line that compiles and runs it, and its output.
PROGRAM = re.search(r"^```c\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]
COMPILE = re.search(r"^    (cc .*)$", TEXT, re.MULTILINE)[1]
OUTPUT = re.search(r"^prints `(.*?)`", TEXT, re.MULTILINE)[1]
KERNELS = int(re.search(r"has ([\d,]+) kernels", TEXT)[1].replace(",", ""))


def commands(text, heading):
    """The first commands after a line, indented or in a fence, without their comments. In the page that is Rust's documentation
    they are in a fence, because rustdoc compiles what is indented."""
    block = re.search(r"^%s$(?s:.*?)\n(?:((?:    .*\n)+)|```sh\n((?:(?!```).*\n)+))" % re.escape(heading), text, re.MULTILINE)
    return [line.split(" # ")[0].strip() for line in (block[1] or block[2]).splitlines()]


FIRST_MINUTE = commands(TEXT, "## The first minute")
# The pages of other languages, each with a session.
SESSION = "On a bare Debian 12, as root in the sources:"
SESSIONS = ["docs/python.md", "docs/node.md", "docs/rust.md"]
# The libraries for LD_PRELOAD.
LIBRARIES = sorted(set(re.findall(r"\blibisakern[a-z-]*\.so\b", page("docs/environment.md"))))
# The kernel that CONTRIBUTING.md adds: a table row, a source and its name, a line of an oracle.
_ADD = page("CONTRIBUTING.md").split("\n## Add a kernel\n")[1]
ROW = re.search(r"^       (\w+  .*)$", _ADD, re.MULTILINE)[1]
SOURCE_FILE, _SOURCE = re.search(r"`(src/kernels/\S+\.c)`.*?^   ```c\n(.*?)^   ```$", _ADD, re.DOTALL | re.MULTILINE).groups()
SOURCE_TEXT = re.sub(r"(?m)^   ", "", _SOURCE)
CONTRACT = re.sub(r"(?m)^ {7}", "", re.search(r"^       ## .*?(?=^\S)", _ADD, re.DOTALL | re.MULTILINE)[0])
ORACLE = re.findall(r"^       (\w+\(.*\))$", _ADD, re.MULTILINE)[0]
# The example of a packed product.
MATRICES = re.search(r"^## Matrices$.*?^```c\n(.*?)^```$", page("docs/kernels.md"), re.DOTALL | re.MULTILINE)[1]
# The same as a complete program, which prints y.
_M, _K, _N = 2, 3, 4
MATRICES_PROGRAM = """#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	enum { m = %d, k = %d, n = %d };
	float y[m * n], x[m * k], bias[n], wide[k * n];
	isk_f16 weights[k * n];

	for (int i = 0; i < m * k; i++)
		x[i] = i - 2;
	for (int i = 0; i < k * n; i++)
		wide[i] = i / 8.0F - 0.5F;
	for (int i = 0; i < n; i++)
		bias[i] = i / 2.0F;
	isk_cvt_f32_f16(weights, wide, k * n);
	%s
	for (int i = 0; i < m * n; i++)
		printf("%%g%%c", (double)y[i], i == m * n - 1 ? '\\n' : ' ');
	free(w);
	return 0;
}
""" % (_M, _K, _N, MATRICES.strip().replace("\n", "\n\t").replace("\n\t\n", "\n\n"))
# The names of the ISAs that the page lists.
_ENVIRONMENT = page("docs/environment.md").replace("ISAs of", "of")
ISAS = {architecture: re.findall(r"`(\w+)`", re.search(r"\b[Oo]f %s[^`]*: ((`\w+`\s*)+)[.;]" % name, _ENVIRONMENT)[1])
        for architecture, name in (("x86_64", "x86-64, lowest first"), ("aarch64", "AArch64"))}


def _gelu(x):
    return x / 2 * (1 + math.erf(x / math.sqrt(2)))


def first_right(output):
    """Whether the first program printed the sum of gelu(-2) ... gelu(2), with the digits of README."""
    return output == OUTPUT + "\n" and math.isclose(float(output), sum(map(_gelu, (-2, -1, 0, 1, 2))), rel_tol=1e-5)


def matrices_right(output):
    """Whether MATRICES_PROGRAM printed gelu(x * weights + bias)."""
    wanted = [_gelu(sum((i * _K + p - 2) * ((p * _N + j) / 8 - 0.5) for p in range(_K)) + j / 2)
              for i in range(_M) for j in range(_N)]
    printed = output.split()
    return len(printed) == len(wanted) and all(
        math.isclose(float(a), b, rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(printed, wanted))
