/* SPDX-License-Identifier: MIT */
/* What the machine does at most: operations in registers, and reading as many bytes as B has. */
#include <stdlib.h>
#include <string.h>

#include "peers.h"
#include "stats.h"

enum { OPERATIONS = 24, STEPS = 2000 };

/* 12 chains hide the latency of any FMA; 2000 steps of two rounds take some 20 to 50 us. */
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
LOOP(dot_512, "vpdpbusd", "zmm")
LOOP(dot_256, "vpdpbusd", "ymm")

double peak_now(const struct problem *p)
{
	const int wide = __builtin_cpu_supports("avx512f") && !capped();
	const int integer = p->row->b == S8 && p->row->a != F32 && __builtin_cpu_supports("avx512vnni");
	const double each = (wide ? 16 : 8) * (integer ? 8 : 2);
	double begin;

	if (p->row->op == TRANSPOSE)
		return 0;
	begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (integer)
		(wide ? dot_512 : dot_256)();
	else
		(wide ? fma_512 : fma_256)();
	return OPERATIONS * STEPS * each / (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

struct reading {
	const char *from;
	char *to;
	size_t bytes;
};

/* From end to end. */
static void read_one(void *state)
{
	const struct reading *r = state;

	for (const char *at = r->from; at < r->from + r->bytes; at += 256)
		__asm__ volatile("prefetcht0 2048(%0)\nprefetcht0 2112(%0)\nprefetcht0 2176(%0)\nprefetcht0 2240(%0)\n"
		                 "vmovups (%0),%%ymm0\nvmovups 32(%0),%%ymm1\nvmovups 64(%0),%%ymm0\nvmovups 96(%0),%%ymm1\n"
		                 "vmovups 128(%0),%%ymm0\nvmovups 160(%0),%%ymm1\nvmovups 192(%0),%%ymm0\n"
		                 "vmovups 224(%0),%%ymm1"
		                 :
		                 : "r"(at)
		                 : "xmm0", "xmm1");
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
	void (*const ways[])(void *) = {read_one, read_four};
	static const char *const names[] = {"from end to end", "in four streams"};
	const size_t bytes = p->row->k * p->row->n * type_bytes(p->row->b);

	if (p->row->op == TRANSPOSE)
		enter_copy(f, p);
	/* Where reading B is what takes the time. */
	if (p->row->op != PRODUCT || p->row->m > 4 || bytes < 65536 || !__builtin_cpu_supports("avx2"))
		return;
	for (int i = 0; i < 2; i++) {
		struct reading *r = allocate(sizeof(*r));

		*r = (struct reading){p->b, NULL, bytes / 256 * 256};
		field_add(f, LIMIT, "read", names[i], ways[i], r);
	}
}
