/* SPDX-License-Identifier: MIT */
/* log(1 + x), where SLEEF has it and where it has not. */
#ifndef ISK_LOG1P_OF_H
#define ISK_LOG1P_OF_H

#include "by_sleef.h"

/* SLEEF takes the smallest for 0, and squares what it is not meant for: from 2^54 on log(x) is the same. */
ISK_INLINE vd log1p_of(vd x)
{
	const vmd large = vd_lt(vd_set1(0x1p54), x);
	vd y = v_sel(v_lt(v_abs(x), vd_set1(0x1p-54)), x, SLEEF(log1p, u10)(x));

	if (__builtin_expect(vmd_any(large), 0))
		y = vd_sel(large, SLEEF(log, u10)(x), y);
	return y;
}

#endif
