/* SPDX-License-Identifier: MIT */
/*
 * atan2 in f32 lanes, and in f64 lanes where f32 would overflow or underflow and on ISAs without fused multiply-add; hypot
 * in f64 lanes, where squares of f32 neither overflow nor underflow. Constants: derive/angle.sollya. Worst errors found:
 * atan2 0.957 ulp at a = 0x1.fc50eep-1, b = 0x1.fd4718p-1, and 0.5000 in f64 lanes; hypot 0.5000 ulp.
 */
#include "angle_kernels.h"

#include <float.h>

#include "arctan.h"
#include "both.h"

#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53
/* The relative error of pi / 2 as an f32 */
#define HALF_PI_F32 0x1.921fb6p0f
#define LOST_OF_PI  -0x1.de12cap-26f

/* atan2(a, b), for which 0 / 0 counts as 0 and Inf / Inf as 1 */
ISK_INLINE vd any_angle_of(vd a, vd b)
{
	const vd y = vd_abs(a), x = vd_abs(b), most = vd_set1(0x1p1023), zero = vd_set1(0);
	const vd ratio = vd_sel(vd_lt(most, vd_min(y, x)), vd_set1(1), vd_sel(vd_lt(zero, y), y / x, zero));
	const vd acute = atan_of(vd_sel(vd_unordered(a, b), a + b, ratio));
	/* The sign of b, of -0 as well */
	const vmd is_left = vd_lt(vd_copysign(vd_set1(1), b), zero);

	return vd_copysign(vd_sel(is_left, PI_HIGH - acute + PI_LOW, acute), a);
}

static __attribute__((noinline)) vf any_angle(vf a, vf b)
{
	return OF_BOTH(any_angle_of, a, b);
}

#define THIRD_ORDER -0x1.55553ep-2f

/* ((atan(t) - t) / t^3 - THIRD_ORDER) / w for t from 0 to 1 and w = t^2, so that atan(t) has a relative error of 2^-28.5 */
ISK_INLINE vf fifth_order(vf w)
{
	vf p = vf_fma(vf_set1(-0x1.d5a1aap-10f), w, vf_set1(0x1.6551e2p-7f));

	p = vf_fma(p, w, vf_set1(-0x1.fe7d24p-6f));
	p = vf_fma(p, w, vf_set1(0x1.da9c2ep-5f));
	p = vf_fma(p, w, vf_set1(-0x1.5825f2p-4f));
	p = vf_fma(p, w, vf_set1(0x1.c0946cp-4f));
	p = vf_fma(p, w, vf_set1(-0x1.24211ap-3f));
	return vf_fma(p, w, vf_set1(0x1.9991ecp-3f));
}

/*
 * atan2(a, b) in the lanes of plain: nothing overflows, and what underflows is 0. The greater of |a| and |b| divides the other
 * one: t + low is the quotient. Its angle is added to 0, pi/2 or pi, or subtracted; the terms are summed from the least up.
 */
ISK_INLINE vf plain_angle(vf a, vf b, vm *plain)
{
	const vf y = vf_abs(a), x = vf_abs(b), least = vf_set1(0x1p-62f), most = vf_set1(0x1p62f);
	const vm is_steep = vf_gt(y, x);
	const vf over = vf_min(y, x), under = vf_max(vf_max(y, x), least), inverse = 1 / under;
	const vf size = over * inverse, w = size * size;
	/* 1 / (1 + w), by which low changes the angle, within .05 */
	const vf slope = vf_fma(vf_fma(vf_set1(0.5f), w, vf_set1(-1)), w, vf_set1(1));
	const vi left = vf_bits(b) & INT32_MIN, turned = left ^ vi_sel(is_steep, vi_set1(INT32_MIN), vi_set1(0));
	const vf from = vf_sel(is_steep, vf_set1(HALF_PI_F32), vi_float(left >> 31 & vf_bits(vf_set1(2 * HALF_PI_F32))));
	const vf t = vi_float(vf_bits(size) ^ turned), near = from + t;
	const vf low = vi_float(vf_bits(vf_fnma(size, under, over) * inverse) ^ turned);
	const vf lesser = vf_fma(low, slope, vf_fma(from, vf_set1(LOST_OF_PI), from - near + t));
	/* Near 1, the rounding error of p is an eighth of an ulp of the angle. */
	const vf five = fifth_order(w), p = vf_fma(five, w, vf_set1(THIRD_ORDER)), lost = vf_fma(five, w, THIRD_ORDER - p);

	*plain = vm_and(vm_and(vf_le(y, most), vf_le(x, most)), vm_or(vf_le(least, over), vf_eq(over, vf_set1(0))));
	return vf_copysign(near + vf_fma(p, w * t, vf_fma(lost, w * t, lesser)), a);
}

/* sqrt(a^2 + b^2), which is infinite if one of a and b is infinite, even if the other is NaN */
ISK_INLINE vd length(vd a, vd b)
{
	const vd y = vd_abs(a), x = vd_abs(b), most = vd_set1(DBL_MAX);

	return vd_sel(vd_lt(most, x), x, vd_sel(vd_lt(most, y), y, vd_sqrt(vd_fma(x, x, y * y))));
}

ZIP(atan2, plain_or_any(a, b, plain_angle, any_angle))
ZIP(hypot, OF_BOTH(length, a, b))
