/* SPDX-License-Identifier: MIT */
/* A matrix by columns is its transpose by rows, so C' = B' * A'. */
#include "real_product.h"

void CORE(product)(struct target c, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta)
{
	const struct real_product p = {
		.c = c.c, .a = b.a, .b = a.a, .m = (size_t)n, .n = (size_t)m, .k = alpha == 0 ? 0 : (size_t)k,
		.ldc = (size_t)c.ld, .lda = (size_t)b.ld, .ldb = (size_t)a.ld,
		.transposed = (b.trans & TRANSPOSED ? ISK_TRANSPOSED_A : 0u) | (a.trans & TRANSPOSED ? ISK_TRANSPOSED_B : 0u),
		.alpha = alpha, .beta = beta, .part = c.part};

	CORE(real_product)(&p);
}
