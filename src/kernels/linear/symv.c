/* SPDX-License-Identifier: MIT */
/*
 * A symmetric matrix, of which one triangle is stored by rows, times a vector. Each stored element serves its row, by the sum
 * of dot, and its column, by axpy. Four rows are read together, so that x and y are read once for them, and each element of a
 * is read once. Time relative to dot and axpy of each row (Zen 4, doubles, the upper triangle): 1000 x 1000 .49 to .55,
 * 200 x 200 .48, 64 x 64 .60; at AVX2 .73, .64, .63.
 *
 * The sum of a row has the order of dot: element number e goes to lane e % LANES, in blocks of BLOCK_TERMS. Here the columns
 * of four rows stand in the same lanes, from column `base` on. If the upper triangle is stored, row r of the four has 3 - r
 * elements before that column. So its lanes are turned by 3 - r, and its blocks end that many columns earlier. To turn the
 * lanes changes no bit of a sum, because each step of folding adds lanes that are half of the remaining lanes apart. The last
 * ROWS columns of a block are a seam, whose elements are added one by one, to the old block or to the next one.
 */
#include "symv_kernels.h"
#include "of_type.h"
#include "part.h"
#include "sum_tree.h"

ISK_EXTERN lane KERNEL(dot)(const elem *a, const elem *b, size_t n);
ISK_EXTERN void KERNEL(axpy)(elem *y, const elem *x, size_t n, lane alpha);
ISK_EXTERN void KERNEL(scale)(elem *y, const elem *x, size_t n, lane alpha);

/*
 * ROWS are read together. HELD: vectors of lanes of each row that registers hold at a time; the columns of a block are
 * passed once for each HELD * COUNT lanes.
 */
enum {
	ROWS = 4,
	LANES = 4 * LINE,
	BLOCK_TERMS = ROUNDS * LANES,
	HELD = ISK_REGISTERS > 16 && VECTORS == 1 ? 4 : VECTORS,
	BEGUN = COUNT > 4 ? COUNT : 4, /* lanes at the end that are not 0 when a sum begins, in whole vectors */
};

/* ROWS rows: where they begin, their factors of axpy, the lanes of the current blocks, and the blocks before. */
struct rows {
	const elem *a;
	size_t lda;
	const elem *x;
	elem *y;
	lane factors[ROWS];
	lane lanes[ROWS][LANES] __attribute__((aligned(64)));
	cascade blocks[ROWS];
};

/* c + a * b, rounded once if the ISA has fused multiply-add. */
ISK_INLINE lane add_product(lane a, lane b, lane c)
{
	return multiply_add(splat(a), splat(b), splat(c))[0];
}

/* The elements of row r before `base`. */
ISK_INLINE size_t turn_of(size_t r, const int upper)
{
	return upper ? ROWS - 1 - r : 0;
}

/* Whether row r of the four stores the element of column e of the four. */
ISK_INLINE int is_stored(size_t r, size_t e, const int upper)
{
	return upper ? e > r : e < r;
}

/* Both uses of n <= COUNT columns from column k on. */
ISK_INLINE void use_columns(vec sums[ROWS][HELD], const int v, const elem *a, size_t lda, const elem *x, elem *y,
                            const vec factors[ROWS], size_t k, size_t n)
{
	const vec factor = load(x, k, n);
	vec s = load(y, k, n);

#pragma GCC unroll 4
	for (size_t r = 0; r < ROWS; r++) {
		const vec column = load(a + r * lda, k, n);

		sums[r][v] = multiply_add(column, factor, sums[r][v]);
		s = multiply_add(factors[r], column, s);
	}
	store(y, k, s, n);
}

/* Both uses of n columns from column k on, the first of which stands in lane 0. If is_first, only the last lanes are not 0. */
static void stretch(struct rows *w, size_t k, size_t n, int is_first)
{
	const size_t width = HELD * COUNT, lda = w->lda;
	const elem *a = w->a + k, *x = w->x + k;
	elem *y = w->y + k;
	vec factors[ROWS];

#pragma GCC unroll 4
	for (int r = 0; r < ROWS; r++)
		factors[r] = splat(w->factors[r]);
	for (size_t first = 0; first < LANES; first += width) {
		vec sums[ROWS][HELD];
		size_t at = first;

#pragma GCC unroll 4
		for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 4
			for (int v = 0; v < HELD; v++) {
				const size_t from = first + (size_t)(v * COUNT);

				sums[r][v] = is_first && from < LANES - BEGUN ? splat(0) : load_lanes(w->lanes[r], from, COUNT);
			}
		for (; at + width <= n; at += LANES)
#pragma GCC unroll 4
			for (int v = 0; v < HELD; v++)
				use_columns(sums, v, a, lda, x, y, factors, at + (size_t)(v * COUNT), COUNT);
#pragma GCC unroll 4
		for (int v = 0; v < HELD; v++)
			if (at + (size_t)(v * COUNT) < n)
				use_columns(sums, v, a, lda, x, y, factors, at + (size_t)(v * COUNT), n - at - (size_t)(v * COUNT));
#pragma GCC unroll 4
		for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 4
			for (int v = 0; v < HELD; v++)
				store_lanes(w->lanes[r], first + (size_t)(v * COUNT), sums[r][v], COUNT);
	}
}

/* The line of a block. */
ISK_INLINE line folded(const lane *lanes)
{
	line s;

#pragma GCC unroll 4
	for (size_t v = 0; v < VECTORS; v++)
		s.v[v] = (load_lanes(lanes, v * COUNT, COUNT) + load_lanes(lanes, 2 * LINE + v * COUNT, COUNT))
		         + (load_lanes(lanes, LINE + v * COUNT, COUNT) + load_lanes(lanes, 3 * LINE + v * COUNT, COUNT));
	return s;
}

/* Ends the current block of row r, which is not its last one. */
static void next_block(struct rows *w, size_t r)
{
	push(&w->blocks[r], folded(w->lanes[r]));
	for (size_t v = 0; v < LANES / COUNT; v++)
		store_lanes(w->lanes[r], v * COUNT, splat(0), COUNT);
}

/* To the sum of row r, the element of column k, which stands in lane `at`. */
ISK_INLINE void add_element(struct rows *w, size_t r, size_t k, size_t at)
{
	w->lanes[r][at] = add_product(w->a[r * w->lda + k], w->x[k], w->lanes[r][at]);
}

/* Both uses of up to ROWS columns from column k on, among which blocks end; `left` columns remain. */
static void seam(struct rows *w, size_t k, size_t left, const int upper)
{
	const size_t n = left < ROWS ? left : ROWS;

	for (size_t r = 0; r < ROWS; r++) {
		const size_t last = ROWS - turn_of(r, upper);

		for (size_t e = 0; e < n; e++) {
			if (e == last)
				next_block(w, r);
			add_element(w, r, k + e, LANES - ROWS + e);
			w->y[k + e] = add_product(w->factors[r], w->a[r * w->lda + k + e], w->y[k + e]);
		}
		if (last == n && left > n)
			next_block(w, r);
	}
}

/* Both uses of the n columns that all rows have, from column `base` on. */
ISK_INLINE void common_columns(struct rows *w, size_t base, size_t n, const int upper)
{
	size_t done = 0;

	do {
		const size_t left = n - done, some = left < BLOCK_TERMS - ROWS ? left : BLOCK_TERMS - ROWS;

		stretch(w, base + done, some, done == 0);
		done += some;
		if (done < n) {
			seam(w, base + done, n - done, upper);
			done += n - done < ROWS ? n - done : ROWS;
		}
	} while (done < n);
}

/* The last lanes of the first blocks: the products of the elements before column i + ROWS, or 0. */
ISK_INLINE void begin_sums(struct rows *w, size_t i, const int upper)
{
#pragma GCC unroll 4
	for (size_t r = 0; r < ROWS; r++) {
		vec last[BEGUN / COUNT];

#pragma GCC unroll 4
		for (size_t v = 0; v < BEGUN / COUNT; v++)
			last[v] = splat(0);
#pragma GCC unroll 4
		for (size_t e = 0; e < ROWS; e++) {
			const size_t at = BEGUN - ROWS + e;

			if (upper && is_stored(r, e, upper))
				last[at / COUNT][at % COUNT] = w->a[r * w->lda + i + e] * w->x[i + e] + 0;
		}
#pragma GCC unroll 4
		for (size_t v = 0; v < BEGUN / COUNT; v++)
			store_lanes(w->lanes[r], LANES - BEGUN + v * COUNT, last[v], COUNT);
		begin(&w->blocks[r]);
	}
}

/* Rows i to i + ROWS - 1. */
ISK_INLINE void four_rows(struct rows *w, size_t i, size_t n, lane alpha, const int upper)
{
	lane sums[ROWS];

	for (size_t r = 0; r < ROWS; r++)
		w->factors[r] = alpha * w->x[i + r];
	begin_sums(w, i, upper);
	if (upper)
		common_columns(w, i + ROWS, n - i - ROWS, 1);
	else
		common_columns(w, 0, i, 0);
#pragma GCC unroll 4
	for (size_t r = 0; r < ROWS; r++) {
		if (!upper && r && i && i % BLOCK_TERMS == 0)
			next_block(w, r);
		for (size_t e = 0; e < r && !upper; e++)
			add_element(w, r, i + e, i % LANES + e);
		sums[r] = end(&w->blocks[r], folded(w->lanes[r]));
	}
#pragma GCC unroll 4
	for (size_t r = 0; r < ROWS; r++) {
		const elem *a = w->a + r * w->lda + i;
		elem *y = w->y + i;

#pragma GCC unroll 4
		for (size_t e = 0; e < ROWS; e++)
			if (is_stored(r, e, upper))
				y[e] = add_product(w->factors[r], a[e], y[e]);
		y[r] = add_product(alpha, add_product(a[r], w->x[i + r], sums[r]), y[r]);
	}
}

/* Row i, whose diagonal is in column i. */
static void one_row(const struct rows *w, size_t i, size_t n, lane alpha, int upper)
{
	const size_t first = upper ? i + 1 : 0, count = upper ? n - 1 - i : i;
	const lane sum = KERNEL(dot)(w->a + first, w->x + first, count);

	KERNEL(axpy)(w->y + first, w->a + first, count, alpha * w->x[i]);
	w->y[i] = add_product(alpha, add_product(w->a[i], w->x[i], sum), w->y[i]);
}

/* Rows i to end - 1. Four rows of a lower triangle begin at a multiple of ROWS, so that their lanes are beside each other. */
ISK_INLINE void all_rows(struct rows *w, size_t i, size_t end, size_t n, lane alpha, const int upper)
{
	while (i < end)
		if (end - i >= ROWS && (upper || i % ROWS == 0)) {
			four_rows(w, i, n, alpha, upper);
			i += ROWS;
			w->a += ROWS * w->lda;
		} else {
			one_row(w, i, n, alpha, upper);
			i++;
			w->a += w->lda;
		}
}

/* The stored rows are the first ones of an upper triangle or the last ones of a lower one. */
int KERNEL(symv_rows)(elem *y, const elem *a, const elem *x, size_t rows, size_t n, size_t lda, unsigned lower, lane alpha)
{
	struct rows w;

	if (lower > 1 || rows > n)
		return ISK_ERR_SHAPE;
	if (lda < n)
		return ISK_ERR_STRIDE;
	if (alpha == 0)
		return ISK_OK;
	w.a = a;
	w.lda = lda;
	w.x = x;
	w.y = y;
	if (lower)
		all_rows(&w, n - rows, n, n, alpha, 0);
	else
		all_rows(&w, 0, rows, n, alpha, 1);
	return ISK_OK;
}

int KERNEL(symv)(elem *y, const elem *a, const elem *x, size_t n, size_t lda, unsigned lower, lane alpha, lane beta)
{
	if (lower > 1)
		return ISK_ERR_SHAPE;
	if (lda < n)
		return ISK_ERR_STRIDE;
	if (beta == 0)
		for (size_t k = 0; k < n; k++)
			y[k] = 0;
	else if (beta != 1)
		KERNEL(scale)(y, y, n, beta);
	return KERNEL(symv_rows)(y, a, x, n, n, lda, lower, alpha);
}
