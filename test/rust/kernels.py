#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function of the crate gives what a call of C gives, with the same bits, in place as well, and refuses slices that are too short.

    kernels.py BUILD FOLDER:LIBRARY:FAMILY,...

Writes a program that makes one call of each kernel with the arguments on its standard input.
"""
import os
import shutil
import struct
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(SOURCE, "src", "rust"), os.path.join(SOURCE, "test")]
import cargo  # noqa: E402
import generate  # noqa: E402
import jobs  # noqa: E402
from tap import done, equal, ok, skip_all  # noqa: E402

BUILD, *WORDS = sys.argv[1:]
BUILD = os.path.abspath(BUILD)
MAIN = """use isakern::*;
use std::io::{Read, Write};

/// The next array of the input.
fn read<T: Copy>(input: &mut dyn Read) -> Vec<T> {
    let mut length = [0u8; 8];
    input.read_exact(&mut length).unwrap();
    let mut bytes = vec![0u8; u64::from_le_bytes(length) as usize];
    input.read_exact(&mut bytes).unwrap();
    let count = bytes.len() / std::mem::size_of::<T>();
    (0..count).map(|i| unsafe { std::ptr::read_unaligned(bytes.as_ptr().cast::<T>().add(i)) }).collect()
}

fn write<T>(output: &mut dyn Write, made: &[T]) {
    output.write_all(unsafe { std::slice::from_raw_parts(made.as_ptr().cast(), std::mem::size_of_val(made)) }).unwrap();
}

fn same<T>(one: &[T], other: &[T]) -> bool {
    let bytes = |x: &[T]| unsafe { std::slice::from_raw_parts(x.as_ptr().cast::<u8>(), std::mem::size_of_val(x)) }.to_vec();
    bytes(one) == bytes(other)
}

%s
fn main() {
    let (source, sink) = (&mut std::io::stdin().lock(), &mut std::io::stdout().lock());
%s
}
"""
BITS = {8: "u8", 16: "i16", 32: "f32", 64: "i64"}


class Call:
    """A job as a function of Rust."""

    def __init__(self, job):
        self.job = job
        self.f = generate.Function(job.library.tables, job.kernel)
        self.arguments = [a for a in job.kernel.shape.arguments if not self.f.is_hidden(a)]
        self.placement = self.f.placement()

    def element(self, a):
        t = self.f.type_of(a)
        return "u8" if a.packed else BITS[t.memory] if t.kind == "bits" else generate.pointed(t)

    def given(self, a, short):
        """An argument; one element less of the array named short."""
        if a.is_struct:
            return "None"
        if a.packed:
            return "&Packed::new(&%s, isakern_sys::ISK_%s).unwrap()" % (a.name, self.f.type_of(a).name.upper())
        if a.is_array:
            if a.name in self.job.absent:
                return "None"
            text = "&%s%s%s" % ("mut " if a.role == "out" else "", a.name, "[1..]" if a.name == short else "")
            return "Some(%s)" % text if a.null else text
        if a.role == "size":
            return str(self.job.sizes[a.name])
        return str(self.job.stride(a.name) if a.role == "stride" else self.job.values[a.name])

    def call(self, short=None):
        return "%s(%s)" % (self.job.kernel.name, ", ".join(self.given(a, short) for a in self.arguments))

    @staticmethod
    def fails(text):
        """Whether a function returns a Result."""
        return any(line.startswith("pub fn") and "Result<" in line for line in text)

    def refused(self):
        """Calls that must fail: each slice without its last element, unless its length tells a size alone."""
        checked = [a for a in self.f.arrays if self.f.check(a) and a.name not in self.job.absent and self.job.arrays[a.name]]
        return ['    assert!(%s.is_err(), "%s with a short %s");' % (self.call(a.name), self.job.kernel.name, a.name) for a in checked]

    def placed(self):
        """A call in place, behind that with two arrays, which must have the same result."""
        if not self.placement:
            return []
        out, other, strides = self.placement
        kept = [a for a in self.arguments if a is not other and a.name not in strides]
        call = "%s_in_place(%s)" % (self.job.kernel.name, ", ".join("&mut both" if a is out else self.given(a, None) for a in kept))
        return ["    let mut both = %s.clone();" % other.name, "    %s%s;" % (call, ".unwrap()" if self.fails(self.f.in_place()) else ""),
                '    assert!(same(&both, &%s), "%s_in_place");' % (out.name, self.job.kernel.name)]

    def lines(self, number):
        """The function. Refused calls come first, since they write nothing."""
        lines = ["fn call%d(source: &mut dyn Read, sink: &mut dyn Write) {" % number]
        for a in self.job.kernel.shape.arguments:
            if a.is_array and a is not self.f.packs and a.name not in self.job.absent:
                lines.append("    let %s%s: Vec<%s> = read(source);" % ("mut " if a.role == "out" else "", a.name, self.element(a)))
        lines += self.refused()
        call = self.call() + (".unwrap()" if self.fails(self.f.text()) else "")
        if self.f.packs:
            return lines + ["    write(sink, %s.bytes());" % call, "}"]
        if self.job.kernel.shape.result in ("void", "status"):
            lines.append("    %s;" % call)
        else:
            lines.append("    write(sink, &[%s]);" % call)
        return lines + self.placed() + ["    write(sink, &%s);" % a.name for a in self.outs()] + ["}"]

    def outs(self):
        return [a for a in self.f.arrays if a.role == "out" and a.name not in self.job.absent]

    def input(self):
        arrays = [self.job.arrays[a.name] for a in self.job.kernel.shape.arguments
                  if a.is_array and a is not self.f.packs and a.name not in self.job.absent]
        return b"".join(struct.pack("<Q", len(one)) + one for one in arrays)

    def expected(self):
        result, written = self.job.call()
        if self.f.packs:
            return written["packed"]
        kind = generate.write.result_type(self.job.library.tables, self.job.kernel)
        code = {"float": "f", "double": "d", "size_t": "Q", "int64_t": "q", "int32_t": "i"}.get(kind)
        returned = struct.pack("<" + code, result) if code and self.job.kernel.shape.result != "status" else b""
        return returned + b"".join(written[a.name] for a in self.outs())


if not cargo.CARGO:
    skip_all("no cargo (Debian: cargo)")
calls = [Call(job) for job in jobs.of(BUILD, WORDS)]
functions = "\n".join(line for i, call in enumerate(calls) for line in call.lines(i))
program = MAIN % (functions, "\n".join("    call%d(source, sink);" % i for i in range(len(calls))))
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    crates = shutil.copytree(os.path.join(BUILD, "src", "rust"), os.path.join(work, "rust"), ignore=shutil.ignore_patterns("target"))
    os.makedirs(os.path.join(crates, "isakern", "examples"))
    with open(os.path.join(crates, "isakern", "examples", "calls.rs"), "w", encoding="utf-8") as f:
        f.write(program)
    built = cargo.run(BUILD, crates, "build", "--example", "calls", *cargo.sleef(BUILD), text=True)
    if ok(built.returncode == 0, "the program compiles", built.stderr):
        r = cargo.run(BUILD, crates, "run", "--quiet", "--example", "calls", *cargo.sleef(BUILD),
                      input=b"".join(call.input() for call in calls))
        ok(r.returncode == 0, "each call succeeds, and none with a slice that is too short", r.stderr.decode())
        at, wrong = 0, {}
        for call in calls:
            wanted = call.expected()
            got = r.stdout[at:at + len(wanted)]
            at += len(wanted)
            wrong.setdefault(call.job.kernel.shape.name, [])
            if got != wanted:
                wrong[call.job.kernel.shape.name].append("%s\n  %s\n  %s" % (call.job.kernel.name, got[:80].hex(), wanted[:80].hex()))
        for shape, some in wrong.items():
            ok(not some, "functions of shape %s, as C has them" % shape, "\n".join(some))
        equal(at, len(r.stdout), "as many bytes as expected")
        ok(len({call.job.kernel.name for call in calls}) > 1200, "nearly all functions were called")
        print("# %d calls, %d of them in place, %d refused ones" % (len(calls), program.count("let mut both"), program.count("is_err()")))
done()
