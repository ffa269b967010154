/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine, by SLEEF, in its deterministic form: the finz functions,
 * which use FMA, give the same bits in 8 lanes and in 16; baseline has the cinz
 * ones. Each is called under the name of its ISA. SLEEF's names without one
 * choose for themselves, and would ignore what this library was told to use.
 * Worst errors of SLEEF 3.5.1 over all 2^32 inputs, the same everywhere: sin
 * 0.9036 ulp at 0x1.d0f182p+5, cos 0.9362 at 0x1.5875fep-9. 1.0 is what SLEEF promises.
 */
#include "sincos_kernels.h"
#include "loops.h"

#include <sleef.h>

#if VL == 4
#define SLEEF(f) Sleef_cinz_##f##f4_u10sse2
#elif VL == 8
#define SLEEF(f) Sleef_finz_##f##f8_u10avx2
#else
#define SLEEF(f) Sleef_finz_##f##f16_u10avx512f
#endif

MAP(sin, SLEEF(sin)(x))
MAP(cos, SLEEF(cos)(x))
