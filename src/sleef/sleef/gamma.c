/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of |Gamma(x)|: SLEEF's, which near its zeros below 0 has an absolute error (2^-57 beside
 * what its last step rounds, thousands of ulp), and there the polynomials of gamma_zeros.h. Worst errors seen, of
 * SLEEF 3.5.1: 0.795 ulp at 1.1055983056946137, below 0 0.772 at -2.5380858325857338. Of the largest numbers, of which
 * SLEEF's overflows too early, it is 2 log(|Gamma(x / 2)|) + x log(2): what Stirling's series has beside is below 2^-1000.
 */
#include "gamma_kernels.h"
#include "by_sleef.h"
#include "gamma_zeros.h"

static __attribute__((noinline)) vd beside_zeros(vd x, vd y)
{
	return unless_near_zero(x, y, sizeof(gamma_zeros) / sizeof(*gamma_zeros));
}

/* Within reach of a zero the function is below 0.2. At 1 and 2 SLEEF's is good. */
ISK_INLINE vd lgamma_of(vd x)
{
	const vmd is_large = vd_lt(vd_set1(0x1p1013), x);
	const vd of_it = SLEEF(lgamma, u10)(vd_sel(is_large, x * 0.5, x));
	const vd y = vd_sel(is_large, vd_fma(x, vd_set1(0x1.62e42fefa39efp-1), of_it + of_it), of_it);
	const vd size = vd_sel(vd_lt(x, vd_set1(-2)), v_abs(y), vd_set1(1));

	return __builtin_expect(vmd_any(vd_lt(size, vd_set1(0.25))), 0) ? beside_zeros(x, y) : y;
}

MAP(lgamma, lgamma_of(x))
