/* SPDX-License-Identifier: MIT */
/* The forward half of Viterbi's algorithm. It only adds and compares, so that there is one right result. */
#include "crf_kernels.h"
#include "loops.h"

/* One step of m labels from i on, from the scores of the step before. */
ISK_INLINE void labels_f32(float *alpha, int32_t *track, const float *before, const float *x, const float *transition,
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

/* The same step in f64. Labels are kept as f64, which represents them exactly. */
ISK_INLINE void labels_f64(double *alpha, int32_t *track, const double *before, const double *x,
                           const double *transition, size_t n, size_t i, size_t m)
{
	vd best = vd_set1(before[0]) + vd_load_as(transition, i, m, ISK_F64), first = vd_set1(0);

	for (size_t j = 1; j < n; j++) {
		const vd score = vd_set1(before[j]) + vd_load_as(transition + j * n, i, m, ISK_F64);
		const vmd above = vd_lt(best, score);

		best = vd_sel(above, score, best);
		first = vd_sel(above, vd_set1((double)j), first);
	}
	vd_store_as(alpha, i, best + vd_load_as(x, i, m, ISK_F64), m, ISK_F64);
	vi_store_as(track, i, vd_halves_to_vi(first, first), m, ISK_S32);
}

#define CRF_DECODING(kernel, T, ...)                                           \
	void ISK_FN(kernel)(ISK_C_##T *alpha, int32_t *track, const ISK_C_##T *x, const ISK_C_##T *start, \
	                    const ISK_C_##T *transition, size_t length, size_t n)  \
	{                                                                          \
		if (!length || !n)                                                     \
			return;                                                            \
		for (size_t i = 0; i < n; i++) {                                       \
			alpha[i] = start[i] + x[i];                                        \
			track[i] = 0;                                                      \
		}                                                                      \
		for (size_t k = 1; k < length; k++) {                                  \
			size_t i = 0;                                                      \
                                                                               \
			x += n;                                                            \
			track += n;                                                        \
			alpha += n;                                                        \
			for (; n - i >= ISK_COUNT(T); i += ISK_COUNT(T))                   \
				labels_##T(alpha, track, alpha - n, x, transition, n, i, ISK_COUNT(T)); \
			if (i < n)                                                         \
				labels_##T(alpha, track, alpha - n, x, transition, n, i, n - i); \
		}                                                                      \
	}
ISK_EACH_crf_decoding(CRF_DECODING)
