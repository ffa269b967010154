/* SPDX-License-Identifier: MIT */
/* syrk and syr2k of a Hermitian C. */
#include "product.h"

void CORE(herk)(int uplo, int trans, int64_t n, int64_t k, real alpha, const elem *a, int64_t lda, real beta, elem *c,
                int64_t ldc)
{
	if (n && ((alpha != 0 && k) || beta != 1))
		CORE(product)(triangle_of(c, ldc, uplo, 1), (struct operand){a, lda, trans}, (struct operand){a, lda, trans ^ ADJOINT},
		              n, n, k, alpha, beta);
}

/* First alpha * A * B^H + beta * C, then conj(alpha) * B * A^H is added. */
void CORE(her2k)(int uplo, int trans, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, const elem *b, int64_t ldb,
                 real beta, elem *c, int64_t ldc)
{
	const struct target to = triangle_of(c, ldc, uplo, 1);

	if (!n || ((alpha == 0 || !k) && beta == 1))
		return;
	CORE(product)(to, (struct operand){a, lda, trans}, (struct operand){b, ldb, trans ^ ADJOINT}, n, n, k, alpha, beta);
	if (alpha != 0 && k)
		CORE(product)(to, (struct operand){b, ldb, trans}, (struct operand){a, lda, trans ^ ADJOINT}, n, n, k,
		              conj_of(alpha), 1);
}
