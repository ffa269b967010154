/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of |Gamma(x)|. For positive x, with z = x + 8 below 8 and z = x elsewhere, it is Stirling's
 *
 *     (z - 1/2) log(z) - z + log(2 pi) / 2 + P(1 / z^2) / z
 *
 * less log(x (x + 1) ... (x + 7)) below 8. Logarithms, their factor and sums have two parts, so that the error is below
 * 2^-59 before the last sum rounds. Near the zeros 1 and 2, where this is too much, it is a polynomial.
 *
 * For x < 0, very small and very large x, and without fused multiply-add it is SLEEF's, and near its zeros below 0 by the
 * polynomials of gamma_zeros.h, because SLEEF's error is absolute there (2^-57 beside the rounding of its last step,
 * thousands of ulp). For the largest numbers SLEEF overflows too early, so they take x (log(x) - 1): the other terms of
 * Stirling's series are below 2^-1000. Constants: derive/gamma.py.
 *
 * Worst errors seen: 0.768 ulp at 0x1.20ac47abbf9b7p+0 (10^8 inputs); with SLEEF 3.5.1 for x < 0 0.783 at
 * -2.537854439094902, at baseline 0.932 at 1.1011599722991043.
 */
#include "gamma_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "gamma_zeros.h"
#include "log_in_parts.h"
#include "log_two.h"

/* log(2 pi) / 2 */
#define LOG_ROOT     0x1.d67f1c864beb5p-1
#define LOG_ROOT_LOW -0x1.65b5a1b7ff5dfp-55

/* The rest of Stirling's formula times z, in 1 / z^2 */
static const double stirling[7] = {
	0x1.466272eadade1p-8, -0x1.ee6910ec571b5p-10, 0x1.b920c2e7ceed1p-11, -0x1.381331ca80625p-11,
	0x1.a01a015d9dfcfp-11, -0x1.6c16c16c10957p-9, 0x1.5555555555555p-4,
};

/* log(Gamma(x)) = (slope + slope_low) y + y^2 P(y), for y = x - 1 up to 5/32 in size and for y = x - 2 up to 3/16 */
static const double slope_at_1 = -0x1.2788cfc6fb619p-1, slope_at_2 = 0x1.b0ee6072093cep-2, slope_low = 0x1.6cb90701fbfabp-58;
static const double at_1[15] = {
	0x1.246a2d76e6ae1p-4, -0x1.2837600acdedap-4, 0x1.22749b20a77d7p-4, -0x1.3a41af46865dap-4,
	0x1.557b0489a2677p-4, -0x1.7490515f678a1p-4, 0x1.9a019f8228538p-4, -0x1.c80665e8306f4p-4,
	0x1.010b36ff53f9ap-3, -0x1.2703a1e3c7041p-3, 0x1.5b40cb0fa9be4p-3, -0x1.a8b9c17aa22abp-3,
	0x1.151322ac7d9fbp-2, -0x1.9a4d55beab2dcp-2, 0x1.a51a6625307d3p-1,
};
static const double at_2[15] = {
	0x1.0761489b477ap-12, -0x1.52c375e50be3ap-19, -0x1.e00485dbee0e2p-16, -0x1.3ae5632d5b414p-17,
	0x1.753cbb8adc291p-16, -0x1.78e3d32eb7a8ap-15, 0x1.a0f5887a9754dp-14, -0x1.d3fd445f2d2afp-13,
	0x1.0b36c69bb08a2p-11, -0x1.38ac5c2f05359p-10, 0x1.7add6ea2ce924p-9, -0x1.e404fc218e4f7p-8,
	0x1.51322ac7d96b1p-6, -0x1.13e001a557607p-4, 0x1.4a34cc4a60fa6p-2,
};

/* The natural logarithm of u, if low is no larger than a rounding error of high. */
ISK_INLINE struct parts ln_of_parts(struct parts u)
{
	const struct log_reduced l = log_reduced(u.high);
	const vd lost = u.low * ((vd)(ONE - l.power) * one_of_16(narrow_inverse, l.at));
	const struct parts y = ln_in_parts(l);

	return (struct parts){y.high, y.low + vd_fma(-lost, l.r, lost)};
}

ISK_INLINE struct parts parts_plus(struct parts a, const double b)
{
	const struct parts sum = parts_sum_of_any(a.high, vd_set1(b));

	return (struct parts){sum.high, sum.low + a.low};
}

/* x (x + 1) ... (x + 7), by s = x (x + 7) */
ISK_INLINE struct parts rising(vd x)
{
	const struct parts s = parts_times(parts_sum(vd_set1(7), x), x);
	const struct parts outer = parts_product(s, parts_plus(s, 6)), inner = parts_product(parts_plus(s, 10), parts_plus(s, 12));

	return settled(parts_product(settled(outer), settled(inner)));
}

ISK_INLINE vd lgamma_of_positive(vd x)
{
	const vmd is_low = vd_lt(x, vd_set1(8));
	const struct parts one = {vd_set1(1), vd_set1(0)};
	const struct parts z = parts_sum(vd_sel(is_low, vd_set1(8), vd_set1(0)), x);
	const struct parts log_z = ln_of_parts(z), log_q = ln_of_parts(parts_sel(is_low, rising(x), one));
	const vd r = 1 / z.high;
	const struct parts first = parts_product(parts_sum(z.high, vd_set1(-0.5)), log_z), second = parts_sum(first.high, -z.high);
	const struct parts third = parts_sum_of_any(second.high, -log_q.high);
	const struct parts sum = parts_sum_of_any(third.high, vd_set1(LOG_ROOT));
	const vd of_z = vd_fma(z.low, log_z.high - 1, LOG_ROOT_LOW - log_q.low);
	const vd low = of_z + first.low + second.low + third.low + sum.low;

	return sum.high + vd_fma(POLYNOMIAL(stirling, r * r), r, low);
}

/* Near 1 or 2. */
static __attribute__((noinline)) vd beside_one_or_two(vd x, vmd is_one)
{
	const vd y = x - vd_sel(is_one, vd_set1(1), vd_set1(2)), slope = vd_sel(is_one, vd_set1(slope_at_1), vd_set1(slope_at_2));
	const vd first = slope * y, low = vd_fma(y, vd_set1(slope_low), vd_mul_low(slope, y, first)), w = y * y;
	vd p = vd_sel(is_one, vd_set1(at_1[0]), vd_set1(at_2[0]));

#pragma GCC unroll 14
	for (int i = 1; i < 15; i++)
		p = vd_fma(p, y, vd_sel(is_one, vd_set1(at_1[i]), vd_set1(at_2[i])));
	return first + vd_fma(p, w, vd_fma(p, vd_mul_low(y, y, w), low));
}

static __attribute__((noinline)) vd beside_zeros(vd x, vd y)
{
	return unless_near_zero(x, y, sizeof(gamma_zeros) / sizeof(*gamma_zeros));
}

/* x (log(x) - 1) */
static __attribute__((noinline)) vd large(vd x)
{
	const struct parts l = log_two(x, vd_set1(0)), less = parts_sum(l.high, vd_set1(-1));

	return times(settled((struct parts){less.high, less.low + l.low}), vd_set1(VD_ROUND), x);
}

/* In the range of a polynomial, |lgamma(x)| is below 0.2. SLEEF is accurate at the zeros 1 and 2. */
static __attribute__((noinline)) vd lgamma_by_sleef(vd x)
{
	const vmd is_large = vd_lt(vd_set1(0x1p1000), x);
	const vd of_it = SLEEF(lgamma, u10)(x);
	const vd y = __builtin_expect(vmd_any(is_large), 0) ? vd_sel(is_large, large(x), of_it) : of_it;
	const vd size = vd_sel(vd_lt(x, vd_set1(-2)), v_abs(y), vd_set1(1));

	return __builtin_expect(vmd_any(vd_lt(size, vd_set1(0.25))), 0) ? beside_zeros(x, y) : y;
}

ISK_INLINE vd lgamma_of(vd x)
{
	const vd inside = vd_min(vd_set1(0x1p500), vd_max(vd_set1(0x1p-900), x));
	const vmd is_special = vd_lt(x, inside) | vd_lt(inside, x) | vd_unordered(x, x);
	const vmd is_one = vd_le(vd_abs(x - 1), vd_set1(5 / 32.0)), is_near = is_one | vd_le(vd_abs(x - 2), vd_set1(3 / 16.0));
	vd y;

	if (!ISK_FMA)
		return lgamma_by_sleef(x);
	y = lgamma_of_positive(inside);
	if (vmd_any(is_near))
		y = vd_sel(is_near, beside_one_or_two(x, is_one), y);
	return __builtin_expect(vmd_any(is_special), 0) ? vd_sel(is_special, lgamma_by_sleef(x), y) : y;
}

MAP(lgamma, lgamma_of(x))
