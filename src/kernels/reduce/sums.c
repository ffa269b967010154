/* SPDX-License-Identifier: MIT */
/*
 * Sums of one array, in the tree of sum_tree.h: of elements, of elements a stride apart, and of sizes; the mean, the
 * product, and the number of elements that are not 0.
 *
 * The bound of the product is n * eps, because it rounds once for each element in any order. Counts of a block are below
 * 2^13, which f32 has exactly. Worst found, in units of the contract: sum 0.30 (f64, n = 3), asum 0.27 (f32, n = 3), mean
 * 0.29 (f32, n = 3), prod 0.48 (f64, n = 3).
 */
#include "sums_kernels.h"
#include "of_type.h"
#include "blocks.h"

PART_OF(any_sum, P_SUM)
PART_OF(any_asum, P_SIZE)
PART_OF(any_prod, P_PRODUCT)
PART_OF(nonzero, P_NONZERO)

ISK_LONG static lane long_sum(const elem *x, size_t n)
{
	return row_sum(x, n, 0, SUM);
}

ISK_APART static lane block_sum(const elem *x, size_t n)
{
	lane sum[MAX_SUMS];

	if (n > block_of(SUM))
		return long_sum(x, n);
	reduce_short(sum, x, NULL, n, SUM);
	return sum[0];
}

/* Sums of f32 and f64 have code of their own for few elements. */
ISK_FROM_LINE lane KERNEL(sum)(const elem *x, size_t n)
{
	lane sum[MAX_SUMS];

	if (sizeof(elem) < sizeof(lane))
		return any_sum(x, NULL, n, 1);
	if (!is_few(n, SUM))
		return block_sum(x, n);
	reduce_few(sum, x, NULL, n, SUM);
	return sum[0];
}

lane KERNEL(mean)(const elem *x, size_t n)
{
	return KERNEL(sum)(x, n) / (lane)n;
}

lane KERNEL(asum)(const elem *x, size_t n)
{
	return any_asum(x, NULL, n, 1);
}

lane KERNEL(prod)(const elem *x, size_t n)
{
	return any_prod(x, NULL, n, 1);
}

size_t KERNEL(count_nonzero)(const elem *x, size_t n)
{
	const size_t block = part_block(P_NONZERO);
	size_t count = 0;

	for (size_t i = 0; i < n; i += block)
		count += (size_t)nonzero(x + i, NULL, n - i < block ? n - i : block, 1);
	return count;
}

lane KERNEL(sum_strided)(const elem *x, size_t n, size_t incx)
{
	return any_sum(x, NULL, n, incx);
}

lane KERNEL(mean_strided)(const elem *x, size_t n, size_t incx)
{
	return any_sum(x, NULL, n, incx) / (lane)n;
}

lane KERNEL(asum_strided)(const elem *x, size_t n, size_t incx)
{
	return any_asum(x, NULL, n, incx);
}

lane KERNEL(prod_strided)(const elem *x, size_t n, size_t incx)
{
	return any_prod(x, NULL, n, incx);
}
