/* SPDX-License-Identifier: MIT */
/* The forward half of Viterbi's algorithm: sums and comparisons, so there is but one result. */
#include "crf_kernels.h"

/* m labels from i on of one step, by the scores of the step before. */
ISK_INLINE void labels(float *alpha, int32_t *track, const float *before, const float *x, const float *transition,
                       size_t n, size_t i, size_t m)
{
	vf best = vf_set1(before[0]) + vf_load_as(transition, i, m, ISK_F32);
	vi first = {0};

	for (size_t j = 1; j < n; j++) {
		const vf score = vf_set1(before[j]) + vf_load_as(transition + j * n, i, m, ISK_F32);
		const vm above = vf_gt(score, best);

		best = vf_sel(above, score, best);
		first = vi_sel(above, vi_set1((int32_t)j), first);
	}
	vf_store_as(alpha, i, best + vf_load_as(x, i, m, ISK_F32), m, ISK_F32);
	vi_store_as(track, i, first, m, ISK_S32);
}

void ISK_FN(crf_decoding_f32)(float *alpha, int32_t *track, const float *x, const float *start, const float *transition,
                              size_t length, size_t n)
{
	if (!length || !n)
		return;
	for (size_t i = 0; i < n; i++) {
		alpha[i] = start[i] + x[i];
		track[i] = 0;
	}
	for (size_t k = 1; k < length; k++) {
		size_t i = 0;

		x += n;
		track += n;
		alpha += n;
		for (; n - i >= VL; i += VL)
			labels(alpha, track, alpha - n, x, transition, n, i, VL);
		if (i < n)
			labels(alpha, track, alpha - n, x, transition, n, i, n - i);
	}
}
