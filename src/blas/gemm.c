/* SPDX-License-Identifier: MIT */
/* C = alpha * op(A) * op(B) + beta * C */
#include "product.h"

void CORE(gemm)(int transa, int transb, int64_t m, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, const elem *b,
                int64_t ldb, elem beta, elem *c, int64_t ldc)
{
	if (m && n && ((alpha != 0 && k) || beta != 1))
		CORE(product)(whole_of(c, ldc), (struct operand){a, lda, transa}, (struct operand){b, ldb, transb}, m, n, k, alpha, beta);
}
