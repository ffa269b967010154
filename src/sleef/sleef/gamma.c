/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of |Gamma(x)|: SLEEF's, which near its zeros below 0 has an absolute error (2^-57 beside
 * what its last step rounds, thousands of ulp), and there the polynomials of gamma_zeros.h. Worst errors seen, of
 * SLEEF 3.5.1: 0.771 ulp at -2.5373253432486971, without FMA 0.788 at 1.1150465240961727.
 */
#include "gamma_kernels.h"
#include "by_sleef.h"
#include "gamma_zeros.h"

static __attribute__((noinline)) vd below_zero(vd x, vd y)
{
	return unless_near_zero(x, y, sizeof(gamma_zeros) / sizeof(*gamma_zeros));
}

/* No zero is above -2 but 1 and 2, and none that counts below -17. */
ISK_INLINE vd lgamma_of(vd x)
{
	const vd y = SLEEF(lgamma, u10)(x);

	return __builtin_expect(vmd_any(vd_lt(x, vd_set1(-2))), 0) ? below_zero(x, y) : y;
}

MAP(lgamma, lgamma_of(x))
