/* SPDX-License-Identifier: MIT */
/* Products of numbers in two parts and numbers of any size. They are rounded once, and a denormal result once more. */
#ifndef ISK_FACTOR_H
#define ISK_FACTOR_H

#include "exp_two.h"

#include <math.h>

/* b = y 2^n. n + 128 is a multiple of 256, so y is from 2^-178 to 2^129 unless it is 0, infinite or NaN. */
struct factor {
	vd y;
	vl n;
};

ISK_INLINE struct factor factor_of(vd b)
{
	const vl e = (vl)b & (int64_t)0x7000000000000000;

	return (struct factor){b * (vd)((int64_t)(1023 + 896) * ((int64_t)1 << 52) - e), (vl)((vul)e >> 52) - 896};
}

/* y 2^n, for an n from -2040 to 2040 and sum = n + VD_ROUND. A denormal result is rounded in the last step. */
ISK_INLINE vd scaled(vd y, vd sum)
{
	const vl half = (vl)((vul)sum >> 1), rest = (vl)sum - half;

	return y * vd_scale((vd)half) * vd_scale((vd)rest);
}

/* y 2^n for any n. The low part is not added to infinities, NaN and zeros, whose high part is the result. */
ISK_INLINE vd rounded(struct parts y, vl sum)
{
	const vd high = vd_sel(vd_lt(vd_abs(y.low), vd_abs(y.high)), y.high + y.low, y.high);

	return scaled(high, vd_min(vd_set1(VD_ROUND + 2040), vd_max(vd_set1(VD_ROUND - 2040), (vd)sum)));
}

/* y a 2^n */
ISK_INLINE vd times(struct parts y, vd sum, vd a)
{
	const struct factor f = factor_of(a);

	return rounded(parts_times(y, f.y), (vl)sum + f.n);
}

/* y a b 2^n */
ISK_INLINE vd times_both(struct parts y, vd sum, vd a, vd b)
{
	const struct factor f = factor_of(a), g = factor_of(b);

	return rounded(parts_times(parts_times(y, f.y), g.y), (vl)sum + (f.n + g.n));
}

static __attribute__((noinline, unused)) vd times_slope(struct parts slope, vd x)
{
	return times(slope, vd_set1(VD_ROUND), x);
}

/* y, or slope times x if x^2 vanishes next to 1. */
ISK_INLINE vd unless_tiny(vd x, struct parts slope, vd y)
{
	const vmd is_tiny = vd_lt(vd_abs(x), vd_set1(0x1p-30));

	return __builtin_expect(vmd_any(is_tiny), 0) ? vd_sel(is_tiny, times_slope(slope, x), y) : y;
}

#endif
