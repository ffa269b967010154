/* SPDX-License-Identifier: MIT */
/* The operations of level 2 on real vectors: kernels. */
#include "vector.h"

void CORE(add)(elem *y, const elem *x, int64_t n, elem alpha, int conjugated)
{
	(void)conjugated;
	if (n > 0)
		KERNEL(axpy)(y, x, (size_t)n, alpha);
}

const elem *CORE(prepare)(struct copy *copy, const elem *x, int64_t n)
{
	(void)x;
	(void)n;
	copy->all = NULL;
	return NULL;
}

void CORE(add_prepared)(elem *y, const elem *x, const elem *prepared, int64_t n, elem alpha)
{
	(void)prepared;
	CORE(add)(y, x, n, alpha, 0);
}

elem CORE(inner)(const elem *a, const elem *x, int64_t n, int conjugated)
{
	(void)conjugated;
	return n > 0 ? KERNEL(dot)(a, x, (size_t)n) : 0;
}

struct turned CORE(turn)(struct copy *copy, const elem *x, int64_t n, int conjugated)
{
	(void)n;
	(void)conjugated;
	copy->all = NULL;
	return (struct turned){x, NULL};
}

elem CORE(inner_turned)(const elem *a, const struct turned *x, int64_t first, int64_t n)
{
	return CORE(inner)(a, x->for_re + first, n, 0);
}
