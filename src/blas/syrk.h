/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_SYRK_H
#define ISK_BLAS_SYRK_H

#include "product.h"

/* The triangle of C (n by n) that is computed; the other one is neither read nor written. */
struct computed {
	elem *c;
	int64_t n, ldc;
	int lower, hermitian;
};

/*
 * The triangle of C = alpha * A * B + beta * C with A of n by k and B of k by n. Each element has the bits of gemm. The
 * diagonal of a Hermitian C becomes real, and its imaginary parts are not read.
 */
void CORE(triangle_of_product)(const struct computed *c, struct operand a, struct operand b, int64_t k, elem alpha,
                               elem beta);

#endif
