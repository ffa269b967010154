/* SPDX-License-Identifier: MIT */
/* The machine's peaks: operations in registers. */
#include <cpuid.h>
#include <stdio.h>

#include "cpu.h"
#include "problem.h"
#include "stats.h"

enum { STEPS = 10000, CHAINS = 24 };

/*
 * 12 chains hide the latency of any FMA. 10000 steps of two rounds take 40 to 80 us, many times a reading of
 * the clock.
 */
#define TWELVE(X) X(2) X(3) X(4) X(5) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

#define LOOP(name, X)                                                                                        \
	static void name(void)                                                                                   \
	{                                                                                                        \
		long steps = STEPS;                                                                                  \
                                                                                                             \
		__asm__ volatile("vzeroall\n.p2align 5\n1:\n" TWELVE(X) TWELVE(X) "dec %0\njnz 1b\nvzeroupper\n"     \
		                 : "+r"(steps)                                                                       \
		                 :                                                                                   \
		                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm8", "xmm9", "xmm10",  \
		                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc");                               \
	}

#define FMA_512(i)  "vfmadd231ps %%zmm0,%%zmm1,%%zmm" #i "\n"
#define FMA_256(i)  "vfmadd231ps %%ymm0,%%ymm1,%%ymm" #i "\n"
#define BF16_512(i) "vdpbf16ps %%zmm0,%%zmm1,%%zmm" #i "\n"
#define VNNI_512(i) "vpdpbusd %%zmm0,%%zmm1,%%zmm" #i "\n"
#define VNNI_256(i) "%{vex%} vpdpbusd %%ymm0,%%ymm1,%%ymm" #i "\n"
/* Exact for all 8-bit values: elements are widened to 16 bits, and pairs of products are added in 32. */
#define EXACT(i) "vpmaddwd %%ymm0,%%ymm1,%%ymm6\nvpaddd %%ymm6,%%ymm" #i ",%%ymm" #i "\n"
/* Pairs of 8-bit products are added in 16 bits, and saturate there. */
#define SATURATING(i)                                                                                        \
	"vpmaddubsw %%ymm0,%%ymm1,%%ymm6\nvpmaddwd %%ymm6,%%ymm1,%%ymm6\n"                                       \
	"vpaddd %%ymm6,%%ymm" #i ",%%ymm" #i "\n"

LOOP(fma_512, FMA_512)
LOOP(fma_256, FMA_256)
LOOP(bf16_512, BF16_512)
LOOP(vnni_512, VNNI_512)
LOOP(vnni_256, VNNI_256)
LOOP(exact, EXACT)
LOOP(saturating, SATURATING)

struct peak {
	const char *name;
	void (*loop)(void);
	double operations; /* of one chain in one round */
};

static const struct peak fma_zmm = {"vfmadd231ps zmm", fma_512, 32},
						 fma_ymm = {"vfmadd231ps ymm", fma_256, 16},
						 bf16_zmm = {"vdpbf16ps zmm", bf16_512, 64},
						 vnni_zmm = {"vpdpbusd zmm", vnni_512, 128},
						 vnni_ymm = {"vpdpbusd ymm", vnni_256, 64}, madd_exact = {"vpmaddwd ymm", exact, 32},
						 madd_saturating = {"vpmaddubsw ymm, which saturates", saturating, 64};

/* Operations in 1 ns. */
static double rate(const struct peak *peak)
{
	const double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	peak->loop();
	return CHAINS * STEPS * peak->operations / (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

static int is_wide(void)
{
	return __builtin_cpu_supports("avx512f") && !capped();
}

static int has_avx_vnni(void)
{
	unsigned eax, ebx, ecx, edx;

	return !capped() && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & 1 << 4);
}

static const struct peak *float_peak(void)
{
	return is_wide() ? &fma_zmm : &fma_ymm;
}

static const struct peak *integer_peak(void)
{
	if (is_wide() && __builtin_cpu_supports("avx512vnni"))
		return &vnni_zmm;
	return has_avx_vnni() ? &vnni_ymm : &madd_exact;
}

/* The peak of bf16 by its own instruction, if this CPU is faster with it than with conversion to f32. */
static const struct peak *bf16_peak(void)
{
	static const struct peak *known;
	int pays = 0;

	if (known)
		return known;
	if (is_wide() && __builtin_cpu_supports("avx512bf16"))
		for (int i = 0; i < 9; i++)
			pays += rate(&bf16_zmm) > rate(&fma_zmm);
	known = pays > 4 ? &bf16_zmm : float_peak();
	return known;
}

double peak_now(const struct problem *p)
{
	const struct row *row = p->row;

	if (is_vectors(row->op) || row->op == TRANSPOSE || !__builtin_cpu_supports("avx2"))
		return 0;
	if (row->b == S8 && row->a != F32)
		return rate(integer_peak());
	/* A double takes the lanes of two floats. */
	return rate(row->a == BF16 && row->b == BF16 ? bf16_peak() : float_peak()) / (row->a == F64 ? 2 : 1);
}

static double best_rate(const struct peak *peak)
{
	double best = 0;

	for (int i = 0; i < 9; i++) {
		const double now = rate(peak);

		best = now > best ? now : best;
	}
	return best;
}

const char *peaks_text(void)
{
	static char text[256];
	int length;

	if (!__builtin_cpu_supports("avx2"))
		return "not measured below AVX2";
	length = snprintf(text, sizeof(text), "f32 %.0f GFLOP/s (%s), bf16 %.0f (%s), 8 bits %.0f GOP/s (%s)",
	                  best_rate(float_peak()), float_peak()->name, best_rate(bf16_peak()), bf16_peak()->name,
	                  best_rate(integer_peak()), integer_peak()->name);
	if (integer_peak() == &madd_exact)
		snprintf(text + length, sizeof(text) - (size_t)length, " or %.0f (%s)", best_rate(&madd_saturating),
		         madd_saturating.name);
	return text;
}
