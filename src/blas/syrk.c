/* SPDX-License-Identifier: MIT */
/* C = alpha * A * A^T + beta * C and C = alpha * A * B^T + alpha * B * A^T + beta * C, one triangle of C: each is a product. */
#include "product.h"

void CORE(syrk)(int uplo, int trans, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, elem beta, elem *c,
                int64_t ldc)
{
	const int transposed = trans & TRANSPOSED;

	if (n && ((alpha != 0 && k) || beta != 1))
		CORE(product)(triangle_of(c, ldc, uplo, 0), (struct operand){a, lda, transposed}, (struct operand){a, lda, !transposed},
		              n, n, k, alpha, beta);
}

/* First alpha * A * B^T + beta * C, then alpha * B * A^T is added. */
void CORE(syr2k)(int uplo, int trans, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, const elem *b, int64_t ldb,
                 elem beta, elem *c, int64_t ldc)
{
	const struct target to = triangle_of(c, ldc, uplo, 0);
	const int left = trans & TRANSPOSED, right = !left;

	if (!n || ((alpha == 0 || !k) && beta == 1))
		return;
	CORE(product)(to, (struct operand){a, lda, left}, (struct operand){b, ldb, right}, n, n, k, alpha, beta);
	if (alpha != 0 && k)
		CORE(product)(to, (struct operand){b, ldb, left}, (struct operand){a, lda, right}, n, n, k, alpha, 1);
}
