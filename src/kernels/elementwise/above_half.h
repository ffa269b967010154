/* SPDX-License-Identifier: MIT */
/*
 * silu, gelu, gelu_tanh and hardswish are x / 2 + c x^2 + ... next to 0, with a c > 0. If x is a denormal bf16,
 * x / 2 can be a tie of bf16, and c x^2 is too little for an f32 to hold beside it: the f32 is the tie itself, and would
 * be rounded to even, although the exact value lies above.
 */
#ifndef ISK_ABOVE_HALF_H
#define ISK_ABOVE_HALF_H

#include "vec.h"

/*
 * y = f(x), for an output whose elements have these bytes. Before y is rounded to 16 bits, 2^-149 is added. That takes a
 * tie of denormals to the right side. From 2^-125 on it is at most half of the last place of an f32, and below 2^-125
 * an f32 has at least 16 bits behind those of a bf16. y has the sign of x, which a zero keeps so.
 */
ISK_INLINE vf vf_above_half(vf y, vf x, size_t bytes)
{
	return bytes == 2 ? vf_copysign(y + 0x1p-149f, x) : y;
}

/* f64 lanes are not rounded to 16 bits. */
ISK_INLINE vd vd_above_half(vd y, vd x, size_t bytes)
{
	(void)x, (void)bytes;
	return y;
}

/* For the value of MAP(), where out is the output. */
#define V_ABOVE_HALF(y, x) ISK_EITHER(x, above_half)(y, x, sizeof(*out))

#endif
