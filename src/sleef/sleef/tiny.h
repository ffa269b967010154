/* SPDX-License-Identifier: MIT */
/*
 * The exponential where it is multiplied by more. Below -600 it is exp(s + 2 FAR), and exp(-FAR)
 * is multiplied in twice at the end: nothing on the way is denormal unless the result is, which
 * is rounded to that once. s + 2 FAR is exact, and exp(-FAR) an f64 but for 2^-71 of it.
 * Constant: derive/exponentials.py.
 */
#ifndef ISK_TINY_H
#define ISK_TINY_H

#include "by_sleef.h"

#define FAR     398.484375
#define EXP_FAR 0x1.140225e513e1ap-575

struct tiny {
	vd z, rest;
};

/* exp(s + low), for s from -1500 on. */
ISK_INLINE struct tiny exp_tiny(vd s, vd low)
{
	const vmd is_far = vd_lt(s, vd_set1(-600));
	const vd z = SLEEF(exp, u10)(s + vd_sel(is_far, vd_set1(2 * FAR), vd_set1(0)));

	return (struct tiny){vd_fma(z, low, z), vd_sel(is_far, vd_set1(EXP_FAR), vd_set1(1))};
}

/* The exponential itself. */
ISK_INLINE vd whole(struct tiny e)
{
	return e.z * e.rest * e.rest;
}

/* y b rest^2, where rest makes up for what y was taken times. */
ISK_INLINE vd times_rest(vd y, vd b, vd rest)
{
	return y * (b * rest) * rest;
}

/*
 * Of a product whose first factor is a times something: a, and that by 2^500 if it is so small that their product
 * could be denormal where b makes it larger; and the rest of the factor.
 */
struct lifted {
	vd a, rest;
};

ISK_INLINE struct lifted lifted(vd a, vd rest)
{
	const vmd is_small = vd_lt(vd_abs(a), vd_set1(0x1p-400));

	return (struct lifted){vd_sel(is_small, a * 0x1p500, a), vd_sel(is_small, vd_set1(0x1p-250), rest)};
}

/* -|x|: below 0 no lower than where times any b nothing is left, and above 0 than where it is nothing beside 1. */
ISK_INLINE vd minus_size(vd x, double below, double above)
{
	return vd_max(vd_sel(vd_lt(x, vd_set1(0)), vd_set1(below), vd_set1(above)), -vd_abs(x));
}

#endif
