# SPDX-License-Identifier: MIT
"""The command isakern-cc: its options, its folder, its last message."""
import argparse
import os
import re
import signal
import sys
import tempfile

import tables
from complete import complete
from compiler import Failure
from fronts import RESERVED
from own import Build


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, "isakern-cc: %s (isakern-cc --help)\n" % message)


def options_and_arguments():
    parser = Parser(prog="isakern-cc", allow_abbrev=False,
                    description="Makes a library of your own kernels. See isakern-cc(1).")
    parser.add_argument("--prefix", required=True, metavar="NAME",
                        help="the beginning of its symbols: my makes my_norm_f32")
    parser.add_argument("-o", dest="output", required=True, metavar="libNAME.so",
                        help="the library; all other files go beside it")
    parser.add_argument("--static", action="store_true", help="make libNAME.a too")
    parser.add_argument("--isa", default="all", metavar="LIST",
                        help="these ISAs, separated by commas, and the lowest one; by default all")
    parser.add_argument("--dispatch", default="auto", choices=["auto", "ifunc", "pointer"],
                        help="how symbols lead to variants; by default by indirect functions if the C library has them")
    parser.add_argument("table", metavar="TABLE.tbl")
    parser.add_argument("sources", metavar="SOURCE.c", nargs="+")
    return parser


def check_options(options):
    if not re.fullmatch(r"lib[a-z][a-z0-9]*([_-][a-z0-9]+)*\.so", os.path.basename(options.output)):
        raise Failure("-o: '%s' is no name like libmy.so: lower-case letters, digits, '_' and '-'" % options.output)
    tables.check_name(options.prefix, "prefix", "isakern-cc: --prefix", 20)
    if options.prefix == "isk":
        raise Failure("--prefix: isk is isakern's own")
    if options.prefix in RESERVED:
        raise Failure("--prefix: '%s' is a word of C or C++; it becomes a namespace, and must be a name of your own" % options.prefix)
    if not options.table.endswith(".tbl"):
        raise Failure("%s: a table NAME.tbl comes first" % options.table)
    tables.check_name(os.path.basename(options.table)[:-len(".tbl")], "table", "isakern-cc: " + options.table, 30)
    if os.path.basename(options.table) in ("generic.tbl", "parallel.tbl", "types.tbl"):
        raise Failure("%s: a header of that name is made for every library; the table needs another" % options.table)
    for source in options.sources:
        if not source.endswith(".c"):
            raise Failure("%s: sources are C, NAME.c" % source)
        if [os.path.basename(s) for s in options.sources].count(os.path.basename(source)) > 1:
            raise Failure("%s: two sources have that name" % source)
    for path in [options.table, options.table[:-len(".tbl")] + "_oracle.h"] + options.sources:
        try:
            with open(path, "rb"):
                pass
        except OSError as error:
            raise Failure("%s: %s" % (path, error.strerror)) from None


def make(argv, include):
    options = options_and_arguments().parse_args(argv)
    check_options(options)
    # Beside the output, so that complete files are moved there at once, and nothing is compiled if nothing can be written.
    try:
        work = tempfile.TemporaryDirectory(prefix=".isakern-cc-", dir=os.path.dirname(options.output) or ".")
    except OSError as error:
        raise Failure("%s: %s" % (os.path.dirname(options.output) or ".", error.strerror)) from None
    with work:
        build = Build(options, include, os.path.abspath(work.name))
        build.lay_out()
        build.read()
        build.ask_compiler()
        build.generate()
        build.compile()
        build.link()
        build.move()


def main(argv, include):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if argv[:1] == ["complete"]:
        complete(options_and_arguments(), argv[1:])
        return 0
    try:
        make(argv, include)
    except (Failure, tables.TableError) as error:
        text = str(error)
        # Messages of a compiler, or with FILE:LINE of a table, need no prefix.
        alone = isinstance(error, Failure) and "\n" not in text and not text.startswith("isakern-cc: ")
        sys.stderr.write("%s%s\n" % ("isakern-cc: " if alone else "", text))
        return 1
    except OSError as error:
        sys.stderr.write("isakern-cc: %s: %s\n" % (error.filename, error.strerror))
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0
