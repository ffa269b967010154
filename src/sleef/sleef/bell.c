/* SPDX-License-Identifier: MIT */
/*
 * gelu, its product with b and its derivative by normal.h, and gelu_tanh. Arguments of the
 * exponential come with what they lost, which would become a relative error.
 * Worst errors seen, with SLEEF 3.5.1: gelu 4.631 ulp at -0.031774430349661875, at baseline
 * 5.354 at -0.3299987250362475; gelu_tanh 3.194 at -3.8844059393954367; geglu 5.244 at
 * (-0.99999922513961881, -374.32623558254551), at baseline 5.439 at (0x1.000018000000cp-24,
 * 121.49991607666024); gelu_backward 4.454 at (-7.48529319409033, -6.9538902022878446).
 * Constants: derive/exponentials.py.
 */
#include "bell_kernels.h"
#include "normal.h"
#include "tiny.h"

#include <float.h>

/* Below 0 from -54.5 on exp(-x^2 / 2) times any b is 0, above it beyond 34 it is nothing beside 1. */
ISK_INLINE vd bounded(vd x)
{
	return -minus_size(x, -54.5, -34);
}

/* exp(-a^2 / 2) */
ISK_INLINE struct tiny bell(vd a)
{
	const vd half = a * 0.5, s = half * a;

	return exp_tiny(-s, -vd_mul_low(half, a, s));
}

/* gelu(x) b = (max(x, 0) - |x| Phi(-|x|)) b, where -Inf is -0 b. */
ISK_INLINE vd gelu_times(vd x, vd b)
{
	const vd a = bounded(x);
	const struct tiny e = bell(a);
	const struct lifted l = lifted(a, e.rest), above = lifted(x, e.rest);
	const vd y = l.a * tail_of(a) * e.z;
	const vd below = vd_sel(vd_lt(x, vd_set1(-DBL_MAX)), vd_set1(-0.0), -y);

	return times_rest(vd_sel(vd_lt(x, vd_set1(0)), below, above.a - y), b, l.rest);
}

/* Its derivative times dy: 1 - Phi(-x) + x phi(x) above 0. */
ISK_INLINE vd gelu_slope(vd x, vd dy)
{
	const vd a = bounded(x);
	const struct tiny e = bell(a);
	const vd g = slope_of(a) * e.z;

	return times_rest(vd_sel(vd_lt(x, vd_set1(0)), -g, 1 + g), dy, e.rest);
}

/*
 * x / (1 + e^-v) with v = sqrt(8 / pi) (x + 0.044715 x^3) = x (k + k1 x^2), k and k1 and all that is made of
 * them in two parts: the sum u = k + p loses what it is nearer to than the larger of both.
 */
ISK_INLINE vd gelu_tanh_of(vd x)
{
	const vd k = vd_set1(0x1.9884533d43651p+0), k1 = vd_set1(0x1.2444f2a4d8b4bp-4);
	const vd minus_a = minus_size(x, -25, -19.5), w = minus_a * minus_a, p = k1 * w, u = k + p, back = u - k;
	const vd w_low = vd_mul_low(minus_a, minus_a, w);
	const vd k_low = vd_set1(-0x1.cbc0d30ebfd15p-54), k1_low = vd_set1(-0x1.6c843a29d1c70p-61);
	const vd p_low = vd_mul_low(k1, w, p) + vd_fma(k1, w_low, vd_fma(k1_low, w, k_low));
	const vd u_low = k - (u - back) + (p - back) + p_low, v = minus_a * u;
	const struct tiny e = exp_tiny(v, vd_fma(minus_a, u_low, vd_mul_low(minus_a, u, v)));

	return times_rest(vd_sel(vd_lt(x, vd_set1(0)), minus_a * e.z, x) / (1 + whole(e)), vd_set1(1), e.rest);
}

MAP(gelu, gelu_times(x, vd_set1(1)))
MAP(gelu_tanh, gelu_tanh_of(x))
ZIP(geglu, gelu_times(a, b))
ZIP(gelu_backward, gelu_slope(a, b))
