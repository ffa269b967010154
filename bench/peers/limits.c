/* SPDX-License-Identifier: MIT */
/* What the machine does at most: operations in registers, and reading as many bytes as B has. */
#include <stdlib.h>
#include <string.h>

#include "peers.h"
#include "stats.h"

enum { OPERATIONS = 24, STEPS = 10000 };

/* 12 chains hide the latency of any FMA; 10000 steps of two rounds take 40 to 80 us, many times a look at the clock. */
#define CHAINS(op, reg)                                                        \
	op " %%" reg "0,%%" reg "1,%%" reg "8\n" op " %%" reg "0,%%" reg "1,%%" reg "9\n" \
	op " %%" reg "0,%%" reg "1,%%" reg "10\n" op " %%" reg "0,%%" reg "1,%%" reg "11\n" \
	op " %%" reg "0,%%" reg "1,%%" reg "12\n" op " %%" reg "0,%%" reg "1,%%" reg "13\n" \
	op " %%" reg "0,%%" reg "1,%%" reg "14\n" op " %%" reg "0,%%" reg "1,%%" reg "15\n" \
	op " %%" reg "0,%%" reg "1,%%" reg "2\n" op " %%" reg "0,%%" reg "1,%%" reg "3\n" \
	op " %%" reg "0,%%" reg "1,%%" reg "4\n" op " %%" reg "0,%%" reg "1,%%" reg "5\n"

#define LOOP(name, op, reg)                                                    \
	static void name(void)                                                     \
	{                                                                          \
		long steps = STEPS;                                                    \
                                                                               \
		__asm__ volatile("vzeroall\n.p2align 5\n1:\n" CHAINS(op, reg) CHAINS(op, reg)    \
		                 "dec %0\njnz 1b\nvzeroupper\n"                        \
		                 : "+r"(steps)                                         \
		                 :                                                     \
		                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm8", "xmm9", "xmm10", "xmm11", \
		                   "xmm12", "xmm13", "xmm14", "xmm15", "cc");          \
	}

LOOP(fma_512, "vfmadd231ps", "zmm")
LOOP(fma_256, "vfmadd231ps", "ymm")
LOOP(int8_512, "vpdpbusd", "zmm")
LOOP(bf16_512, "vdpbf16ps", "zmm")

/* In a ns; each is the operations of one instruction. */
static double rate(void (*loop)(void), double each)
{
	const double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	loop();
	return OPERATIONS * STEPS * each / (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

/* Whether this CPU is faster with it than with conversion to f32. */
static int bf16_pays(void)
{
	static int known, pays;

	if (!known)
		for (int i = 0; i < 9; i++)
			pays += rate(bf16_512, 64) > rate(fma_512, 32);
	known = 1;
	return pays > 4;
}

double peak_now(const struct problem *p)
{
	const struct row *row = p->row;
	const int wide = __builtin_cpu_supports("avx512f") && !capped();

	if (row->op == TRANSPOSE)
		return 0;
	if (row->b == S8 && row->a != F32)
		return wide && __builtin_cpu_supports("avx512vnni") ? rate(int8_512, 128) : 0;
	if (row->a == BF16 && row->b == BF16 && wide && __builtin_cpu_supports("avx512bf16") && bf16_pays())
		return rate(bf16_512, 64);
	return wide ? rate(fma_512, 32) : rate(fma_256, 16);
}

struct reading {
	const char *from;
	char *to;
	size_t bytes;
};

#define READ_LINES(ahead)                                                      \
	__asm__ volatile(ahead "vmovups (%0),%%ymm0\nvmovups 32(%0),%%ymm1\nvmovups 64(%0),%%ymm0\n" \
	                       "vmovups 96(%0),%%ymm1\nvmovups 128(%0),%%ymm0\nvmovups 160(%0),%%ymm1\n" \
	                       "vmovups 192(%0),%%ymm0\nvmovups 224(%0),%%ymm1" \
	                 :                                                         \
	                 : "r"(at)                                                 \
	                 : "xmm0", "xmm1")

static void read_plain(void *state)
{
	const struct reading *r = state;

	for (const char *at = r->from; at < r->from + r->bytes; at += 256)
		READ_LINES("");
	__asm__ volatile("vzeroupper" ::: "xmm0");
}

/* Some CPUs fetch too little by themselves, others are slowed down by being told to. */
static void read_ahead(void *state)
{
	const struct reading *r = state;

	for (const char *at = r->from; at < r->from + r->bytes; at += 256)
		READ_LINES("prefetcht0 4096(%0)\nprefetcht0 4160(%0)\nprefetcht0 4224(%0)\nprefetcht0 4288(%0)\n");
	__asm__ volatile("vzeroupper" ::: "xmm0");
}

/* In four quarters side by side: more pages at once, which suits some prefetchers. */
static void read_four(void *state)
{
	const struct reading *r = state;
	const size_t quarter = r->bytes / 4;

	for (const char *at = r->from; at < r->from + quarter; at += 64)
		__asm__ volatile("vmovups (%0),%%ymm0\nvmovups 32(%0),%%ymm1\nvmovups (%0,%1),%%ymm0\n"
		                 "vmovups 32(%0,%1),%%ymm1\nvmovups (%0,%1,2),%%ymm0\nvmovups 32(%0,%1,2),%%ymm1\n"
		                 "vmovups (%0,%2),%%ymm0\nvmovups 32(%0,%2),%%ymm1"
		                 :
		                 : "r"(at), "r"(quarter), "r"(3 * quarter)
		                 : "xmm0", "xmm1");
	__asm__ volatile("vzeroupper" ::: "xmm0");
}

static void copy(void *state)
{
	const struct reading *r = state;

	memcpy(r->to, r->from, r->bytes);
}

static void release_copy(void *state)
{
	free(((struct reading *)state)->to);
	free(state);
}

static void enter_copy(struct field *f, const struct problem *p)
{
	struct reading *r = allocate(sizeof(*r));

	r->bytes = p->row->m * p->row->n * type_bytes(p->row->a);
	r->from = p->a;
	r->to = allocate(r->bytes);
	field_add(f, LIMIT, "copy", "memcpy", copy, r)->release = release_copy;
}

void limits_enter(struct field *f, const struct problem *p)
{
	void (*const ways[])(void *) = {read_plain, read_ahead, read_four};
	static const char *const names[] = {"from end to end", "fetched ahead", "in four streams"};
	const size_t bytes = p->row->k * p->row->n * type_bytes(p->row->b);

	if (p->row->op == TRANSPOSE)
		enter_copy(f, p);
	/* Where reading B is what takes the time. */
	if (p->row->op != PRODUCT || p->row->m > 4 || bytes < 65536 || !__builtin_cpu_supports("avx2"))
		return;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct reading *r = allocate(sizeof(*r));

		*r = (struct reading){p->b, NULL, bytes / 256 * 256};
		field_add(f, LIMIT, "read", names[i], ways[i], r);
	}
}
