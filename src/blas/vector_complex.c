/* SPDX-License-Identifier: MIT */
/*
 * The operations of level 2 on complex vectors, by kernels for real numbers on the parts as they lie in memory: re, im, re,
 * im ... They need each element beside its product with i, which is made for BLOCK elements at a time.
 */
#include "vector.h"
#include "gemv.h"

enum { BLOCK = 256 };

/* to = from or its conjugate. Negation is by a factor, so that loops have no branch. */
static void copy_parts(real *to, const real *from, size_t n, real sign)
{
	for (size_t i = 0; i < 2 * n; i += 2) {
		to[i] = from[i];
		to[i + 1] = sign * from[i + 1];
	}
}

/* to = (re_sign * im, im_sign * re) of each element. */
static void swap_parts(real *to, const real *from, size_t n, real re_sign, real im_sign)
{
	for (size_t i = 0; i < 2 * n; i += 2) {
		to[i] = re_sign * from[i + 1];
		to[i + 1] = im_sign * from[i];
	}
}

/* alpha * x = re(alpha) * x + im(alpha) * (i * x): two sums of real vectors. */
void CORE(add)(elem *y, const elem *x, int64_t n, elem alpha, int conjugated)
{
	real same[2 * BLOCK], turned[2 * BLOCK];

	for (int64_t i = 0; i < n; i += BLOCK) {
		const size_t m = (size_t)lesser(n - i, BLOCK);
		const real *from = (const real *)(x + i), *first = from;
		real *to = (real *)(y + i);

		if (conjugated) {
			copy_parts(same, from, m, -1);
			first = same;
		}
		swap_parts(turned, from, m, conjugated ? 1 : -1, 1);
		KERNEL(axpy)(to, first, 2 * m, re(alpha));
		KERNEL(axpy)(to, turned, 2 * m, im(alpha));
	}
}

/* i * x */
const elem *CORE(prepare)(struct copy *copy, const elem *x, int64_t n)
{
	elem *turned = CORE(room_for)(copy, n);

	swap_parts((real *)turned, (const real *)x, (size_t)n, -1, 1);
	return turned;
}

/* BLOCK elements at a time, so that the first cache has them for the second addition. */
void CORE(add_prepared)(elem *y, const elem *x, const elem *prepared, int64_t n, elem alpha)
{
	for (int64_t i = 0; i < n; i += BLOCK) {
		const size_t m = (size_t)lesser(n - i, BLOCK);

		KERNEL(axpy)((real *)(y + i), (const real *)(x + i), 2 * m, re(alpha));
		KERNEL(axpy)((real *)(y + i), (const real *)(prepared + i), 2 * m, im(alpha));
	}
}

/* re: a.re * x.re - a.im * x.im; im: a.re * x.im + a.im * x.re; with a conjugated, a.im has the other sign. */
static void turn_parts(real *for_re, real *for_im, const real *x, size_t n, int conjugated)
{
	copy_parts(for_re, x, n, conjugated ? 1 : -1);
	swap_parts(for_im, x, n, 1, conjugated ? -1 : 1);
}

/* The inner product of at most BLOCK elements. */
static elem of_block(const elem *a, const real *for_re, const real *for_im, size_t n)
{
	return complex_of(KERNEL(dot)((const real *)a, for_re, 2 * n), KERNEL(dot)((const real *)a, for_im, 2 * n));
}

void CORE(inner_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	real for_re[2 * BLOCK], for_im[2 * BLOCK];

	for (int64_t j = 0; j < n; j++)
		sum[j] = 0;
	for (int64_t i = 0; i < m; i += BLOCK) {
		const size_t rows = (size_t)lesser(m - i, BLOCK);

		turn_parts(for_re, for_im, (const real *)(x + i), rows, conjugated);
		for (int64_t j = 0; j < n; j++)
			sum[j] += of_block(a + j * lda + i, for_re, for_im, rows);
	}
}

elem CORE(inner)(const elem *a, const elem *x, int64_t n, int conjugated)
{
	elem sum;

	CORE(inner_of_columns)(&sum, a, x, n, 1, n, conjugated);
	return sum;
}

struct turned CORE(turn)(struct copy *copy, const elem *x, int64_t n, int conjugated)
{
	elem *room = CORE(room_for)(copy, 2 * n);

	turn_parts((real *)room, (real *)(room + n), (const real *)x, (size_t)n, conjugated);
	return (struct turned){room, room + n};
}

elem CORE(inner_turned)(const elem *a, const struct turned *x, int64_t first, int64_t n)
{
	elem sum = 0;

	for (int64_t i = 0; i < n; i += BLOCK)
		sum += of_block(a + i, (const real *)(x->for_re + first + i), (const real *)(x->for_im + first + i),
		                (size_t)lesser(n - i, BLOCK));
	return sum;
}
