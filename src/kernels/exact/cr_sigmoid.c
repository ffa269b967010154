/* SPDX-License-Identifier: MIT */
/* sigmoid and silu, correctly rounded: by their definitions, with corrections next to ties. */
#include "cr_sigmoid_kernels.h"
#include "pow2.h"

/*
 * Around 0, sigmoid is 1/2 + x/4 - x^3/48, and 1/2 + x/4 may be a tie. A numerator of
 * 1 -+ 2^-52 moves the result towards 1/2, to the side of the exact result.
 */
ISK_INLINE vd sigmoid_of(vd d)
{
	return (1 - vd_copysign(vd_set1(0x1p-52), d)) / (vd_exp(-d) + 1);
}

/* Around 0, silu is x/2 + x^2/4. If x is an odd multiple of the least f32, x/2 is a tie, from which 2^-178 moves it up. */
ISK_INLINE vd silu_of(vd d)
{
	return d / (vd_exp(-vd_min(vd_set1(110), d)) + 1) + 0x1p-178;
}

#define SIGMOID(WIDE, x) WIDE(sigmoid_of, vf_min(vf_set1(104), vf_max(vf_set1(-104), x)))
/* From -110 down the result is -0. */
#define SILU(WIDE, x) vf_copysign(WIDE(silu_of, vf_max(vf_set1(-110), x)), x)

static const struct hard hard_sigmoid[] = {{0xbe104170, 0x1.dbfeep-2f}};

MAP(cr_sigmoid, BUT_FOR(hard_sigmoid, x, SIGMOID(WIDE, x)))
MAP(sigmoid, SIGMOID(WIDE_TO_ODD, x))
MAP(cr_silu, SILU(WIDE, x))
MAP(silu, SILU(WIDE_TO_ODD, x))
