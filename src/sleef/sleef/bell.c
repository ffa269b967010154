/* SPDX-License-Identifier: MIT */
/*
 * gelu, its product with b and its derivative by normal.h, and gelu_tanh, in two parts (parts.h) up to the last step.
 * Worst errors found: gelu 0.813 ulp at -37.630394456990309, where the result is denormal and is rounded twice, and 0.769
 * elsewhere, at -0.13939197059015448 (at baseline 0.843 at 0.030504662114928686); gelu_tanh 0.770 at
 * -21.177535540632686 (0.782 at -21.177242292989039); geglu 0.840 at (-2.1951451447352466,
 * -0x1.6eb37cdd30cb1p-1018) (0.879 at (-0.14388492568892136, -0x1.cb268d6e4e99fp-1019)); gelu_backward
 * 0.856 at (-0.75179152469356447, 1.069774099307006) (0.852 at (0.000154039130440667,
 * 0x1.e588d86ac87dap-1022)).
 * Constants: derive/exponentials.py.
 */
#include "bell_kernels.h"
#include "gate.h"
#include "normal.h"

/* |x|, clamped to 54.5 for x < 0, where exp(-x^2 / 2) times any b is 0, and to 34 for x > 0, where it vanishes next to 1. */
ISK_INLINE vd bounded(vd x)
{
	return -minus_size(x, -54.5, -34);
}

/* Phi(x): the tail for x < 0, else 1 minus the tail. */
ISK_INLINE struct power normal(vmd is_below, vd a)
{
	const struct power e = bell(a);
	const struct parts phi = tail_of((struct parts){a, vd_set1(0)}, mantissa(e));
	const struct parts above = parts_add_to(vd_set1(1), parts_scaled(phi, -small_scale(e.sum)));

	return (struct power){vd_sel(is_below, e.sum, vd_set1(VD_ROUND)), parts_sel(is_below, phi, above)};
}

ISK_INLINE vd gelu_of(vd x)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd a = bounded(x);
	const struct power y = normal(is_below, a);

	return times(y.q, y.sum, vd_sel(is_below, -a, x));
}

/* gelu(x) b. x = -Inf gives -0 b. */
ISK_INLINE vd gelu_times(vd x, vd b)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd a = bounded(x);
	const struct power y = normal(is_below, a);

	return times_both(y.q, y.sum, vd_sel(vd_lt(x, vd_set1(-DBL_MAX)), vd_set1(-0.0), vd_sel(is_below, -a, x)), b);
}

/* The derivative of gelu times dy. For x > 0 the derivative is 1 - Phi(-x) + x phi(x). */
ISK_INLINE vd gelu_slope(vd x, vd dy)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd a = bounded(x);
	const struct power e = bell(a);
	const struct parts g = parts_product(settled(slope_of(a)), mantissa(e)), below = {-g.high, -g.low};
	const struct parts y = parts_sel(is_below, below, parts_add_to(vd_set1(1), parts_scaled(g, small_scale(e.sum))));

	return times(settled(y), vd_sel(is_below, e.sum, vd_set1(VD_ROUND)), dy);
}

/*
 * x / (1 + e^-v) with v = sqrt(8 / pi) (x + 0.044715 x^3) = x (k + k1 x^2). k, k1 and all numbers made of them have two
 * parts. The rounding error of u = k + p is computed exactly, whichever of k and p is larger.
 */
ISK_INLINE vd gelu_tanh_of(vd x)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd k = vd_set1(0x1.9884533d43651p+0), k1 = vd_set1(0x1.2444f2a4d8b4bp-4);
	const vd minus_a = minus_size(x, -25, -19.5), w = minus_a * minus_a, p = k1 * w, u = k + p, back = u - k;
	const vd w_low = vd_mul_low(minus_a, minus_a, w);
	const vd k_low = vd_set1(-0x1.cbc0d30ebfd15p-54), k1_low = vd_set1(-0x1.6c843a29d1c70p-61);
	const vd p_low = vd_mul_low(k1, w, p) + vd_fma(k1, w_low, vd_fma(k1_low, w, k_low));
	const vd u_low = k - (u - back) + (p - back) + p_low, v = minus_a * u;
	const struct power y = gate(is_below, v, vd_fma(minus_a, u_low, vd_mul_low(minus_a, u, v)));

	return times(y.q, y.sum, vd_sel(is_below, minus_a, x));
}

MAP(gelu, gelu_of(x))
MAP(gelu_tanh, gelu_tanh_of(x))
ZIP(geglu, gelu_times(a, b))
ZIP(gelu_backward, gelu_slope(a, b))
