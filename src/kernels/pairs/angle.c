/* SPDX-License-Identifier: MIT */
/*
 * atan2 and hypot in f64 lanes, where quotients and squares of f32 neither overflow
 * nor underflow. Worst errors found: 0.5000 ulp.
 */
#include "angle_kernels.h"

#include <float.h>

#include "arctan.h"
#include "both.h"

#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53

/* atan2(a, b), for which 0 / 0 counts as 0 and Inf / Inf as 1 */
ISK_INLINE vd angle(vd a, vd b)
{
	const vd y = vd_abs(a), x = vd_abs(b), most = vd_set1(0x1p1023), zero = vd_set1(0);
	const vd ratio = vd_sel(vd_lt(most, vd_min(y, x)), vd_set1(1), vd_sel(vd_lt(zero, y), y / x, zero));
	const vd acute = atan_of(vd_sel(vd_unordered(a, b), a + b, ratio));
	/* The sign of b, of -0 as well */
	const vmd is_left = vd_lt(vd_copysign(vd_set1(1), b), zero);

	return vd_copysign(vd_sel(is_left, PI_HIGH - acute + PI_LOW, acute), a);
}

/* sqrt(a^2 + b^2), which is infinite if one of a and b is infinite, even if the other is NaN */
ISK_INLINE vd length(vd a, vd b)
{
	const vd y = vd_abs(a), x = vd_abs(b), most = vd_set1(DBL_MAX);

	return vd_sel(vd_lt(most, x), x, vd_sel(vd_lt(most, y), y, vd_sqrt(vd_fma(x, x, y * y))));
}

ZIP(atan2, OF_BOTH(angle, a, b))
ZIP(hypot, OF_BOTH(length, a, b))
