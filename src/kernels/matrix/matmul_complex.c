/* SPDX-License-Identifier: MIT */
/*
 * C = alpha * A * B + beta * C of complex matrices as a product of real ones. A row of A is, as it lies in memory, a row of
 * 2 * k real numbers: re, im, re, im ... Each row of B becomes two rows of 2 * n real numbers: for an element (re, im)
 *
 *     re   im
 *     -im  re
 *
 * so that the real product is C as it lies in memory, and each of its sums has two fused multiply-adds for each of k:
 * first that with the real part of A's element, then that with its imaginary part. If A is conjugated, the second row has the
 * other sign; if B is, its im has. alpha is multiplied into the elements of B. The rows are made where matmul.c copies a part
 * of B, so the real matrix is nowhere in memory as a whole.
 *
 * A has no transposed form, because the two parts of an element are two of k in a row.
 */
#include "matmul_complex_kernels.h"
#include "of_type.h"
#include "complex_lanes.h"
#include "check.h"
#include "unpacked.h"

ISK_EXTERN multiply_copied_fn ISK_PART(matmul, multiply_copied_f32), ISK_PART(matmul, multiply_copied_f64);

/* B, and the signs of the rows that are made of it. */
struct complex_b {
	const lane *b;
	size_t step, ld; /* numbers from an element of a row to the next, and from one row to the next */
	lane alpha, alpha_im;
	int conjugated, a_conjugated;
};

/* `width` numbers of row p of B: elements side by side, or a column of a transposed B, which is copied to room. */
ISK_INLINE const lane *row_of(const struct complex_b *b, size_t p, size_t col, size_t width, lane *room)
{
	const lane *from = b->b + p * b->ld + col / 2 * b->step;

	if (b->step == 2)
		return from;
	for (size_t j = 0; j < width; j += 2, from += b->step) {
		room[j] = from[0];
		room[j + 1] = from[1];
	}
	return room;
}

static void expand(lane *to, const struct matmul *p, size_t at, size_t col, size_t deep, size_t width)
{
	const struct complex_b *b = p->made;
	const vec times_i = parts(-1, 1), sign = parts(1, b->conjugated ? -1 : 1), second = splat(b->a_conjugated ? -1 : 1);
	const int scaled = b->alpha != 1 || b->alpha_im != 0;
	lane room[COLUMNS];

	for (size_t i = 0; i < deep; i += 2, to += 2 * COLUMNS) {
		const lane *from = row_of(b, (at + i) / 2, col, width, room);

		for (size_t j = 0; j < width; j += COUNT) {
			vec x = load_lanes(from, j, width - j) * sign;

			if (scaled)
				x = splat(b->alpha) * x + splat(b->alpha_im) * (swapped(x) * times_i);
			store_lanes(to, j, x, COUNT);
			store_lanes(to + COLUMNS, j, swapped(x) * times_i * second, COUNT);
		}
	}
}

static int check(const struct matmul *p, unsigned conjugated)
{
	const size_t bytes = isk_element_bytes(TYPE);

	if (p->transposed > 1 || conjugated > (ISK_CONJUGATED_A | ISK_CONJUGATED_B))
		return ISK_ERR_SHAPE;
	if (p->m && p->n && (!p->c || (p->k && (!p->a || !p->b))))
		return ISK_ERR_NULL;
	if (p->lda < p->k || p->ldb < (p->transposed ? p->k : p->n) || p->ldc < p->n)
		return ISK_ERR_STRIDE;
	return extent_overflows(p->m, p->lda, bytes) || extent_overflows(p->transposed ? p->n : p->k, p->ldb, bytes)
	               || extent_overflows(p->m, p->ldc, bytes)
	           ? ISK_ERR_SIZE
	           : ISK_OK;
}

int KERNEL(matmul)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda, size_t ldb,
                   unsigned transposed, unsigned conjugated, lane alpha, lane alpha_im, lane beta)
{
	const struct complex_b of_b = {
		b, transposed ? 2 * ldb : 2, transposed ? 2 : 2 * ldb, alpha, alpha_im, (conjugated & ISK_CONJUGATED_B) != 0,
		(conjugated & ISK_CONJUGATED_A) != 0};
	const struct isk_post add = {.size = sizeof(add), .binary = ISK_BINARY_AXPY, .other = c, .ldother = 2 * ldc, .other_scale = (double)beta};
	struct matmul p = {c, a, b, m, n, k, ldc, lda, ldb, transposed, beta != 0 ? &add : &isk_no_post, expand, &of_b};
	const int status = check(&p, conjugated);

	if (status || !m || !n)
		return status;
	p.transposed = 0;
	p.n *= 2;
	p.k = alpha != 0 || alpha_im != 0 ? 2 * k : 0;
	p.ldc *= 2;
	p.lda *= 2;
	if (TYPE == ISK_CF64)
		ISK_PART(matmul, multiply_copied_f64)(&p);
	else
		ISK_PART(matmul, multiply_copied_f32)(&p);
	return ISK_OK;
}
