# SPDX-License-Identifier: MIT
"""answers.tbl: the answers of each program on each architecture."""
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers.tbl")
HEAD = """# The answers of answer.py, answer.R and answer.m on Debian 12: program, case, MD5 on x86-64 and on AArch64. Where both are the
# same, the second is "same". Written by one_answer.py --record.
#
# The versions of programs and of LAPACK for which they hold:
"""
COLUMNS = {"x86_64": 0, "aarch64": 1}


def digests(said):
    """The cases in a program's output, with their digests."""
    return dict(re.findall(r"^(\S.*?) +([0-9a-f]{32})$", said, re.M))


def read():
    """Versions by program, and the digests of each (program, case)."""
    versions, rows = {}, {}
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            for line in f:
                version = re.match(r"#   ((\S+) .*)", line)
                if version:
                    versions[version[2]] = version[1]
                elif not line.startswith("#"):
                    program, case, first, second = [word.strip() for word in line.split("|")]
                    rows[program, case] = [first, first if second == "same" else second]
    return versions, rows


def of(program, architecture):
    return {case: row[COLUMNS[architecture]] for (name, case), row in read()[1].items() if name == program}


def write(versions, found, architecture):
    """Replaces the answers of an architecture; found has the digests by program."""
    kept, rows = read()
    for name, answers in found.items():
        for case, digest in answers.items():
            rows.setdefault((name, case), ["-", "-"])[COLUMNS[architecture]] = digest
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(HEAD + "".join("#   %s\n" % version for version in {**kept, **versions}.values()))
        f.writelines("%-6s | %-26s | %s | %s\n" % (*key, first, "same" if first == second else second)
                     for key, (first, second) in rows.items())
