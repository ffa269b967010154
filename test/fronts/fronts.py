#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generic names in C and overloads in C++. Each calls the right kernel with its arguments, and takes no more code than a
call by name. Calls that fit no kernel do not compile. Programs run with the real library.

    fronts.py first|all SOURCE BUILD LIBISAKERN FAMILY...

`first` is for the fast suite, because each compiler and standard takes seconds for the calls of all kernels: the first compiler
with one standard.
"""
import os
import re
import subprocess
import sys
import tempfile

WHICH, SOURCE, BUILD, SHARED, *FAMILIES = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(SOURCE, "src", "resolve", "generate"), os.path.join(SOURCE, "test")]
import calls  # noqa: E402
import objects  # noqa: E402
import target  # noqa: E402
from tap import done, ok, skip  # noqa: E402
from target import C, CPP  # noqa: E402

if WHICH == "first":
    C, CPP = C[:1], CPP[:1]

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
INCLUDE = ["-I" + HERE, "-I" + os.path.join(SOURCE, "include")] + [
    "-I" + os.path.join(BUILD, "src", "gen", name, "include") for name in ("isakern", "isakern-sleef")]
LIBRARY = [SHARED, "-Wl,-rpath," + os.path.join(BUILD, "src")]


def run(*command, **env):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISAKERN_", "LD_"))}
    # A compiler may have options of its own.
    words = command[0].split() if command[0] in C + CPP else command[:1]
    r = target.run([*words, *command[1:]], env={**kept, **env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout


def put(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def program(name, command, *caps):
    """Compiles a program, and runs it uncapped and under each cap."""
    path = os.path.join(WORK, "program")
    status, said = run(*command, *INCLUDE, "-o", path, *LIBRARY)
    if not ok(status == 0, name + " compiles without a warning", said):
        return
    for env in {}, *({"ISAKERN_MAX_ISA": cap} for cap in caps):
        status, said = run(path, **env)
        ok(status == 0, " ".join([name, "is right", *env.values()]), "exit status %d\n%s" % (status, said))


def code(path):
    """The instructions of each function, with their relocations."""
    said = run(objects.binutil("objdump", target.ARCHITECTURE), "-d", "-r", "--no-show-raw-insn", path)[1]
    return {name: re.findall(r"^\s*[0-9a-f]+:\s*(?!nop|xchg   %ax,%ax|cs nop|data16)(\S.*?)(?:[0-9a-f]+ <.*)?$", body, re.M)
            for name, body in re.findall(r"<f_(\w+)>:\n((?:.+\n)*)", said)}


def same_code(name, calls_of, compiler, text, plain):
    """Each function must be, instruction for instruction, a call of the kernel by its name."""
    path = os.path.join(WORK, "code.o")
    status, said = run(*compiler, "-O2", "-c", *INCLUDE, put("code." + ("c" if "-std=c11" in compiler else "cpp"), text), "-o", path)
    if not ok(status == 0, name + " compiles", said):
        return
    have = code(path)
    other = [c.k.name for c in calls_of if not have.get(c.k.name) or have[c.k.name] != plain.get(c.k.name)]
    ok(have and not other, "%s: the code of %d calls is that of calls by name" % (name, len(have)),
       "\n".join("%s: %s\n  not %s" % (n, have.get(n), plain.get(n)) for n in other[:3]))


def refuses(compiler, standard, path):
    """Each line of a file that begins with (void) must be an error. Compilers report lines of calls, where macros are
    expanded."""
    said = run(compiler, standard, "-fsyntax-only", *(["-Werror=implicit-function-declaration"] if compiler in C else []),
               "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0", *INCLUDE, path)[1]
    lines = {int(n) for n in re.findall(re.escape(os.path.basename(path)) + r":(\d+):", said)}
    with open(path, encoding="utf-8") as f:
        bad = {i: line for i, line in enumerate(f, 1) if line.startswith("(void)")}
    ok(bad.keys() <= lines, "%s refuses %d calls that fit no kernel, or several" % (compiler, len(bad)),
       "".join(line for i, line in bad.items() if i not in lines))


OWN_FAMILY = {
    "kernels.tbl": "xor    map      f32  odd.c  vector  same  exact  1.0  a word of C++\n"
                   "twice  map      f32  odd.c  vector  same  exact  1.0  without a factor\n"
                   "twice  by       f64  odd.c  vector  same  exact  1.0  with one\n"
                   "piece  measured f32  odd.c  vector  same  exact  1.0  as a struct says\n",
    "shapes.tbl": "measured T void one y out T[image of about]; x in T[image of about]; about in odd_about\n"
                  "by       T void one y out T[n]; x in f32[n]; n size; factor f32\n",
    "odd.h.in": "#include <isakern/types.h>\nstruct odd_about;\n@KERNELS@\n", "oracle.h": "", "odd.c": ""}

# A struct isk_post filled in by C, and the same by the builder of C++.
PARAMETERS = "(float *y, const float *x, const void *w, const float *bias, const float *other, size_t n)"
POST_IN_C = """#include <isakern.h>
int f_post%s;
int f_post%s
{
	struct isk_post post = {0};

	post.size = sizeof(post);
	post.bias = bias;
	post.act = ISK_ACT_GELU;
	post.act_a = post.act_b = 0;
	post.binary = ISK_BINARY_ADD;
	post.other = other;
	post.ldother = n;
	return isk_gemm_f32(y, x, w, n, n, n, n, n, &post);
}
""" % (PARAMETERS, PARAMETERS)
POST_IN_CPP = """#include <isakern.hpp>
extern "C" int f_post%s
{
	return isk::gemm(y, x, isk::packed<float>(w), n, n, n, n, n,
	                 isk::post().bias({bias, n}).act(ISK_ACT_GELU).add(other, n)).status();
}
""" % PARAMETERS

CALLS = calls.all_calls(FAMILIES)
reached, refused = calls.by_generic_name(CALLS)
in_spans = [c for c in CALLS if c.has_spans()]
by_shape = {}
for call in in_spans:
    by_shape.setdefault(call.k.shape.name, call)

STUBS = "".join(c.stub() for c in CALLS)
MAIN = '\tprintf("%%d calls\\n", looked_at);\n\treturn wrong || looked_at != %d;\n}\n'


def checked(call, words):
    return '\t%s;\n\texpect("%s", "%s", %s);\n' % (words, words.replace('"', ""), call.k.name, call.expected())


with tempfile.TemporaryDirectory(prefix="isakern-test-") as WORK:
    generic = put("generic.c", '#include <isakern_generic.h>\n#include "notes.h"\n%s\nint main(void)\n{\n'
                  "\tstruct isk_conv conv = {.size = sizeof(conv)};\n\n\t(void)conv;\n%s" % (
                      STUBS, "".join(checked(c, "(void)" + c.c()) for c in reached)) + MAIN % len(reached))
    bad = put("refused.c", "#include <isakern_generic.h>\nstruct eight { int half[2]; };\nvoid *at(int);\nvoid f(struct isk_conv conv) {\n"
              + "".join("(void)%s;\n" % c.c() for c in refused)
              + "float *x = at(0); const float *in = at(1); void *any = at(2); double *d = at(3);\n"
              + "".join("(void)%s;\n" % line for line in ("isk_exp(in, x, 1)", "isk_copy(in, x, 1)", "isk_copy(x, any, 1)",
                                                       "isk_copy(d, x, 1)", "isk_add(x, x, d, 1)", "isk_exp(d, d, 1)")) + "}\n")
    bad_cpp = put("refused.cpp", "#include <isakern.hpp>\n#include <vector>\nvoid f(std::vector<float> &x, const std::vector<float> &in, "
                  "std::vector<double> &d, std::uint16_t *h, void *any) {\n"
                  + "".join("(void)%s;\n" % line for line in (
                      "isk::exp(in, x)", "isk::exp(x.data(), d.data(), 1)", "isk::exp(d, d)", "isk::exp(h, h, 1)", "isk::copy(in, x)",
                      "isk::copy(d, x)", "isk::copy(any, any, 1)", "isk::add(x, x, d)", "isk::exp(std::vector<float>(1), x)",
                      "isk::gemm(x, x, any, 1, 1, 1, 1, 1, nullptr)", "isk::gemm(x, x, isk::packed<double>(any), 1, 1, 1, 1, 1, nullptr)"))
                  + "}\n")
    for compiler in C:
        if not target.has(compiler):
            skip("generic names, " + compiler, "no %s here" % compiler)
            continue
        program("generic names, %s: %d calls" % (compiler, len(reached)), [compiler, "-std=c11", *STRICT, generic])
        refuses(compiler, "-std=c11", bad)
    ok(reached and refused, "there are both")

    # The same in C++, with spans that are too short.
    short = [(c, a) for c in by_shape.values() for a in c.may_be_short()]
    body = "".join(checked(c, "static_cast<void>(%s)" % c.by_pointers()) for c in CALLS)
    body += "".join(checked(c, "static_cast<void>(%s)" % c.by_spans()) for c in in_spans)
    body += "".join('\tFAILS(%s);\n\texpect("%s, %s too short", "nothing", 0);\n' % (c.by_spans(a), c.k.name, a.name) for c, a in short)
    overloads = put("overloads.cpp", '#include <isakern.hpp>\n#include "notes.h"\n#include "fails.hpp"\n%s\nint main()\n{\n'
                    "\tisk_conv conv = isk::convolution();\n\n\t%s\n%s" % (STUBS, calls.CONV, body) + MAIN % (len(CALLS) + len(in_spans) + len(short)))
    for compiler in CPP:
        if not target.has(compiler):
            skip("overloads, " + compiler, "no %s here" % compiler)
            continue
        refuses(compiler, "-std=c++17", bad_cpp)
        for options in (["-std=c++17"], ["-std=c++20", "-DISAKERN_ERRORS_ARE_VALUES", "-fno-exceptions"])[:1 if WHICH == "first" else 2]:
            program("overloads, %s %s: %d calls" % (compiler, " ".join(options), len(CALLS) + len(in_spans) + len(short)),
                    [compiler, *options, *STRICT, overloads])

    # With the library itself.
    sleef = os.path.join(BUILD, "src", "libisakern-sleef.so")
    for compiler in C + CPP:
        sources = ["library.cpp", "values.cpp"] if compiler in CPP else ["library.c"]
        name = "%s, %s" % (sources[0], compiler)
        if not target.has(compiler):
            skip(name, "no %s here" % compiler)
            continue
        more = [os.path.join(HERE, source) for source in sources] + (["-DWITH_SLEEF", sleef] if os.path.exists(sleef) else [])
        program(name, [compiler, "-std=c++17" if compiler in CPP else "-std=c11", *STRICT, *more, "-lm"],
                target.LOWEST)

    # With another library.
    own = ["-I" + os.path.join(BUILD, "src", "gen", "tst", "include"), os.path.join(BUILD, "src", "libtst.so")]
    for compiler in C + CPP:
        if not target.has(compiler):
            skip("a library of one's own, " + compiler, "no %s here" % compiler)
            continue
        header, call = ("tst.hpp", "tst::opposite(y, x)") if compiler in CPP else ("tst_generic.h", "tst_opposite(y, x, 2)")
        source = put("own.cpp" if compiler in CPP else "own.c",
                     "#include <tst/%s>\nint main(void)\n{\n\tdouble x[2] = {1, 2}, y[2];\n\n\t%s;\n\treturn y[1] != -2;\n}\n" % (header, call))
        program("a library of one's own, " + compiler, [compiler, "-std=c++17" if compiler in CPP else "-std=c11", *STRICT, *own[:1], source, own[1]])

    # A program with the archive has the kernels that it refers to: isk_under() refers to its own.
    under = put("under.c", "#include <isakern.h>\n#include <isakern/under.h>\n\nint main(void)\n{\n"
                "\treturn !isk_under(isk_isa_name(0), isk_exp_f32);\n}\n")
    for compiler in filter(target.has, C):
        path = os.path.join(WORK, "under")
        status, said = run(compiler, "-std=c99", "-O2", *STRICT, *INCLUDE, under, os.path.join(BUILD, "src", "libisakern.a"), "-lm", "-o", path)
        if ok(status == 0, "isk_under() in a static program compiles, " + compiler, said):
            ok(run(path)[0] == 0, "and finds its kernel")

    # Tables that ours are not like: an operation that is a word of C++, a struct of one's own that measures arrays, two
    # shapes of one operation.
    for name, text in OWN_FAMILY.items():
        os.makedirs(os.path.join(WORK, "odd"), exist_ok=True)
        put(os.path.join("odd", name), text)
    status, said = run(sys.executable, "-B", os.path.join(SOURCE, "src", "resolve", "generate", "gen.py"), "write", "--name", "odd", "--prefix", "odd",
                       "--built", target.LOWEST, "--out", os.path.join(WORK, "gen"), os.path.join(WORK, "odd"))
    ok(status == 0, "odd tables", said)
    odd = put("odd.cpp", "#include <odd.hpp>\nvoid f(float *x, const odd_about *about);\nvoid f(float *x, const odd_about *about)\n"
              "{\n\tdouble d[1];\n\todd::xor_(x, x, 1);\n\todd::piece(x, x, about);\n\todd::twice(x, x, 1);\n\todd::twice(d, x, 1, 2);\n}\n")
    odd_c = put("odd.c", "#include <odd_generic.h>\nvoid f(float *x, const struct odd_about *about);\nvoid f(float *x, const struct odd_about *about)\n"
                "{\n\todd_xor(x, x, 1);\n\todd_piece(x, x, about);\n}\n")
    for compiler, standard, source in ([(c, "-std=c++17", odd) for c in CPP] + [(c, "-std=c11", odd_c) for c in C]):
        if not target.has(compiler):
            skip("odd tables, " + compiler, "no %s here" % compiler)
            continue
        status, said = run(compiler, standard, *STRICT, "-fsyntax-only", "-I" + os.path.join(WORK, "gen", "include", "odd"), *INCLUDE, source)
        ok(status == 0, "odd tables, " + compiler, said)

    # Generic names and overloads add nothing to a call.
    plain_file = put("plain.c", "#include <isakern.h>\n" + "".join(c.function_of_kernel() for c in CALLS))
    c_file = "#include <isakern_generic.h>\nstruct eight { int half[2]; };\n" + "".join(c.function_of_c() for c in reached)
    cpp_file = ("#include <isakern.hpp>\nstruct eight { int half[2]; };\nextern \"C\" {\n"
                + "".join(c.function_of_cpp() for c in CALLS) + "}\n").replace("(void)\n", "()\n").replace("(void);", "();")
    path = os.path.join(WORK, "plain.o")
    for compiler, cpp in zip(C, CPP):
        if not target.has(compiler) or not target.has(cpp):
            skip("the code of calls, " + compiler, "no %s and %s here" % (compiler, cpp))
            continue
        status, said = run(compiler, "-std=c11", "-O2", "-c", *INCLUDE, plain_file, "-o", path)
        plain = code(path) if ok(status == 0, "calls by name compile", said) else {}
        same_code("generic names, " + compiler, reached, [compiler, "-std=c11"], c_file, plain)
        builder = []
        for command, source in ((["-std=c11", compiler], put("post.c", POST_IN_C)),
                                (["-std=c++17", "-DISAKERN_ERRORS_ARE_VALUES", cpp], put("post.cpp", POST_IN_CPP))):
            status, said = run(command[-1], *command[:-1], "-O2", "-c", *STRICT, *INCLUDE, source, "-o", path)
            builder.append(code(path).get("post") if ok(status == 0, "a post, " + command[-1], said) else None)
        in_c, in_cpp = builder
        # clang clears the padding of the struct with two more stores.
        ok(in_c and in_cpp and len(in_cpp) <= len(in_c) + 2 * ("clang" in cpp)
           and sum(bool(re.match(r"call|bl\s", line)) for line in in_cpp) == 1,
           "a post by the builder is as many instructions as one of C, " + cpp, builder)
        same_code("overloads, " + cpp, CALLS, [cpp, "-std=c++17", "-DISAKERN_ERRORS_ARE_VALUES"], cpp_file, plain)
done()
