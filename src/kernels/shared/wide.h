/* SPDX-License-Identifier: MIT */
/*
 * Correctly rounded functions of f32, computed in f64. Its range makes scaling unnecessary
 * and results normal, and the last conversion rounds once. The error before that is about
 * 2^-52, so that few of the 2^32 inputs could be rounded the wrong way. Inputs that were
 * are listed with their results, and test_exhaustive shows that there are no others.
 */
#ifndef ISK_WIDE_H
#define ISK_WIDE_H

#include <math.h>

#include "loops.h"

/* The sum of this and an f64 below 2^51 is rounded to an integer, whose low bits are those of the rounded f64. */
#define VD_ROUND 0x1.8p52

/* f of both halves of a vector of f32. */
#define WIDE(f, x) vd_halves(f(vf_low_half(x)), f(vf_high_half(x)))

/*
 * WIDE for results of 16 bits, because rounding to f32 first could make a tie. The result is
 * rounded to odd instead: to 24 bits, the last of which is 1 if the rest is not 0. Such a
 * number is never a tie of fewer bits.
 */
#define WIDE_TO_ODD(f, x) vd_halves(vd_to_odd(f(vf_low_half(x))), vd_to_odd(f(vf_high_half(x))))

ISK_INLINE vd vd_to_odd(vd d)
{
	const int64_t last = (int64_t)1 << 29, behind = last - 1;

	return (vd)(((vl)d & ~behind) | ((((vl)d & behind) + behind) & last));
}

/* An input whose f64 result lies on the wrong side of a tie, or on it, and its correctly rounded result. */
struct hard {
	uint32_t input;
	float result;
};

/*
 * Results are loaded whole before they are selected. AVX-512 would load them under the mask of the selection, which is nearly
 * always empty: such a load faults no page in, and from a page that is not there it takes over 100 cycles each time (Zen 4).
 */
ISK_INLINE vf but_for(const struct hard *hard, const size_t count, vf x, vf y)
{
#pragma GCC unroll 16
	for (size_t i = 0; i < count; i++) {
		const vf result = vf_set1(hard[i].result);

		y = vf_sel(vi_eq(vf_bits(x), vi_set1((int32_t)hard[i].input)), VL == 16 ? vf_now(result) : result, y);
	}
	return y;
}

#define BUT_FOR(hard, x, y) but_for(hard, sizeof(hard) / sizeof(*(hard)), x, y)

/*
 * MAP_16(op, half, wide): a map of bf16 and f16. f16 takes `half` if the ISA has fused multiply-add. `half` is in f32, with
 * 13 more bits than f16, so that few of the 2^16 inputs are rounded the wrong way. They are listed as above.
 */
#define ISK_MAP_16_bf16(kernel, half, wide) ISK_MAP_KERNEL(kernel, bf16, map, wide)
#define ISK_MAP_16_f16(kernel, half, wide)  ISK_MAP_KERNEL(kernel, f16, map, ISK_FMA ? half : wide)
#define ISK_MAP_16(kernel, T, half, wide)   ISK_MAP_16_##T(kernel, half, wide)
#define MAP_16(op, half, wide)              ISK_EACH_##op(ISK_MAP_16, half, wide)

#endif
