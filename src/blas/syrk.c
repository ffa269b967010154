/* SPDX-License-Identifier: MIT */
/*
 * C = alpha * A * A^T + beta * C and its relatives, by halves: a triangle is two smaller ones and a rectangle, which is
 * computed as any product. The smallest triangles are computed as squares in a copy, so that the other triangle of C is left
 * alone.
 */
#include "syrk.h"
#include "xerbla.h"
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

/* Copies the triangle of a square of n by n; the diagonal of a Hermitian matrix without imaginary parts. */
static void copy_triangle(elem *to, int64_t ldto, const elem *from, int64_t ldfrom, int64_t n, const struct computed *c)
{
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = c->lower ? j : 0; i < (c->lower ? n : j + 1); i++)
			to[j * ldto + i] = from[j * ldfrom + i];
		if (c->hermitian)
			to[j * ldto + j] = without_im(to[j * ldto + j]);
	}
}

static void on_diagonal(const struct computed *c, elem *square, struct operand a, struct operand b, int64_t at, int64_t n,
                        int64_t k, elem alpha, elem beta)
{
	elem *diagonal = c->c + at * c->ldc + at;

	if (beta != 0) {
		memset(square, 0, (size_t)(n * n) * sizeof(elem));
		copy_triangle(square, n, diagonal, c->ldc, n, c);
	}
	CORE(product)(square, n, part_of(a, at, 0), part_of(b, 0, at), n, n, k, alpha, beta);
	copy_triangle(diagonal, c->ldc, square, n, n, c);
}

/* The n columns from `at` on of the triangle, and the same rows. */
static void by_halves(const struct computed *c, elem *square, struct operand a, struct operand b, int64_t at, int64_t n,
                      int64_t k, elem alpha, elem beta)
{
	const int64_t half = (n / 2 + SMALLEST - 1) / SMALLEST * SMALLEST, rest = n - half;
	const int64_t row = c->lower ? at + half : at, column = c->lower ? at : at + half;

	if (n <= SMALLEST) {
		on_diagonal(c, square, a, b, at, n, k, alpha, beta);
		return;
	}
	by_halves(c, square, a, b, at, half, k, alpha, beta);
	CORE(product)(c->c + column * c->ldc + row, c->ldc, part_of(a, row, 0), part_of(b, 0, column), c->lower ? rest : half,
	              c->lower ? half : rest, k, alpha, beta);
	by_halves(c, square, a, b, at + half, rest, k, alpha, beta);
}

void CORE(triangle_of_product)(const struct computed *c, struct operand a, struct operand b, int64_t k, elem alpha, elem beta)
{
	elem *square = malloc(SMALLEST * SMALLEST * sizeof(elem));

	if (!square)
		blas_no_memory();
	by_halves(c, square, a, b, 0, c->n, k, alpha, beta);
	free(square);
}

void CORE(syrk)(int uplo, int trans, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, elem beta, elem *c,
                int64_t ldc)
{
	const struct computed to = {c, n, ldc, uplo, 0};
	const int transposed = trans & TRANSPOSED;

	if (n && ((alpha != 0 && k) || beta != 1))
		CORE(triangle_of_product)(&to, (struct operand){a, lda, transposed}, (struct operand){a, lda, !transposed}, k, alpha,
		                          beta);
}

/* First alpha * A * B^T + beta * C, then alpha * B * A^T is added. */
void CORE(syr2k)(int uplo, int trans, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, const elem *b, int64_t ldb,
                 elem beta, elem *c, int64_t ldc)
{
	const struct computed to = {c, n, ldc, uplo, 0};
	const int left = trans & TRANSPOSED, right = !left;

	if (!n || ((alpha == 0 || !k) && beta == 1))
		return;
	CORE(triangle_of_product)(&to, (struct operand){a, lda, left}, (struct operand){b, ldb, right}, k, alpha, beta);
	if (alpha != 0 && k)
		CORE(triangle_of_product)(&to, (struct operand){b, ldb, left}, (struct operand){a, lda, right}, k, alpha, 1);
}
