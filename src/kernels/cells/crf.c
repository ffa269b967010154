/* SPDX-License-Identifier: MIT */
/* The forward half of Viterbi's algorithm. It only adds and compares, so that there is one right result. */
#include "crf_kernels.h"
#include "of_type.h"

/* Labels are kept in lanes as wide as scores: as integers beside f32, and as f64, which represents them exactly. */
ISK_INLINE vf vf_label(size_t j)
{
	return vi_float(vi_set1((int32_t)j));
}

ISK_INLINE vd vd_label(size_t j)
{
	return vd_set1((double)j);
}

ISK_INLINE vi vf_labels(vf v)
{
	return vf_bits(v);
}

ISK_INLINE vi vd_labels(vd v)
{
	return vd_halves_to_vi(v, v);
}

/* One step of m labels from i on, from the scores of the step before. */
ISK_INLINE void step(elem *alpha, int32_t *track, const elem *before, const elem *x, const elem *transition, size_t n,
                     size_t i, size_t m)
{
	vec best = splat(before[0]) + load(transition, i, m), first = ISK_WORD(label)(0);

	for (size_t j = 1; j < n; j++) {
		const vec score = splat(before[j]) + load(transition + j * n, i, m);
		const truths above = less(best, score);

		best = ISK_WORD(sel)(above, score, best);
		first = ISK_WORD(sel)(above, ISK_WORD(label)(j), first);
	}
	store(alpha, i, best + load(x, i, m), m);
	vi_store_as(track, i, ISK_WORD(labels)(first), m, ISK_S32);
}

void KERNEL(crf_decoding)(elem *alpha, int32_t *track, const elem *x, const elem *start, const elem *transition, size_t length,
                          size_t n)
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
		for (; n - i >= COUNT; i += COUNT)
			step(alpha, track, alpha - n, x, transition, n, i, COUNT);
		if (i < n)
			step(alpha, track, alpha - n, x, transition, n, i, n - i);
	}
}
