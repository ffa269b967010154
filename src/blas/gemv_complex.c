/* SPDX-License-Identifier: MIT */
/*
 * The columns of A are rows of 2 * m real numbers. They are multiplied with two rows, the real parts of x and the imaginary
 * ones: four chains over the columns for each element, of which two are added or subtracted for each part.
 */
#include "gemv.h"
#include "xerbla.h"
#include <stdlib.h>

enum { CHUNK = 256 };

/* products: a row of sums with re(x), and 2 * m further one with im(x). */
static void combine(elem *sum, const real *products, int64_t m, real sign)
{
	const real *with_re = products, *with_im = products + 2 * m;

	for (int64_t i = 0; i < m; i++)
		sum[i] = complex_of(with_re[2 * i] - sign * with_im[2 * i + 1], sign * with_re[2 * i + 1] + with_im[2 * i]);
}

void CORE(sums_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	real few[2 * CHUNK], products[4 * CHUNK], *parts = n <= CHUNK ? few : malloc(2 * (size_t)n * sizeof(real));

	if (!parts)
		blas_no_memory();
	for (int64_t j = 0; j < n; j++) {
		parts[j] = re(x[j]);
		parts[n + j] = im(x[j]);
	}
	for (int64_t i = 0; i < m; i += CHUNK) {
		const int64_t rows = lesser(m - i, CHUNK);

		KERNEL(matmul)(products, parts, (const real *)(a + i), 2, 2 * (size_t)rows, (size_t)n, 2 * (size_t)rows, (size_t)n,
		               2 * (size_t)lda, 0, NULL);
		combine(sum + i, products, rows, conjugated ? -1 : 1);
	}
	if (parts != few)
		free(parts);
}
