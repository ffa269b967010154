/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of |Gamma(x)| by SLEEF, and near its zeros below 0 by the polynomials of gamma_zeros.h, because SLEEF's
 * error is absolute there (2^-57 beside the rounding of its last step, thousands of ulp). For the largest numbers SLEEF
 * overflows too early, so they take x (log(x) - 1): the other terms of Stirling's series are below 2^-1000.
 * Worst errors seen, with SLEEF 3.5.1: 0.795 ulp at 1.1055983056946137, for x < 0 0.783 at -2.537854439094902, at baseline
 * 0.932 at 1.1011599722991043.
 */
#include "gamma_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "gamma_zeros.h"
#include "log_two.h"

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
ISK_INLINE vd lgamma_of(vd x)
{
	const vmd is_large = vd_lt(vd_set1(0x1p1000), x);
	const vd of_it = SLEEF(lgamma, u10)(x);
	const vd y = __builtin_expect(vmd_any(is_large), 0) ? vd_sel(is_large, large(x), of_it) : of_it;
	const vd size = vd_sel(vd_lt(x, vd_set1(-2)), v_abs(y), vd_set1(1));

	return __builtin_expect(vmd_any(vd_lt(size, vd_set1(0.25))), 0) ? beside_zeros(x, y) : y;
}

MAP(lgamma, lgamma_of(x))
