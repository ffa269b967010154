/* SPDX-License-Identifier: MIT */
/* Roots, correctly rounded. */
#include "cr_root_kernels.h"
#include "half.h"
#include "wide.h"

ISK_INLINE vd rsqrt_of(vd d)
{
	return 1 / vd_sqrt(d);
}

/* A better approximation than z of 1 / cbrt(d): z (1 - h)^(-1/3) with h = 1 - d z^3, up to the third power of h */
ISK_INLINE vd nearer(vd z, vd d)
{
	const vd h = 1 - d * z * z * z;
	const vd series = vd_fma(vd_fma(h, vd_set1(14.0 / 81), vd_set1(2.0 / 9)), h, vd_set1(1.0 / 3));

	return vd_fma(z * h, series, z);
}

/*
 * The bits of the first z are a constant minus a third of the bits of d, which approximates
 * 1 / cbrt(d) within 4 %. The first nearer() gives 2^-15, the second one the precision of
 * f64. d z^2 is corrected by the excess of its third power over d.
 */
ISK_INLINE vd cbrt_of(vd d)
{
	const vd upper = (vd)((vul)d >> 32 | 0x4330000000000000) - 0x1p52;
	const vd third = vd_set1(0x1p52 + 0x553ef0ff) - upper * (1.0 / 3);
	const vd z = nearer(nearer((vd)((vul)third << 32), d), d);
	const vd y = d * z * z, square = y * y;
	const vd excess = vd_mul_low(square, y, d) + vd_mul_low(y, y, square) * y;

	return y - excess * (z * z) * (1.0 / 3);
}

/* y, or x if it is infinite or NaN, which is its own root */
ISK_INLINE vf unless_infinite(vf x, vf y)
{
	return vf_sel(vf_lt(vf_abs(x), vf_set1(INFINITY)), y, x);
}

#define CBRT(WIDE, x) unless_infinite(x, vf_copysign(WIDE(cbrt_of, vf_abs(x)), x))

MAP(cr_rsqrt, WIDE(rsqrt_of, x))
MAP(cr_cbrt, CBRT(WIDE, x))
MAP_16(cbrt, unless_infinite(x, half_cbrt(x)), CBRT(WIDE_TO_ODD, x))
