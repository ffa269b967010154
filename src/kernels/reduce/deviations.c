/* SPDX-License-Identifier: MIT */
/* Mean and variance of f64. The elements are read twice: for the mean, and for their distances from it. */
#include "deviations_kernels.h"
#include "of_type.h"
#include "blocks.h"
#include "moments.h"

lane KERNEL(sum)(const elem *x, size_t n);

LINES_OF(deviation_lines, P_DEVIATION)

ISK_APART static struct moments moments_of(const elem *x, size_t n)
{
	const lane mean = KERNEL(sum)(x, n) / (lane)n;
	lane s[MAX_SUMS];

	part_all(s, deviation_lines, x, NULL, n, 1, mean, P_DEVIATION);
	if (mean - mean != 0)
		return (struct moments){mean, n ? __builtin_nan("") : 0};
	return moments_about(mean, s[0], s[1], n);
}

/* Writes the mean of each row, and the sum of squared distances from it over divisor. */
ISK_INLINE void variances(elem *mean, elem *variance, const elem *x, size_t rows, size_t cols, size_t ldx, lane divisor)
{
	for (size_t r = 0; r < rows; r++, x += ldx) {
		const struct moments m = moments_of(x, cols);

		store_one(mean, r, m.mean);
		store_one(variance, r, m.m2 / divisor);
	}
}

void KERNEL(meanvar)(elem *mean, elem *variance, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	variances(mean, variance, x, rows, cols, ldx, (lane)cols);
}

/* Without elements, the variance is 0 / 0. */
void KERNEL(meanvar_unbiased)(elem *mean, elem *variance, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	variances(mean, variance, x, rows, cols, ldx, (lane)cols - (cols > 0));
}

void KERNEL(meanm2)(elem *mean, elem *m2, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	variances(mean, m2, x, rows, cols, ldx, 1);
}
