/* SPDX-License-Identifier: MIT */
/*
 * Sums of products of complex vectors, and multiples of one that are added to another, on their parts as they lie in memory.
 * Each vector of x serves both parts of a result: as it is and with neighbouring lanes exchanged.
 */
#include "complex_kernels.h"
#include "of_type.h"
#include "complex_lanes.h"
#include "lanes.h"
#include "sum_tree.h"

/*
 * A sum is a dot of real numbers for each part, of a block of BLOCK_NUMBERS of them, so that no sum has more than one block
 * of dot. HELD: vectors of lanes of each part that registers hold at a time.
 */
enum { BLOCK_NUMBERS = 512, LANES = 4 * LINE, HELD = ISK_REGISTERS > 16 || VL > 4 ? 4 : 1 };

/* The lanes of both parts of a sum. */
struct sums {
	lane re[LANES] __attribute__((aligned(64))), im[LANES] __attribute__((aligned(64)));
};

typedef __typeof__((vec){0} < (vec){0}) bits;

/* v with the signs of the lanes changed that are -0 in `negative`. */
ISK_INLINE vec with_signs(vec v, vec negative)
{
	return (vec)((bits)v ^ (bits)negative);
}

/* The products of n numbers of a and x, a multiple of LANES, which are the first ones of a sum or follow others. */
static ISK_APART void add_products(struct sums *s, const lane *a, const lane *x, size_t n, int are_first, unsigned conjugated)
{
	const vec for_re = parts(0, conjugated ? 0 : -(lane)0), for_im = parts(0, conjugated ? -(lane)0 : 0);

#pragma GCC unroll 1
	for (size_t first = 0; first < LANES; first += HELD * COUNT) {
		vec re[HELD], im[HELD];

#pragma GCC unroll 4
		for (size_t v = 0; v < HELD; v++) {
			re[v] = are_first ? splat(0) : load_lanes(s->re, first + v * COUNT, COUNT);
			im[v] = are_first ? splat(0) : load_lanes(s->im, first + v * COUNT, COUNT);
		}
		for (size_t k = first; k < n; k += LANES)
#pragma GCC unroll 4
			for (size_t v = 0; v < HELD; v++) {
				const vec of_a = load_lanes(a, k + v * COUNT, COUNT), of_x = load_lanes(x, k + v * COUNT, COUNT);

				re[v] = multiply_add(of_a, with_signs(of_x, for_re), re[v]);
				im[v] = multiply_add(of_a, with_signs(swapped(of_x), for_im), im[v]);
			}
#pragma GCC unroll 4
		for (size_t v = 0; v < HELD; v++) {
			store_lanes(s->re, first + v * COUNT, re[v], COUNT);
			store_lanes(s->im, first + v * COUNT, im[v], COUNT);
		}
	}
}

/* The sum of all lanes, in the order of dot. */
static ISK_APART lane fold(const lane lanes[LANES])
{
	line s;

#pragma GCC unroll 4
	for (size_t v = 0; v < VECTORS; v++)
		s.v[v] = (load_lanes(lanes, v * COUNT, COUNT) + load_lanes(lanes, 2 * LINE + v * COUNT, COUNT))
		         + (load_lanes(lanes, LINE + v * COUNT, COUNT) + load_lanes(lanes, 3 * LINE + v * COUNT, COUNT));
	return add_lanes(s);
}

/* sum[0] and sum[1] += the parts of the sum of n <= BLOCK_NUMBERS numbers. The last ones get zeros behind them. */
static ISK_APART void add_block(lane sum[2], const lane *a, const lane *x, size_t n, unsigned conjugated)
{
	const size_t whole = n / LANES * LANES;
	const lane zero = is_few(n, DOT) ? 0 : -(lane)0; /* a sum of few is never -0, as in dot */
	struct sums s;

	add_products(&s, a, x, whole, 1, conjugated);
	if (whole < n) {
		lane last_a[LANES], last_x[LANES];

#pragma GCC unroll 1
		for (size_t k = 0; k < LANES; k++) {
			last_a[k] = whole + k < n ? a[whole + k] : 0;
			last_x[k] = whole + k < n ? x[whole + k] : 0;
		}
		add_products(&s, last_a, last_x, LANES, 0, conjugated);
	}
	sum[0] += fold(s.re) + zero;
	sum[1] += fold(s.im) + zero;
}

int KERNEL(dot_rows)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, unsigned conjugated)
{
	const lane *row = a;
	lane *sum = y;

	if (conjugated > 1)
		return ISK_ERR_SHAPE;
	for (size_t i = 0; i < rows; i++, row += 2 * lda, sum += 2) {
		sum[0] = sum[1] = 0;
		for (size_t k = 0, n; k < 2 * cols; k += n) {
			n = 2 * cols - k < BLOCK_NUMBERS ? 2 * cols - k : BLOCK_NUMBERS;
			add_block(sum, row + k, (const lane *)x + k, n, conjugated);
		}
	}
	return ISK_OK;
}

/* Not inlined where it is long, because the ISA has no fused multiply-add. */
static vec fused(vec a, vec b, vec c)
{
	return v_fused(a, b, c);
}

/* The product with alpha_im is that with i * x, whose parts are those of x exchanged. */
int KERNEL(axpy)(elem *y, const elem *x, size_t n, unsigned conjugated, lane alpha, lane alpha_im)
{
	const vec direct = parts(alpha, conjugated ? -alpha : alpha), turned = parts(conjugated ? alpha_im : -alpha_im, alpha_im);

	if (conjugated > 1)
		return ISK_ERR_SHAPE;
	for (size_t k = 0; k < 2 * n; k += COUNT) {
		const size_t left = 2 * n - k;
		const vec v = load_lanes(x, k, left), sum = fused(v, direct, load_lanes(y, k, left));

		store_lanes(y, k, fused(swapped(v), turned, sum), left);
	}
	return ISK_OK;
}
