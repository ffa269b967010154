/* SPDX-License-Identifier: MIT */
/* The operations of level 2 on real vectors: kernels. */
#include "vector.h"

void CORE(add)(elem *y, const elem *x, int64_t n, elem alpha, int conjugated)
{
	(void)conjugated;
	if (n > 0)
		KERNEL(axpy)(y, x, (size_t)n, alpha);
}

elem CORE(inner)(const elem *a, const elem *x, int64_t n, int conjugated)
{
	(void)conjugated;
	return n > 0 ? KERNEL(dot)(a, x, (size_t)n) : 0;
}
