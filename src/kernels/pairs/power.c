/* SPDX-License-Identifier: MIT */
/*
 * pow in f64 lanes: e^(b log|a|). Unless the result is 0 or infinite, |b log|a|| is below
 * 120, so that the relative error of log, 2^-52, changes the result by less than 2^-44 of
 * it. Worst error found: 0.5000 ulp.
 */
#include "power_kernels.h"
#include "both.h"
#include "logarithm.h"
#include "pow2.h"

/* |a|^b, except if b log|a| is 0 times infinity; power() handles these cases. */
ISK_INLINE vd size_of_power(vd a, vd b)
{
	const vd size = vd_abs(a), inf = vd_set1((double)INFINITY);
	const vd finite = vd_sel(vd_lt(size, inf), ln_of(size), size);
	const vd t = b * vd_sel(vd_lt(vd_set1(0), size), finite, vd_sel(vd_unordered(size, size), size, -inf));

	return vd_exp_by_series(vd_min(vd_set1(120), vd_max(vd_set1(-120), t)));
}

ISK_INLINE vf power(vf a, vf b)
{
	const vf one = vf_set1(1), zero = vf_set1(0), size = vf_abs(b), half = b * 0.5f;
	const vm is_whole = vf_eq(vf_trunc(b), b), is_odd = vm_and(is_whole, vm_not(vf_eq(vf_trunc(half), half)));
	const vm is_one =
		vm_or(vm_or(vf_eq(b, zero), vf_eq(a, one)), vm_and(vf_eq(a, -one), vf_eq(size, vf_set1(INFINITY))));
	const vm is_none = vm_and(vm_and(vf_lt(a, zero), vf_gt(a, vf_set1(-INFINITY))), vm_not(is_whole));
	const vf y = vf_sel(is_one, one, OF_BOTH(size_of_power, a, b));

	return vf_sel(is_none, vf_set1(NAN), vf_sel(is_odd, vf_copysign(y, a), y));
}

ZIP(pow, power(a, b))
