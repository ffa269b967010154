#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the site: pages from the tables, the headers, the Markdown files and the measurements in docs/speed. Sphinx makes
them HTML.

    make.py ROOT OUT FAMILY...

writes pages to OUT/pages and the site to OUT/html. A link that leads nowhere is an error.
"""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

ROOT, OUT, *FOLDERS = sys.argv[1:]
PAGES = os.path.join(OUT, "pages")
FAMILIES = [os.path.basename(folder) for folder in FOLDERS]
sys.path.insert(0, os.path.join(ROOT, "src", "resolve", "generate"))
import examples  # noqa: E402
import man  # noqa: E402
import sentences  # noqa: E402
import tables  # noqa: E402
import write as write_c  # noqa: E402

import matplotlib  # noqa: E402
matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402

# The pages that are written by hand, and their names on the site.
WRITTEN = {"README.md": "index", "NEWS.md": "news", "CONTRIBUTING.md": "contributing",
           "src/kernels/README.md": "adding-kernels", "src/isa/README.md": "isas", "src/resolve/README.md": "resolvers", "bench/peers/README.md": "benchmarks"}
WRITTEN.update(("docs/" + os.path.basename(p), os.path.basename(p)[:-3])
               for p in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))))
WRITTEN.update((os.path.relpath(p, ROOT), "example-" + os.path.basename(os.path.dirname(p)))
               for p in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "README.md"))))


# Names in the list of pages, for pages whose headings are clear only beside their files.
SHORT = {"accuracy": "Accuracy", "contributing": "Contributing", "benchmarks": "Benchmarks beside other libraries",
         "resolvers": "Resolvers", "isas": "Instruction sets"}


def write(name, text):
    with open(os.path.join(PAGES, name + ".md"), "w", encoding="utf-8") as f:
        f.write(text)


def contents(caption, names):
    lines = ["%s <%s>" % (SHORT[name], name) if name in SHORT else name for name in names]
    return "\n```{toctree}\n:caption: %s\n:hidden:\n\n%s\n```\n" % (caption, "\n".join(lines))


def with_links(path, text):
    """Makes links to files in WRITTEN lead to their pages, other links plain names, and names of manual pages links."""
    def link(match):
        words, target = match.groups()
        if re.match("https?:|#", target):
            return match[0]
        file = os.path.normpath(os.path.join(os.path.dirname(path), target.split("#")[0]))
        if file in WRITTEN:
            return "[%s](%s.md)" % (words, WRITTEN[file])
        return "`%s`" % file

    def family(match):
        name = match[1]
        return "[`isakern_%s`](family-%s.md)" % (name, name) if name in FAMILIES else match[0]
    text = re.sub(r"\[([^]]+)\]\(([^)]+)\)", link, text)
    return re.sub(r"^\| `isakern_.*? \|", lambda cell: re.sub(r"`(?:isakern)?_(\w+)`", family, cell[0]), text, flags=re.M)


def paragraphs(lines):
    """The plain text of a comment, in which marks of Markdown are escaped."""
    text = "\n".join(lines).strip()
    return re.sub(r"([\\`*_<>|\[\]])", r"\\\1", text)


def names_of(kernels):
    """(operation, its kernels, the types in their names) for each operation."""
    by_op = collections.defaultdict(list)
    for k in kernels:
        by_op[k.op].append(k)
    for op, some in by_op.items():
        yield op, some, [k.name[len(op) + 1:] for k in some if k.name != op]


def by_type(values):
    """The value if all types have the same one; otherwise each value with its types."""
    types = collections.defaultdict(list)
    for kind, value in values:
        types[value].append(kind)
    return next(iter(types)) if len(types) == 1 else "; ".join("%s: %s" % (", ".join(k), v) for v, k in types.items())


def kernel_table(kernels):
    lines = ["| kernel | computes | types | error | bits | shape |", "|---|---|---|---|---|---|"]
    for op, some, types in names_of(kernels):
        errors = [k.error if k.error == k.baseline else "%s (baseline %s)" % (k.error, k.baseline) for k in some]
        lines.append("| `isk_%s` | %s | %s | %s | %s | %s |" % (
            op, paragraphs([some[0].summary]), ", ".join(types), by_type(zip(types or [""], errors)),
            by_type(zip(types or [""], (k.bits for k in some))), ", ".join(dict.fromkeys(k.shape.name for k in some))))
    return "\n".join(lines)


def operation(entry, about):
    """A heading that the search finds, the prototypes of all types, the contract, and an example."""
    names = [name for k in entry.kernels for name in (k.name, "isk_" + k.name)] + (entry.ops if len(entry.ops) > 1 else [])
    signatures = [write_c.signature(about.library, k, "isk_" + k.name) + ";" for k in entry.kernels]
    lines = ["```{index} " + ", ".join(dict.fromkeys(names)), "```", "", "## " + ", ".join(entry.ops), ""]
    lines += [paragraphs([entry.whole_definition()]), "", "```c", *signatures, "```", ""]
    lines += ["- " + paragraphs([note]) for note in entry.whole_notes()]
    lines += ["- " + paragraphs([told]) for told in sentences.promises(about.library, entry, entry.kernels)]
    example = examples.Example(entry.kernels[0], entry, about.library)
    return lines + ["", "```c", example.text, "```", ""]


def family_page(family, about):
    lines = ["# " + about.contract.title, "", "```c", "#include <isakern/%s.h>" % family.name, "```", ""]
    for text in about.contract.general:
        lines += [paragraphs([text]), ""]
    for texts in {id(texts): texts for texts in about.contract.shapes.values()}.values():
        names = [name for name, own in about.contract.shapes.items() if own is texts]
        lines += ["**Kernels of the shape%s %s**" % ("s" if len(names) > 1 else "", sentences.listed(names)), ""]
        lines += ["- " + paragraphs([text]) for text in texts] + [""]
    lines += ["## Kernels", "", kernel_table(family.kernels), ""]
    for entry in about.contract.entries:
        lines += operation(entry, about)
    if about.types:
        lines += ["## Types and functions", "", "```c", about.types, "```", ""]
    lines += ["## Examples", ""] if about.examples else []
    for example in about.examples:
        lines += ["```c", example, "```", ""]
    write("family-" + family.name, "\n".join(lines))


def porting_page(library):
    lines = ["# Porting from", "", "This page names the kernels of isakern for functions of other libraries, and the "
             "differences. Outputs come first here. Sizes and strides are counts of elements.", ""]
    for origin in tables.read_porting(os.path.join(tables.SRC, "kernels", "porting.tbl"), library):
        lines += ["## " + origin.name[0].upper() + origin.name[1:], "", paragraphs([origin.note]), "",
                  "| there | here | difference |", "|---|---|---|"]
        for port in origin.ports:
            theirs = ", ".join("`%s`" % name for name in port.theirs)
            ours = ", ".join("`isk_%s`" % op for op in port.ours)
            lines.append("| %s | %s | %s |" % (theirs, ours, paragraphs([port.difference])))
        lines.append("")
    write("porting", "\n".join(lines))


def plot(run, name):
    """Plots for each group how many times as fast as the best peer isakern is: a dot for each row, a bar for the geometric
    mean. The plot is narrow enough for a telephone."""
    groups = [g for g in run["groups"] if g["x"]][::-1]
    figure, axes = pyplot.subplots(figsize=(4.8, 0.21 * len(groups) + 0.7))
    for i, group in enumerate(groups):
        rows = [row[6] for row in run["rows"] if row[0] == group["group"]]
        axes.plot(rows, [i] * len(rows), "o", color="#9aa7b5", markersize=3, alpha=0.6)
        color = "#1f8a4c" if group["x"] >= 1 else "#c0392b"
        axes.plot([group["x"]] * 2, [i - 0.35, i + 0.35], color=color, linewidth=3)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(ticker.LogLocator(base=4, numticks=20))
    axes.xaxis.set_major_formatter(lambda x, _: "%g" % x if x >= 1 else "1/%g" % (1 / x))
    axes.tick_params(labelsize=9)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(groups)), ["%s (%d)" % (g["group"], g["rows"]) for g in groups])
    axes.set_ylim(-0.7, len(groups) - 0.3)
    axes.set_xlabel("times as fast as the best peer")
    figure.tight_layout()
    figure.savefig(os.path.join(PAGES, name + ".svg"))
    pyplot.close(figure)


def speed_page():
    lines = ["# Speed", "", "`build/bench/peers/peers` times isakern beside other libraries in one process, interleaved, on one "
             "thread, with operands warm; peers whose errors are above 4 ulp do not count. Each dot is a measurement, each "
             "bar the geometric mean of a [group](benchmarks.md). Left of the line, the best peer is faster.", ""]
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "speed", "*.json"))):
        with open(path, encoding="utf-8") as f:
            run = json.load(f)
        name = os.path.basename(path)[:-5]
        plot(run, name)
        lines += ["## %s: %s, %s" % (name, run["cpu"], run["isa_current"]), "",
                  "![times the best peer, by group](%s.svg)" % name, "",
                  "; ".join(told if peer in told else "%s %s" % (peer, told) for peer, told in run["peers"].items())
                  + ". Peaks: %s." % run["peaks"], "",
                  "Measurements below 0.9 times the best peer:", "",
                  "| kernel | shape | rate | best peer | times |", "|---|---|---|---|---|"]
        for _, kernel, shape, rate, unit, peer, x in sorted(run["rows"], key=lambda row: row[6]):
            if x < 0.9:
                lines.append("| %s | %s | %.4g %s | %s | %.2f |" % (kernel, shape, rate, unit, peer, x))
        lines.append("")
    write("speed", "\n".join(lines))


def small_page():
    """The programs of examples/small, each below the title in its head."""
    lines = ["# Small programs", "", "Files of `examples/small`. The head of each has the line that compiles it.", ""]
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "small", "*.c"))):
        with open(path, encoding="utf-8") as f:
            lines += ["## " + os.path.basename(path), "", "```c", f.read().split("\n", 1)[1].rstrip(), "```", ""]
    write("example-small", "\n".join(lines))


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    os.makedirs(PAGES)
    library = tables.Library([os.path.abspath(f) for f in FOLDERS])
    for family in library.families:
        family_page(family, man.Family(family, library))
    porting_page(library)
    speed_page()
    small_page()
    toc = (contents("Using it", sorted(name for path, name in WRITTEN.items() if path.startswith("docs/") and name != "accuracy")
                    + ["porting", "accuracy", "speed"])
           + contents("Kernels", ["%s <family-%s>" % (f.name, f.name) for f in library.families])
           + contents("Examples", ["example-small"] + sorted(name for name in WRITTEN.values() if name.startswith("example-")))
           + contents("Working on it", ["contributing", "adding-kernels", "isas", "resolvers", "benchmarks", "news"]))
    for path, name in WRITTEN.items():
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            write(name, with_links(path, f.read()) + (toc if name == "index" else ""))
    html, here = os.path.join(OUT, "html"), os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", here, "-b", "html", PAGES, html], check=True)
    print(os.path.join(html, "index.html"))


if __name__ == "__main__":
    main()
