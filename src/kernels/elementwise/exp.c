/* SPDX-License-Identifier: MIT */
/*
 * exp: see vmath.h; the others: see exp_f32.h. Worst errors over all 2^32 inputs: exp 1.1563 ulp at 0x1.e0aa16p+1 from
 * avx2 up, 1.1686 at 0x1.1667f8p+6 at baseline; exp2 0.8932 at -0x1.f9ff92p+6, and 1.1017 at -0x1.fff59ep-2; exp10 1.0262
 * at 0x1.e4e6ecp+1, and 1.2711 at 0x1.e4e218p+1; expm1 1.5027 at 0x1.84846ap-2, and 1.6421 at 0x1.88b2e8p-2.
 */
#include "exp_kernels.h"
#define ISK_AT_ONCE 1 /* because the functions compute for longer than a round of the loop takes */
#include "loops_streamed.h"
#include "exp_f32.h"

MAP(exp, vf_exp(x))
MAP(exp2, vf_exp2(x))
MAP(exp10, vf_exp10(x))
MAP(expm1, vf_expm1(x))
