/* SPDX-License-Identifier: MIT */
/*
 * C = alpha * A * B + beta * C or alpha * B * A + beta * C for a symmetric or Hermitian A of which one triangle is stored. A
 * part of A is written out with both triangles, PANEL rows or columns at a time, and multiplied as any matrix.
 */
#include "product.h"
#include "symm.h"
#include "room.h"
#include "xerbla.h"

enum { PANEL = 256 };

/* Elements (i, j) and (j, i) for the columns j from first on, of all n rows. */
static void write_out(elem *to, const struct symmetric *a, int64_t first, int64_t count)
{
	for (int64_t j = first; j < first + count; j++, to += a->n)
		for (int64_t i = 0; i < a->n; i++) {
			const int stored = a->lower ? i >= j : i <= j;
			const elem e = stored ? a->a[j * a->lda + i] : a->a[i * a->lda + j];

			to[i] = !a->hermitian ? e : i == j ? without_im(e) : stored ? e : conj_of(e);
		}
}

void CORE(symmetric_product)(const struct symmetric *a, int right, int64_t m, int64_t n, elem alpha, const elem *b,
                             int64_t ldb, elem beta, elem *c, int64_t ldc)
{
	const struct operand from = {b, ldb, 0};
	elem *columns;

	if (!m || !n || (alpha == 0 && beta == 1))
		return;
	columns = blas_take_room((size_t)(a->n * lesser(a->n, PANEL)) * sizeof(elem));
	if (!columns)
		blas_no_memory();
	for (int64_t j = 0; j < a->n; j += PANEL) {
		const int64_t count = lesser(a->n - j, PANEL);

		if (alpha != 0)
			write_out(columns, a, j, count);
		/* On the left, rows of A are needed: its columns, transposed. */
		if (right)
			CORE(product)(whole_of(c + j * ldc, ldc), from, (struct operand){columns, a->n, 0}, m, count, n, alpha, beta);
		else
			CORE(product)(whole_of(c + j, ldc), (struct operand){columns, a->n, a->hermitian ? ADJOINT : TRANSPOSED}, from, count, n,
			              m, alpha, beta);
	}
	blas_give_room(columns);
}

void CORE(symm)(int side, int uplo, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda, const elem *b, int64_t ldb,
                elem beta, elem *c, int64_t ldc)
{
	const struct symmetric of_a = {a, side ? n : m, lda, uplo, 0};

	CORE(symmetric_product)(&of_a, side, m, n, alpha, b, ldb, beta, c, ldc);
}
