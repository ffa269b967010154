/* SPDX-License-Identifier: MIT */
/*
 * Normalised rows: by their mean and variance, or by their mean square; after an addition, with their statistics, by
 * groups of channels, and to length 1. The variance is the mean square of the deviations from the rounded mean, in a
 * second pass, because mean(x^2) - mean^2 would lose all bits if the mean is large. Elements of 16 bits are computed
 * in f32 and rounded once.
 *
 * In y, the error of the mean is eps * depth * mean |x| / sqrt(variance), and that of the variance is half of
 * eps * depth * |y|; 4 more roundings follow. Worst errors found, relative to the bounds: layernorm 0.384 at
 * {-0x1.029cbp-1, -0x1.01689ep-1, -0x1.03b35ep-1}[0], rmsnorm 0.545 in two columns, rstd 0.75, l2normalize 0.67 in few
 * columns, because a square, a root, a quotient and a product are rounded.
 */
#include "norm_kernels.h"
#include "of_type.h"
#include "sum_tree.h"

/* A row is normalised as (x - mean) * scale. */
struct moments {
	lane mean, scale;
};

ISK_INLINE lane scale_of(lane squares, size_t n, float epsilon)
{
	return 1 / root(squares / (lane)n + (lane)epsilon);
}

ISK_APART static void sum_block(line *s, const elem *x, size_t at, size_t n)
{
	reduce_block(s, x, NULL, at, n, splat(0), 0, SUM);
}

ISK_APART static void squares_block(line *s, const elem *x, size_t at, size_t n, lane centre)
{
	reduce_block(s, x, NULL, at, n, splat(centre), 0, DEVIATION);
}

ISK_INLINE void term_block(line *s, const elem *x, size_t at, size_t n, lane centre, const enum term term)
{
	if (term == SUM)
		sum_block(s, x, at, n);
	else
		squares_block(s, x, at, n, centre);
}

ISK_INLINE lane sum_of_blocks(const elem *x, size_t n, lane centre, const enum term term)
{
	const size_t step = block_of(term);
	cascade c;
	line s;
	size_t at = 0;

	begin(&c);
	for (; n - at > step; at += step) {
		term_block(&s, x, at, step, centre, term);
		push(&c, s);
	}
	term_block(&s, x, at, n - at, centre, term);
	return end(&c, s);
}

ISK_LONG static lane long_sum(const elem *x, size_t n)
{
	return sum_of_blocks(x, n, 0, SUM);
}

ISK_LONG static lane long_squares(const elem *x, size_t n, lane centre)
{
	return sum_of_blocks(x, n, centre, DEVIATION);
}

ISK_INLINE lane sum_apart(const elem *x, size_t n)
{
	line s;

	if (n > block_of(SUM))
		return long_sum(x, n);
	sum_block(&s, x, 0, n);
	return add_lanes(s);
}

/* The sum of (x - centre)^2. */
ISK_INLINE lane squares_apart(const elem *x, size_t n, lane centre)
{
	line s;

	if (n > block_of(DEVIATION))
		return long_squares(x, n, centre);
	squares_block(&s, x, 0, n, centre);
	return add_lanes(s);
}

ISK_APART static struct moments moments_of(const elem *x, size_t n, float epsilon, const int centred)
{
	const lane mean = centred ? sum_apart(x, n) / (lane)n : 0;

	return (struct moments){mean, scale_of(squares_apart(x, n, mean), n, epsilon)};
}

/* For n <= COUNT elements from element i on: y = (x - mean) * scale * weight + bias. */
ISK_INLINE void scale_vector(elem *y, const elem *x, const elem *weight, const elem *bias, size_t i, size_t n,
                             struct moments m)
{
	vec v = (load(x, i, n) - splat(m.mean)) * splat(m.scale);

	if (weight && bias)
		v = multiply_add(v, load(weight, i, n), load(bias, i, n));
	else if (weight)
		v *= load(weight, i, n);
	else if (bias)
		v += load(bias, i, n);
	store(y, i, v, n);
}

ISK_INLINE void scale_elements(elem *y, const elem *x, const elem *weight, const elem *bias, size_t n, struct moments m)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		scale_vector(y, x, weight, bias, i, COUNT, m);
	if (i < n)
		scale_vector(y, x, weight, bias, i, n - i, m);
}

/* A NULL weight counts as 1, a NULL bias as 0. Each case has its own loop, because a branch in the loop costs a fifth. */
ISK_INLINE void scale_inline(elem *y, const elem *x, const elem *weight, const elem *bias, size_t n, struct moments m)
{
	if (weight && bias)
		scale_elements(y, x, weight, bias, n, m);
	else if (weight)
		scale_elements(y, x, weight, NULL, n, m);
	else if (bias)
		scale_elements(y, x, NULL, bias, n, m);
	else
		scale_elements(y, x, NULL, NULL, n, m);
}

ISK_APART static void scale_row(elem *y, const elem *x, const elem *weight, const elem *bias, size_t n, struct moments m)
{
	scale_inline(y, x, weight, bias, n, m);
}

/*
 * Fetches the next row of f32 while this one is scaled, because its sum comes first. Rows below 256 columns are bound by
 * the loop; beyond 4096 columns L1 does not hold two rows. Rows of other types take longer to convert than to fetch.
 */
ISK_INLINE void fetch_next_row(const elem *x, size_t rows, size_t cols, size_t ldx)
{
	for (size_t i = 0; rows > 1 && cols >= 256 && cols <= 4096 && i < cols; i += 64 / sizeof(*x))
		__builtin_prefetch(x + ldx + i);
}

/* The rows of layernorm and rmsnorm. */
ISK_INLINE void normalise_rows(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                               size_t ldy, size_t ldx, float epsilon, const int centred)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		scale_row(y, x, weight, bias, cols, moments_of(x, cols, epsilon, centred));
}

/* The same for f32, with all functions inline, because rows of 16 columns take 1.4 times as long otherwise (avx2). */
ISK_INLINE void normalise_rows_inline(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                      size_t ldy, size_t ldx, float epsilon, const int centred)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		const lane mean = centred ? row_sum(x, cols, 0, SUM) / (lane)cols : 0;
		const lane squares = row_sum(x, cols, mean, centred ? DEVIATION : SQUARE);

		fetch_next_row(x, rows, cols, ldx);
		scale_inline(y, x, weight, bias, cols, (struct moments){mean, scale_of(squares, cols, epsilon)});
	}
}

/* Rows of fewer columns are short: a sum of them has one round. */
enum { SHORT = 8 * LINE };

ISK_INLINE lane short_sum(const elem *x, size_t n, lane centre, const enum term term)
{
	line s;

	if (n >= SHORT)
		__builtin_unreachable();
	reduce_block(&s, x, NULL, 0, n, splat(centre), 0, term);
	return add_lanes(s);
}

/*
 * Short rows one by one. The compiler must not see that all rows have the same columns: it would prepare the masks of all
 * vectors before the first row, which takes longer than a row of 16 columns (avx2).
 */
ISK_INLINE void normalise_few_rows(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                   size_t ldy, size_t ldx, float epsilon, const int centred)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		size_t n = cols;
		lane mean, squares;

		__asm__ volatile("" : "+r"(n));
		mean = centred ? short_sum(x, n, 0, SUM) / (lane)n : 0;
		squares = short_sum(x, n, mean, centred ? DEVIATION : SQUARE);
		scale_inline(y, x, weight, bias, n, (struct moments){mean, scale_of(squares, n, epsilon)});
	}
}

/* The means of rows, from the sums of their elements, and their scales, from the sums of squares, in place. */
ISK_INLINE void means_of(lane *sums, size_t rows, size_t cols)
{
	if (rows == COUNT)
		store_lanes(sums, 0, load_lanes(sums, 0, COUNT) / (lane)cols, COUNT);
	else
		for (size_t r = 0; r < rows; r++)
			sums[r] /= (lane)cols;
}

ISK_INLINE void scales_of(lane *sums, size_t rows, size_t cols, float epsilon)
{
	if (rows == COUNT)
		store_lanes(sums, 0, 1 / ISK_WORD(sqrt)(load_lanes(sums, 0, COUNT) / (lane)cols + (lane)epsilon), COUNT);
	else
		for (size_t r = 0; r < rows; r++)
			sums[r] = scale_of(sums[r], cols, epsilon);
}

/*
 * Short rows of layernorm, up to COUNT together, because each row would wait for its own quotients and root, which take as
 * long as 100 columns. COUNT rows have theirs in one vector, fewer rows theirs one after the other.
 */
ISK_APART static void layernorm_short(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                      size_t ldy, size_t ldx, float epsilon)
{
	for (size_t now; rows && cols; rows -= now, y += now * ldy, x += now * ldx) {
		lane mean[COUNT], scale[COUNT];

		now = rows < COUNT ? rows : COUNT;
		for (size_t r = 0; r < now; r++)
			mean[r] = short_sum(x + r * ldx, cols, 0, SUM);
		means_of(mean, now, cols);
		for (size_t r = 0; r < now; r++)
			scale[r] = short_sum(x + r * ldx, cols, mean[r], DEVIATION);
		scales_of(scale, now, cols, epsilon);
		for (size_t r = 0; r < now; r++)
			scale_inline(y + r * ldy, x + r * ldx, weight, bias, cols, (struct moments){mean[r], scale[r]});
	}
}

ISK_APART static void layernorm_few(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                    size_t ldy, size_t ldx, float epsilon)
{
	normalise_few_rows(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 1);
}

ISK_APART static void rmsnorm_short(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                    size_t ldy, size_t ldx, float epsilon)
{
	normalise_few_rows(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 0);
}

/* Separate from short rows, to which the frame of long sums would cost a fifth of their time. */
ISK_LONG static void layernorm_long(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                    size_t ldy, size_t ldx, float epsilon)
{
	normalise_rows_inline(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 1);
}

ISK_LONG static void rmsnorm_long(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols,
                                  size_t ldy, size_t ldx, float epsilon)
{
	normalise_rows_inline(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 0);
}

/* Fewer short rows are normalised one by one, because the steps of a group pass their results through memory. */
enum { GROUP = 5 };

void KERNEL(layernorm)(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols, size_t ldy,
                       size_t ldx, float epsilon)
{
	if (TYPE != ISK_F32)
		normalise_rows(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 1);
	else if (VL == 4 || cols >= SHORT)
		layernorm_long(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
	else if (rows >= GROUP)
		layernorm_short(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
	else
		layernorm_few(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
}

void KERNEL(rmsnorm)(elem *y, const elem *x, const elem *weight, const elem *bias, size_t rows, size_t cols, size_t ldy,
                     size_t ldx, float epsilon)
{
	if (TYPE != ISK_F32)
		normalise_rows(y, x, weight, bias, rows, cols, ldy, ldx, epsilon, 0);
	else if (VL == 4 || cols >= SHORT)
		rmsnorm_long(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
	else
		rmsnorm_short(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
}

/* Writes sum = residual + x, rounded to the type, and y, which is sum normalised. */
ISK_INLINE void add_rows(elem *sum, elem *y, const elem *residual, const elem *x, const elem *weight, const elem *bias,
                         size_t rows, size_t cols, size_t lds, size_t ldy, size_t ldr, size_t ldx, float epsilon,
                         const int centred)
{
	for (; rows && cols; rows--, sum += lds, y += ldy, residual += ldr, x += ldx) {
		for (size_t i = 0; i < cols; i += COUNT)
			store(sum, i, load(residual, i, cols - i) + load(x, i, cols - i), cols - i);
		scale_row(y, sum, weight, bias, cols, moments_of(sum, cols, epsilon, centred));
	}
}

void KERNEL(add_layernorm)(elem *sum, elem *y, const elem *residual, const elem *x, const elem *weight, const elem *bias,
                           size_t rows, size_t cols, size_t lds, size_t ldy, size_t ldr, size_t ldx, float epsilon)
{
	add_rows(sum, y, residual, x, weight, bias, rows, cols, lds, ldy, ldr, ldx, epsilon, 1);
}

void KERNEL(add_rmsnorm)(elem *sum, elem *y, const elem *residual, const elem *x, const elem *weight, const elem *bias,
                         size_t rows, size_t cols, size_t lds, size_t ldy, size_t ldr, size_t ldx, float epsilon)
{
	add_rows(sum, y, residual, x, weight, bias, rows, cols, lds, ldy, ldr, ldx, epsilon, 0);
}

void KERNEL(layernorm_stats)(elem *y, elem *mean, elem *rstd, const elem *x, const elem *weight, const elem *bias,
                             size_t rows, size_t cols, size_t ldy, size_t ldx, float epsilon)
{
	for (size_t r = 0; r < rows; r++, y += ldy, x += ldx) {
		const struct moments m = moments_of(x, cols, epsilon, 1);

		scale_row(y, x, weight, bias, cols, m);
		if (mean)
			store_one(mean, r, m.mean);
		if (rstd)
			store_one(rstd, r, m.scale);
	}
}

void KERNEL(rmsnorm_stats)(elem *y, elem *rstd, const elem *x, const elem *weight, size_t rows, size_t cols, size_t ldy,
                           size_t ldx, float epsilon)
{
	for (size_t r = 0; r < rows; r++, y += ldy, x += ldx) {
		const struct moments m = moments_of(x, cols, epsilon, 0);

		scale_row(y, x, weight, NULL, cols, m);
		if (rstd)
			store_one(rstd, r, m.scale);
	}
}

/* The pixels of one channel: a missing weight counts as 1, a missing bias as 0. */
ISK_INLINE void scale_channel(elem *y, const elem *x, const elem *weight, const elem *bias, size_t channel, size_t pixels,
                              struct moments m)
{
	const lane w = weight ? load_one(weight, channel) : 1, b = bias ? load_one(bias, channel) : 0;

	for (size_t i = 0; i < pixels; i += COUNT)
		store(y, i, multiply_add((load(x, i, pixels - i) - m.mean) * m.scale, splat(w), splat(b)), pixels - i);
}

void KERNEL(groupnorm)(elem *y, const elem *x, const elem *weight, const elem *bias, size_t images, size_t groups,
                       size_t channels, size_t pixels, float epsilon)
{
	const size_t all = channels * pixels;

	for (size_t i = 0; i < images && groups && all; i++)
		for (size_t g = 0; g < groups; g++, x += all, y += all) {
			const struct moments m = moments_of(x, all, epsilon, 1);

			for (size_t c = 0; c < channels; c++)
				scale_channel(y + c * pixels, x + c * pixels, weight, bias, g * channels + c, pixels, m);
		}
}

/* A smaller sum of squares may lack terms that vanished. */
#define LEAST_SQUARES (sizeof(lane) == 4 ? (lane)0x1p-80 : (lane)0x1p-900)

/*
 * For a sum of squares that leaves the range of the lanes: writes x over the power of two below the largest |x| to y, and
 * returns the sum of the squares of y. The division has two steps, since the reciprocal of that power may be too small.
 */
ISK_APART static lane squares_scaled(elem *y, const elem *x, size_t n)
{
	double most = 0;
	union {
		double power;
		int64_t bits;
	} low = {0}, high = {0};
	int64_t exponent;

	for (size_t i = 0; i < n; i++) {
		const double v = (double)load_one(x, i);

		most = v > most ? v : -v > most ? -v : most;
	}
	low.power = most;
	exponent = (low.bits >> 52) - 1023;
	low.bits = (1023 - exponent / 2) << 52;
	high.bits = (1023 - (exponent - exponent / 2)) << 52;
	for (size_t i = 0; i < n; i++)
		store_one(y, i, (lane)((double)load_one(x, i) * low.power * high.power));
	return squares_apart(y, n, 0);
}

void KERNEL(l2normalize)(elem *y, const elem *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		const elem *from = x;
		lane squares = squares_apart(x, cols, 0);

		if (squares < LEAST_SQUARES || squares == INFINITE) {
			squares = squares_scaled(y, x, cols);
			from = y;
		}
		scale_row(y, from, NULL, NULL, cols, (struct moments){0, squares == 0 ? 1 : 1 / root(squares)});
	}
}
