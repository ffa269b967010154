/* SPDX-License-Identifier: MIT */
/*
 * Softmax of rows, with a mask, its logarithm, and cross-entropy: all of them need the maximum of a row and the sum of
 * exp(x - max). A NaN needs no care, because it is in the sum. Softmax along the middle one of three axes comes last.
 *
 * A row is taken in blocks of ROUNDS lines, in a buffer that is padded with -Inf to whole lines. The lines of a block are
 * added in order, and those of the blocks as the cascade of sum_tree.h does. A term is rounded at most 31 times in
 * its block, 4 times when the line is folded, and ceil(log2(blocks)) times between, hence never more than depth(n) allows.
 *
 * Roundings of y: the difference, exp (2 eps), the sum with the exp in it, its reciprocal and the product; for rows of
 * at most three elements these are up to 1.25 * depth(cols). A mask adds the rounding of scale * x + mask and, without
 * fma, another of scale * x, both of y's element and of those it is compared with; the logarithm adds two roundings of
 * less than |y| and that of log(sum). Worst found, of eps * y * (depth + max - x): f32 0.925 at
 * {0x1.0ea884p+4, 0x1.ab8c3ap+4, -0x1.5b901p+2}[2], f64 0.97 in three columns; of their bounds: masked 0.96, at baseline
 * 1.3, log_softmax 0.95, cross_entropy 0.95 and its gradient 0.90.
 */
#include "softmax_kernels.h"
#include "of_type.h"
#include "sum_tree.h"
#include "exp_lanes.h"
#include "indices.h"
#include "logarithm.h"

/* The index of no element, for the kernels other than cross_entropy_backward, which alone subtracts 1 from one. */
#define NONE SIZE_MAX

/* A row: x or, if it is masked, scale * x + mask, where a NULL mask counts as 0. */
struct row {
	const elem *x, *mask;
	size_t n;
	lane scale;
	int masked;
};

/* A block of a row, and the maximum and the sum of the row. */
struct buffer {
	lane e[BLOCK];
	lane max, sum;
};

ISK_INLINE vec exponential(vec v)
{
	return ISK_WORD(power)(v);
}

ISK_INLINE size_t lines_of(size_t n)
{
	return (n + LINE - 1) / LINE;
}

/* The number of elements in the block that begins with element i. */
ISK_INLINE size_t block_at(size_t i, size_t n)
{
	return n - i < BLOCK ? n - i : BLOCK;
}

ISK_INLINE vec element_of_row(const struct row *row, size_t i, size_t n)
{
	const vec v = load(row->x, i, n);

	if (!row->masked)
		return v;
	return row->mask ? multiply_add(v, splat(row->scale), load(row->mask, i, n)) : v * row->scale;
}

/* Loads a block, and raises max to its maximum, from which a NaN may be missing. */
ISK_APART static void load_block(struct buffer *b, const struct row *row, size_t i)
{
	const size_t n = block_at(i, row->n), whole = lines_of(n) * LINE;
	line most;
	lane max;

	for (int v = 0; v < VECTORS; v++)
		most.v[v] = splat(-INFINITE);
	for (size_t l = 0; l < whole; l += LINE)
		for (int v = 0; v < VECTORS; v++) {
			const size_t j = l + (size_t)v * COUNT, left = j < n ? n - j : 0;
			const vec e = first_lanes(element_of_row(row, i + j, left), left, -INFINITE);

			most.v[v] = maximum(most.v[v], e);
			store_lanes(b->e, j, e, COUNT);
		}
	max = ISK_WORD(fold_max)(most.v);
	b->max = max > b->max ? max : b->max;
}

/* Writes the exponentials of e - max to the array to, which may be e itself, and their sum to a line. */
ISK_APART static void exp_of_block(line *sum, lane *to, const struct buffer *b, size_t lines)
{
	const vec max = splat(b->max);

	for (int v = 0; v < VECTORS; v++)
		sum->v[v] = splat(0);
	for (size_t l = 0; l < lines; l++)
		for (int v = 0; v < VECTORS; v++) {
			const size_t at = l * LINE + (size_t)v * COUNT;
			const vec e = exponential(load_lanes(b->e, at, COUNT) - max);

			store_lanes(to, at, e, COUNT);
			sum->v[v] += e;
		}
}

/* If all of a row is masked, its exponentials are 0, and so is the softmax. Without a mask x - max is NaN. */
ISK_INLINE void put_centre(struct buffer *b, const struct row *row)
{
	if (row->masked && b->max == -INFINITE)
		b->max = 0;
}

ISK_INLINE void put_sum(struct buffer *b, const struct row *row, lane sum)
{
	b->sum = row->masked && sum == 0 ? 1 : sum;
}

/* Maximum and sum of a row of more than a block. If kept is not NULL, it takes the exponentials; it may be x. */
ISK_LONG static void spread_long(struct buffer *b, const struct row *row, lane *kept)
{
	cascade c;
	line s;

	b->max = -INFINITE;
	for (size_t i = 0; i < row->n; i += BLOCK)
		load_block(b, row, i);
	put_centre(b, row);
	begin(&c);
	for (size_t i = 0;; i += BLOCK) {
		const size_t n = block_at(i, row->n);
		lane *to = kept && n == BLOCK ? kept + i : b->e;

		load_block(b, row, i);
		exp_of_block(&s, to, b, lines_of(n));
		for (size_t j = 0; kept && to == b->e && j < n; j += COUNT)
			store_lanes(kept, i + j, load_lanes(b->e, j, COUNT), n - j);
		if (n == row->n - i)
			break;
		push(&c, s);
	}
	put_sum(b, row, end(&c, s));
}

/* The same for a row of at most a block, all of whose exponentials are then in the buffer. */
ISK_INLINE void spread_short(struct buffer *b, const struct row *row)
{
	line s;

	b->max = -INFINITE;
	load_block(b, row, 0);
	put_centre(b, row);
	exp_of_block(&s, b->e, b, lines_of(row->n));
	put_sum(b, row, add_lanes(s));
}

/* The exponentials of the block that begins with element i of a long row: kept, or computed once more. */
ISK_INLINE const lane *exponentials_at(struct buffer *b, const struct row *row, const lane *kept, size_t i)
{
	line unused;

	if (kept)
		return kept + i;
	load_block(b, row, i);
	exp_of_block(&unused, b->e, b, lines_of(block_at(i, row->n)));
	return b->e;
}

/* For n elements from element i on: y = (e / sum - [index is hot]) * times, in which the bracket is 1 or 0. */
ISK_INLINE void write_block(elem *y, const lane *e, lane sum, size_t i, size_t n, size_t hot, lane times)
{
	const lane factor = 1 / sum, at_hot = hot - i < n ? e[hot - i] : 0;

	for (size_t j = 0; j < n; j += COUNT)
		store(y, i + j, load_lanes(e, j, n - j) * factor * times, n - j);
	if (hot - i < n)
		store_one(y, hot, (at_hot * factor - 1) * times);
}

/* The softmax of a row, minus 1 at the element hot, times a number. Elements as wide as lanes keep exponentials in y. */
ISK_APART static void softmax_row(elem *y, const struct row *row, size_t hot, lane times)
{
	lane *const kept = sizeof(elem) == sizeof(lane) ? (void *)y : NULL;
	const int is_short = row->n <= BLOCK;
	struct buffer b;
	size_t n;

	if (is_short)
		spread_short(&b, row);
	else
		spread_long(&b, row, kept);
	for (size_t i = 0; i < row->n; i += n) {
		n = block_at(i, row->n);
		write_block(y, is_short ? b.e : exponentials_at(&b, row, kept, i), b.sum, i, n, hot, times);
	}
}

/* The maximum of a row, and the logarithm of its sum of exp(x - max): NaN if the sum is NaN. */
struct log_sum {
	lane max, log;
};

ISK_APART static struct log_sum log_sum_of_row(const elem *x, size_t n)
{
	const struct row row = {x, NULL, n, 1, 0};
	struct buffer b;

	if (n <= BLOCK)
		spread_short(&b, &row);
	else
		spread_long(&b, &row, NULL);
	return (struct log_sum){b.max, b.sum == b.sum ? (lane)ln_of_one((double)b.sum) : b.sum};
}

/* Writes exp(x - max) for elements i to end - 1. */
ISK_INLINE void exp_of_part(elem *y, const elem *x, size_t i, size_t end, vec max)
{
	for (; end - i >= COUNT; i += COUNT)
		store(y, i, exponential(load(x, i, COUNT) - max), COUNT);
	if (i < end)
		store(y, i, exponential(load(x, i, end - i) - max), end - i);
}

/*
 * The softmax of a row of f32 in place: the maximum; block by block the exponentials and, while they are in
 * the first-level cache, their sum in the tree of sum_tree.h; the scaling. It does not use the buffer above, because
 * that adds in another order, and the bits of this kernel are older.
 */
ISK_INLINE void softmax_row_in_place(elem *y, const elem *x, size_t n)
{
	const vec max = splat(ISK_WORD(fold_max)(reduce_max(x, 0, n, 0).lanes.v));
	const size_t step = block_of(SUM);
	cascade c;
	size_t j = 0;
	vec factor;

	begin(&c);
	for (size_t i = 0;; i += step) {
		const size_t stop = n - i < step ? n : i + step;
		line s;

		exp_of_part(y, x, i, stop, max);
		reduce_block(&s, y, NULL, i, stop - i, max, 0, SUM);
		if (stop == n) {
			factor = splat(1 / end(&c, s));
			break;
		}
		push(&c, s);
	}
	for (; n - j >= COUNT; j += COUNT)
		store(y, j, load(y, j, COUNT) * factor, COUNT);
	if (j < n)
		store(y, j, load(y, j, n - j) * factor, n - j);
}

/*
 * The same for a row of at most ONE_VECTOR elements, without passes and blocks, which take most of the time of such a row.
 * The tree of sum_tree.h adds zeros to its sum. SSE2 has no loads and stores of a part of a vector: with functions in
 * their place, a row of 1 to 3 elements took 1.7 times the time.
 */
#define ONE_VECTOR (COUNT > 4 ? COUNT : 0)

ISK_INLINE void softmax_row_of_one_vector(elem *y, const elem *x, size_t n)
{
	const vec v = first_lanes(load(x, 0, n), n, -INFINITE);
	line terms;
	vec most[VECTORS];

	for (int i = 0; i < VECTORS; i++) {
		most[i] = splat(-INFINITE);
		terms.v[i] = splat(0);
	}
	most[0] = v;
	terms.v[0] = first_lanes(exponential(v - splat(ISK_WORD(fold_max)(most))), n, 0);
	store(y, 0, terms.v[0] * splat(1 / add_lanes(terms)), n);
}

void KERNEL(softmax)(elem *y, const elem *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		if (TYPE == ISK_F32 && cols <= ONE_VECTOR)
			softmax_row_of_one_vector(y, x, cols);
		else if (TYPE == ISK_F32)
			softmax_row_in_place(y, x, cols);
		else
			softmax_row(y, &(struct row){x, NULL, cols, 1, 0}, NONE, 1);
}

/* The number of columns that row r sees. */
ISK_INLINE size_t seen(size_t r, int64_t ahead, size_t cols)
{
	const uint64_t last = r + (uint64_t)ahead;

	return ahead < 0 && r < -(uint64_t)ahead ? 0 : last < cols ? last + 1 : cols;
}

void KERNEL(softmax_masked)(elem *y, const elem *x, const elem *mask, size_t rows, size_t cols, size_t ldy, size_t ldx,
                            size_t ldm, lane scale, int64_t ahead)
{
	for (size_t r = 0; r < rows && cols; r++, y += ldy, x += ldx) {
		const elem *masks = mask ? mask + r * ldm : NULL;
		const size_t n = seen(r, ahead, cols);

		if (n)
			softmax_row(y, &(struct row){x, masks, n, scale, 1}, NONE, 1);
		for (size_t i = n; i < cols; i += COUNT)
			store(y, i, splat(0), cols - i);
	}
}

void KERNEL(log_softmax)(elem *y, const elem *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		const struct log_sum s = log_sum_of_row(x, cols);

		for (size_t i = 0; i < cols; i += COUNT)
			store(y, i, load(x, i, cols - i) - s.max - s.log, cols - i);
	}
}

int KERNEL(cross_entropy)(elem *loss, const elem *x, const int64_t *labels, size_t rows, size_t cols, size_t ldx)
{
	if (!indices_below(labels, rows, cols, ISK_S64))
		return ISK_ERR_INDEX;
	for (size_t r = 0; r < rows; r++, x += ldx) {
		const struct log_sum s = log_sum_of_row(x, cols);

		store_one(loss, r, s.log - (load_one(x, (size_t)labels[r]) - s.max));
	}
	return ISK_OK;
}

int KERNEL(cross_entropy_backward)(elem *dx, const elem *x, const elem *dloss, const int64_t *labels, size_t rows,
                                   size_t cols, size_t lddx, size_t ldx)
{
	if (cols && !indices_below(labels, rows, cols, ISK_S64))
		return ISK_ERR_INDEX;
	for (size_t r = 0; r < rows && cols; r++, dx += lddx, x += ldx)
		softmax_row(dx, &(struct row){x, NULL, cols, 1, 0}, (size_t)labels[r], load_one(dloss, r));
	return ISK_OK;
}

/*
 * Softmax along the middle axis, for the next COUNT columns from i on, or for count if that is less. Each lane is a
 * column, whose terms are added in order with n - 1 roundings; the other roundings are those of rows. Elements as wide
 * as lanes keep their exponentials in y.
 */
ISK_INLINE void softmax_columns(elem *y, const elem *x, size_t n, size_t inner, size_t i, size_t count)
{
	const int is_kept = sizeof(elem) == sizeof(lane);
	vec max = load(x, i, count), sum = splat(0);

	for (size_t k = 1; k < n; k++)
		max = maximum(max, load(x, k * inner + i, count));
	for (size_t k = 0; k < n; k++) {
		const vec e = exponential(load(x, k * inner + i, count) - max);

		sum += e;
		if (is_kept)
			store(y, k * inner + i, e, count);
	}
	sum = 1 / sum;
	for (size_t k = 0; k < n; k++) {
		const size_t at = k * inner + i;
		const vec e = is_kept ? load(y, at, count) : exponential(load(x, at, count) - max);

		store(y, at, e * sum, count);
	}
}

void KERNEL(softmax_axis)(elem *y, const elem *x, size_t outer, size_t n, size_t inner)
{
	for (; outer && n && inner; outer--, y += n * inner, x += n * inner)
		for (size_t i = 0; i < inner; i += COUNT)
			softmax_columns(y, x, n, inner, i, inner - i);
}
