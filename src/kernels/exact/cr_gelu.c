/* SPDX-License-Identifier: MIT */
/*
 * gelu and gelu_tanh, correctly rounded. gelu(x) = max(x, 0) - a Phi(-a) with
 * a = |x|, and Phi(-a) = exp(-a^2 / 2) P(a) / Q(a). From -14.5 down the result is -0.
 * Constants: derive/gelu_wide.py.
 */
#include "cr_gelu_kernels.h"
#include "normal_tail.h"

ISK_INLINE vd gelu_of(vd d)
{
	const vd a = vd_min(vd_set1(14.5), vd_abs(d)), e = vd_pow2(split_long(a * a * -0.5));
	/* 2^-178 moves the result above a tie that x/2 may be, as in silu. */
	return vd_max(vd_set1(-0.0), d) - normal_tail(e * a, a) + 0x1p-178;
}

/* x / (1 + exp(-v)) with v = 2 sqrt(2 / pi) (x + 0.044715 x^3), for results of 16 bits. */
ISK_INLINE vd gelu_tanh_of(vd d)
{
	const vd v = vd_fma(d * d * d, vd_set1(0x1.2444f2a4d8b4bp-4), d * 0x1.9884533d43651p+0);

	return d / (vd_pow2(split_long(-vd_min(vd_set1(110), v))) + 1) + 0x1p-178;
}

#define GELU(WIDE, x) vf_copysign(WIDE(gelu_of, x), x)

MAP(cr_gelu, GELU(WIDE, x))
MAP(gelu, GELU(WIDE_TO_ODD, x))
MAP(gelu_tanh, vf_copysign(WIDE_TO_ODD(gelu_tanh_of, vf_max(vf_set1(-10.875f), x)), x))
