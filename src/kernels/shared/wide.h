/* SPDX-License-Identifier: MIT */
/*
 * Correctly rounded functions of f32 by way of f64: its range takes away scaling
 * and denormals, and the last conversion rounds once. What is computed is within
 * 2^-52 or so of the exact result, so that few of the 2^32 inputs could be rounded
 * the wrong way. Those that were are listed with their results, and test_exhaustive
 * shows that there are no others.
 */
#ifndef ISK_WIDE_H
#define ISK_WIDE_H

#include <math.h>

#include "loops.h"

/* Adding it to an f64 below 2^51 rounds that to an integer, which is then in the low bits. */
#define VD_ROUND 0x1.8p52

/* f of both halves of a vector of f32. */
#define WIDE(f, x) vd_halves(f(vf_low_half(x)), f(vf_high_half(x)))

/*
 * The same for results of 16 bits, where rounding to f32 first could make a tie. It
 * is rounded to odd instead, 24 bits of which the last is 1 where anything follows:
 * that is never a tie of fewer bits.
 */
#define WIDE_TO_ODD(f, x) vd_halves(vd_to_odd(f(vf_low_half(x))), vd_to_odd(f(vf_high_half(x))))

ISK_INLINE vd vd_to_odd(vd d)
{
	const int64_t last = (int64_t)1 << 29, behind = last - 1;

	return (vd)(((vl)d & ~behind) | ((((vl)d & behind) + behind) & last));
}

/* An input whose f64 lies on the wrong side of a tie, or on it, and what its exact result is rounded to. */
struct hard {
	uint32_t input;
	float result;
};

ISK_INLINE vf but_for(const struct hard *hard, const size_t count, vf x, vf y)
{
#pragma GCC unroll 16
	for (size_t i = 0; i < count; i++)
		y = vf_sel(vi_eq(vf_bits(x), vi_set1((int32_t)hard[i].input)), vf_set1(hard[i].result), y);
	return y;
}

#define BUT_FOR(hard, x, y) but_for(hard, sizeof(hard) / sizeof(*(hard)), x, y)

#endif
