/* SPDX-License-Identifier: MIT */
/*
 * Functions made of e^x, in two parts up to the last step. The worst errors found are those of denormal results and of
 * their neighbours, because these are rounded twice: sigmoid 0.752 ulp at -708.83542125648842, silu and mish 0.771 at
 * -714.9914480686449 (at baseline 0.788 at -714.97779530734999), swiglu 0.802 at (-0.35885611200830408,
 * -0x1.0b083919326dfp-1020), softplus and logsigmoid 0.752 at 708.72842752689928, elu 0.752 at -2.4128033426562099
 * with alpha -0x0.e110b063614a4p-1022, selu 0.750 at 2.0078790610779216e-308, celu 0.817 at
 * -1.5021515764361836e-308 with alpha -0x1.a86ca94188c3cp-1022, silu_backward 0.797 at (-4.3991639701979457,
 * -0x1.5f5dc8bede5bdp-1018) (0.814 at (-285.80117240822284, -0x1.1c037467a531bp-618)).
 * Constants: derive/exponentials.py.
 */
#include "logistic_kernels.h"
#include "gate.h"
#include "log_two.h"

/*
 * The derivative of a / (1 + e^-a) times dy. For a > 0 it is (1 + (1 + a) z) / (1 + z)^2 with z = e^-|a|.
 * For a < 0 it has a zero Z, where (1 + Z) e^-Z = -1, and it is z (d + (e^d - 1) e^Z) / (1 + z)^2 with d = a - Z. Both
 * terms of that sum have the same sign, so no digits cancel. z is e^d e^Z.
 */
ISK_INLINE vd gated_slope(vd a, vd dy)
{
	const vmd is_below = vd_lt(a, vd_set1(0));
	const vd v = minus_size(a, -1480, -600), one = vd_set1(1);
	const struct parts at_zero = {vd_set1(0x1.1d25cf210482ep-2), vd_set1(-0x1.ca2d0d94faaecp-60)};
	const struct parts far = parts_sum_of_any(v, vd_set1(0x1.474973c84120bp+0));
	const struct parts d = parts_sum(far.high, far.low + 0x1.f8d74bc9ac154p-54);
	const struct power e = power_of(d.high, d.low), less = power_less_one(e);
	const struct parts m = settled(parts_product(mantissa(e), at_zero)), z = parts_scaled(m, small_scale(e.sum));
	const struct parts rise = parts_product(parts_scaled(less.q, small_scale(less.sum)), at_zero);
	const struct parts above = parts_add_to(one, parts_product(parts_sum_of_any(one, -v), z));
	const struct parts over = parts_sel(is_below, parts_product(parts_add(d, rise), m), above);
	const struct parts sum = settled(parts_add_to(one, z)), under = settled(parts_product(sum, sum));

	return times(parts_quotient(over, under), vd_sel(is_below, e.sum, vd_set1(VD_ROUND)), dy);
}

/*
 * max(x, 0) + log(1 + z) with z = e^-|x|. It is x for x > 40, and z - z^2 / 2 for x < -25, because 1 + z would lose digits
 * of z there.
 */
ISK_INLINE vd softplus_of(vd x)
{
	const struct power e = power_of(vd_max(vd_set1(-760), -vd_abs(x)), vd_set1(0));
	const struct parts m = settled(mantissa(e)), z = parts_scaled(m, small_scale(e.sum));
	const struct parts d = settled(parts_add_to(vd_set1(1), z)), l = log_of_parts(d);
	const struct parts sum = parts_sum_of_any(vd_max(vd_set1(0), x), l.high);
	const vd near = vd_sel(vd_lt(vd_set1(40), x), x, sum.high + (sum.low + l.low));
	const vd tail = scaled(m.high + vd_fma(m.high * z.high, vd_set1(-0.5), m.low), e.sum);

	return vd_sel(vd_lt(x, vd_set1(-25)), tail, near);
}

/*
 * x tanh(log(1 + u)) with u = e^x is x u (u + 2) / (u (u + 2) + 2) or, with z = 1 / u, x (1/2 + z) / (1/2 + z (z + 1)).
 */
ISK_INLINE vd mish_of(vd x)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd v = minus_size(x, -780, -600), half = vd_set1(0.5), one = vd_set1(1), two = vd_set1(2);
	const struct power e = power_of(v, vd_set1(0));
	const struct parts m = mantissa(e);
	const vd scale = small_scale(e.sum), constant = vd_sel(is_below, two, half);
	const struct parts z = parts_scaled(m, scale), more = settled(parts_add_to(vd_sel(is_below, two, one), z));
	const struct parts w = parts_product(m, more), all = parts_sum_of_any(constant, w.high * scale);
	const struct parts under = parts_sum(all.high, vd_fma(w.low, scale, all.low));
	const struct parts above = parts_sum_of_any(half, z.high);
	const struct parts over = parts_sel(is_below, w, (struct parts){above.high, above.low + z.low});

	return times(parts_quotient(over, under), vd_sel(is_below, e.sum, vd_set1(VD_ROUND)), vd_sel(is_below, v, x));
}

/* The product y x is e^x - 1 for x < 0, and x for x > -2^-300. */
struct growth {
	struct parts y;
	vd x;
};

ISK_INLINE struct growth growth(vd x)
{
	const vmd is_linear = vd_lt(vd_set1(-0x1p-300), x);
	const vd one = vd_set1(1), near = vd_min(vd_set1(0), vd_max(vd_set1(-60), x));
	const struct parts y = power_less_one(power_of(near, vd_set1(0))).q;

	return (struct growth){parts_sel(is_linear, (struct parts){one, one - one}, y), vd_sel(is_linear, x, one)};
}

ISK_INLINE vd elu_of(vd x, double alpha)
{
	const struct growth g = growth(x);

	return vd_sel(vd_lt(vd_set1(0), x), x, times_both(g.y, vd_set1(VD_ROUND), vd_set1(alpha), g.x));
}

/* 1.0507009873554804934 times x for x > 0, else times 1.6732632423543772848 (e^x - 1). */
ISK_INLINE vd selu_of(vd x)
{
	const struct parts above = {vd_set1(0x1.0cfabd6a91132p+0), vd_set1(0x1.6fc7d272f2695p-55)};
	const struct parts below = {vd_set1(0x1.c212cc640f031p+0), vd_set1(0x1.05161b045a1fep-56)};
	const struct growth g = growth(x);
	const struct parts factor = parts_sel(vd_lt(vd_set1(0), x), above, below);

	return times(parts_product(g.y, factor), vd_set1(VD_ROUND), g.x);
}

/*
 * alpha (e^t - 1) with t = x / alpha. The rounding error of t counts, because t may be large if alpha is negative. x and
 * alpha are scaled so that this error is not lost itself. If t is denormal, the result is x, unless alpha is infinite.
 */
ISK_INLINE vd celu_of(vd x, double alpha)
{
	const double size = alpha < 0 ? -alpha : alpha, scale = size < 0x1p-500 ? 0x1p400 : 1, one = 1 + (alpha - alpha);
	const vd scaled = x * scale, by = vd_set1(alpha * scale), t = scaled / by, inf = vd_set1((double)INFINITY);
	const vd lost = -vd_mul_low(t, by, scaled) / by, low = vd_sel(vd_lt(vd_abs(lost), vd_set1(1)), lost, vd_set1(0));
	const struct power e = power_less_one(power_of(vd_min(vd_set1(1500), vd_max(vd_set1(-760), t)), low));
	const struct parts q = {vd_sel(vd_lt(t, inf), e.q.high, t), e.q.low};
	const vd y = vd_sel(vd_lt(vd_abs(t), vd_set1(0x1p-54)), x * one, times(q, e.sum, vd_set1(alpha)));

	return vd_sel(vd_lt(vd_set1(0), x), x, y);
}

MAP(sigmoid, sigmoid_of(x))
MAP(silu, gated(x))
MAP(softplus, softplus_of(x))
MAP(logsigmoid, -softplus_of(-x))
MAP(mish, mish_of(x))
MAP_SCALAR(elu, elu_of(x, alpha))
MAP(selu, selu_of(x))
MAP_SCALAR(celu, celu_of(x, alpha))
ZIP(swiglu, gated_times(a, b))
ZIP(silu_backward, gated_slope(a, b))
