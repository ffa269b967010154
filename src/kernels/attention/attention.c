/* SPDX-License-Identifier: MIT */
/*
 * Attention of one head. Some queries at a time go through the blocks of keys that they see. The keys of a block are
 * transposed once for all these queries, so that lanes hold keys and each score is one chain over the width. Scores, and the
 * values that weights multiply, are sums of the same tile: rows of a by some vectors of b.
 *
 * Roundings: a score has width + 1, a cap adds 4 (tanh errs by less than 3 ulp, and the two factors), a mask 1; score - M
 * adds 1 of at most twice the greatest score. All these are errors of an exponent, for a weight and for its share of l alike,
 * hence the 2. Weights err by 2 more eps. l and y each round once a key, and twice a block when a new maximum multiplies
 * them by an exponential.
 */
#include "attention_kernels.h"
#include "of_type.h"
#include "sum_tree.h"
#include "transpose_tile.h"
#include "vmath.h"

/*
 * KEYS: of a block. DEPTH: of a transposed part of it. ROWS by WIDE vectors: a tile, whose sums leave registers for a row of b
 * and an element of a. GROUP: the queries for which keys are transposed once, which costs a sixth of their products if there are 24.
 */
enum { KEYS = 64, DEPTH = 64, ROWS = 6, WIDE = ISK_REGISTERS >= 32 ? 4 : 2, GROUP = 8 * ROWS };

struct call {
	float *y;
	const float *q;
	const elem *k, *v;
	const float *mask;
	size_t keys, width, value_width, ldy, ldq, ldk, ldv, ldmask;
	float scale, cap;
	int64_t ahead;
	size_t window;
};

/* Keys of a block, from its first key on. */
struct range {
	size_t from, end;
};

struct group {
	float turned[DEPTH * KEYS] __attribute__((aligned(64))); /* element d of all keys, for each d of a part of the width */
	float widened[TYPE == ISK_F32 ? 1 : KEYS * DEPTH] __attribute__((aligned(64)));
	float weights[GROUP][KEYS] __attribute__((aligned(64))); /* scores, then weights */
	float max[GROUP], sum[GROUP];
	struct range range[GROUP]; /* the keys whose values a query takes */
};

/* Adds `depth` products to each of rows by vectors sums. Of the last vector, n - (vectors - 1) * VL lanes are used. */
ISK_INLINE void tile(float *sums, size_t ldsums, const float *a, size_t lda, const void *b, size_t ldb, size_t depth, size_t n,
                     const int rows, const int vectors, const enum isk_type type)
{
	vf acc[ROWS][WIDE];

#pragma GCC unroll 6
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (int v = 0; v < vectors; v++)
			acc[r][v] = vf_load_as(sums + (size_t)r * ldsums, (size_t)v * VL, n - (size_t)v * VL, ISK_F32);
	for (size_t i = 0; i < depth; i++) {
		vf y[WIDE];

#pragma GCC unroll 4
		for (int v = 0; v < vectors; v++)
			y[v] = vf_load_as(b, i * ldb + (size_t)v * VL, n - (size_t)v * VL, type);
#pragma GCC unroll 6
		for (int r = 0; r < rows; r++) {
			const vf x = vf_set1(a[(size_t)r * lda + i]);

#pragma GCC unroll 4
			for (int v = 0; v < vectors; v++)
				acc[r][v] = vf_fma(x, y[v], acc[r][v]);
		}
	}
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (int v = 0; v < vectors; v++)
			vf_store_as(sums + (size_t)r * ldsums, (size_t)v * VL, acc[r][v], n - (size_t)v * VL, ISK_F32);
}

ISK_INLINE void tiles(float *sums, size_t ldsums, const float *a, size_t lda, const void *b, size_t ldb, size_t depth, size_t n,
                      const int rows, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	size_t j = 0;

	for (; n - j >= WIDE * VL; j += WIDE * VL)
		tile(sums + j, ldsums, a, lda, (const char *)b + j * bytes, ldb, depth, WIDE * VL, rows, WIDE, type);
	for (; n - j >= VL; j += VL)
		tile(sums + j, ldsums, a, lda, (const char *)b + j * bytes, ldb, depth, VL, rows, 1, type);
	/* Sums of keys are whole vectors. */
	if (j < n)
		tile(sums + j, ldsums, a, lda, (const char *)b + j * bytes, ldb, depth, n - j, rows, 1, type);
}

/* Adds the products of `depth` elements of each row of a by n transposed keys, whole vectors, to rows of sums. */
ISK_APART static void add_keys(float *sums, const float *a, size_t lda, const float *b, size_t depth, size_t n, size_t rows)
{
	for (; rows >= ROWS; rows -= ROWS, sums += ROWS * KEYS, a += ROWS * lda)
		tiles(sums, KEYS, a, lda, b, KEYS, depth, n, ROWS, ISK_F32);
	for (; rows; rows--, sums += KEYS, a += lda)
		tiles(sums, KEYS, a, lda, b, KEYS, depth, n, 1, ISK_F32);
}

/* Adds the products of `depth` weights of each row by rows of n values to rows of y. rows is ROWS or 1. */

ISK_APART static void add_values(float *y, size_t ldy, const float *weights, const elem *v, size_t ldv, size_t depth, size_t n,
                                 int rows)
{
	if (rows == ROWS)
		tiles(y, ldy, weights, KEYS, v, ldv, depth, n, ROWS, TYPE);
	else
		tiles(y, ldy, weights, KEYS, v, ldv, depth, n, 1, TYPE);
}

/* Transposes elements `at` to at + depth - 1 of `count` keys. Those that are missing from a block become 0. */
static void turn_keys(struct group *g, const struct call *c, size_t key, size_t count, size_t at, size_t depth)
{
	const elem *k = c->k + key * c->ldk + at;

	for (size_t i = 0; count < KEYS && i < DEPTH * KEYS; i += VL)
		vf_store(g->turned + i, vf_set1(0));
	if (TYPE == ISK_F32) {
		squares_transpose(g->turned, sizeof(float) * KEYS, k, sizeof(float) * c->ldk, count, depth, sizeof(float));
		return;
	}
	for (size_t j = 0; j < count; j++, k += c->ldk)
		for (size_t i = 0; i < depth; i += VL)
			vf_store(g->widened + j * DEPTH + i, load(k, i, depth - i));
	squares_transpose(g->turned, sizeof(float) * KEYS, g->widened, sizeof(float) * DEPTH, count, depth, sizeof(float));
}

/* Sets the sums of a block's keys by `rows` queries from the one at q on. */
static void score(struct group *g, const struct call *c, const float *q, size_t rows, size_t key, size_t count)
{
	for (size_t r = 0; r < rows; r++)
		for (size_t j = 0; j < KEYS; j += VL)
			vf_store(g->weights[r] + j, vf_set1(0));
	for (size_t at = 0, depth; at < c->width; at += depth) {
		depth = c->width - at < DEPTH ? c->width - at : DEPTH;
		turn_keys(g, c, key, count, at, depth);
		add_keys(g->weights[0], q + at, c->ldq, g->turned, depth, (count + VL - 1) / VL * VL, rows);
	}
}

/* v in the lanes of a range, and -Inf elsewhere; lane 0 is key j of the block. */
ISK_INLINE vf within(vf v, struct range range, size_t j)
{
	const size_t before = range.from > j ? range.from - j : 0, end = range.end > j ? range.end - j : 0;

	v = first_lanes(v, end, -INFINITE);
	return before ? vf_sel(vm_first(before < VL ? before : VL), vf_set1(-INFINITE), v) : v;
}

/* From sums to scores: vector number j / VL of a block of `count` keys. mask is its row of the block, or NULL. */
ISK_INLINE vf score_of(vf sum, const struct call *c, const float *mask, size_t j, size_t count)
{
	vf s = sum * c->scale;

	if (c->cap > 0)
		s = vf_tanh(s / c->cap) * c->cap;
	return mask && j < count ? s + vf_load_as(mask, j, count - j, ISK_F32) : s;
}

/*
 * Makes query r's sums weights, and adds them to its sum. Returns the factor of what was added before; -1: all keys are
 * hidden, so that the block counts for nothing.
 */
static float weigh(struct group *g, const struct call *c, size_t r, const float *mask, size_t count)
{
	float *const w = g->weights[r];
	const struct range range = g->range[r];
	vf most[VECTORS], total[4 * VECTORS];
	vm nan = vm_first(0);
	float max, centre, factor;
	line all;

	for (int v = 0; v < VECTORS; v++)
		most[v] = vf_set1(-INFINITE);
	for (size_t j = 0; j < KEYS; j += VL) {
		const vf s = within(score_of(vf_load(w + j), c, mask, j, count), range, j);

		most[j / VL % VECTORS] = vf_max(s, most[j / VL % VECTORS]);
		nan = vm_or(nan, vf_isnan(s));
		vf_store(w + j, s);
	}
	max = ISK_WORD(fold_max)(most);
	max = max > g->max[r] ? max : g->max[r];
	if (max == -INFINITE && !vm_any(nan))
		return -1;
	centre = max == -INFINITE ? 0 : max;
	factor = vf_exp(vf_set1(g->max[r] - centre))[0];
	for (size_t j = 0; j < KEYS; j += VL) {
		total[j / VL] = vf_exp(vf_load(w + j) - centre);
		vf_store(w + j, total[j / VL]);
	}
	/* In the order of isk_sum_f32. */
	for (int half = 2 * VECTORS; half >= VECTORS; half /= 2)
		for (int v = 0; v < half; v++)
			total[v] += total[v + half];
	for (int v = 0; v < VECTORS; v++)
		all.v[v] = total[v];
	g->sum[r] = vf_fma(vf_set1(g->sum[r]), vf_set1(factor), vf_set1(add_lanes(all)))[0];
	g->max[r] = max;
	return factor;
}

ISK_INLINE void scale_row(float *y, size_t n, float factor)
{
	for (size_t i = 0; i < n; i += VL)
		vf_store_as(y, i, vf_load_as(y, i, n - i, ISK_F32) * factor, n - i, ISK_F32);
}

/* Adds values to `rows` rows of y, which take different keys only near the ends of what they see. */
static void take_values(const struct group *g, const struct call *c, float *y, size_t first, size_t rows, const elem *v)
{
	struct range common = {0, KEYS};

	for (size_t r = first; r < first + rows; r++) {
		common.from = g->range[r].from > common.from ? g->range[r].from : common.from;
		common.end = g->range[r].end < common.end ? g->range[r].end : common.end;
	}
	if (rows < ROWS || common.end <= common.from)
		common.from = common.end = KEYS;
	for (size_t r = 0; r < rows; r++) {
		const struct range range = g->range[first + r];
		const size_t end = range.end < common.from ? range.end : common.from;

		if (range.from < end)
			add_values(y + r * c->ldy, c->ldy, g->weights[first + r] + range.from, v + range.from * c->ldv, c->ldv,
			           end - range.from, c->value_width, 1);
	}
	if (common.from == KEYS)
		return;
	add_values(y, c->ldy, g->weights[first] + common.from, v + common.from * c->ldv, c->ldv, common.end - common.from,
	           c->value_width, ROWS);
	for (size_t r = 0; r < rows; r++)
		if (g->range[first + r].end > common.end)
			add_values(y + r * c->ldy, c->ldy, g->weights[first + r] + common.end, v + common.end * c->ldv, c->ldv,
			           g->range[first + r].end - common.end, c->value_width, 1);
}

/* The keys that a query sees. */
static struct range seen_by(const struct call *c, size_t query)
{
	const int64_t last = c->ahead < INT64_MAX - (int64_t)query ? c->ahead + (int64_t)query : INT64_MAX - 1;
	const size_t reach = last >= 0 ? (size_t)last + 1 : 0;
	const size_t from = c->window && reach > c->window ? reach - c->window : 0;

	return (struct range){from, reach < c->keys ? reach : c->keys};
}

/* The part of a range in a block of keys, counted from its first key. */
static struct range in_block(struct range range, size_t key)
{
	const size_t end = range.end > key ? range.end - key : 0;

	return (struct range){range.from > key ? range.from - key : 0, end < KEYS ? end : KEYS};
}

static void take_block(struct group *g, const struct call *c, size_t query, size_t rows, size_t key)
{
	const size_t count = c->keys - key < KEYS ? c->keys - key : KEYS;
	float *const y = c->y + query * c->ldy;

	score(g, c, c->q + query * c->ldq, rows, key, count);
	for (size_t r = 0; r < rows; r++) {
		float factor = -1;

		g->range[r] = in_block(seen_by(c, query + r), key);
		if (g->range[r].from < g->range[r].end)
			factor = weigh(g, c, r, c->mask ? c->mask + (query + r) * c->ldmask + key : NULL, count);
		if (factor == -1)
			g->range[r] = (struct range){KEYS, 0};
		else if (factor != 1)
			scale_row(y + r * c->ldy, c->value_width, factor);
	}
	for (size_t r = 0, height; r < rows; r += height) {
		height = rows - r < ROWS ? rows - r : ROWS;
		take_values(g, c, y + r * c->ldy, r, height, c->v + key * c->ldv);
	}
}

void KERNEL(attention)(float *y, const float *q, const elem *k, const elem *v, const float *mask, size_t queries, size_t keys,
                       size_t width, size_t value_width, size_t ldy, size_t ldq, size_t ldk, size_t ldv, size_t ldmask,
                       float scale, float cap, int64_t ahead, size_t window)
{
	const struct call c = {y, q, k, v, mask, keys, width, value_width, ldy, ldq, ldk, ldv, ldmask, scale, cap, ahead, window};
	struct group g;

	for (size_t query = 0, rows; value_width && query < queries; query += rows) {
		rows = queries - query < GROUP ? queries - query : GROUP;
		for (size_t r = 0; r < rows; r++) {
			g.max[r] = -INFINITE;
			g.sum[r] = 0;
			for (size_t i = 0; i < value_width; i += VL)
				vf_store_as(y + (query + r) * ldy, i, vf_set1(0), value_width - i, ISK_F32);
		}
		for (size_t key = seen_by(&c, query).from / KEYS * KEYS; key < seen_by(&c, query + rows - 1).end; key += KEYS)
			take_block(&g, &c, query, rows, key);
		for (size_t r = 0; r < rows; r++)
			for (size_t i = 0; i < value_width && g.sum[r] != 0; i += VL)
				vf_store_as(y + (query + r) * ldy, i, vf_load_as(y + (query + r) * ldy, i, value_width - i, ISK_F32) / g.sum[r],
				            value_width - i, ISK_F32);
	}
}
