/* SPDX-License-Identifier: MIT */
/*
 * Mean and variance of f32 and 16-bit elements: the sums in f64 of the distances from the first element, or from 0 if that
 * is not finite, and of their squares.
 */
#include "moments_kernels.h"
#include "moments.h"
#include "wide_sums.h"

ISK_INLINE struct moments moments_of(const char *x, size_t n, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	float first = n ? vf_load_as(x, 0, 1, type)[0] : 0;
	uint64_t nothing = 0;
	struct sums s;

	if (first - first == 0) {
		for (size_t i = 0; n && i < 8 / bytes; i++)
			__builtin_memcpy((char *)&nothing + i * bytes, x, bytes);
	} else {
		first = 0;
	}
	s = wide_sums(x, n, 1, (double)first, nothing, 1, type);
	return moments_about((double)first, s.first, s.second, n);
}

#define MOMENTS(kernel, T, ...)                                                \
	__attribute__((noinline)) static struct moments moments_##T(const void *x, size_t n) \
	{                                                                          \
		return moments_of(x, n, ISK_ENUM_##T);                                 \
	}
ISK_EACH_meanvar(MOMENTS, )

ISK_INLINE void put(void *y, size_t i, double value, const enum isk_type type)
{
	vf_store_as(y, i, vf_set1((float)value), 1, type);
}

/* Writes the mean of each row, and the sum of squared distances from it over divisor. */
ISK_INLINE void variances(void *mean, void *variance, const char *x, size_t rows, size_t cols, size_t step, double divisor,
                          struct moments moments_of_row(const void *x, size_t n), const enum isk_type type)
{
	for (size_t r = 0; r < rows; r++, x += step) {
		const struct moments m = moments_of_row(x, cols);

		put(mean, r, m.mean, type);
		put(variance, r, m.m2 / divisor, type);
	}
}

#define VARIANCES(kernel, T, divisor) VARIANCES_AS(kernel, T, T, divisor)
#define VARIANCES_AS(kernel, F, T, divisor)                                    \
	void ISK_FN(kernel)(ISK_C_##T *mean, ISK_C_##T *variance, const ISK_C_##F *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		variances(mean, variance, (const char *)x, rows, cols, ldx * sizeof(*x), divisor, moments_##F, ISK_ENUM_##T); \
	}
ISK_EACH_meanvar(VARIANCES, (double)cols)
/* Without elements, the variance is 0 / 0. */
ISK_EACH_meanvar_unbiased(VARIANCES, (double)cols - (cols > 0))
ISK_EACH_meanm2(VARIANCES, 1)
ISK_EACH_meanm2_wide(VARIANCES_AS, 1)
