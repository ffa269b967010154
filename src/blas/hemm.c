/* SPDX-License-Identifier: MIT */
/* symm of a Hermitian matrix. The imaginary parts of its diagonal are not read. */
#include "symm.h"

void CORE(hemm)(int side, int uplo, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda, const elem *b, int64_t ldb,
                elem beta, elem *c, int64_t ldc)
{
	const struct symmetric of_a = {a, side ? n : m, lda, uplo, 1};

	CORE(symmetric_product)(&of_a, side, m, n, alpha, b, ldb, beta, c, ldc);
}
