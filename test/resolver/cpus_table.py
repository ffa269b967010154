#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every CPU of cpus.tbl is found to run the ISAs that its maker's manual implies, and a malformed table is refused."""
import sys

from cpus import CPUS, STATES, TABLE, Cpu
from kit import ISAS, Tap, run

tap = Tap()
TEST, ALL = sys.argv[1], 0xffffffff
ROW = ("A CPU with blanks  d 000306c3 7ffafbff bfebfbff 000027ab 00000000 9c000000 00000000 00000000 00000007 "
       "00000021\n")


def table(text):
    path = tap.path("table")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def check(name, path, cpus, os_enables):
    r = run([TEST, path, "%x" % os_enables])
    lines = ["%s: %s" % (c.name, ",".join(i for i in ISAS if i in c.isas(os_enables))) for c in cpus]
    wrong = ["line %d: got %s, expected %s" % (c.number, got, wanted)
             for c, got, wanted in zip(cpus, r.out.split("\n"), lines) if got != wanted]
    tap.ok(r.status == 0 and r.out.count("\n") == len(cpus) and not wrong, name,
           "%s\n%s" % ("\n".join(wrong), r.err))


# An OS that enables everything, and ones without tiles, AVX-512, AVX, anything, and each needed bit of XCR0 alone.
for xcr0 in (ALL, 0xff, 0x7, 0x3, 0, *(ALL & ~bit for bit in STATES)):
    check("every CPU of cpus.tbl, XCR0 %#x" % xcr0, TABLE, CPUS, xcr0)
# A CPU whose OS does not let programs read XCR0.
with open(TABLE, encoding="utf-8") as f:
    spr = next(l for l in f if "SapphireRapids" in l)
ecx = spr.split()[3]
blind = spr.replace(ecx, "%08x" % (int(ecx, 16) & ~(1 << 27)))
check("without OSXSAVE", table(blind), [Cpu(1, blind)], ALL)
r = run([TEST, table("# comment\n\n" + ROW), "7"])
tap.equal((r.status, r.out), (0, "A CPU with blanks: baseline,avx2\n"), "another table", r)
for text, where, reason in (
        ("# x\n\n" + ROW.replace("9c000000", "9c00000g"), 3, "hexadecimal digits: '9c00000g'"),
        (ROW.replace("9c000000", "19c000000"), 1, "hexadecimal digits: '19c000000'"),
        (ROW.replace("9c000000", "-1"), 1, "hexadecimal digits: '-1'"),
        ("name d 0\n", 1, "a row has a name and 11 numbers"),
        (ROW[len("A CPU with blanks  "):], 1, "a row has a name and 11 numbers"),
        (ROW + "x" * 2000 + "\n", 2, "too long"),
        ("# nothing\n", 1, "no CPUs")):
    path = table(text)
    r = run([TEST, path, "7"])
    tap.ok(r.status == 2 and "%s:%d: " % (path, where) in r.err and reason in r.err, "malformed: " + reason, r)
r = run([TEST, tap.path("nowhere"), "7"])
tap.ok(r.status == 2 and "nowhere: No such file" in r.err, "no such table", r)
r = run([TEST])
tap.ok(r.status == 2 and "Usage" in r.err, "no argument", r)
tap.done()
