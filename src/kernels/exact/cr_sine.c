/* SPDX-License-Identifier: MIT */
/* sin and cos, correctly rounded, of any argument: see sine.h. */
#include "cr_sine_kernels.h"
#include "sine.h"
#include "sine_f32.h"

static const struct hard hard_sin[] = {{0x46199998, -0x1.63f4bap-2f}};
static const struct hard hard_large_sin[] = {{0x55cafb2a, -0x1.fcf42ep-1f}};
static const struct hard hard_large_cos[] = {{0x5f18b878, 0x1.fe2976p-1f},
                                             {0x6115cb11, 0x1.f0285ep-1f},
                                             {0x61703976, 0x1.b598acp-2f},
                                             {0x7908cd73, 0x1.f3176ap-1f}};
static const struct hard hard_half_sin[] = {{0x3e566000, 0x1.a9cp-3f}};
static const struct hard hard_half_cos[] = {{0x3d6f8000, 0x1.ff4p-1f}};

#define BUT_FOR_HARD(op, a, y) BUT_FOR(hard_large_##op, a, y)
#define ALL(op, a, y)          (y)
SINE(sin_of, sin, WIDE, BUT_FOR_HARD)
SINE(cos_of, cos, WIDE, BUT_FOR_HARD)
SINE(sin_to_odd, sin, WIDE_TO_ODD, ALL)
SINE(cos_to_odd, cos, WIDE_TO_ODD, ALL)

MAP(cr_sin, with_sign(BUT_FOR(hard_sin, vf_abs(x), sin_of(vf_abs(x))), x))
MAP_16(sin, with_sign(BUT_FOR(hard_half_sin, vf_abs(x), vf_sine(vf_abs(x), 0)), x),
       with_sign(sin_to_odd(vf_abs(x)), x))
MAP(cr_cos, cos_of(vf_abs(x)))
MAP_16(cos, BUT_FOR(hard_half_cos, vf_abs(x), vf_sine(vf_abs(x), 0.5f)), cos_to_odd(vf_abs(x)))
