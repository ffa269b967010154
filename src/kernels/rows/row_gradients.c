/* SPDX-License-Identifier: MIT */
/*
 * Gradients of softmax, of its logarithm and of normalised rows. Sums are taken over a row in blocks of ROUNDS lines,
 * as softmax.c takes them: a term is never rounded more often than depth(n) allows.
 *
 * The error of the gradient of a normalised row, in units of eps. Let g = dy * weight, h = (x - mean) * rstd, and let c, C,
 * A and B be the means of g, g * h, |g| and |g * h|. Then:
 *
 *     g is rounded once, h twice; c has an error of (depth + 2) A, C one of (depth + 5) B: 3 roundings of
 *     its factors, 1 of its product at baseline, and its quotient;
 *     c + h C adds 2 |h| C for h and at most 2 (A + |h| B) for its product and sum;
 *     the difference from g and the product with rstd round 2 (|g| + A + |h| B) at most.
 *
 * The sum is less than 3 |g| + (depth + 12) (A + |h| B), times rstd, which is the contract's unit for the row. Terms of
 * dweight are rounded 3 times, and then as depth(rows) says. Worst errors found, in these units: softmax 0.80,
 * log_softmax 0.50, layernorm 0.64, rmsnorm 0.84, weights 0.46.
 */
#include "row_gradients_kernels.h"
#include "of_type.h"
#include "sum_tree.h"
#include "column_gradients.h"
#include "exp_lanes.h"

/* The terms of a row's sums. A NULL weight counts as 1; if x is NULL, there is no second sum. */
struct terms {
	const elem *dy, *weight, *x;
	lane mean, rstd;
};

ISK_INLINE vec g_of(const struct terms *t, size_t i, size_t n)
{
	const vec g = load(t->dy, i, n);

	return t->weight ? g * load(t->weight, i, n) : g;
}

ISK_INLINE vec h_of(const struct terms *t, size_t i, size_t n)
{
	return (load(t->x, i, n) - t->mean) * t->rstd;
}

ISK_APART static void sum_block(line s[2], const struct terms *t, size_t i, size_t stop)
{
	for (size_t v = 0; v < VECTORS; v++)
		s[0].v[v] = s[1].v[v] = splat(0);
	for (; i < stop; i += LINE)
		for (size_t v = 0; v < VECTORS && i + v * COUNT < stop; v++) {
			const size_t at = i + v * COUNT, n = stop - at;
			const vec g = g_of(t, at, n);

			s[0].v[v] += g;
			if (t->x)
				s[1].v[v] = multiply_add(g, first_lanes(h_of(t, at, n), n, 0), s[1].v[v]);
		}
}

ISK_LONG static void sum_long(lane sum[2], const struct terms *t, size_t n)
{
	cascade c[2];
	line s[2];
	size_t i = 0;

	begin(&c[0]);
	begin(&c[1]);
	for (; n - i > BLOCK; i += BLOCK) {
		sum_block(s, t, i, i + BLOCK);
		push(&c[0], s[0]);
		push(&c[1], s[1]);
	}
	sum_block(s, t, i, n);
	sum[0] = end(&c[0], s[0]);
	sum[1] = end(&c[1], s[1]);
}

/* The sums of g and of g * h. */
ISK_APART static void sum_terms(lane sum[2], const struct terms *t, size_t n)
{
	line s[2];

	if (n > BLOCK) {
		sum_long(sum, t, n);
		return;
	}
	sum_block(s, t, 0, n);
	sum[0] = add_lanes(s[0]);
	sum[1] = add_lanes(s[1]);
}

/* The gradient of a normalised row. For rmsnorm, c is 0, because there is no mean. */
ISK_APART static void norm_gradient(elem *dx, const struct terms *t, size_t n, int centred)
{
	lane sum[2], c, C;

	sum_terms(sum, t, n);
	c = centred ? sum[0] / (lane)n : 0;
	C = sum[1] / (lane)n;
	for (size_t i = 0; i < n; i += COUNT) {
		const vec all = multiply_add(h_of(t, i, n - i), splat(C), splat(c));

		store(dx, i, (g_of(t, i, n - i) - all) * t->rstd, n - i);
	}
}

void KERNEL(layernorm_backward)(elem *dx, const elem *dy, const elem *x, const elem *weight, const elem *mean,
                                const elem *rstd, size_t rows, size_t cols, size_t lddx, size_t lddy, size_t ldx)
{
	for (size_t r = 0; r < rows && cols; r++) {
		const struct terms t = {dy + r * lddy, weight, x + r * ldx, load_one(mean, r), load_one(rstd, r)};

		norm_gradient(dx + r * lddx, &t, cols, 1);
	}
}

void KERNEL(rmsnorm_backward)(elem *dx, const elem *dy, const elem *x, const elem *weight, const elem *rstd, size_t rows,
                              size_t cols, size_t lddx, size_t lddy, size_t ldx)
{
	for (size_t r = 0; r < rows && cols; r++) {
		const struct terms t = {dy + r * lddy, weight, x + r * ldx, 0, load_one(rstd, r)};

		norm_gradient(dx + r * lddx, &t, cols, 0);
	}
}

/* dx = y (dy - sum of y dy) */
void KERNEL(softmax_backward)(elem *dx, const elem *dy, const elem *y, size_t rows, size_t cols, size_t lddx, size_t lddy,
                              size_t ldy)
{
	for (; rows && cols; rows--, dx += lddx, dy += lddy, y += ldy) {
		const struct terms t = {dy, y, NULL, 0, 0};
		lane sum[2];

		sum_terms(sum, &t, cols);
		for (size_t i = 0; i < cols; i += COUNT)
			store(dx, i, load(y, i, cols - i) * (load(dy, i, cols - i) - sum[0]), cols - i);
	}
}

/* dx = dy - exp(y) * sum of dy */
void KERNEL(log_softmax_backward)(elem *dx, const elem *dy, const elem *y, size_t rows, size_t cols, size_t lddx,
                                  size_t lddy, size_t ldy)
{
	for (; rows && cols; rows--, dx += lddx, dy += lddy, y += ldy) {
		const struct terms t = {dy, NULL, NULL, 0, 0};
		lane sum[2];

		sum_terms(sum, &t, cols);
		for (size_t i = 0; i < cols; i += COUNT) {
			const vec e = ISK_WORD(power)(load(y, i, cols - i));

			store(dx, i, multiply_add(e, splat(-sum[0]), load(dy, i, cols - i)), cols - i);
		}
	}
}

void KERNEL(layernorm_backward_weight)(elem *dweight, elem *dbias, const elem *dy, const elem *x, const elem *mean,
                                       const elem *rstd, size_t rows, size_t cols, size_t lddy, size_t ldx)
{
	const struct column_terms t = {dy, x, mean, rstd, lddy, ldx, 0};

	for (size_t i = 0; i < cols; i += COUNT) {
		const struct column_sums s = sum_columns(&t, rows, i, cols - i);

		store(dweight, i, s.weight, cols - i);
		if (dbias)
			store(dbias, i, s.bias, cols - i);
	}
}

void KERNEL(rmsnorm_backward_weight)(elem *dweight, const elem *dy, const elem *x, const elem *rstd, size_t rows,
                                     size_t cols, size_t lddy, size_t ldx)
{
	const struct column_terms t = {dy, x, NULL, rstd, lddy, ldx, 0};

	for (size_t i = 0; i < cols; i += COUNT)
		store(dweight, i, sum_columns(&t, rows, i, cols - i).weight, cols - i);
}
