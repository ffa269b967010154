#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The environment is heeded, and the right variant bound, however a program is linked and loaded."""
import os
import shutil
import struct

from kit import BUILT, FEATURES, HERE, IFUNC, INCLUDE, ISAS, KERNELS, LANES, LINK, SHARED, STATIC, Tap, host_isas, run, top

tap = Tap()
HOST = [i for i in host_isas() if i in BUILT]
NATURAL = top(HOST, KERNELS["get_vec_length"].isas)
NATURAL_RELU = top(HOST, KERNELS["relu_f32"].isas)
LOW = "avx2" if "avx2" in HOST and NATURAL != "avx2" else "baseline"
PROBE = os.path.join(HERE, "probe.c")
LOADER = os.path.join(HERE, "loader.c")
BASE = ["-O1", "-Wall", "-Wextra", "-Werror"] + INCLUDE


def expect(name, command, env, length, relu, current, before=None, slots=True, say=None,
           cpu=top(host_isas())):
    r = run(command, **env)
    v = r.values()
    want = {"early": current, "current": current, "cpu": cpu, "lanes": LANES[length],
            "bound_length": length, "bound_relu": relu, "right": "1"}
    # Slots hold entries then, so ld.so has no resolver to warn of.
    slots, before, say = (slots, before, say) if IFUNC else (False, None, None)
    if slots:
        want.update(length=length, relu=relu)
    if before:
        want["before"] = length if before == "bound" else before
    if v.get("address") not in (None, "unbound"):
        want["address"] = relu
    wrong = {k: (v.get(k), w) for k, w in want.items() if v.get(k) != w}
    if say and say not in r.err:
        wrong["stderr"] = "no '%s'" % say
    if r.status != 0:
        wrong["status"] = r.status
    tap.ok(not wrong, name, "%s\nwrong (got, expected): %r\n%s" % (command, wrong, r))


def matrix(name, command, before=None, slots=True, say=None, **env):
    """One mode of linking: no variable, a cap, a list of disabled ISAs, a pin."""
    above = ",".join(ISAS[ISAS.index(LOW) + 1:])
    for what, extra, length, relu, current in (
            ("", {}, NATURAL, NATURAL_RELU, top(HOST)),
            (" MAX_ISA", {"ISAKERN_MAX_ISA": LOW}, LOW, LOW, LOW),
            (" DISABLE", {"ISAKERN_DISABLE": above}, LOW, LOW, LOW),
            (" BIND", {"ISAKERN_BIND": "get_vec_length=" + LOW}, LOW, NATURAL_RELU, top(HOST))):
        expect(name + what, command, dict(env, **extra), length, relu, current, before, slots, say)


if NATURAL == LOW:
    tap.skip("link matrix", "this CPU or build has baseline alone: no cap can be told from no cap")
    tap.done()

# Programs.
exe = {
    "lazy": ["-fPIE", "-pie", "-Wl,-z,lazy"],
    "now": ["-fPIE", "-pie", "-Wl,-z,now"],
    "nopie": ["-fno-pie", "-no-pie", "-Wl,-z,now"],
    "nopie-address": ["-fno-pie", "-no-pie", "-Wl,-z,lazy", "-DPROBE_ADDRESS"],
    "address": ["-fPIE", "-pie", "-Wl,-z,lazy", "-DPROBE_ADDRESS"],
    "copy": ["-fno-pie", "-no-pie", "-Wl,-z,now", "-DPROBE_ENVIRON"],
    "noplt": ["-fPIE", "-pie", "-fno-plt"],
}
for name, flags in exe.items():
    exe[name] = tap.cc(name, PROBE, *BASE, *flags, *LINK)
matrix("lazy", exe["lazy"], "unbound")
matrix("BIND_NOW", exe["now"], "bound")
matrix("LD_BIND_NOW", exe["lazy"], "bound", LD_BIND_NOW="1")
matrix("non-PIE", exe["nopie"], "bound")
matrix("non-PIE, address taken", exe["nopie-address"])
matrix("PIE, address taken", exe["address"], "unbound")
matrix("copy relocation of environ", exe["copy"], "bound")
matrix("-fno-plt", exe["noplt"], "bound")
ld_so = "/lib64/ld-linux-x86-64.so.2"
matrix("direct ld.so", [ld_so, exe["now"]], "bound")
matrix("direct ld.so, lazy", [ld_so, exe["lazy"]], "unbound")
matrix("LD_BIND_NOT", exe["lazy"], "unbound", slots=False, LD_BIND_NOT="1")

# Static programs, whose slots have no names: the number of lanes tells which variant a call reaches.
with_archive = [PROBE, *BASE, "-DPROBE_STATIC", *STATIC]
static = {
    "static": tap.cc("static", "-static", "-fno-pie", *with_archive),
    "static-pie": tap.cc("static-pie", "-static-pie", "-fPIE", *with_archive),
    "archive in a dynamic program": tap.cc("archive", "-fPIE", "-pie", "-Wl,-z,now", *with_archive),
}
for name, program in static.items():
    matrix(name, program, slots=False)

# Loaded libraries.
library = tap.cc("libprobe.so", PROBE, *BASE, "-DPROBE_LIBRARY", "-fPIC", "-shared", "-Wl,-z,lazy", *LINK)
library_now = tap.cc("libprobe_now.so", PROBE, *BASE, "-DPROBE_LIBRARY", "-fPIC", "-shared", "-Wl,-z,now",
                     *LINK)
loader = tap.cc("loader", LOADER, *BASE, "-ldl")
matrix("dlopen lazy", [loader, "lazy", library], "unbound")
matrix("dlopen now", [loader, "now", library], "bound")
matrix("dlmopen", [loader, "new", library], "bound")
matrix("LD_PRELOAD importer", [loader, "global"], "bound", LD_PRELOAD=library_now)
for how in ("lazy", "now"):
    expect("dlopen %s after setenv of a new variable" % how, [loader, "ISAKERN_MAX_ISA=" + LOW, how, library],
           {},
           LOW, LOW, LOW)
    expect("dlopen %s after setenv of an existing variable" % how,
           [loader, "ISAKERN_MAX_ISA=" + LOW, how, library], {"ISAKERN_MAX_ISA": NATURAL}, LOW, LOW, LOW)
    expect("dlopen %s after unsetenv" % how, [loader, "-ISAKERN_MAX_ISA", how, library],
           {"ISAKERN_MAX_ISA": LOW}, NATURAL, NATURAL_RELU, top(HOST))

# Unloaded and loaded again, the library reads the environment again.
expect("dlclose, setenv, dlopen: before", ["sh", "-c",
                                           "%s again %s ISAKERN_MAX_ISA=%s | head -1" % (loader, library,
                                                                                         LOW)],
       {}, NATURAL, NATURAL_RELU, top(HOST))
expect("dlclose, setenv, dlopen: after", [loader, "again", library, "ISAKERN_MAX_ISA=" + LOW], {}, LOW, LOW,
       LOW)

# LD_AUDIT: a module that only watches, and one that is linked to isakern itself.
AUDIT = os.path.join(HERE, "audit.c")
audit = tap.cc("audit.so", AUDIT, *BASE, "-fPIC", "-shared")
audit_probe = tap.cc("audit_probe.so", AUDIT, *BASE, "-DAUDIT_PROBE", "-fPIC", "-shared", library_now,
                     "-Wl,-rpath," + tap.dir)
matrix("LD_AUDIT lazy", exe["lazy"], "unbound", LD_AUDIT=audit)
matrix("LD_AUDIT now", exe["now"], "bound", LD_AUDIT=audit)
matrix("LD_AUDIT module that uses isakern", "/bin/true", "bound", LD_AUDIT=audit_probe)

# The library is not relocated yet. ld.so says so, and calls the resolver all the same.
importer = tap.cc("libimporter.so", PROBE, *BASE, "-DPROBE_LIBRARY", "-fPIC", "-shared", "-Wl,-z,now")
matrix("preload order", [loader, "global"], "bound", say="for IFUNC symbol",
       LD_PRELOAD=SHARED + " " + importer)


def need_also(source, target, suffix):
    """A copy of a library with one more DT_NEEDED, whose name must be the end of a string in it."""
    with open(source, "rb") as f:
        data = bytearray(f.read())
    sections, = struct.unpack_from("<Q", data, 0x28)
    count, = struct.unpack_from("<H", data, 0x3c)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, sections + 64 * i) for i in range(count)]
    dynamic = next(h for h in headers if h[1] == 6)
    strings = headers[dynamic[6]]
    name = data.index(suffix.encode() + b"\0", strings[4], strings[4] + strings[5]) - strings[4]
    entry = dynamic[4]
    while struct.unpack_from("<Q", data, entry)[0]:
        entry += 16
    assert entry + 32 <= dynamic[4] + dynamic[5], "no room for another entry"
    struct.pack_into("<QQ", data, entry, 1, name)
    with open(target, "wb") as f:
        f.write(data)


os.mkdir(tap.path("circular"))
need_also(SHARED, tap.path("circular", "libisakern.so.0"), "isakern.so.0")
without_proc = os.geteuid() == 0 and shutil.which("unshare") and run(
    ["unshare", "-m", "umount", "-l", "/proc"]).status == 0
# The importer's soname is the end of "libisakern.so.0".
for name, lazy in (("now", "now"), ("noplt", "now"), ("lazy", "lazy")):
    circular = tap.cc("circular/isakern.so.0", PROBE, *BASE, "-DPROBE_LIBRARY", "-DPROBE_ADDRESS", "-fPIC",
                      "-shared",
                      "-Wl,-z," + lazy, "-Wl,-soname,isakern.so.0", "-Wl,-rpath,$ORIGIN",
                      tap.path("circular", "libisakern.so.0"),
                      *(["-fno-plt"] if name == "noplt" else []))
    program = tap.cc("circular-" + name, LOADER, *BASE, "-DLINKED", circular,
                     "-Wl,-rpath," + tap.path("circular"), "-Wl,-rpath-link," + tap.path("circular"),
                     "-Wl,--allow-shlib-undefined")
    matrix("circular NEEDED, " + name, program, say="for IFUNC symbol")
    expect("circular NEEDED, %s, long environment" % name, program,
           dict({"FILLER_%d" % i: "x" * (17 * i) for i in range(60)}, ISAKERN_MAX_ISA=LOW, LAST="y" * 5000),
           LOW, LOW, LOW)
    if without_proc:
        # Entries are called after everything is relocated.
        expect("circular NEEDED, %s, no /proc: runs, %scapped" % (name, "un" if IFUNC else ""),
               ["unshare", "-m", "sh", "-c", "umount -l /proc && exec " + program], {"ISAKERN_MAX_ISA": LOW},
               *((NATURAL, NATURAL_RELU, top(HOST)) if IFUNC else (LOW, LOW, LOW)))
    else:
        tap.skip("circular NEEDED, %s, no /proc" % name, "only root can take /proc away, and not in every container")

# Features that GLIBC_TUNABLES hides stay hidden.
for name, program in [(n, exe[n]) for n in ("lazy", "now")] + list(static.items()):
    slots = name not in static
    expect("GLIBC_TUNABLES -AVX2, " + name, program, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"},
           "baseline", "baseline", "baseline", slots=slots, cpu="baseline")
    if "avx512" in HOST:
        low = top([i for i in HOST if "avx512f" not in FEATURES[i]])
        expect("GLIBC_TUNABLES -AVX512F, " + name, program, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F"},
               low, top([low, "avx2"], KERNELS["relu_f32"].isas), low, slots=slots, cpu=low)
    else:
        tap.skip("GLIBC_TUNABLES -AVX512F, " + name, "no AVX-512 on this machine")

expect("empty environment", ["/usr/bin/env", "-i", exe["now"]], {}, NATURAL, NATURAL_RELU, top(HOST))
tap.done()
