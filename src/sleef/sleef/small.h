/* SPDX-License-Identifier: MIT */
#ifndef ISK_SMALL_H
#define ISK_SMALL_H

#include "vec.h"

/*
 * y = f(x) for an f(x) = x + O(x^3), or x if f(x) rounds to x. Other forms lose digits there or take
 * the smallest numbers as 0.
 */
ISK_INLINE vd unless_small(vd x, vd y)
{
	return vd_sel(vd_lt(v_abs(x), vd_set1(0x1p-28)), x, y);
}

#endif
