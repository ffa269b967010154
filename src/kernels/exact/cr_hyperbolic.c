/* SPDX-License-Identifier: MIT */
/* Hyperbolic functions, correctly rounded, by e = exp(|x|) and e1 = e - 1. */
#include "cr_hyperbolic_kernels.h"
#include "half.h"
#include "pow2.h"

/* (e1 + e1 / e) / 2 */
ISK_INLINE vd sinh_of(vd d)
{
	const vd e1 = vd_expm1(d);

	return (e1 + e1 / (e1 + 1)) * 0.5;
}

ISK_INLINE vd cosh_of(vd d)
{
	const vd e = vd_exp(d);

	return (e + 1 / e) * 0.5;
}

/* e1 / (e1 + 2) with e1 = exp(2|x|) - 1 */
ISK_INLINE vd tanh_of(vd d)
{
	const vd e1 = vd_expm1(d + d);

	return e1 / (e1 + 2);
}

/* |x|, but at most `most`: from 90 on sinh and cosh are infinite, from 10 on tanh is 1. */
#define UP_TO(most, x) vf_min(vf_set1(most), vf_abs(x))

#define SINH(WIDE, x) vf_copysign(WIDE(sinh_of, UP_TO(90, x)), x)
#define COSH(WIDE, x) WIDE(cosh_of, UP_TO(90, x))
#define TANH(WIDE, x) vf_copysign(WIDE(tanh_of, UP_TO(10, x)), x)

static const struct hard hard_cosh[] = {{0x3d609528, 0x1.00628ap+0f}};
static const struct hard hard_sinh[] = {{0x3a1285ff, 0x1.250bfep-11f}, {0xba1285ff, -0x1.250bfep-11f}};

MAP(cr_sinh, BUT_FOR(hard_sinh, x, SINH(WIDE, x)))
MAP_16(sinh, half_sinh(x), SINH(WIDE_TO_ODD, x))
MAP(cr_cosh, BUT_FOR(hard_cosh, vf_abs(x), COSH(WIDE, x)))
MAP_16(cosh, half_cosh(x), COSH(WIDE_TO_ODD, x))
MAP(cr_tanh, TANH(WIDE, x))
MAP_16(tanh, vf_tanh(x), TANH(WIDE_TO_ODD, x))
