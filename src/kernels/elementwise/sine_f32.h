/* SPDX-License-Identifier: MIT */
/*
 * sin and cos of |x| below 2^16: (-1)^n sin(r) with r = |x| - n pi; for the cosine, n is an integer and a half.
 * Constants: derive/sine.sollya, derive/sine.c.
 */
#ifndef ISK_SINE_F32_H
#define ISK_SINE_F32_H

#include "by_pi_f32.h"

/* sin(a) with half = 0 or cos(a) with half = .5, for a = |x| below 2^16, so that n has 15 bits. */
ISK_INLINE vf vf_sine(vf a, const float half)
{
	const struct by_pi_f32 t = by_pi_f32(a, half, 1);
	const vf w = t.r * t.r;
	vf p = vf_fma(vf_set1(0x1.5cd38ep-19f), w, vf_set1(-0x1.9f6d38p-13f));

	p = vf_fma(p, w, vf_set1(0x1.110f5ep-7f));
	p = vf_fma(p, w, vf_set1(-0x1.555558p-3f));
	return (vf)((vi)vf_fma(p, w * t.r, t.r) ^ (vi)t.sum << 31);
}

#endif
