/* SPDX-License-Identifier: MIT */
/*
 * How the micro-kernel of AMX should load its tiles: rates of products by the form of the tile of C and the order of
 * loads, and of the same loads alone. Takes 10 to 20 seconds. --quick checks all results and measures next to nothing,
 * as the emulator allows. The emulator does not grant AMX; cpuidsim does. In the build folder:
 *     LD_PRELOAD=test/emulator/emulator_preload.so test/resolver/cpuidsim SapphireRapids bench/amx --quick
 *
 * Forms: RxC is R registers of A by C of B, so 2x2 has 1 load a product, 1x4 has 5/4, 3x1 and 1x3 have 4/3. A product
 * takes 16 cycles, and its sum can be used after some 50: three sums reach 48/50 of the limit at most.
 *
 * Orders of a step, which is 64 bytes of k:
 *   first  All loads, then all products. 1x4 cannot, because it would need 4 + 1 + 4 of the 8 registers.
 *   today  As in micro_amx.c. For 1x4 this is "late".
 *   late   Loads interleaved with products: each right before its first product.
 *   ahead  Loads serve the next step. 2x2 has no spare register, so each is loaded again after its last product. Others
 *          have one: the operand that all products share has two registers in turn, and is loaded a whole step early.
 *          All operands a step early would take R * C + 2 * (R + C) registers: 1x2 at most.
 *
 * Values of k, in elements of bf16 (s8 has twice as many, in the same bytes):
 *   192  A and B from the first-level cache: all tiles take the same panels. Two panels of k = 768 would fill it.
 *   256  A from the first level, unless its stride puts all rows into one set, and 144 panels of B from the second.
 *   768  A is 48 KiB for 32 rows, so A and 48 panels of B come from the second level.
 *
 * Left out: prefetching and tileloaddt1 at k = 192, where B is to stay in the first level, and both together, which is
 * a contradiction; both with all strides, since they concern B (at k = 256 a panel is 8 KiB, so only 4 KiB ahead is in
 * it); a stride of 1600 below k = 768, where A fits as with 1536; one of 8192 at k = 192, where A does not fit.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "amx.h"
#include "machine.h"
#include "output.h"
#include "stats.h"

#define inlined static inline __attribute__((always_inline))

enum { TILE = 16, LINE = 64, STEP = TILE * LINE, ROWS = 3 * TILE, STEPS = 24, MIB = 1 << 20 };
enum { ROUNDS = 31, SAMPLE = 40000 /* products, some 0.5 ms */, BEST = 10, SKIPPED = 77 };
enum { ASK = 0x1023 /* ARCH_REQ_XCOMP_PERM, Linux 5.16 */, TILE_DATA = 18 };

enum kind { BF16, S8, LOADS /* and stores of C, without products */, KINDS };
enum order { FIRST, TODAY, LATE, AHEAD, ALONE /* products without loads */ };
static const char *const orders[] = {"first", "today", "late", "ahead"};

/* The product of a row of tiles. Distances are in bytes. */
struct work {
	const unsigned char *a, *b;
	unsigned char *c;
	size_t lda, block_a, step_a;        /* from a row of A, from 16 rows, from a step to the next */
	size_t panel, advance;              /* from a panel of B, from the panels of a tile to the next */
	size_t ldc, panels, steps, repeats; /* repeats of all steps: more than 1 only if advance is 0 */
	size_t ahead;                       /* how far B is prefetched; 0: it is not */
	int once;                           /* B is loaded by tileloaddt1 */
};

struct place {
	const unsigned char *a, *b; /* operands of a step */
};

#define LOAD_A(t, row, at) tile_load(t, (at).a + (row) * w->block_a, w->lda);
#define LOAD_B(t, column, at)                                                                                \
	if (w->once) tile_load_once(t, (at).b + (column) * w->panel, LINE);                                      \
	else tile_load(t, (at).b + (column) * w->panel, LINE);
#define A(t, row)         LOAD_A(t, row, now)
#define B(t, column)      LOAD_B(t, column, now)
#define NEXT_A(t, row)    LOAD_A(t, row, next)
#define NEXT_B(t, column) LOAD_B(t, column, next)
#define P(c, a, b)        if (kind == BF16) tile_dpbf16(c, a, b); else if (kind == S8) tile_dpb_ss(c, a, b);
#define IN_TURN(step, one, other) if (odd) { step(other, one) } else { step(one, other) }

/* The registers of C, row by row, come before those of A, and these before those of B. */
#define STEP_2x2_FIRST A(4, 0) A(5, 1) B(6, 0) B(7, 1) P(0, 4, 6) P(2, 5, 6) P(1, 4, 7) P(3, 5, 7)
#define STEP_2x2_TODAY A(4, 0) A(5, 1) B(6, 0) P(0, 4, 6) P(2, 5, 6) B(7, 1) P(1, 4, 7) P(3, 5, 7)
#define STEP_2x2_LATE  A(4, 0) B(6, 0) P(0, 4, 6) A(5, 1) P(2, 5, 6) B(7, 1) P(1, 4, 7) P(3, 5, 7)
#define STEP_2x2_AHEAD P(0, 4, 6) P(2, 5, 6) NEXT_B(6, 0) P(1, 4, 7) NEXT_A(4, 0) P(3, 5, 7) NEXT_A(5, 1) NEXT_B(7, 1)
#define STEP_2x2_ALONE P(0, 4, 6) P(2, 5, 6) P(1, 4, 7) P(3, 5, 7)
#define STEP_1x4_TODAY A(4, 0) B(6, 0) P(0, 4, 6) B(7, 1) P(1, 4, 7) B(6, 2) P(2, 4, 6) B(7, 3) P(3, 4, 7)
#define STEP_1x4_AHEAD IN_TURN(AHEAD_1x4, 4, 5)
#define AHEAD_1x4(a, a_next)                                                                                 \
	NEXT_A(a_next, 0) P(0, a, 6) B(6, 2) P(1, a, 7) B(7, 3) P(2, a, 6) NEXT_B(6, 0) P(3, a, 7) NEXT_B(7, 1)
#define STEP_3x1_FIRST B(6, 0) A(3, 0) A(4, 1) A(5, 2) P(0, 3, 6) P(1, 4, 6) P(2, 5, 6)
#define STEP_3x1_LATE  B(6, 0) A(3, 0) P(0, 3, 6) A(4, 1) P(1, 4, 6) A(5, 2) P(2, 5, 6)
#define STEP_3x1_AHEAD IN_TURN(AHEAD_3x1, 6, 7)
#define AHEAD_3x1(b, b_next) NEXT_B(b_next, 0) P(0, 3, b) NEXT_A(3, 0) P(1, 4, b) NEXT_A(4, 1) P(2, 5, b) NEXT_A(5, 2)
#define STEP_1x3_FIRST A(3, 0) B(5, 0) B(6, 1) B(7, 2) P(0, 3, 5) P(1, 3, 6) P(2, 3, 7)
#define STEP_1x3_LATE  A(3, 0) B(5, 0) P(0, 3, 5) B(6, 1) P(1, 3, 6) B(7, 2) P(2, 3, 7)
#define STEP_1x3_AHEAD IN_TURN(AHEAD_1x3, 3, 4)
#define AHEAD_1x3(a, a_next) NEXT_A(a_next, 0) P(0, a, 5) NEXT_B(5, 0) P(1, a, 6) NEXT_B(6, 1) P(2, a, 7) NEXT_B(7, 2)

#define EACH_SEQUENCE(X)                                                                                     \
	X(2, 2, FIRST) X(2, 2, TODAY) X(2, 2, LATE) X(2, 2, AHEAD) X(1, 4, TODAY) X(1, 4, AHEAD)                 \
	X(3, 1, FIRST) X(3, 1, LATE) X(3, 1, AHEAD) X(1, 3, FIRST) X(1, 3, LATE) X(1, 3, AHEAD)

inlined void step(const struct work *w, const size_t rows, const size_t columns, const enum order order,
                  const enum kind kind, int odd, const struct place now, const struct place next)
{
#define IF_THIS(r, c, o) if (rows == (r) && columns == (c) && order == (o)) { STEP_##r##x##c##_##o }
	EACH_SEQUENCE(IF_THIS)
	IF_THIS(2, 2, ALONE)
}

/* Prefetches the B that is w->ahead bytes after b, that of step s, or in the panels of the next tile. */
inlined void prefetch(const struct work *w, size_t columns, size_t s, const unsigned char *b)
{
	b += w->ahead + (s + w->ahead / STEP < w->steps ? 0 : w->advance - w->panel);
	for (; columns; columns--, b += w->panel)
		for (size_t at = 0; at < STEP; at += LINE)
			__builtin_prefetch(b + at);
}

#define EACH_OF_C(MOVE) MOVE(0) MOVE(1) MOVE(2) MOVE(3)
#define PLACE_OF_C(n)   (c + (n) / columns * TILE * w->ldc + (n) % columns * LINE)
#define LOAD_C(n)       if ((n) < rows * columns) tile_load(n, PLACE_OF_C(n), w->ldc);
#define STORE_C(n)      if ((n) < rows * columns) tile_store(PLACE_OF_C(n), w->ldc, n);

/* Begins with the loads that "ahead" expects. Products alone then multiply no zeros, which could take less power. */
inlined void multiply(const struct work *from, const size_t rows, const size_t columns, const enum order order,
                      const enum kind kind)
{
	const struct work copy = *from, *w = &copy; /* not reached by the memory clobbers of tile instructions */
	struct place now = {w->a, w->b}, next;
	unsigned char *c = w->c;

	step(w, rows, columns, AHEAD, LOADS, 1, now, now);
	for (size_t p = 0; p < w->panels; p += columns, c += columns * LINE) {
		const unsigned char *after = p + columns < w->panels ? now.b + w->advance : w->b;

		EACH_OF_C(LOAD_C)
		for (size_t left = w->repeats; left; left--)
			for (size_t s = 0; s < w->steps; s++, now = next) {
				next = (struct place){now.a + w->step_a, now.b + STEP};
				if (s + 1 == w->steps)
					next = (struct place){w->a, after};
				if (w->ahead)
					prefetch(w, columns, s, now.b);
				step(w, rows, columns, order, kind, s % 2, now, next);
			}
		EACH_OF_C(STORE_C)
	}
}

#define NAME(r, c, o, kind) run_##r##x##c##_##o##_##kind
#define RUN(r, c, o, kind)                                                                                   \
	static void NAME(r, c, o, kind)(const struct work *w) { multiply(w, r, c, o, kind); }
#define RUN_ALL(r, c, o)  RUN(r, c, o, BF16) RUN(r, c, o, S8) RUN(r, c, o, LOADS)
#define SEQUENCE(r, c, o) {r, c, o, {NAME(r, c, o, BF16), NAME(r, c, o, S8), NAME(r, c, o, LOADS)}},
EACH_SEQUENCE(RUN_ALL)
RUN(2, 2, ALONE, BF16)
RUN(2, 2, ALONE, S8)

/* Forms and orders, with their functions by kind. */
static const struct sequence {
	size_t rows, columns;
	enum order order;
	void (*run[KINDS])(const struct work *);
} sequences[] = {EACH_SEQUENCE(SEQUENCE)},
  limits = {2, 2, ALONE, {NAME(2, 2, ALONE, BF16), NAME(2, 2, ALONE, S8), NAME(2, 2, FIRST, LOADS)}};

/* By level: sizes to measure, and to check. Steps are even, since registers take turns. LIMIT hardly ever moves C. */
static const struct size {
	size_t panels, steps, repeats;
} sizes[2][4] = {{{4, 2, 960}, {48, 6, 4}, {144, 8, 1}, {48, 24, 1}}, {{4, 2, 1}, {12, 2, 2}, {12, 2, 1}, {12, 4, 1}}};

static const struct variant {
	enum { LIMIT, NEAR, BLOCK, FAR } level;
	size_t stride, ahead;
	int once;
} variants[] = {{NEAR, 64, 0, 0}, {NEAR, 1536, 0, 0}, {BLOCK, 64, 0, 0}, {BLOCK, 1536, 0, 0}, {BLOCK, 8192, 0, 0},
                {BLOCK, 1536, 4096, 0}, {BLOCK, 1536, 0, 1}, {FAR, 64, 0, 0}, {FAR, 1536, 0, 0}, {FAR, 1600, 0, 0},
                {FAR, 8192, 0, 0}, {FAR, 64, 4096, 0}, {FAR, 64, 8192, 0}, {FAR, 64, 0, 1}, {FAR, 1536, 4096, 0},
                {FAR, 1536, 8192, 0}, {FAR, 1536, 0, 1}}, in_first_level = {LIMIT, 64, 0, 0};

/* The first one has the limits: products without loads, and loads without products. */
enum { VARIANTS = sizeof(variants) / sizeof(*variants), COUNT = 1 + sizeof(sequences) / sizeof(*sequences) * VARIANTS };
static struct combination {
	double key; /* first, for compare_doubles() */
	const struct sequence *sequence;
	const struct variant *variant;
	double samples[KINDS][ROUNDS], rate[KINDS];
} all[COUNT] = {{.sequence = &limits, .variant = &in_first_level}};

static unsigned char room[4 * MIB] __attribute__((aligned(2 * MIB))); /* A, 1 MiB before B, 3 MiB before C */
static uint16_t matrix[ROWS][STEPS * LINE / 2];                       /* A before it is laid out */

/* Integers from -127 to 128 as bf16, of which all sums in a check are exact. As s8, their bytes are so anyway. */
static void fill(void *to, size_t count)
{
	static uint32_t state = 1;

	for (size_t i = 0; i < count; i++, state = state * 1664525 + 1013904223) {
		const float value = (float)(state >> 24) - 127;

		memcpy((char *)to + 2 * i, (const char *)&value + 2, 2);
	}
}

static double value_of(const unsigned char *at, const enum kind kind)
{
	float value = 0;

	memcpy((char *)&value + 2, at, 2);
	return kind == S8 ? *(const signed char *)at : (double)value;
}

/* Lays out A. Rows of C are an odd number of lines apart, so that they do not share few sets of the first level. */
static struct work prepare(const struct combination *c, const struct size *size)
{
	const size_t rows = c->sequence->rows, lda = c->variant->stride, step_a = lda == LINE ? rows * STEP : LINE;
	const size_t panel = size->steps * STEP, advance = c->variant->level <= NEAR ? 0 : c->sequence->columns * panel;
	const size_t ldc = (size->panels + 1) * LINE;

	for (size_t row = 0; row < rows * TILE; row++)
		for (size_t s = 0; s < size->steps; s++)
			memcpy(room + row * lda + s * step_a, &matrix[row][s * LINE / 2], LINE);
	return (struct work){room, room + MIB, room + 3 * MIB, lda, TILE * lda, step_a, panel, advance, ldc,
	                     size->panels, size->steps, size->repeats, c->variant->ahead, c->variant->once};
}

/* The sum of products of a row and a column. The column is that of a panel, each line of which has 4 bytes of k. */
static double plain(const struct work *w, size_t row, size_t col, const enum kind kind)
{
	const unsigned char *a = (const unsigned char *)matrix[row], *b = w->b + col / TILE * w->panel + col % TILE * 4;
	double sum = 0;

	for (size_t at = 0; at < w->steps * LINE; at += kind == S8 ? 1 : 2)
		sum += value_of(a + at, kind) * value_of(b + at / 4 * LINE + at % 4, kind);
	return (double)w->repeats * sum;
}

static const char *describe(const struct combination *c)
{
	static char line[96];

	snprintf(line, sizeof(line), "%zux%zu %-5s %4zu %5zu  %-11s %5zu", c->sequence->rows, c->sequence->columns,
	         orders[c->sequence->order], sizes[0][c->variant->level].steps * LINE / 2, c->variant->stride,
	         c->variant->once ? "tileloaddt1" : "tileloadd", c->variant->ahead);
	return line;
}

/* Whether a combination gives a wrong sum. It is then named. */
static int is_wrong(const struct combination *c, const enum kind kind)
{
	const struct work w = prepare(c, &sizes[1][c->variant->level]);
	const size_t columns = w.panels * TILE, distinct = w.advance ? columns : c->sequence->columns * TILE;
	int wrong = 0;

	memset(w.c, 0, ROWS * w.ldc);
	c->sequence->run[kind](&w);
	for (size_t row = 0; row < c->sequence->rows * TILE; row++)
		for (size_t col = 0; col < columns; col++) {
			const void *c_at = w.c + row * w.ldc + 4 * col;
			const double sum = kind == S8 ? *(const int32_t *)c_at : (double)*(const float *)c_at;

			wrong |= sum != plain(&w, row, col % distinct, kind);
		}
	if (wrong)
		warnx("wrong with %s: %s", kind == S8 ? "s8" : "bf16", describe(c));
	return wrong;
}

/* 10^9 operations a second; with LOADS those of as many bf16 products. The first run warms the caches. */
static double sample(const struct combination *c, const enum kind kind, int quick)
{
	const struct work w = prepare(c, &sizes[quick][c->variant->level]);
	const size_t products = c->sequence->rows * w.panels * w.steps * w.repeats, runs = quick ? 1 : SAMPLE / products;
	double begin;

	c->sequence->run[kind](&w);
	begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (size_t i = 0; i < runs; i++)
		c->sequence->run[kind](&w);
	return (kind == S8 ? 32768. : 16384.) * (double)(runs * products) / (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

static void measure(int quick)
{
	for (int round = 0; round < (quick ? 1 : ROUNDS); round++)
		for (struct combination *c = all; c < all + COUNT; c++)
			for (enum kind kind = BF16; kind < KINDS; kind++) {
				c->samples[kind][round] = sample(c, kind, quick);
				c->rate[kind] = median(c->samples[kind], (size_t)round + 1);
			}
}

static void print_table(void)
{
	const double *limit = all[0].rate;

	printf("products of registers alone: %.0f GFLOP/s (bf16), %.0f GOP/s (s8)\n"
	       "loads alone, from 8 KiB: %.0f GFLOP/s (bf16) with a product each: %.1f cycles if a product takes 16\n\n"
	       "C   order    k  A by  B by        ahead   bf16      %%     s8      %%  loads      %%\n",
	       limit[BF16], limit[S8], limit[LOADS], 16 * limit[BF16] / limit[LOADS]);
	for (const struct combination *c = all + 1; c < all + COUNT; c++)
		printf("%s %6.0f %6.1f %6.0f %6.1f %6.0f %6.1f\n", describe(c), c->rate[BF16],
		       100 * c->rate[BF16] / limit[BF16], c->rate[S8], 100 * c->rate[S8] / limit[S8], c->rate[LOADS],
		       100 * c->rate[LOADS] / limit[BF16]);
}

/* The best combinations with B in the second level, as in whole products, and the ranks of today's micro-kernel. */
static void print_best(const enum kind kind)
{
	for (struct combination *c = all + 1; c < all + COUNT; c++)
		c->key = c->variant->level > NEAR ? -c->rate[kind] : 0;
	qsort(all + 1, COUNT - 1, sizeof(*all), compare_doubles);
	printf("\nbest with %s, B from the second level\n", kind == S8 ? "s8" : "bf16");
	for (int i = 1; i < COUNT && all[i].key < 0; i++) {
		const int today = all[i].sequence->order == TODAY && !all[i].variant->once && !all[i].variant->ahead;

		if (i <= BEST || today)
			printf("%3d  %s %6.0f%s\n", i, describe(&all[i]), all[i].rate[kind], today ? "  today's micro-kernel" : "");
	}
}

int main(int argc, char **argv)
{
	static const struct isk_amx_config config = {.palette = 1, .rows = {[0 ... 7] = TILE}, .bytes = {[0 ... 7] = LINE}};
	const int quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
	int wrong = 0;

	if (argc > 1 && !quick)
		errx(2, "usage: amx [--quick]");
	output_start();
	if (syscall(SYS_arch_prctl, ASK, TILE_DATA)) {
		printf("no AMX here: %m\n");
		return SKIPPED;
	}
	madvise(room, sizeof(room), MADV_HUGEPAGE); /* so that the sets of the second level do not differ from run to run */
	fill(matrix, sizeof(matrix) / 2);
	fill(room + MIB, MIB);
	tile_config(&config);
	for (int i = 1; i < COUNT; i++) {
		all[i].sequence = &sequences[(i - 1) / VARIANTS];
		all[i].variant = &variants[(i - 1) % VARIANTS];
		wrong |= is_wrong(&all[i], BF16) | is_wrong(&all[i], S8);
	}
	measure(quick);
	tile_release();
	printf("%s, caches of %zu and %zu KiB\n", machine_cpu(), machine_cache(1) >> 10, machine_cache(2) >> 10);
	print_table();
	print_best(BF16);
	print_best(S8);
	return wrong;
}
