/* SPDX-License-Identifier: MIT */
/*
 * tan, correctly rounded, of any argument: r = |x| - n pi/2, and tan(r) = r P(w) / Q(w)
 * with w = r^2; for odd n, the result is the negative inverse. Constants: derive/tan.py.
 */
#include "cr_tan_kernels.h"
#include "by_pi.h"
#include "tan_f32.h"

/* The tangent, from r between -pi/4 and pi/4; n is odd if the lowest bit of sum is set. */
ISK_INLINE vd tan_by(struct by_pi t)
{
	const vd w = t.r * t.r;
	const vl odd = -((vl)t.sum & 1);
	vd p = vd_set1(-0x1.2ba5fadf9c8ebp-16), q = vd_set1(0x1.0b6ee87e73fb1p-21), over, under;

	p = vd_fma(p, w, vd_set1(0x1.c0e59e019ed52p-9));
	p = vd_fma(p, w, vd_set1(-0x1.112b0a573d7e1p-3));
	p = vd_fma(p, w * t.r, t.r);
	q = vd_fma(q, w, vd_set1(-0x1.46f2e1ffc3d83p-12));
	q = vd_fma(q, w, vd_set1(0x1.a478b892166a9p-6));
	q = vd_fma(q, w, vd_set1(-0x1.ddeada80f4146p-2));
	q = vd_fma(q, w, vd_set1(1));
	over = (vd)(((vl)q & odd) | ((vl)p & ~odd));
	under = (vd)(((vl)p & odd) | ((vl)q & ~odd));
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
