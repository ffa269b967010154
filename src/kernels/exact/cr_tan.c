/* SPDX-License-Identifier: MIT */
/*
 * tan, correctly rounded, of any argument: r = |x| - n pi/2, and tan(r) = r P(w) / Q(w)
 * with w = r^2 (tan_ratio.h); for odd n, the result is the negative inverse.
 */
#include "cr_tan_kernels.h"
#include "by_pi.h"
#include "polynomial.h"
#include "tan_f32.h"
#include "tan_ratio.h"

/* The tangent, from r between -pi/4 and pi/4; n is odd if the lowest bit of sum is set. */
ISK_INLINE vd tan_by(struct by_pi t)
{
	const vd w = t.r * t.r;
	const vl odd = -((vl)t.sum & 1);
	const vd p = vd_fma(POLYNOMIAL(tan_over, w), w * t.r, t.r), q = vd_fma(POLYNOMIAL(tan_under, w), w, vd_set1(1));
	const vd over = (vd)(((vl)q & odd) | ((vl)p & ~odd)), under = (vd)(((vl)p & odd) | ((vl)q & ~odd));

	return (vd)((vl)(over / under) ^ ((vl)t.sum << 63));
}

ISK_INLINE vd small_tan_of(vd d)
{
	return tan_by(by_pi_of_small(d, 0, VD_ROUND / 2));
}

static __attribute__((noinline)) vd large_tan_of(vd d)
{
	return tan_by(ISK_PART(by_pi, by_pi_of_large)(d, 0, VD_ROUND / 2));
}

/* Defines name(a), the tangent of a = |x|; NaN for infinity. */
#define TAN(name, WIDE)                                                        \
	ISK_INLINE vf name(vf a)                                                   \
	{                                                                          \
		const vm small = vf_lt(a, vf_set1(0x1p26f));                           \
		vf y = WIDE(small_tan_of, a);                                          \
                                                                               \
		if (__builtin_expect(!vm_all(small), 0))                               \
			y = vf_sel(small, y, WIDE(large_tan_of, a) + (a - a));             \
		return y;                                                              \
	}
TAN(tan_of, WIDE)
TAN(tan_to_odd, WIDE_TO_ODD)

static const struct hard hard_half_tan[] = {{0x3d128000, 0x1.254p-5f}, {0xbd128000, -0x1.254p-5f}};

#define WITH_SIGN(y, x) ((vf)((vi)(y) ^ ((vi)(x) & INT32_MIN)))

MAP(cr_tan, WITH_SIGN(tan_of(vf_abs(x)), x))
MAP_16(tan, BUT_FOR(hard_half_tan, x, vf_tan(x)), WITH_SIGN(tan_to_odd(vf_abs(x)), x))
