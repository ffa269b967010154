/* SPDX-License-Identifier: MIT */
/* Tables of 16 numbers in f64, for lanes that each choose an entry. */
#ifndef ISK_SIXTEEN_H
#define ISK_SIXTEEN_H

#include "vec.h"

/* t[i % 16]. ISAs without a table in registers load each lane's number. */
ISK_INLINE vd one_of_16(const double t[16], vl i)
{
#if VL == 16
	return vd_lookup16(t, i);
#else
	vd chosen = {0};

#pragma GCC unroll 4
	for (int lane = 0; lane < VD; lane++)
		chosen[lane] = t[i[lane] & 15];
	return chosen;
#endif
}

#endif
