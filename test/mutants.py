#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants one-line faults, one after another, in a copy of the sources and reports which tests catch each.

    mutants.py [--check] [--named] [--work FOLDER] SOURCE [NAME...]

Each fault of the list below names the tests that are expected to catch it; if none of them does, the whole fast suite runs, unless
--named is given. These tests run without a fault first, because a test that always fails catches nothing. The exit status is 0 if
every fault was caught. --check only looks whether each fault still fits its file, exactly once. Without names
all faults are planted: an hour or two on an idle machine with 2 cores.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

Mutant = collections.namedtuple("Mutant", "name file old new tests")
K, ISA, RESOLVE, GENERATE = "src/kernels/", "src/isa/", "src/resolve/", "src/resolve/generate/"
MUTANTS = [Mutant(*row) for row in (
    # Families.
    ("exp2-coefficient", K + "elementwise/exp_f32.h", "0x1.ebfbdep-3f", "0x1.ebfbfep-3f", "kernels-map"),
    ("exp-upper-clamp", K + "elementwise/exp_f32.h", "vf_min(vf_set1(129), vf_max(vf_set1(-151), x))",
     "vf_min(vf_set1(127), vf_max(vf_set1(-151), x))", "kernels-map"),
    ("relu-nan", K + "shared/vmath.h", "return vf_max(vf_set1(0), x) + 0;", "return vf_max(x, vf_set1(0)) + 0;", "kernels-map"),
    ("relu-of-negative-zero", K + "shared/vmath.h", "return vf_max(vf_set1(0), x) + 0;", "return vf_max(vf_set1(0), x);",
     "kernels-map"),
    ("hardswish-bound", K + "elementwise/relu.c", "v_max(v_set1(x, -3), x)", "v_max(v_set1(x, -2.9375f), x)", "kernels-map"),
    ("cr-exp-hard-case", K + "exact/cr_exp.c", "{0x3b429d37, 0x1.00870ap+0f}", "{0x3b429d36, 0x1.00870ap+0f}", "kernels-hard"),
    ("half-log-part", K + "exact/half.h", "0, 0x1.e2cffep-4f", "0, 0x1.e2dffep-4f", "kernels-map"),
    ("argsort-alike", K + "rows/order.c", "&& alike > 1)", "&& alike > n)", "python-behaviour"),
    ("argsort-descending", K + "rows/order.c", "descending ? UINT32_MAX : 0", "descending ? 0x7fffffff : 0", "python-behaviour"),
    ("fmod-slack", K + "pairs/modulo.c", "b * (1 - 0x1p-40)", "b * (1 - 0x1p-20)", "kernels-zip"),
    ("remainder-tie", K + "pairs/modulo.c", "vd_lt(rest, y * 1.5)", "vd_lt(rest, y * 1.25)", "kernels-zip"),
    ("shift-width", K + "integer/shift.c", "return a & (vb)(b < 8);\n}\n\nISK_INLINE vb vb_shr", "return a & (vb)(b < 9);\n}\n\nISK_INLINE vb vb_shr",
     "kernels-zip"),
    ("narrow-saturation", K + "convert/cvt_narrow.c", "vi_set1(INT32_MAX), vf_to_vi(v)", "vi_set1(INT32_MIN), vf_to_vi(v)", "kernels-cvt"),
    ("quantize-rows-zero", K + "convert/quantize_rows.c", "zero < 255 ?", "zero < 254 ?", "kernels-quantize_rows"),
    ("quantize-rows-range", K + "convert/quantize_rows.c", "*low = vf_max(-x, *low)", "*low = vf_max(*low, -x)", "kernels-quantize_rows"),
    ("index-sign", K + "shared/indices.h", "over |= x | (vi)(last - (vu)x)", "over |= (vi)(last - (vu)x)", "kernels-gather"),
    ("index-beyond-s32", K + "shared/indices.h", "below > INT32_MAX ? INT32_MAX : (int32_t)below - 1", "(int32_t)below - 1", "kernels-far-rows"),
    ("bag-far-row", K + "embedding/bag.c", "(size_t)((const int64_t *)t->index)[k]", "(uint32_t)((const int64_t *)t->index)[k]", "kernels-far-rows"),
    ("bag-empty-max", K + "embedding/bag.c", "maximum && !empty ? -__builtin_inff() : 0", "maximum ? -__builtin_inff() : 0", "kernels-bag_max"),
    ("bag-ends", K + "embedding/bag_ends.h", "wrong |= ends[b] < last", "wrong |= ends[b] <= last - 2", "kernels-bag"),
    ("bag-mean", K + "embedding/bag.c", "s[v] /= n;", "s[v] *= 1 / n;", "kernels-fingerprint"),
    ("uniform-bits", K + "random/random.c", "((vu)w >> 8)) * 0x1p-24f", "((vu)w >> 9)) * 0x1p-23f", "kernels-random"),
    ("dropout-ends-of-p", K + "random/random.c", "vf_lt(uniform(w), vf_set1(p))", "vf_le(uniform(w), vf_set1(p))", "kernels-philox"),
    ("attention-order", K + "attention/attention.c", "for (int half = 2 * VECTORS; half >= VECTORS; half /= 2)",
     "for (int half = VECTORS; half == VECTORS; half /= 2)", "kernels-attention-bits"),
    ("attention-unseen", K + "attention/attention.c", "common.end = g->range[r].end < common.end ? g->range[r].end : common.end;",
     "common.end = g->range[r].end > 0 ? KEYS : common.end;", "kernels-attention-bits"),
    ("attention-window", K + "attention/attention.c", "reach > c->window ? reach - c->window : 0", "reach > c->window ? reach - c->window + 1 : 0",
     "kernels-attention-bits"),
    ("tall-columns", K + "matrix/driver.c", "return cut->tall && cols % PANEL == 0;", "return cut->tall;", "kernels-tall"),
    ("rope-sign", K + "rope/rope.c", "vf_fma(a, c, -(b * s))", "vf_fma(a, c, b * s)", "kernels-rope"),
    ("rope-tail", K + "rope/rope.c", "for (size_t at = 2 * pairs * bytes; x != y", "for (size_t at = 2 * pairs * bytes + 2; x != y", "kernels-rope"),
    ("softmax-long-mask", K + "rows/softmax.c", "put_centre(b, row);\n\tbegin(&c);", "begin(&c);", "kernels-softmax_masked"),
    ("l2normalize-least", K + "rows/norm.c", "(lane)0x1p-80 :", "(lane)0x1p-145 :", "kernels-softmax"),
    ("groupnorm-channel", K + "rows/norm.c", "bias, g * channels + c, pixels, m)", "bias, c, pixels, m)", "kernels-groupnorm"),
    ("tree-levels", K + "shared/sum_tree.h", "enum { LEVELS = 55 };", "enum { LEVELS = 50 };", "kernels-reduce"),
    ("nan-in-two-blocks", K + "shared/sum_tree.h", "*nan |= unordered(a, b);", "*nan ^= unordered(a, b);",
     "kernels-edges"),
    ("sum-ahead", K + "shared/sum_tree.h", "for (; n - at > last_ahead; at += step) {", "for (; n - at > last_ahead; at += step + 8) {",
     "kernels-far"),
    ("zip-ahead", K + "shared/loops_streamed.h", "n - i > last_ahead; i += ISK_COUNT(T)", "n - i > last_ahead; i += ISK_COUNT(T) + 1",
     "kernels-far"),
    ("compare-ahead", K + "compare/compare.c", "ISK_FN(kernel)(y + i, a + i, b + i, n - i)", "ISK_FN(kernel)(y + i, a + i, b, n - i)",
     "kernels-far"),
    ("sum-of-negative-zeros", K + "shared/sum_tree.h", ": add_lanes(sum) + 0;", ": add_lanes(sum);", "kernels-edges"),
    ("lstm-peephole", K + "cells/lstm.c", "peephole(keep, l->w_fc, old", "peephole(keep, l->w_ic, old", "kernels-lstm_ctht"),
    ("crf-label", K + "cells/crf.c", "ISK_WORD(label)(j), first)", "ISK_WORD(label)(j - 1), first)", "kernels-crf_decoding"),
    ("sleef-exp10-low", "src/sleef/sleef/powers.c", "vd_set1(-0x1.f48ad494ea3e9p-53)", "vd_set1(0x1.f48ad494ea3e9p-53)",
     "isakern-sleef-map"),
    ("sleef-silu-clamp", "src/sleef/sleef/gate.h", "minus_size(a, -780, -600)", "minus_size(a, -700, -600)", "isakern-sleef-map"),
    ("mask-count-carry", K + "compare/mask.c", "n - i < (size_t)255 * 4 * VL ? n : i + (size_t)255 * 4 * VL",
     "n - i < (size_t)257 * 4 * VL ? n : i + (size_t)257 * 4 * VL", "kernels-mask_reduce"),
    ("mask-not", K + "compare/mask.c", "(vb)((vb)vi_load_bytes(p, n) != 0) & 1", "(vb)vi_load_bytes(p, n) & 1", "kernels-mask_map"),
    ("sqrtpool-divisor", K + "pool/seqpool.c", "ISK_EACH_sqrtpool(ISK_SEQPOOL, SQUARE_ROOT(count))", "ISK_EACH_sqrtpool(ISK_SEQPOOL, count)",
     "kernels-pool"),
    ("conv-taps", K + "conv/axis.h", "pixels % x->dilation != 0", "pixels % x->dilation > 1", "kernels-conv"),
    ("conv-places", K + "conv/sizes.h", "(extent - reach - 1) / x->stride + 1", "(extent - reach) / x->stride + 1", "kernels-conv"),
    ("packed-depth", K + "matrix/packed.h", "((k & (group - 1)) != 0)", "((k & (group - 1)) > 1)", "kernels-pack"),
    ("packed-check", K + "matrix/packed.h", "return (h << 13 | h >> 19) * ISK_PACKED_MUL;", "return h * ISK_PACKED_MUL;", "kernels-pack"),
    ("packed-truncated", K + "matrix/packed.c", "header.bytes > bytes)", "header.bytes > bytes + 64)", "kernels-pack"),
    ("f32s8-least", K + "matrix/driver.c", "0x1p-126f * (1 << 24)", "0x1p-126f * (1 << 23)", "kernels-gemm"),
    ("gemm-stride-check", K + "matrix/check.h", "p->lda < p->k || p->ldc < p->n", "p->lda < p->k", "kernels-gemm"),
    ("plan-tile-height", K + "matrix/matmul.c", "p->n <= COLUMNS && p->m <= most_rows[kind_for(p->n)];", "p->n <= COLUMNS && p->m <= 16;",
     "kernels-plan"),
    ("plan-transposed", K + "matrix/matmul.c", "const int in_place = !(p->transposed & ISK_TRANSPOSED_B)", "const int in_place = p->transposed != 3",
     "kernels-plan"),
    ("strip-columns", K + "matrix/tile.h", "sums[r][v], n - VL);", "sums[r][v], VL);", "kernels-gemm"),
    ("profile-cpu", K + "matrix/profile.c", "at_family == family && at_model == model", "at_family == family", "command"),
    ("gemm-zero-range", K + "matrix/check.h", "(post->row_zero && post->a_zero) || ", "", "kernels-gemm"),
    ("gemm-size-check", K + "matrix/check.h", "extent_overflows(p->m, p->lda, isk_element_bytes(a)) || ", "", "kernels-gemm"),
    # Vocabularies.
    ("avx2-max-order", ISA + "vec_avx2.h", "_mm256_max_ps(a, b)", "_mm256_max_ps(b, a)", "words at avx2"),
    ("avx512-min-order", ISA + "vec_avx512.h", "_mm512_min_ps(a, b)", "_mm512_min_ps(b, a)", "words at avx512"),
    ("sse2-min-order", ISA + "vec_sse2.h", "_mm_min_ps(a, b)", "_mm_min_ps(b, a)", "words at baseline"),
    ("bf16-tie", ISA + "bf16.h", "0x7fff", "0x8000", "kernels-cvt"),
    ("small-unused", ISA + "small_floats.h", "size = v & (sign - 1), normal", "size = v & ~sign, normal", "kernels-cvt"),
    ("small-largest", ISA + "small_floats.h", "isk_infinity_bits(type) - saturating", "isk_infinity_bits(type) - 2 * saturating", "kernels-cvt"),
    ("s4-pairs", ISA + "typed.h", "(bits | bits >> 4) & 0x00ff00ff00ff00ff", "(bits | bits >> 3) & 0x00ff00ff00ff00ff", "kernels-quantize"),
    ("bits-order", K + "elementwise/by_bits.c", "((a ^ b) & ~((a | b) >> 15))", "((a ^ b) & ~((a & b) >> 15))", "kernels-zip"),
    ("bits-negative-nan", K + "elementwise/by_bits.c", "x & (x > (int16_t)(infinity - MOST - 1))", "x & (x > 0)", "kernels-map"),
    ("half-relu-zero", ISA + "half_avx512.h", "_mm512_max_ph(zero, v) + zero", "_mm512_max_ph(zero, v)", "kernels-zip"),
    ("half-direction", ISA + "half_avx512.h", "ISK_HALF_WHOLE(trunc, _MM_FROUND_TO_ZERO)", "ISK_HALF_WHOLE(trunc, _MM_FROUND_TO_NEG_INF)",
     "kernels-map"),
    ("emulated-tie", "test/emulator/fp16_numbers.c", "(int)nearbyint(size * ", "(int)floor(0.5 + size * ", "emulator-fp16"),
    ("emulated-unit", "test/emulator/fp16.c", "e->broadcasts ? 2 : 2 * count", "2 * count", "emulator-fp16"),
    # Resolver.
    ("xcr0-opmask", ISA + "x86_64.def", "#define ZMM         0xe6", "#define ZMM         0xc6", "cpus_table"),
    ("xcr0-high-zmm", ISA + "x86_64.def", "#define ZMM         0xe6", "#define ZMM         0x66", "cpus_table"),
    ("amx-state", ISA + "x86_64.def", "#define TILE        0x60000", "#define TILE        0x20000", "cpus_table"),
    ("avx2-without-fma", ISA + "x86_64.def", 'F("fma", ISK_1_ECX, 12, YMM, FROM_AVX2)\n', "", "isa_flags"),
    ("extended-model", ISA + "detect_x86_64.c", "*family == 6 || *family == 15", "*family == 15", "cpus_table"),
    ("first-of-several", RESOLVE + "environ.c", "(*entries)[begin] && !e->value[v]", "(*entries)[begin]", "environment"),
    ("lowest-disabled", RESOLVE + "policy.c", "policy->disabled &= ~ISK_LOWEST_ISA;", ";", "environment"),
    ("last-pin", RESOLVE + "policy.c", "if (possible(&pin, allowed))\n", "if (possible(&pin, allowed) && !pins[pin.number])\n", "pins"),
    ("cap-off-by-one", RESOLVE + "choose.c", "~0u >> (31 - policy.cap)", "~0u >> (30 - policy.cap)", "environment"),
    ("demotion-range", RESOLVE + "choose.c", "model <= t->model_high", "model < t->model_high", "simulate"),
    ("struct-room", RESOLVE + "registry.c", "if (room < least)", "if (room + 8 < least)", "lookup"),
    # Generator.
    ("bits-of-a-row", GENERATE + "write.py", "k.name, k.shape.name, k.family, k.since, k.bits, k.error, k.baseline, k.summary) for k in kernels]",
     'k.name, k.shape.name, k.family, k.since, "bound", k.error, k.baseline, k.summary) for k in kernels]', "command"),
    ("wide-bound", K + "elementwise/kernels.tbl", "same  1.2      0.1    e^x\n", "same  1200     0.1    e^x\n", "accuracy-rows"),
    ("same-to-bound", K + "rope/kernels.tbl", "vector  same  0.51", "vector  bound  0.51", "accuracy-rows"),
    ("in-place", GENERATE + "tables.py", "a.may_be = [] if a.null else words", "a.may_be = []", "kernels-fingerprint"),
    # Calls by name, threads, libraries for LD_PRELOAD, the command, Python.
    ("call-null", "src/call/call.c", "if (!p && !a->null && bytes)", "if (!p && !a->null && bytes > 64)", "call"),
    ("omp-status", "src/omp/crew.c", "schedule(dynamic, 1) reduction(min : status)", "schedule(dynamic, 1) lastprivate(status)", "parallel"),
    ("omp-columns", "src/omp/parallel.c", "share(p->n, ISK_COLUMNS, i % grid.cols, grid.cols)", "share(p->n, 1, i % grid.cols, grid.cols)", "parallel"),
    ("parts-along", "src/omp/in_parts.c", "+= range.at;", "+= 0;", "in-parts at baseline"),
    ("parts-zero", "src/omp/joined.c", "return is_float_zero(results[0], isk_result_type(k)) ? isk_call_once(k, fn, args) : results[0];", "return results[0];",
     "in-parts at baseline"),
    ("parts-position", "src/omp/joined.c", "results[i].size += range.at;", "results[i].size += 0 * range.at;", "in-parts at baseline"),
    ("partial-tree", K + "reduce/sum_lines.c", "push(&c, l);", "c.level[c.depth++] = l;", "kernels-partial at baseline"),
    ("partial-mean", K + "reduce/partial.c", "k.operation->is_mean ? n : 1", "1", "kernels-partial at baseline"),
    ("accumulate-small-product", K + "reduce/accumulate.c", "(later && vmd_any(vd_lt(sizes->least, vd_set1(LEAST_PRODUCT))))", "0",
     "kernels-accumulators at baseline"),
    ("accumulate-window", K + "reduce/accumulate.c", "((b) ? 32 : 16)", "((b) ? 64 : 32)", "kernels-exact-sums"),
    ("accumulate-last-bits", K + "reduce/accumulate.c", "(b ? 106 : 53)", "(b ? 106 : 50)", "kernels-accumulators at baseline"),
    ("accumulate-steps", K + "reduce/accumulate.c", "STEPS = 48,", "STEPS = 96,", "kernels-accumulators at baseline"),
    ("accumulate-carry", K + "reduce/fixed_point.h", "(part < 3 || carry != (sign & 1))", "(part < 3 || carry)", "kernels-accumulators at baseline"),
    ("accumulator-tie", K + "reduce/fixed_point.h", "&& ((kept & 1) ||", "&& (1 ||", "kernels-accumulators at baseline"),
    ("accumulator-check", K + "reduce/accumulators.c", "sum = (sum ^ get_bytes(bytes + i, 8)) *", "sum = (sum ^ get_bytes(bytes + i, 4)) *",
     "kernels-accumulators at baseline"),
    ("accumulator-variance", K + "reduce/accumulators.c", "k->words, root[i], i, -1)", "k->words, root[i] & ~(uint64_t)1, i, -1)",
     "kernels-accumulators at baseline"),
    ("parts-index", "src/omp/in_parts.c", "if (a->below && extent_of(a, size) >= 0", "if (0", "in-parts at baseline"),
    ("check-rate", "src/preload/check.c", "errno || !n)", "errno)", "check"),
    ("check-errno", "src/preload/check.c", "c.after_errno = errno;", "c.after_errno = c.before_errno;", "check"),
    ("preload-lookup", "src/preload/preload.c", "__atomic_store_n(&looked_up[k], 1,", "__atomic_store_n(&looked_up[k], 0,", "trace"),
    ("trace-sizes", "src/preload/trace.c", "if (s->count == MOST_SIZES)", "if (s->count == 1)", "trace"),
    ("command-exit", "tools/verify.c", "return counts[WRONG] + counts[CRASHED] ? FAILED : DONE;", "return counts[CRASHED] ? FAILED : DONE;", "command"),
    ("conv-flip", K + "conv/depthwise.h", "d.a_zero = p->a_zero + d.flip", "d.a_zero = p->a_zero", "kernels-conv"),
    ("slide-last", K + "conv/depthwise.h", "t->col + (size_t)span - 1, along->taps - 1)", "t->col + (size_t)span, along->taps - 1)", "kernels-conv"),
    ("slide-column", K + "conv/depthwise.h", "(c >= 2 && c <= last - 2)", "(c >= 1 && c <= last - 2)", "kernels-conv"),
    ("tune-second", "tools/judge.c", "second < first[v] ? second : first[v]", "second", "judge"),
    ("python-post", "src/python/post.c", '{"axpy", ISK_BINARY_AXPY}', '{"axpy", ISK_BINARY_ADD}', "python-matrices"),
    ("python-result", "src/python/values.c", "memcpy(to, r, isk_element_bytes(isk_result_type(k)))", "memcpy(to, r, sizeof(float))", "python-behaviour"),
)]


def copy_of(source, work):
    """
    The committed sources, configured in their folder `build`, where a compiler cache recognises its objects. A copy of an
    earlier run is brought to the same commit; a fault that a killed run left there is gone then.
    """
    tree, build = os.path.join(work, "source"), os.path.join(work, "source", "build")
    if not os.path.isdir(tree):
        os.makedirs(work, exist_ok=True)
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", source, tree], check=True)
    head = subprocess.run(["git", "-C", source, "rev-parse", "HEAD"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    subprocess.run(["git", "-C", tree, "reset", "--quiet", "--hard", head], check=True)
    if not os.path.isdir(build):
        subprocess.run(["meson", "setup", build, tree], stdout=subprocess.DEVNULL, check=True)
    # The commit may have other tests than the one that was configured.
    subprocess.run(["ninja", "-C", build, "--quiet", "build.ninja"], stdout=subprocess.DEVNULL, check=True)
    return tree, build


def introspected(build, kind):
    return json.loads(subprocess.run(["meson", "introspect", "--" + kind, build], stdout=subprocess.PIPE, check=True).stdout)


def files_of(build, names):
    """The files of the build that the tests depend on."""
    of_target = {t["id"]: t["filename"] for t in introspected(build, "targets")}
    tests = [t for t in introspected(build, "tests") if t["name"] in names]
    unknown = set(names) - {t["name"] for t in tests}
    if unknown:
        sys.exit("no test has the name " + ", ".join(sorted(unknown)))
    return sorted({os.path.relpath(f, build) for t in tests for d in t["depends"] for f in of_target[d]})


def failing(build, names):
    """
    The names of the failing tests among `names`; without names, in the fast suite. "build" if it does not even compile. Only
    the files are built that the tests depend on: if a test needs another file, its dependencies are wrong, and it fails.
    """
    files = files_of(build, names) if names else ["all", "meson-test-prereq"]
    if files and subprocess.run(["ninja", "-C", build, "--quiet", *files], capture_output=True).returncode:
        return ["build"]
    log = os.path.join(build, "meson-logs", "testlog-mutant.json")
    subprocess.run(["meson", "test", "-C", build, "--no-rebuild", "--logbase", "testlog-mutant", "--timeout-multiplier", "4",
                    *(names or ["--no-suite", "slow"])], capture_output=True)
    with open(log, encoding="utf-8") as f:
        results = [json.loads(line) for line in f]
    return sorted(r["name"].split(":")[-1].split(" / ")[-1] for r in results if r["result"] not in ("OK", "SKIP", "EXPECTEDFAIL"))


def unfit(source):
    """The faults that do not fit their files exactly once."""
    for m in MUTANTS:
        with open(os.path.join(source, m.file), encoding="utf-8") as f:
            count = f.read().count(m.old)
        if count != 1:
            yield "%s: %d places in %s hold %r" % (m.name, count, m.file, m.old)


def plant(mutant, tree, build, only_named):
    path = os.path.join(tree, mutant.file)
    with open(path, encoding="utf-8") as f:
        before = f.read()
    try:
        with open(path, "w", encoding="utf-8") as f:
            f.write(before.replace(mutant.old, mutant.new))
        return failing(build, mutant.tests.split(",")) or ([] if only_named else failing(build, []))
    finally:
        with open(path, "w", encoding="utf-8") as f:
            f.write(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--named", action="store_true", help="never run the whole suite")
    parser.add_argument("--work", help="keep the copy here; by default it is deleted in the end")
    parser.add_argument("source")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    problems = list(unfit(options.source))
    if options.check:
        for problem in problems:
            print("# " + problem)
        print("%sok 1 - each of %d faults fits its file once\n1..1" % ("not " if problems else "", len(MUTANTS)))
        return bool(problems)
    if problems:
        sys.exit("\n".join(problems))
    work = options.work or tempfile.mkdtemp(prefix="isakern-mutants-")
    tree, build = copy_of(os.path.abspath(options.source), work)
    missed, good = [], set()
    for m in MUTANTS:
        if options.names and m.name not in options.names:
            continue
        unknown = set(m.tests.split(",")) - good
        bad = failing(build, sorted(unknown)) if unknown else []
        if bad:
            sys.exit("%s: fails without a fault" % ", ".join(bad))
        good |= unknown
        began = time.monotonic()
        caught = plant(m, tree, build, options.named)
        print("%-24s %s (%.0f s)" % (m.name, "caught by " + ", ".join(caught[:4]) if caught else "NOT CAUGHT", time.monotonic() - began),
              flush=True)
        missed += [] if caught else [m.name]
    if not options.work:
        shutil.rmtree(work)
    print("%d missed%s" % (len(missed), ": " + ", ".join(missed) if missed else ""))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
