/* SPDX-License-Identifier: MIT */
/* vf_scalable and vf_rest for a vf_scale8 that takes no infinite n and no NaN. */
#ifndef ISK_CLAMPED_H
#define ISK_CLAMPED_H

ISK_INLINE vf vf_scalable(vf x, float low, float high)
{
	return vf_min(vf_set1(high), vf_max(vf_set1(low), x));
}

ISK_INLINE vf vf_rest(vf r, float most)
{
	(void)most;
	return r;
}

#endif
