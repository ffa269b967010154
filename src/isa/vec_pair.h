/* SPDX-License-Identifier: MIT */
/*
 * Eight lanes at any VL, used whole or as a pair: four lanes of one row and four of
 * the next. They are for small matrices, whose rows fill no more lanes.
 *
 * v8_set1(x) v8_fma(a, b, c)
 * v8_set1_d(x) v8_fma_d(a, b, c)      the same for doubles, each in two lanes
 * v8_load(p) v8_store(p, v)
 * v8_load_n(p, n) v8_store_n(p, v, n)  n elements, 5 to 8, in an order of lanes that only these two know
 * v8_twice(p) v8_twice_n(p, n)         four elements, or n <= 4, in both halves
 * v8_pair(v, w)                        the first half of v, for the first row, and the second half of w, for the second
 * v8_store_half(p, v, second, n)       n <= 4 elements of the first row, or of the second
 *
 * A vocabulary with more than four lanes defines them in the header ISK_PAIRS. With four lanes, no tile uses pairs, and
 * the definitions here only have to compile.
 */
#ifndef ISK_VEC_PAIR_H
#define ISK_VEC_PAIR_H

#include "vec.h"

#ifdef ISK_PAIRS
#include ISK_PAIRS
#else
#include "eight_floats.h"

ISK_INLINE v8 v8_fma_d(v8 a, v8 b, v8 c)
{
	vd x[2], y[2], z[2];

	__builtin_memcpy(x, &a, sizeof(x));
	__builtin_memcpy(y, &b, sizeof(y));
	__builtin_memcpy(z, &c, sizeof(z));
	z[0] = vd_fma(x[0], y[0], z[0]);
	z[1] = vd_fma(x[1], y[1], z[1]);
	__builtin_memcpy(&c, z, sizeof(z));
	return c;
}

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	const vf low = vf_fma(__builtin_shufflevector(a, a, 0, 1, 2, 3), __builtin_shufflevector(b, b, 0, 1, 2, 3),
	                      __builtin_shufflevector(c, c, 0, 1, 2, 3));
	const vf high = vf_fma(__builtin_shufflevector(a, a, 4, 5, 6, 7), __builtin_shufflevector(b, b, 4, 5, 6, 7),
	                       __builtin_shufflevector(c, c, 4, 5, 6, 7));

	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	const vf v = vf_load_n(p, n);

	return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return v8_twice_n(p, 4);
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return __builtin_shufflevector(v, w, 0, 1, 2, 3, 12, 13, 14, 15);
}

#include "pair_halves.h"

#endif

#endif
