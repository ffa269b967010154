#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The isakern command: its output, its exit status, and that its statements about calls are true.

    test_command.py ISAKERN LIBISAKERN LIBISAKERN_REF MANUAL
"""
import fcntl
import json
import math
import os
import pty
import re
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time

import target
from tap import done, ok, skip
from target import HIGHER, LOWEST

ISAKERN, LIBRARY, REFERENCE, MANUAL = (os.path.abspath(path) for path in sys.argv[1:5])
COMMANDS = ["info", "doctor", "kernels", "why", "verify", "fingerprint", "bench", "tune"]
LANES = {isa.name: isa.lanes for isa in target.ROWS}
work = tempfile.TemporaryDirectory(prefix="isakern-test-")


def environment(**variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith("ISAKERN_")}
    env.update({"LC_ALL": "C.UTF-8", "COLUMNS": "100"}, **variables)
    for name in ("NO_COLOR", "LD_PRELOAD"):
        if name not in variables:
            env.pop(name, None)
    return env


def run(*args, **variables):
    return subprocess.run([ISAKERN, *args], env=environment(**variables), capture_output=True, text=True)


def run_into(output, *args, **options):
    """The same with another standard output: a file, or None for a closed one."""
    close = {} if output else {"preexec_fn": lambda: os.close(1)}
    return subprocess.run([ISAKERN, *args], env=environment(), stdout=output, stderr=subprocess.PIPE, text=True,
                          **close, **options)


def run_json(*args, **variables):
    r = run(*args, "--json", **variables)
    try:
        return r, json.loads(r.stdout)
    except ValueError:
        return r, None


def no_terminal():
    """Why there are no pseudo-terminals; None if there are."""
    try:
        for fd in pty.openpty():
            os.close(fd)
    except OSError as error:
        return "no pseudo-terminals: %s" % error
    return None


def on_terminal(*args, columns=0, **variables):
    """What the command writes to a terminal of that width, stdout and stderr together."""
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        os.execve(ISAKERN, [ISAKERN, *args], environment(TERM="xterm", **variables))
    text = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.waitpid(pid, 0)
    os.close(fd)
    return text.decode()


def called_lanes(**variables):
    """The lanes of the variant that a call of get_vec_length reaches, asked without the command."""
    code = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).isk_get_vec_length; f.restype = ctypes.c_size_t; print(f())"
    r = subprocess.run([sys.executable, "-c", code, LIBRARY], env=environment(**variables), capture_output=True, text=True)
    return int(r.stdout)


# Declarations of the API's answers, as in <isakern/library.h>.
ANSWERS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
struct info { size_t size; const char *name, *shape, *family, *since, *bits, *error, *error_baseline, *summary; };
struct candidate { size_t size; const char *isa; void (*fn)(void); int state, bound; char reason[112]; };
"""


def interposed(name, body):
    """A library to preload that changes one answer of the API; None without a compiler."""
    source, out = os.path.join(work.name, name + ".c"), os.path.join(work.name, name + ".so")
    with open(source, "w", encoding="utf-8") as f:
        f.write(ANSWERS + body)
    r = subprocess.run([*os.environ.get("ISK_CC", "cc").split(), "-shared", "-fPIC", "-o", out, source],
                       capture_output=True, text=True)
    return out if r.returncode == 0 else None


# Help, and the errors for wrong command lines.
r = run("--help")
ok(r.returncode == 0 and all(c in r.stdout for c in COMMANDS), "--help names every command", r.stdout)
r = run()
ok(r.returncode == 2 and not r.stdout and "Usage" in r.stderr, "no command is a mistake", r)
r = run("--version")
ok(r.returncode == 0 and re.fullmatch(r"isakern \d+\.\d+\.\d+\n", r.stdout), "--version", r)
with open(MANUAL, encoding="utf-8") as f:
    manual = f.read().replace("\\-", "-")
for command in COMMANDS:
    r = run(command, "--help")
    ok(r.returncode == 0 and r.stdout.startswith("Usage: isakern %s" % command), command + " --help", r)
    options = re.findall(r"--[a-z]+", r.stdout)
    missing = [o for o in options if o not in manual and o not in ("--help", "--usage")]
    ok("--json" in options and not missing and "isakern %s" % command in manual.replace("\n.B ", " "),
       "the manual page knows %s and its options" % command, missing)
    r = run(command, "--no-such-option")
    ok(r.returncode == 2 and not r.stdout and "--no-such-option" in r.stderr, command + ": unknown option", r)
r, info = run_json("info")
ok(r.returncode == 0 and info and info["isa_current"] in [i["isa"] for i in info["isas"]], "info --json", r)
r, why = run_json("why", "exp_f32")
for args, say in ((["whi"], "did you mean why?"), (["why"], "which kernel?"), (["info", "exp_f32"], "exp_f32")):
    r = run(*args)
    ok(r.returncode == 2 and not r.stdout and say in r.stderr, " ".join(args) + ": a mistake", r)
for command in COMMANDS[2:]:
    r = run(command, "exp_f31")
    ok(r.returncode == 2 and not r.stdout and r.stderr.count("\n") == 1 and "did you mean exp_f32" in r.stderr,
       command + " exp_f31: names the nearest", r)
for name in ("gemm", "zzzzzzzzzzzzzzz", "*zz*", "", "x" * 300):
    r = run("why", name)
    suggested = re.search(r"did you mean (\w+), (\w+) or (\w+)\?", r.stderr)
    ok(r.returncode == 2 and not r.stdout and r.stderr.count("\n") == 1 and suggested
       and "isakern kernels shows all" in r.stderr, "why '%.20s': the three nearest, and how to see all" % name, r)
    ok(name != "gemm" or suggested and all(g.startswith("gemm_") for g in suggested.groups()), "what is near is", r)
r = run("verify", "exp_f32/%s%d" % (HIGHER[:-1], int(HIGHER[-1]) + 1))
ok(r.returncode == 2 and "did you mean " + HIGHER in r.stderr, "an unknown ISA", r)
r = run("bench", "exp_f32/reference")
ok(r.returncode == 2 and r.stderr.count("\n") == 1, "bench times no references", r)
r = run("verify", "exp_f32/" + next(i for i in target.ALL if i not in [c["isa"] for c in why[0]["candidates"]]))
ok(r.returncode == 2 and r.stderr.count("\n") == 1, "a variant that the kernel does not have", r)
r = run("why", "exp_f32/" + HIGHER)
ok(r.returncode == 2 and r.stderr.count("\n") == 1, "why takes kernels, not variants", r)

# The answer of each command, as JSON.
r, cpu = run_json("info", "--features")
x86_64 = target.ARCHITECTURE == "x86_64"
with open("/proc/cpuinfo", encoding="utf-8") as f:
    flags = re.search(r"^%s\s*: (.*)$" % ("flags" if x86_64 else "Features"), f.read(), re.M)
same = {"sse", "sse2", "ssse3", "fma", "avx", "avx2", "f16c", "bmi2", "aes", "avx512f", "avx512dq", "avx512bw", "avx512vl",
        "fp", "asimd", "asimddp", "atomics", "bf16", "i8mm", "sve", "sve2"}
if flags:
    flags = set(flags[1].split())
    ok(r.returncode == 0 and same & set(cpu["features"]) == same & flags and cpu["cpu"] == info["cpu"],
       "info --features: what Linux says of the CPU", (r, flags))
else:
    skip("info --features: what Linux says of the CPU", "/proc/cpuinfo is not of the CPU that is emulated")
if x86_64:
    state = "xcr0"
    xcr0 = int(cpu[state], 16)
    for bits, feature in ((0x6, "avx"), (0xe6, "avx512f"), (0x60000, "amx-tile")):
        ok(feature not in cpu["features"] or xcr0 & bits == bits, "info --features: XCR0 has the registers of " + feature, r)
else:
    state = "sve_bytes"
    ok(("sve" in cpu["features"]) == (int(cpu[state]) > 0), "info --features: bytes of a vector where there is SVE", r)
ok(not set(cpu["features"]) & set(cpu["not_enabled"]), "info --features: a feature is enabled or not", r)
r = run("info", "--features")
ok(r.returncode == 0 and state.upper() + " " + cpu[state] in r.stdout and set(cpu["features"]) <= set(r.stdout.split())
   and max(map(len, r.stdout.split("\n"))) <= 100, "info --features in lines", r)
r, kernels = run_json("kernels")
ok(r.returncode == 0 and kernels and len(kernels) == info["kernels"], "kernels --json", r)
r, why = run_json("why", "*")
in_order = [k["kernel"] for k in kernels]
ok(in_order == sorted(in_order), "kernels are in the order of their names", in_order)
ok(r.returncode == 0 and sorted(k["kernel"] for k in why) == in_order, "why --json: all kernels", r)
ok({k["kernel"]: k["bound"] for k in why} == {k["kernel"]: k["bound"] for k in kernels}, "why and kernels agree on what is bound")
sleef = os.path.join(os.path.dirname(os.path.abspath(LIBRARY)), "libisakern-sleef.so.0")
if os.path.exists(sleef):
    r = run("why", "exp_f64")
    ok(r.returncode == 2 and r.stderr.count("\n") == 1 and re.search(r"--library=/\S*libisakern-sleef\.so\S* why exp_f64$", r.stderr),
       "why names the library beside isakern, and the command", r)
else:
    skip("why names the library beside isakern", "no libisakern-sleef")
r, family = run_json("kernels", "--family=rope")
ok(r.returncode == 0 and [k["kernel"] for k in family] == [k["kernel"] for k in kernels if k["family"] == "rope"] != [],
   "kernels --family", r)
r = run("kernels", "--family=rope", "exp_f32")
ok(r.returncode == 2 and r.stderr.count("\n") == 1 and not r.stdout, "a kernel of another family than the wanted one", r)
r = run("kernels", "--family=ropes")
ok(r.returncode == 2 and r.stderr.count("\n") == 1 and not r.stdout and set(re.findall(r"\w+", r.stderr)) >= {k["family"] for k in kernels},
   "an unknown family, and all that there are", r)
r, both = run_json("kernels", "--family=rows", "--type", "f16")
ok(r.returncode == 0 and [k["kernel"] for k in both]
   == [k["kernel"] for k in kernels if k["family"] == "rows" and re.search(r"_f16(_|$)", k["kernel"])] != [], "kernels --family --type", r)
r, typed = run_json("kernels", "--type=s8")
ok([k["kernel"] for k in typed] == [k["kernel"] for k in kernels if "s8" in k["kernel"]] != [], "a type in any place of a name", r)
r = run("kernels", "--type=f15")
ok(r.returncode == 2 and r.stderr.count("\n") == 1 and not r.stdout and {"f32", "f16", "s4"} <= set(re.findall(r"\w+", r.stderr)),
   "an unknown type, and all that there are", r)
r = run("kernels", "--type=f64", "--family=rope", "exp_f32")
ok(r.returncode == 2 and r.stderr.count("\n") == 1 and not r.stdout, "no kernel of a family and a type", r)
ok(all(k["call_reaches_bound"] for k in why), "every call reaches what is said to be bound")
ok(all([c["isa"] for c in k["candidates"] if c["bound"]] == [k["bound"]] for k in why), "one variant is bound")
ok(all(c["reason"] for k in why for c in k["candidates"]), "every variant has its reason")
ok(sum(i["kernels_bound"] for i in info["isas"]) == len(kernels), "info counts every kernel once")
r, one = run_json("why", "isk_exp_f32")
ok([k["kernel"] for k in one] == ["exp_f32"], "the symbol will do for the kernel", r)
r, some = run_json("kernels", "*_f32")
ok([k["kernel"] for k in some] == [k["kernel"] for k in kernels if k["kernel"].endswith("_f32")], "patterns", r)

# Under the environment's variables, commands agree with a call.
length = next(k for k in why if k["kernel"] == "get_vec_length")
usable = [c["isa"] for c in length["candidates"] if c["state"] == "usable"]


def check(name, states, **variables):
    r, answer = run_json("why", "get_vec_length", **variables)
    answer = answer[0]
    state = {c["isa"]: c["state"] for c in answer["candidates"]}
    wrong = {isa: state[isa] for isa, wanted in states.items() if state[isa] != wanted}
    ok(r.returncode == 0 and not wrong, name + ": states", (r.stderr, answer, wrong))
    lanes = called_lanes(**variables)
    ok(lanes == LANES[answer["bound"]] and answer["call_reaches_bound"],
       "%s: a call reaches %s" % (name, answer["bound"]), (lanes, answer))
    return r, answer


check("nothing set", {})
for isa in usable:
    above = [i for i in usable if usable.index(i) > usable.index(isa)]
    r, answer = check("ISAKERN_MAX_ISA=" + isa, {i: "capped" for i in above}, ISAKERN_MAX_ISA=isa)
    ok(answer["bound"] == isa, "ISAKERN_MAX_ISA=%s binds it" % isa, answer)
    r, capped = run_json("info", ISAKERN_MAX_ISA=isa)
    ok(capped["isa_current"] == isa and capped["isa_cpu"] == info["isa_cpu"]
       and capped["environment"] == {"ISAKERN_MAX_ISA": isa}, "info under ISAKERN_MAX_ISA=" + isa, capped)
    r, answer = check("ISAKERN_BIND to " + isa, {i: "pinned" for i in usable if i != isa},
                      ISAKERN_BIND="get_vec_length=" + isa)
    ok(answer["bound"] == isa, "ISAKERN_BIND to %s binds it" % isa, answer)
for isa in usable[1:]:
    r, answer = check("ISAKERN_DISABLE=" + isa, {isa: "disabled"}, ISAKERN_DISABLE=isa)
    ok(answer["bound"] != isa, "ISAKERN_DISABLE=%s does not bind it" % isa, answer)
r = run("why", "get_vec_length", ISAKERN_MAX_ISA="avx9")
ok(r.returncode == 0 and r.stderr.count("avx9") == 1, "an unknown cap is told once, and the answer given", r)
r, answer = run_json("why", "exp_f32", LD_PRELOAD=REFERENCE)
ok(answer and not answer[0]["call_reaches_bound"] and os.path.basename(REFERENCE)[:14] in answer[0]["call_reaches"],
   "with libisakern-ref.so preloaded, why says that a call ends there", (r, answer))

# verify passes, and can fail.
r, verified = run_json("verify", "relu_f32", "--seed", "7")
ids = [v["variant"] for v in verified["variants"]] if verified else []
ok(r.returncode == 0 and verified["passed"] and not verified["wrong"] + verified["crashed"]
   and "relu_f32/reference" in ids and verified["seed"] == "7", "verify --json", (r, verified))
r, one = run_json("verify", "add_f32/" + LOWEST)
ok([v["variant"] for v in one["variants"]] == ["add_f32/" + LOWEST], "verify of a single variant", (r, one))
for seed in ("x", "", "-1", "1" * 21):
    r = run("verify", "--seed=" + seed, "relu_f32/reference")
    ok(r.returncode == 2 and not r.stdout and "--seed" in r.stderr, "verify: the seed '%s'" % seed, r)
strict = interposed("strict", """
int isk_kernel_info(size_t i, struct info *info)
{
	int (*real)(size_t, struct info *) = dlsym(RTLD_NEXT, "isk_kernel_info");
	const int status = real(i, info);
	info->error = info->error_baseline = "0.001";
	return status;
}
""")


def with_first(name, statements):
    """A library in which the first candidate of a kernel does that."""
    return interposed(name, """
#include <signal.h>
static void first(void) { %s }
int isk_candidates(const char *kernel, struct candidate *out, size_t max)
{
	int (*real)(const char *, struct candidate *, size_t) = dlsym(RTLD_NEXT, "isk_candidates");
	const int count = real(kernel, out, max);
	if (max)
		out[0].fn = first;
	return count;
}
""" % statements)


broken = with_first("broken", "*(volatile int *)8 = 1;")
killed = with_first("killed", "raise(SIGKILL);")
for name, library, kind in (("a bound that no variant keeps", strict, "wrong"), ("a crash", broken, "crashed"),
                            ("an end that no handler sees", killed, "crashed")):
    if library is None:
        skip("verify finds " + name, "no compiler")
        continue
    r, bad = run_json("verify", "exp_f32", LD_PRELOAD=library)
    ok(r.returncode == 1 and bad and bad[kind] > 0, "verify finds %s, and exits with 1" % name, (r, bad))
    r = run("verify", "exp_f32", LD_PRELOAD=library)
    again = re.search(r"again: isakern (verify --seed=\d+ '(exp_f32/\w+)')", r.stdout)
    ok(r.returncode == 1 and "failed" in r.stdout and "  in: " in r.stdout and again,
       "verify says so of %s, and how to see it again" % name, r.stdout)

# AMX does not run on a CPU without it, even if the CPU has everything else, because the command has no emulator.
no_amx = interposed("no_amx", """
#include <string.h>
int isk_candidates(const char *kernel, struct candidate *out, size_t max)
{
	int (*real)(const char *, struct candidate *, size_t) = dlsym(RTLD_NEXT, "isk_candidates");
	const int count = real(kernel, out, max);
	for (int i = 0; i < count && i < (int)max; i++) {
		if (strcmp(out[i].isa, "avx512_bf16") == 0)
			out[i].state = 0;
		if (strcmp(out[i].isa, "amx") == 0) {
			out[i].state = 3;
			strcpy(out[i].reason, "CPU lacks amx_tile");
		}
	}
	return count;
}
""")
tiles = [k["kernel"] for k in why if any(c["isa"] == "amx" and c["state"] != "not_built" for c in k["candidates"])
         and k["kernel"].startswith("gemm")]
if no_amx is None or not tiles:
    skip("verify does not run AMX that the CPU lacks", "no AMX in this build" if no_amx else "no compiler")
else:
    r, verified = run_json("verify", tiles[0] + "/amx", LD_PRELOAD=no_amx)
    ok(r.returncode == 0 and verified["not_run"] == 1
       and verified["variants"][0]["reason"] == "CPU lacks amx_tile", "verify does not run AMX that the CPU lacks", r)

# bench: JSON, table and page have the same kernels.
page = os.path.join(work.name, "bench.html")
r, bench = run_json("bench", "--quick", "relu_f32", "get_vec_length", "--html", page)
ok(r.returncode == 0 and bench and [k["kernel"] for k in bench["kernels"]] == ["relu_f32", "get_vec_length"]
   and not r.stderr, "bench --json", r)
points = [p for k in bench["kernels"] for p in k["points"]]
ok(points and all(res["ns"] > 0 and 0 < res["least_ns"] <= res["ns"] for p in points for res in p["results"]),
   "bench: times above 0, the least not above the median", bench)
ok([res["isa"] for res in bench["kernels"][1]["points"][0]["results"]] == usable, "bench times every usable variant")
with open(page, encoding="utf-8") as f:
    text = f.read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
ok(data == bench, "the page holds what --json prints")
ok(not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//|@import|url\(""", text), "the page loads nothing")
drawing = text.replace(re.search(r'<script type="application/json".*?</script>', text, re.DOTALL)[0], "")
ok(data["machine"]["isas"] == [i["isa"] for i in info["isas"]]
   and not any(re.search(r"\b%s\b" % i["isa"], drawing) for i in info["isas"]), "the page knows no ISA but by its data")
ok(not any(re.search(r"""["']%s["']""" % k["shape"], drawing) for k in kernels), "nor any shape")
# The unit, and (bytes, elements, operations) by the shape's row, for n elements or matrices of side n.
MOVED = {"exp_bf16": ("ns/element", lambda n: (4 * n, n, 0)), "add_f64": ("ns/element", lambda n: (24 * n, n, 0)),
         "dot_f64": ("ns/element", lambda n: (16 * n, n, 0)), "fma_f32": ("ns/element", lambda n: (16 * n, n, 0)),
         "cvt_f32_f16": ("ns/element", lambda n: (6 * n, n, 0)), "argmax_f32": ("ns/element", lambda n: (4 * n, n, 0)),
         "transpose_b64": ("ns/element", lambda n: (16 * n * n, n * n, 0)),
         "gemm_pack_bf16": ("GB/s", lambda n: (4 * n * n, n * n, 0)),
         "gemm_u8s8_f32": ("GFLOP/s", lambda n: (6 * n * n, n * n, 2 * n ** 3)),
         "matmul_batch_f32": ("GFLOP/s", lambda n: (12 * n * n, n * n, 2 * n ** 3))}
# One kernel of each shape.
timed = {k["shape"]: k["kernel"] for k in reversed(kernels)}
timed.update({k["shape"]: k["kernel"] for k in kernels if k["kernel"] in MOVED})
r, shapes = run_json("bench", "--quick", *("%s/%s" % (kernel, LOWEST) for kernel in timed.values()))
shapes = {k["kernel"]: k for k in shapes["kernels"]} if shapes else {}
ok(r.returncode == 0 and sorted(shapes) == sorted(timed.values())
   and all(p["results"][0]["ns"] > 0 for k in shapes.values() for p in k["points"]), "bench times every shape", r.stderr)
for kernel, (metric, count_of) in MOVED.items():
    k = shapes.get(kernel, {"points": []})
    told = [(p["bytes"], p["elements"], p["flops"]) for p in k["points"]]
    ok(told and k["metric"] == metric and told == [count_of(p["size"]) for p in k["points"]],
       "bench knows what a call of %s moves and computes" % kernel, k)
r, capped = run_json("bench", "--quick", "get_vec_length", ISAKERN_MAX_ISA=LOWEST)
ok([v["isa"] for v in capped["kernels"][0]["variants"]] == [i for i in usable if i != "amx"]
   and capped["kernels"][0]["bound"] == LOWEST, "bench times what a cap keeps from being bound", capped)
r = run("bench", "--quick", "relu_f32")
several = len([c for k in why if k["kernel"] == "relu_f32" for c in k["candidates"] if c["state"] == "usable"]) > 1
ok(r.returncode == 0 and "relu_f32" in r.stdout and ("█" in r.stdout) == several, "bench: a table, and bars of several variants", r)
lacking = ["%s/%s" % (k["kernel"], c["isa"]) for k in why for c in k["candidates"] if c["state"] in ("no_cpu", "no_os")]
if lacking:
    r = run("bench", "--quick", lacking[0])
    ok(r.returncode == 0 and lacking[0] + " is not timed: " in r.stdout, "bench names what it cannot time", r)
else:
    skip("bench names what it cannot time", "this CPU runs every variant")
for target in (os.path.join(work.name, "no", "such", "folder"), work.name):
    r = run("bench", "--quick", "relu_f32", "--html", target)
    ok(r.returncode == 1 and r.stderr.count("\n") == 1 and not r.stdout,
       "a page that cannot be written is known before anything is timed: " + os.path.basename(target), r)
r = run("bench", "--quick", "get_vec_length", "--html=")
ok(r.returncode == 2 and not r.stdout and "--html" in r.stderr, "a page without a name", r)
r = run("bench", "--quick", "get_vec_length", "--html=/dev/full")
ok(r.returncode == 1 and "/dev/full': No space left" in r.stderr and stat.S_ISCHR(os.stat("/dev/full").st_mode),
   "a page that cannot be written in the end", r)
folder = os.path.join(work.name, "pages")
os.mkdir(folder)
page, link = os.path.join(folder, "old.html"), os.path.join(work.name, "link.html")


def old_page():
    with open(page, "w", encoding="utf-8") as f:
        f.write("the old page")
    os.chmod(page, 0o640)


def page_is_old():
    with open(page, encoding="utf-8") as f:
        return f.read() == "the old page" and os.listdir(folder) == ["old.html"]


old_page()
with subprocess.Popen([ISAKERN, "bench", "--html", page], env=environment(), stdout=subprocess.PIPE) as process:
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
ok(process.returncode == -signal.SIGINT and page_is_old(),
   "interrupted, bench leaves the old page and nothing beside it", os.listdir(folder))


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


r = subprocess.run([ISAKERN, "bench", "--quick", "get_vec_length", "--html", page], env=environment(),
                   capture_output=True, text=True, preexec_fn=small_files)
ok(r.returncode == 1 and "old.html': File too large" in r.stderr and page_is_old(),
   "without room for a page, bench leaves the old one and nothing beside it", (r, os.listdir(folder)))
os.symlink(page, link)
r = run("bench", "--quick", "get_vec_length", "--html", link)
ok(r.returncode == 0 and os.path.islink(link) and os.path.getsize(page) > 1000
   and os.stat(page).st_mode & 0o777 == 0o640 and os.listdir(folder) == ["old.html"],
   "a new page in place of an old one, through a link", (r, os.listdir(folder)))

# A failed write is not a success.
for args in ([], *([c] for c in COMMANDS)):
    for option in ("--help", "--version") if not args else ("--help", "--usage"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            r = run_into(full, *args, option)
        ok(r.returncode == 1 and "standard output: No space left" in r.stderr,
           " ".join([*args, option]) + " to a full device", r)
SMALL = {"why": ["exp_f32"], "verify": ["relu_f32/reference"], "fingerprint": ["relu_f32"], "bench": ["--quick", "get_vec_length"],
         "tune": ["--quick", "get_vec_length"]}
for command in COMMANDS:
    for json_too in ([], ["--json"]):
        args = [command, *SMALL.get(command, []), *json_too]
        with open("/dev/full", "w", encoding="utf-8") as full:
            r = run_into(full, *args)
        # tune has a line of its own there, before it starts.
        lines = 2 if command == "tune" else 1
        ok(r.returncode == 1 and r.stderr.count("\n") == lines and "standard output: No space left" in r.stderr,
           " ".join(args) + " to a full device", r)
        r = run_into(None, *args)
        ok(r.returncode == 1 and r.stderr.count("\n") == lines and "standard output: Bad file descriptor" in r.stderr,
           " ".join(args) + " with standard output closed", r)
began = time.monotonic()
with open("/dev/full", "w", encoding="utf-8") as full:
    r = run_into(full, "verify", "relu_f32/reference", "gemm*")
ok(r.returncode == 1 and time.monotonic() - began < 30, "verify ends when nobody can see what it says", r)
with subprocess.Popen([ISAKERN, "kernels"], env=environment(), stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE) as process:
    process.stdout.close()
    told = process.stderr.read()
ok(process.returncode in (0, -signal.SIGPIPE) and not told, "a reader that has seen enough", (process.returncode, told))

# fingerprint: the recorded ones, at every ISA; and a wrong bit, with its place.
few = ["exp_f32", "sum_f32", "gemm_u8s8_f32", "gather_b32_s32"]
r = run("fingerprint", *few)
lines = r.stdout.splitlines()
names = [line.split()[0] for line in lines if not line.startswith("#")]
ok(r.returncode == 0 and names == sorted(few, key=[k["kernel"] for k in why].index)
   and all(re.fullmatch(r"\S+ [0-9a-f]{16}", line) for line in lines if not line.startswith("#"))
   and lines[0].startswith("# isakern ") and re.fullmatch(r"# all 4: [0-9a-f]{16}", lines[-1]),
   "fingerprint: a line a kernel, and one of all", r)
for isa in usable:
    capped = run("fingerprint", "exp_f32", "relu_f32", ISAKERN_MAX_ISA=isa)
    again = run("fingerprint", "--check", ISAKERN_MAX_ISA=isa, *few)
    left_out = ", whose bits are not promised" in again.stdout
    ok(again.returncode == 0 and left_out == (isa == "baseline") and "are the same as recorded" in again.stdout
       and capped.stdout.count("\nrelu_f32 ") == 1 and ("\nexp_f32 " in capped.stdout) == (isa != "baseline"),
       "fingerprint --check under ISAKERN_MAX_ISA=" + isa, (capped, again))
r, told = run_json("fingerprint", "--check", "--cases", "sum_f32/*", "get_vec_length/" + LOWEST)
ok(r.returncode == 0 and told["isakern"] and told["cpu"] == info["cpu"] and re.fullmatch("[0-9a-f]{16}", told["all"])
   and told["left_out"] == [{"kernel": k, "isa": LOWEST} for k in ("sum_f32", "get_vec_length") if LOWEST == "baseline" or k != "sum_f32"]
   and told["same"] == len(told["fingerprints"]) > 0 == told["differ"] + told["not_recorded"]
   and all(f["checksum"] == f["recorded"] and f["kernel"] == "sum_f32" and f["isa"] in usable and f["name"] == "sum_f32/" + f["isa"]
           for f in told["fingerprints"])
   and len(told["cases"]) > 100 and told["cases"][17]["case"].endswith("#17") and "n 2" in told["cases"][17]["call"],
   "fingerprint --json", (r, told))
other = os.path.join(work.name, "other.txt")
cases = run("fingerprint", "--cases", *few)
with open(other, "w", encoding="utf-8") as f:
    f.write(cases.stdout)
r = run("fingerprint", "--check=" + other, "--cases", "exp_f32", "sum_f32")
ok(r.returncode == 0 and r.stdout == "2 of 2 are the same as in %s\n" % other, "fingerprint --check=FILE", r)
r = run("fingerprint", "--check=" + other, "relu_f32")
ok(r.returncode == 1 and "relu_f32" in r.stdout and "is not recorded\n0 of 1" in r.stdout, "fingerprint: what is not in a file", r)
with open(other, "w", encoding="utf-8") as f:
    f.write(run("fingerprint", "--json", "--cases", *few).stdout)
r = run("fingerprint", "--check=" + other, "--cases", "exp_f32", "sum_f32")
ok(r.returncode == 0 and r.stdout == "2 of 2 are the same as in %s\n" % other, "fingerprint --check of what --json has printed", r)
flipped = interposed("flipped", """
#include <string.h>
static void (*right)(float *, const float *, size_t);
static void wrong(float *y, const float *x, size_t n)
{
	unsigned bits;

	right(y, x, n);
	if (n != 17)
		return;
	memcpy(&bits, &y[16], sizeof(bits));
	bits ^= 1;
	memcpy(&y[16], &bits, sizeof(bits));
}
int isk_candidates(const char *kernel, struct candidate *out, size_t max)
{
	int (*real)(const char *, struct candidate *, size_t) = dlsym(RTLD_NEXT, "isk_candidates");
	const int count = real(kernel, out, max);
	for (int i = 0; i < count && !strcmp(kernel, "exp_f32"); i++)
		if (out[i].bound) {
			right = (void (*)(float *, const float *, size_t))out[i].fn;
			out[i].fn = (void (*)(void))wrong;
		}
	return count;
}
""")
if not flipped or usable == ["baseline"]:
    skip("a kernel with one wrong bit", "no compiler for a library to preload, or no ISA that promises bits")
else:
    r = run("fingerprint", "--check", *few, LD_PRELOAD=flipped)
    ok(r.returncode == 1 and re.match("exp_f32 [0-9a-f]{16} differs, recorded is [0-9a-f]{16}\n3 of 4 are the same", r.stdout),
       "fingerprint --check names a kernel with one wrong bit", r)
    r = run("fingerprint", "--check=" + other, "--cases", *few, LD_PRELOAD=flipped)
    found = re.findall(r"exp_f32#(\d+) \w{16} differs, recorded is \w{16}: n 17, ", r.stdout)
    ok(r.returncode == 1 and len(found) == 6 and r.stdout.count(" differs") == 7, "and the cases that it is in", r)
    right, wrong = run("fingerprint", "--case=" + found[0], "exp_f32"), run("fingerprint", "--case=" + found[0], "exp_f32", LD_PRELOAD=flipped)
    differ = [(a, b) for a, b in zip(right.stdout.splitlines(), wrong.stdout.splitlines()) if a != b]
    ok(len(differ) == 1 and differ[0][0].startswith("exp_f32 y 16 ") and right.stdout.count("exp_f32 x ") == 17,
       "and its element", (right, wrong))
for text, said in (("exp_f32\n", "line 1: 'exp_f32' is no name"), ("# x\n\nexp_f32 12\n", "line 3: 'exp_f32"),
                   ("exp_f32 %s\n" % ("0" * 17), "line 1"), ('{"fingerprints": 3}', "is no output of isakern fingerprint --json"),
                   ('{"fingerprints": [{"name": "exp_f32"}]}', "is no output of isakern fingerprint --json"),
                   ('{"fingerprints": [', "is no output of isakern fingerprint --json"), (None, "No such file")):
    if text is None:
        os.remove(other)
    else:
        with open(other, "w", encoding="utf-8") as f:
            f.write(text)
    r = run("fingerprint", "--check=" + other, "exp_f32")
    ok(r.returncode == 1 and not r.stdout and r.stderr.count("\n") == 1 and other in r.stderr and said in r.stderr,
       "fingerprint --check of what is no record: " + said, r)
for args, status, said in ((["--case=x"], 2, "'x' is no number"), (["--case="], 2, "no number"),
                           (["--case=1", "--check"], 2, "no other option"), (["--case=100000", "exp_f32"], 2, "cases, from 0"),
                           (["--all-inputs", "sum_f32"], 1, "function of one f32")):
    r = run("fingerprint", *args)
    ok(r.returncode == status and not r.stdout and said in r.stderr, " ".join(["fingerprint", *args]), r)

if usable == ["baseline"]:
    skip("fingerprint of all inputs", "no ISA that promises all bits")
else:
    r, told = run_json("fingerprint", "--all-inputs", "--check", "trunc_f32")
    one = told["fingerprints"][0]
    ranges = one["ranges"].split()
    ok(r.returncode == 0 and one["name"] == "trunc_f32#all" and one["recorded"] == one["checksum"]
       and len(ranges) == 64 and all(re.fullmatch("[0-9a-f]{8}", part) for part in ranges) and told["same"] == 1,
       "fingerprint --all-inputs", (r, told))
    ranges[17] = "00000000"
    with open(other, "w", encoding="utf-8") as f:
        f.write("trunc_f32#all %016x %s\n" % (int(one["checksum"], 16) ^ 1, " ".join(ranges)))
    r = run("fingerprint", "--all-inputs", "--check=" + other, "trunc_f32")
    ok(r.returncode == 1 and re.match("trunc_f32#all .* differs, .*, first from input 0x44000000 on\n0 of 1 are", r.stdout),
       "and where it differs", r)

# tune finds a slow pin, its line binds the variant that it names, and a pin that is not slower stays.
r = run("tune", "exp_f32/" + HIGHER)
ok(r.returncode == 2 and r.stderr.count("\n") == 1, "tune takes kernels, not variants", r)
r, good = run_json("tune", "--quick", "get_vec_length", ISAKERN_MAX_ISA=LOWEST)
ok(r.returncode == 0 and good["bind"] is None and good["kernels"][0]["faster"] is None
   and [v["isa"] for v in good["kernels"][0]["variants"]] == [LOWEST],
   "tune times nothing that a cap keeps from being bound", (r, good))
r = run("tune", "--quick", "get_vec_length", ISAKERN_MAX_ISA=LOWEST)
ok(r.returncode == 0 and "ISAKERN_BIND" not in r.stdout and "nothing to set" in r.stdout, "tune: nothing to set", r)
slow = "exp_f32=baseline,get_vec_length=baseline"
exp = next(k for k in why if k["kernel"] == "exp_f32")
if not x86_64 or len([c for c in exp["candidates"] if c["state"] == "usable"]) < 2:
    skip("tune finds what is faster than a pin", "no other variant runs here that is known to be faster")
else:
    r, tuned = run_json("tune", "--quick", "exp_f32", ISAKERN_BIND=slow)
    found = tuned["kernels"][0] if tuned else {}
    ok(r.returncode == 0 and found["bound"] == "baseline" and found["times_as_fast"] > 1.03
       and found["faster"] not in (None, "baseline"), "tune finds what is faster than a pin", (r, tuned))
    r = run("tune", "--quick", "exp_f32", ISAKERN_BIND=slow)
    lines = [line for line in r.stdout.splitlines() if line.startswith("ISAKERN_BIND=")]
    value = lines[0].split("=", 1)[1] if lines else ""
    ok(r.returncode == 0 and len(lines) == 1 and r.stdout.splitlines()[-1] == lines[0]
       and value.endswith(",get_vec_length=baseline"), "tune ends with the line, and keeps other pins", r)
    r, bound = run_json("why", "exp_f32", "get_vec_length", ISAKERN_BIND=value)
    ok(not r.stderr and ",".join("%s=%s" % (k["kernel"], k["bound"]) for k in bound) == value
       and called_lanes(ISAKERN_BIND=value) == LANES["baseline"], "the line binds what it says", (r, value))

# tune says before it starts how long it takes, within this factor in CPU time, which other programs do not increase.
FACTOR = 2


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


for what, *args in (("kernels", "exp_*", "sum_*", "softmax_*", "gemm_f32"), ("products", "--sizes=20x20x20,300x300x300")):
    before = cpu_seconds()
    r, told = run_json("tune", "--quick", *args)
    took, wanted = cpu_seconds() - before, told["estimated_seconds"]
    ok(wanted / FACTOR < took < wanted * FACTOR, "tune says how long it takes: " + what, (took, wanted))
    ok(re.fullmatch(r"isakern tune: %d %s, about %d s\n" % (len(told[what]), what, math.ceil(wanted)), r.stderr), "before it starts", r.stderr)
with subprocess.Popen([ISAKERN, "tune"], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
    line = process.stderr.readline()
    process.kill()
ok(re.fullmatch(r"isakern tune: %d kernels, about \d+ (s|min|h \d+ min)\n" % len(kernels), line), "and of all kernels", line)

# Plans: what why says of sizes, and a profile from its measurement to the plan that follows it.
r, answer = run_json("why", "matmul_f32", "4x4x4", "300x300x300")
plans = answer[0]["plans"] if answer else []
ok(r.returncode == 0 and [p["sizes"] for p in plans] == ["4x4x4", "300x300x300"] and plans[0]["way"] == "tile"
   and all(p["isa"] == answer[0]["bound"] and p["reason"] for p in plans), "why of sizes", (r, answer))
r = run("why", "matmul_f64", "4x4x4")
ok(r.returncode == 0 and re.match("  4x4x4: tile at", r.stdout.splitlines()[-1]), "and of doubles", r)
r = run("why", "matmul_f32", "4x4x4")
ok(r.returncode == 0 and re.match("  4x4x4: tile at %s: .+$" % plans[0]["isa"], r.stdout.splitlines()[-1]), "and for people", r)
for what, *args in (
        ("why of sizes alone", "why", "4x4x4"), ("why of sizes that are none", "why", "matmul_f32", "4x4"),
        ("why of a size 0", "why", "matmul_f32", "4x4x0"),
        ("why of sizes too large", "why", "matmul_f32", "9999999999x9999999999x2"),
        ("why of sizes of another kernel", "why", "exp_f32", "4x4x4"), ("tune of no sizes", "tune", "--sizes="),
        ("tune of sizes and kernels", "tune", "--sizes=4x4x4", "exp_f32"),
        ("tune of sizes that are none", "tune", "--sizes=4x4x4,4x")):
    r = run(*args)
    ok(r.returncode == 2 and not r.stdout and 1 <= r.stderr.count("\n") <= 2, "refused: " + what, r)
r = run("tune", "--quick", "--sizes=4x4x4,5x6x7")
measured = r.stdout.splitlines()
ok(r.returncode == 0 and len(measured) == 5 and measured[2].startswith("cpu ")
   and all(re.match(r"(# )?matmul_f32 %s\b" % sizes, line) for sizes, line in zip(("4x4x4", "5x6x7"), measured[3:])),
   "tune --sizes prints a profile", r)
r = run("tune", "--quick", "--sizes=4x4x4", ISAKERN_MAX_ISA=LOWEST)
ok(r.returncode == 0 and "# Nothing above %s was tried" % LOWEST in r.stdout, "and says that it is capped", r)
r, tuned = run_json("tune", "--quick", "--sizes=4x4x4")
ok(r.returncode == 0 and tuned["products"][0]["sizes"] == "4x4x4" and tuned["products"][0]["plans"] > 1, "and as JSON", (r, tuned))
profile = os.path.join(work.name, "profile")


def way_by(*lines):
    """The way of 4x4x4 by a profile with these lines, and what is told on stderr."""
    with open(profile, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    r, answer = run_json("why", "matmul_f32", "4x4x4", ISAKERN_PROFILE=profile)
    return (answer[0]["plans"][0]["way"], r.stderr.replace(profile, "FILE")) if answer else (None, r)


here = measured[2]
if here == "cpu 0 0":
    skip("profiles", "Linux does not tell the family and model of this CPU")
else:
    choice = "matmul_f32 4x4x4 %s copied" % plans[0]["isa"]
    for what, lines, way, told in (
            ("is followed", ["# comment", "", here + " # comment", "matmul_f32 4x4x5 %s blocks" % LOWEST, choice], "copied", ""),
            ("whose first line is a choice", [choice], "tile", "1: the first line of a profile is 'cpu FAMILY MODEL'; the profile is ignored"),
            ("of another CPU", [here + "1", choice], "tile",
             "1: measured on another CPU than this one, which is '%s'; the profile is ignored" % here),
            ("with an unknown way", [here, choice.replace("copied", "fast"), choice], "copied",
             "2: no such way; there are tile, tiles, blocks, copied and columns"),
            ("with an unknown ISA", [here, choice.replace(plans[0]["isa"], "avx3")], "tile", "2: no such ISA; 'isakern info' lists all"),
            ("with an unknown kernel", [here, "matmul_f99" + choice[10:]], "tile", "2: no such kernel; there are matmul_f32 and matmul_f64"),
            ("with sizes that are none", [here, choice.replace("4x4x4", "4x4")], "tile", "2: a line of a profile is 'KERNEL MxNxK ISA WAY'"),
            ("with a long line", [here, "x" * 5000, choice], "copied", "2: a line of a profile is 'KERNEL MxNxK ISA WAY'"),
            ("with a way that the sizes do not allow", [here, choice.replace("copied", "columns")], "tile", "")):
        got = way_by(*lines)
        ok(got == (way, "isakern: FILE:%s\n" % told if told else ""), "a profile " + what, got)

# Output for people.
reason = no_terminal()
if reason:
    skip("colour and progress on a terminal, NO_COLOR", reason)
else:
    ok("\033[" in on_terminal("info"), "colour on a terminal")
    ok("\033[" not in on_terminal("info", NO_COLOR="1"), "NO_COLOR")
    ok("\r\033[K[1/" in on_terminal("verify", "relu_f32/" + LOWEST), "progress on a terminal")
ok("\033[" not in run("info").stdout, "no colour in a pipe")
# A library of 1500 kernels and 32 ISAs, one of them with twelve variants that run.
large = interposed("large", """
#include <stdio.h>
#include <string.h>
enum { KERNELS = 1500, ISAS = 32, VARIANTS = 12 };
#define REAL(f) ((__typeof(&f))dlsym(RTLD_NEXT, #f))
size_t isk_isa_count(void)
{
	return ISAS;
}
const char *isk_isa_name(size_t i)
{
	static char names[ISAS][24];
	const char *real = REAL(isk_isa_name)(i);
	if (real || i >= ISAS)
		return real;
	snprintf(names[i], sizeof(names[i]), "avx10_extended_%zu", i);
	return names[i];
}
size_t isk_kernel_count(void)
{
	return KERNELS;
}
int isk_kernel_info(size_t i, struct info *info)
{
	static char names[KERNELS][48];
	const int status = REAL(isk_kernel_info)(i, info);
	if (status == 0 || i >= KERNELS)
		return status;
	snprintf(names[i], sizeof(names[i]), "cr_dequantize_by_groups_%zu_f16", i);
	*info = (struct info){sizeof(*info), names[i], "map", "elementwise", "0.1", "same", "0.51", "1",
	                      "a kernel of which there is more to say than fits on a line of eighty columns"};
	return 0;
}
int isk_kernel_find(const char *kernel)
{
	int number;
	return sscanf(kernel, "cr_dequantize_by_groups_%d_f16", &number) == 1 ? number : REAL(isk_kernel_find)(kernel);
}
void (*isk_bound(const char *kernel))(void)
{
	return REAL(isk_bound)(strncmp(kernel, "cr_", 3) == 0 ? "relu_f32" : kernel);
}
int isk_candidates(const char *kernel, struct candidate *out, size_t max)
{
	int count = REAL(isk_candidates)(strncmp(kernel, "cr_", 3) == 0 ? "relu_f32" : kernel, out, max);
	if (strncmp(kernel, "cr_", 3) != 0 && strcmp(kernel, "relu_f32") != 0)
		return count;
	for (int i = 0; i < VARIANTS && i < (int)max; i++) {
		out[i] = out[0];
		out[i].isa = i ? isk_isa_name((size_t)(ISAS - VARIANTS + i)) : out[0].isa;
		out[i].bound = i == 0;
	}
	return VARIANTS;
}
""")


def widest(text):
    """The widest line of the layout, without sentences, which the terminal breaks."""
    return max(len(line) for line in text.splitlines() if "the fastest" not in line)


for library, name in ((None, ""), (large, ", 1500 kernels and 32 ISAs")):
    preload = {"LD_PRELOAD": library} if library else {}
    if name and library is None:
        skip("the layout of 1500 kernels", "no compiler")
        continue
    for columns in (40, 60, 80, 200):
        for command in (["info"], ["kernels"], ["why", "exp_f32"], ["verify", "add_f32", "relu_f32/reference"],
                        ["bench", "--quick", "relu_f32", "matmul_f32"], ["tune", "--quick", "get_vec_length"]):
            if columns == 40 and command[0] != "kernels" or columns == 60 and command[0] in ("info", "bench", "tune"):
                continue
            r = run(*command, COLUMNS=str(columns), **preload)
            ok(r.returncode == 0 and widest(r.stdout) <= columns, "%s in %d columns%s" % (command[0], columns, name),
               r.stdout)
    for command in (["info"], ["kernels"], ["why", "*"]):
        began = time.monotonic()
        r, answer = run_json(*command, **preload)
        ok(r.returncode == 0 and answer and time.monotonic() - began < 5, "%s --json%s" % (command[0], name), r.stderr)
if large:
    r, bench = run_json("bench", "--quick", "relu_f32", LD_PRELOAD=large)
    text = run("bench", "--quick", "relu_f32", LD_PRELOAD=large, COLUMNS="80").stdout
    ok(bench and text.count("ns/element") > 2
       and all(text.count(v["isa"]) >= 2 for v in bench["kernels"][0]["variants"]),
       "twelve variants are more than two tables", text)
    r = run("why", "cr_dequantize_by_group_1499_f16", LD_PRELOAD=large)
    ok("cr_dequantize_by_groups_1499_f16" in r.stderr and widest(r.stderr) < 240, "a name among 1500", r)
    r = run("verify", "cr_dequantize_by_groups_1499_f16", LD_PRELOAD=large)
    ok(r.returncode == 0 and "12 not run" in r.stdout and "made without that kernel" in r.stdout,
       "verify: a kernel of a newer library", r)
    r = run("bench", "cr_dequantize_by_groups_1499_f16", LD_PRELOAD=large)
    ok(r.returncode == 0 and r.stdout.count(" is not timed: this program was made without that kernel") == 12,
       "bench: a kernel of a newer library", r)
if not reason:
    terminal = on_terminal("kernels", columns=70)
    ok(widest(re.sub(r"\033\[[0-9;]*m", "", terminal)) <= 70, "the width of a terminal", terminal)
    terminal = on_terminal("kernels", COLUMNS="")
    ok(widest(re.sub(r"\033\[[0-9;]*m", "", terminal)) <= 80, "a terminal that does not tell its width", terminal)
env = environment()
del env["COLUMNS"]
r = subprocess.run([ISAKERN, "kernels"], env=env, capture_output=True, text=True)
ok(all(k["summary"] in r.stdout for k in kernels), "nothing is cut in a pipe", r.stdout)
for command in (["info"], ["why", "exp_f32"], ["kernels"], ["bench", "--quick", "relu_f32"], ["verify", "add_f32/*"],
                ["tune", "--quick", "get_vec_length"]):
    r = run(*command, LC_ALL="C", COLUMNS="70")
    ok(r.returncode == 0 and r.stdout.isascii(), "%s in the C locale is ASCII" % command[0], r.stdout)

work.cleanup()
done()
