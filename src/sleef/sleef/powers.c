/* SPDX-License-Identifier: MIT */
/*
 * Exponential functions, logarithms and roots. exp10, and pow where its result may not be normal, use exp_two.h
 * and log_two.h. Worst errors seen: exp 0.764 ulp at
 * -0x1.62409ee2e37dcp+9, exp2 0.730 at -0x1.ff508a59c3fb6p+9 (at baseline 0.731 at -0x1.fe0ee2d4ecd2dp+9), exp10 0.750 at
 * -307.94804016449478 (0.753 at -307.83337565457543), expm1 0.534 at 0x1.6377fd86acbadp-6 (0.537 at 0x1.6339abf7b9b9ap-6),
 * log 0.795 at 0x1.1fbd5741a5f26p+0 (0.796 at 0x1.1fd704913f6e2p+0), log2 0.832 at 0x1.1f9aaa5ca1796p+0, log10 0.800 at
 * 0x1.1fbd6bcc3c8dp+0, log1p 0.795 at 0x1.fbd5741a5f26p-4 (0.796 at 0x1.fd704913f6e2p-4), cbrt 0.736 at
 * -0x1.6d94adf9c5c6bp+1, pow 0.780 at (0x1.0867cf7b27104p+0, 0x1.32bd724bf318ap+14).
 * Constants: derive/by_table.py, derive/exponentials.py.
 */
#include "powers_kernels.h"
#include "loops.h"
#include "factor.h"
#include "exp_sixteenths.h"
#include "log_in_parts.h"
#include "log_sixteenths.h"
#include "log_two.h"

#include <float.h>

/* (2^r - 1) / r, and 2^r - 1 has a relative error of 2^-50. */
static const double exp2_steps[6] = {
	0x1.430a4de062d74p-13, 0x1.5d89636514210p-10, 0x1.3b2ab6fb03673p-7, 0x1.c6b08d6f6d79cp-5,
	0x1.ebfbdff82c594p-3, 0x1.62e42fefa39efp-1,
};

/* x = k / 16 + r, exactly. */
ISK_INLINE struct in_sixteenths exp2_sixteenths(vd x)
{
	const vd sum = vd_fma(x, vd_set1(16), vd_set1(VD_ROUND));

	return (struct in_sixteenths){sum, vd_fma(sum - VD_ROUND, vd_set1(-0x1p-4), x)};
}

/* The power times 2^r. */
ISK_INLINE vd power_times_exp2(vd power, struct in_sixteenths s)
{
	const vd q = vd_fma(POLYNOMIAL(exp2_steps, s.r), s.r, one_of_16(sixteenths_lack, (vl)s.sum));

	return vd_fma(power, q, power);
}

/* 2^x for any x */
static __attribute__((noinline)) vd exp2_of_any(vd x)
{
	const struct in_sixteenths s = exp2_sixteenths(vd_min(vd_set1(1025), vd_max(vd_set1(-1080), x)));

	return scaled(power_times_exp2(part_of_power(s.sum), s), whole_sum(s.sum));
}

/* Up to 1021 in size the result is normal. */
ISK_INLINE vd exp2_of(vd x)
{
	const struct in_sixteenths s = exp2_sixteenths(x);
	const vd y = power_times_exp2(whole_power(s.sum), s);
	const vmd is_far = vd_lt(vd_set1(1021), vd_abs(x));

	return __builtin_expect(vmd_any(is_far), 0) ? vd_sel(is_far, exp2_of_any(x), y) : y;
}

/* e^(x log(10)), with log(10) in two parts. */
ISK_INLINE vd exp10_of(vd x)
{
	const vd near = vd_min(vd_set1(310), vd_max(vd_set1(-325), x)), ln = vd_set1(0x1.26bb1bbb55516p+1), t = near * ln;
	const struct power e = power_of(t, vd_fma(near, vd_set1(-0x1.f48ad494ea3e9p-53), vd_mul_low(near, ln, t)));
	const struct parts m = mantissa(e);

	return scaled(m.high + m.low, e.sum);
}

/*
 * (T - 1) + T r + T (e^r - 1 - r), with T the power of 2 and the first two terms in two parts, because they cancel if k is
 * 1 or -1. For x beyond FAR it is e^x or -1.
 */
ISK_INLINE vd expm1_of(vd x)
{
	const vmd is_far = vd_lt(vd_set1(FAR), vd_abs(x));
	const struct parts e = less_one(x);
	const vd y = vd_copysign(e.high + e.low, x), far = vd_set1(-1);

	if (__builtin_expect(!vmd_any(is_far), 1))
		return y;
	return vd_sel(is_far, vd_sel(vd_lt(x, vd_set1(0)), far, power_of_any(x, 0)), y);
}

/* log(u) if u is not a positive number up to 2^1000, where the lower part of 1 + x does not count, or y. */
static __attribute__((noinline)) vd log_if_far(vd u, vmd is_far, vd y)
{
	return vd_sel(is_far, log_of_any(u, &natural), y);
}

/*
 * log(u), with u = 1 + x in two parts. The lower part, x - (u - 1), is exact if |x| is below 1. Otherwise u - 1 is exact as well,
 * or 1 is too small to count.
 */
ISK_INLINE vd ln_one_plus(vd x)
{
	const vd u = x + 1;
	/* Raised by this, the bits of positive numbers below 2^1000, which begin with 1, are the largest integers. */
	const vul raise = (vul)vd_set1(-0.0) - (vul)vd_set1(0x1p1000);
	const vmd is_far = vl_lt((vl)((vul)u + raise), (vl)raise + 1);
	const vd y = vd_copysign(log_of_both((struct parts){u, x - (u - 1)}), x);

	return __builtin_expect(vmd_any(is_far), 0) ? log_if_far(u, is_far, y) : y;
}

/* m^(-1/3) from 1 to 2, in m - 1, within 2^-12, and 2^(-e / 3) for an e of -1, 0 or 1, at e % 16 */
static const double root_steps[4] = {
	-0x1.970fa69db93edp-5, 0x1.573106f60527ap-3, -0x1.4be4fce44b9fap-2, 0x1.ffddc744f8435p-1,
};
static const double root_of_2[16] = {1, 0x1.965fea53d6e3dp-1, [15] = 0x1.428a2f98d728bp+0};

/* The cube root of a normal a > 0, times 2^scaled. */
ISK_INLINE vd root_of(vd a, const int scaled)
{
	const vul power = (vul)a & (vul)vd_set1((double)INFINITY);
	const vd e = (vd)(power >> 52 | (vul)vd_set1(0x1p52)) - (0x1p52 + 1023), m = (vd)((vul)a - power + (vul)vd_set1(1));
	/* a = 2^3q m with an m from 1/2 to 4 */
	const vd sum = vd_fma(e, vd_set1(1.0 / 3), vd_set1(VD_ROUND)), rest = vd_fma(sum - VD_ROUND, vd_set1(-3), e) + VD_ROUND;
	const vd x = (vd)((vul)m + ((vul)rest << 52));
	const vd near = POLYNOMIAL(root_steps, m - 1) * one_of_16(root_of_2, (vl)rest);
	/* x^(-1/3) = near (1 - t)^(-1/3) */
	const vd t = vd_fma(x * (near * near), -near, vd_set1(1)), series = vd_fma(t, vd_set1(2.0 / 9), vd_set1(1.0 / 3));
	const vd inverse = vd_fma(near * t, series, near), squared = inverse * inverse;
	/* Newton's step for the root of y^3 - x: its slope there is 3 / squared. */
	const vd y = x * squared, over = vd_mul_low(y * y, y, x);

	return (vd)((vul)vd_fma(over, squared * (-1.0 / 3), y) + ((vul)(sum + scaled) << 52));
}

/* Denormals are scaled up. Zeros, infinities and NaN are their own roots. */
static __attribute__((noinline)) vd cbrt_of_any(vd a)
{
	const vmd is_small = vd_lt(a, vd_set1(DBL_MIN));
	const vd y = vd_sel(is_small, root_of(a * 0x1p54, -18), root_of(a, 0));

	return vd_sel(vd_lt(vd_set1(0), a), vd_sel(vd_lt(a, vd_set1((double)INFINITY)), y, a), a);
}

ISK_INLINE vd cbrt_of(vd x)
{
	const vd a = vd_abs(x);

	return vd_copysign(__builtin_expect(vmd_any(is_special(a)), 0) ? cbrt_of_any(a) : root_of(a, 0), x);
}

/*
 * size^b = e^(b log(size)), with the logarithm and its product with b in two parts. A tiny size is scaled up for the
 * logarithm, and 0 and infinity get -Inf and +Inf. b is clamped, so that 0 times an infinite b is 0.
 */
ISK_INLINE vd size_of_power(vd size, vd b)
{
	const vd zero = vd_set1(0), one = vd_set1(1), inf = vd_set1((double)INFINITY);
	const vd near = vd_min(vd_set1(0x1p900), vd_max(vd_set1(-0x1p900), b));
	const vmd is_tiny = vd_lt(size, vd_set1(0x1p-1000));
	const vd by = vd_sel(is_tiny, vd_set1(0x1p100), one), added = vd_sel(is_tiny, vd_set1(-100), zero);
	const struct parts l = log_two(size * by, added);
	const vd log = vd_sel(vd_lt(size, inf), vd_sel(vd_lt(zero, size), l.high, -inf), size);
	const struct parts t = parts_times(settled((struct parts){log, l.low}), near);
	const vd bounded = vd_min(vd_set1(800), vd_max(vd_set1(-800), t.high));
	const struct power e = power_of(bounded, vd_sel(vd_lt(vd_abs(t.high), vd_set1(800)), t.low, zero));
	const struct parts m = mantissa(e);

	return scaled(m.high + m.low, e.sum);
}

/* A negative number has powers only for integers b, negative ones if b is odd. -Inf has all powers. */
static __attribute__((noinline)) vd pow_of_any(vd a, vd b)
{
	const vd y = size_of_power(vd_abs(a), b), half = b * 0.5, one = vd_set1(1), zero = vd_set1(0);
	const vd sign = vd_sel(vd_eq(vd_trunc(half), half), zero, a);
	const vmd is_finite = vd_le(vd_set1(-DBL_MAX), a);
	const vd of_fraction = vd_sel(vd_lt(a, zero), vd_sel(is_finite, vd_set1((double)NAN), y), y);
	const vd power = vd_sel(vd_eq(vd_trunc(b), b), vd_copysign(y, sign), of_fraction);

	return vd_sel(vd_eq(b, zero), one, vd_sel(vd_eq(a, one), one, power));
}

/* e^(b log(a)), for normal results of normal a > 0. */
ISK_INLINE vd pow_of(vd a, vd b)
{
	const vd bounded = vd_min(vd_set1(0x1p900), vd_max(vd_set1(-0x1p900), b)); /* so that 0 times an infinite b is 0 */
	const struct parts t = parts_times(ln_in_parts(log_reduced(a)), bounded);
	const struct in_sixteenths s = in_sixteenths(t.high), near = {s.sum, s.r + t.low};
	const vd y = power_times(whole_power(s.sum), near);
	/* As integers, NaN are beyond FAR too. */
	const vmd is_far = vl_lt((vl)vd_set1(FAR), (vl)vd_abs(t.high)), is_other = is_special(a);

	if (__builtin_expect(vmd_any(is_far) || vmd_any(is_other), 0)) {
		const vd other = pow_of_any(a, b);

		return vd_sel(is_far, other, vd_sel(is_other, other, y));
	}
	return y;
}

MAP(exp, exp_of(x))
MAP(exp2, exp2_of(x))
MAP(exp10, exp10_of(x))
MAP(expm1, expm1_of(x))
MAP(log, log_in(x, &natural))
MAP(log2, log_in(x, &binary))
MAP(log10, log_in(x, &decimal))
MAP(log1p, ln_one_plus(x))
MAP(cbrt, cbrt_of(x))
ZIP(pow, pow_of(a, b))
