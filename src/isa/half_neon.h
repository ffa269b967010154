/* SPDX-License-Identifier: MIT */
/* half_lanes.h for NEON with arithmetic of f16. */
#include <arm_neon.h>

typedef float16x8_t vh;

ISK_INLINE vh vh_one(void)
{
	return (vh)vi_set1(0x3c003c00);
}

ISK_INLINE vh vh_sqrt(vh v)
{
	return vsqrtq_f16(v);
}

/* The instruction keeps NaNs and takes +0 for greater than -0. */
ISK_INLINE vh vh_relu(vh v)
{
	return vmaxq_f16(v, (vh)vi_set1(0));
}

ISK_INLINE vh vh_nearest(vh v)
{
	return vrndnq_f16(v);
}

ISK_INLINE vh vh_floor(vh v)
{
	return vrndmq_f16(v);
}

ISK_INLINE vh vh_ceil(vh v)
{
	return vrndpq_f16(v);
}

ISK_INLINE vh vh_trunc(vh v)
{
	return vrndq_f16(v);
}
