/* SPDX-License-Identifier: MIT */
/*
 * asin and acos, correctly rounded: for |x| up to 1/2 by a polynomial, above by
 * acos(x) = 2 asin(sqrt((1 - x) / 2)). Constants: derive/asin.sollya, and pi/2 in two parts
 * from derive/atan.sollya.
 */
#include "cr_asin_kernels.h"
#include "arc_f32.h"
#include "wide.h"

#define HALF_PI     0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/* base pi/2 + times asin(t), where base is 0 or its term is the larger one */
ISK_INLINE vd plus_asin(vd base, vd times, vd t)
{
	const vd w = t * t, scaled = times * t, high = base * HALF_PI, sum = high + scaled;
	vd p = vd_set1(0x1.13336f105af68p-5);

	p = vd_fma(p, w, vd_set1(-0x1.aaf756944ca4p-6));
	p = vd_fma(p, w, vd_set1(0x1.959424f98e11fp-6));
	p = vd_fma(p, w, vd_set1(0x1.777a8e9522c31p-11));
	p = vd_fma(p, w, vd_set1(0x1.47a7879fd3c5ap-7));
	p = vd_fma(p, w, vd_set1(0x1.36d7e1de14045p-7));
	p = vd_fma(p, w, vd_set1(0x1.7ba10f94f0c17p-7));
	p = vd_fma(p, w, vd_set1(0x1.c98136aa36ad6p-7));
	p = vd_fma(p, w, vd_set1(0x1.1c4f8242df5adp-6));
	p = vd_fma(p, w, vd_set1(0x1.6e8b9b1bf9dcap-6));
	p = vd_fma(p, w, vd_set1(0x1.f1c71ca6cd297p-6));
	p = vd_fma(p, w, vd_set1(0x1.6db6db6d4c7a6p-5));
	p = vd_fma(p, w, vd_set1(0x1.33333333339e6p-4));
	p = vd_fma(p, w, vd_set1(0x1.5555555555553p-3));
	return sum + (high - sum + scaled + vd_fma(p, scaled * w, base * HALF_PI_LOW));
}

/* a if is_small, else sqrt((1 - a) / 2) */
ISK_INLINE vd argument(vmd is_small, vd a)
{
	return vd_sel(is_small, a, vd_sqrt((1 - a) * 0.5));
}

/* asin(d) for d = |x| */
ISK_INLINE vd asin_of(vd d)
{
	const vmd is_small = vd_lt(d, vd_set1(0.5));

	return plus_asin(vd_sel(is_small, vd_set1(0), vd_set1(1)), vd_sel(is_small, vd_set1(1), vd_set1(-2)),
	                 argument(is_small, d));
}

/* pi/2 - asin(x) for |x| < 1/2, 2 asin(sqrt((1 - x) / 2)) above, pi - acos(-x) below */
ISK_INLINE vd acos_of(vd d)
{
	const vd a = vd_abs(d);
	const vmd is_small = vd_lt(a, vd_set1(0.5));
	const vd base = vd_sel(is_small, vd_set1(1), vd_sel(vd_lt(d, vd_set1(0)), vd_set1(2), vd_set1(0)));

	return plus_asin(base, vd_copysign(vd_sel(is_small, vd_set1(-1), vd_set1(2)), vd_sel(is_small, -d, d)),
	                 argument(is_small, a));
}

static const struct hard hard_acos[] = {{0x328885a3, 0x1.921fb6p+0f}, {0x39826222, 0x1.920f6ap+0f}};
static const struct hard hard_half_acos[] = {{0xb6960000, 0x1.924p+0f}, {0xbd95e000, 0x1.a4cp+0f}};

MAP(cr_asin, vf_copysign(WIDE(asin_of, vf_abs(x)), x))
MAP_16(asin, vf_copysign(vf_asin(vf_abs(x)), x), vf_copysign(WIDE_TO_ODD(asin_of, vf_abs(x)), x))
MAP(cr_acos, BUT_FOR(hard_acos, x, WIDE(acos_of, x)))
MAP_16(acos, BUT_FOR(hard_half_acos, x, vf_acos(x)), WIDE_TO_ODD(acos_of, x))
