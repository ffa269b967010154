/* SPDX-License-Identifier: MIT */
/* The limits of the machine's memory: reading as many bytes as B has, and moving as many as a kernel of vectors moves. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "field.h"
#include "peer.h"
#include "problem.h"

struct reading {
	const char *from;
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

/* Some CPUs prefetch too little by themselves, while prefetch instructions slow others down. */
static void read_ahead(void *state)
{
	const struct reading *r = state;

	for (const char *at = r->from; at < r->from + r->bytes; at += 256)
		READ_LINES("prefetcht0 4096(%0)\nprefetcht0 4160(%0)\nprefetcht0 4224(%0)\nprefetcht0 4288(%0)\n");
	__asm__ volatile("vzeroupper" ::: "xmm0");
}

/* Four quarters side by side: more pages at once, which suits some prefetchers. */
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

static void enter_reading(struct field *f, const void *from, size_t bytes)
{
	void (*const ways[])(void *) = {read_plain, read_ahead, read_four};
	static const char *const names[] = {"from end to end", "fetched ahead", "in four streams"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct reading *r = allocate(sizeof(*r));

		*r = (struct reading){from, bytes / 256 * 256};
		field_add(f, LIMIT, "read", names[i], ways[i], r);
	}
}

/* 64 elements at a time: for each operand as many cache lines as an element has bytes. */
struct moving {
	const char *a, *b, *mask;
	char *c;
	size_t steps;
};

#define INLINE static inline __attribute__((always_inline))

/* Loads and stores of a cache line with the CPU's widest registers, and stores past the caches. */
INLINE void load_256(const char *p)
{
	__asm__ volatile("vmovups (%0),%%ymm0\nvmovups 32(%0),%%ymm1" ::"r"(p) : "xmm0", "xmm1");
}

INLINE void store_256(char *p)
{
	__asm__ volatile("vmovups %%ymm2,(%0)\nvmovups %%ymm2,32(%0)" ::"r"(p) : "memory");
}

INLINE void stream_256(char *p)
{
	__asm__ volatile("vmovntps %%ymm2,(%0)\nvmovntps %%ymm2,32(%0)" ::"r"(p) : "memory");
}

INLINE void load_512(const char *p)
{
	__asm__ volatile("vmovups (%0),%%zmm0" ::"r"(p) : "xmm0");
}

INLINE void store_512(char *p)
{
	__asm__ volatile("vmovups %%zmm2,(%0)" ::"r"(p) : "memory");
}

INLINE void load_lines(const char *p, const int lines, void load(const char *p))
{
#pragma GCC unroll 8
	for (int i = 0; i < lines; i++)
		load(p + 64 * i);
}

/* Moves 64 elements a step. A step has lines_a cache lines of a, and so on. */
INLINE void move(const struct moving *moving, const int lines_a, const int lines_b, const int lines_mask, const int lines_c,
                 void load(const char *p), void store(char *p))
{
	struct moving m = *moving;

	for (; m.steps; m.steps--) {
		load_lines(m.a, lines_a, load);
		load_lines(m.b, lines_b, load);
		load_lines(m.mask, lines_mask, load);
#pragma GCC unroll 8
		for (int i = 0; i < lines_c; i++)
			store(m.c + 64 * i);
		m.a += 64 * lines_a;
		m.b += 64 * lines_b;
		m.mask += 64 * lines_mask;
		m.c += 64 * lines_c;
	}
	__asm__ volatile("sfence\nvzeroupper" ::: "xmm0", "memory");
}

#define MOVE(name, ...)                                                                                      \
	static void name(void *state)                                                                            \
	{                                                                                                        \
		move(state, __VA_ARGS__);                                                                            \
	}

#define MOVES(X)                                                                                             \
	X(4, 0, 0, 4) X(4, 4, 0, 4) X(4, 4, 1, 4) X(4, 4, 0, 1) X(4, 0, 0, 0) X(4, 4, 0, 0) X(4, 0, 0, 2)       \
	X(2, 0, 0, 4) X(4, 0, 0, 1) X(1, 0, 0, 4) X(1, 0, 0, 1) X(2, 0, 0, 2) X(8, 0, 0, 8)

#define DEFINE(a, b, m, c)                                                                                   \
	MOVE(plain_256_##a##b##m##c, a, b, m, c, load_256, store_256)                                            \
	MOVE(stream_256_##a##b##m##c, a, b, m, c, load_256, stream_256)                                          \
	MOVE(plain_512_##a##b##m##c, a, b, m, c, load_512, store_512)
MOVES(DEFINE)

static const struct {
	size_t bytes_a, bytes_b, bytes_m, bytes_c;
	void (*plain_256)(void *), (*stream_256)(void *), (*plain_512)(void *);
} moves[] = {
#define ENTRY(a, b, m, c)                                                                                    \
	{a, b, m, c, plain_256_##a##b##m##c, stream_256_##a##b##m##c, plain_512_##a##b##m##c},
	MOVES(ENTRY)
};

static void enter_way(struct field *f, const struct moving *moving, const char *how, void (*call)(void *))
{
	struct moving *state = allocate(sizeof(*state));

	*state = *moving;
	field_add(f, LIMIT, f->problem->row->op == TRANSPOSE || moving->c ? "copy" : "read", how, call, state);
}

static void enter_moving(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	const int two = row->op == ZIP || row->op == REDUCE2 || row->op == COMPARE || row->op == SELECT;
	const int reads = has_one_result(row->op) || row->op == COLUMNS, masked = row->op == SELECT;
	const size_t a = type_bytes(row->a), b = two ? type_bytes(row->b) : 0, c = reads ? 0 : type_bytes(row->c);
	const void *from = row->op == TRANSPOSE ? p->a : p->vectors.a;
	const struct moving moving = {from, two ? p->vectors.b : from, masked ? (const void *)p->vectors.mask : from,
	                              c ? p->c : NULL, row->m * row->n / 64};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if (moves[i].bytes_a != a || moves[i].bytes_b != b || moves[i].bytes_m != (size_t)masked || moves[i].bytes_c != c)
			continue;
		enter_way(f, &moving, "ymm", moves[i].plain_256);
		if (c)
			enter_way(f, &moving, "ymm, streaming stores", moves[i].stream_256);
		if (__builtin_cpu_supports("avx512f") && !capped())
			enter_way(f, &moving, "zmm", moves[i].plain_512);
	}
}

void limits_enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	const size_t bytes = row->k * row->n * type_bytes(row->b);

	if (!__builtin_cpu_supports("avx2"))
		return;
	/* A few elements cost a call rather than movement, and scattered reads are neither. */
	if (is_vectors(row->op) || row->op == TRANSPOSE) {
		if (row->m * row->n >= 256 && row->op <= COLUMNS)
			enter_moving(f, p);
		return;
	}
	/* Products whose time is that of reading B. */
	if ((row->op == PRODUCT || row->op == GROUPED) && row->m <= 4 && bytes >= 65536)
		enter_reading(f, p->b, bytes);
}
