/* SPDX-License-Identifier: MIT */
/*
 * Sums of all elements before one, in order. Neighbours on the last axis are lanes; if there is one of them, a sum waits for the
 * one before it, because another order would give other bits.
 */
#include "cumsum_kernels.h"
#include "of_type.h"

/* The sums of m columns, from y and x on, along an axis of n elements that are inner apart. */
static __attribute__((noinline)) void sum_along(elem *y, const elem *x, size_t n, size_t inner, size_t m, unsigned exclusive,
                                                unsigned reverse)
{
	vec sum = splat(0);

#pragma GCC unroll 1
	for (size_t i = 0; i < n; i++) {
		const size_t at = (reverse & 1 ? n - 1 - i : i) * inner;
		const vec next = sum + load(x, at, m);

		store(y, at, exclusive & 1 ? sum : next, m);
		sum = next;
	}
}

void KERNEL(cumsum)(elem *y, const elem *x, size_t outer, size_t n, size_t inner, unsigned exclusive, unsigned reverse)
{
	for (; outer && n && inner; outer--, y += n * inner, x += n * inner)
		for (size_t c = 0; c < inner; c += COUNT)
			sum_along(y + c, x + c, n, inner, inner - c, exclusive, reverse);
}
