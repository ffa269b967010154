/* SPDX-License-Identifier: MIT */
/*
 * The error function. Worst errors seen, of SLEEF 3.5.1: erf 0.870 ulp at
 * 7.8828631496907006e-308, erfc 1.499 at 0x1.a8872c7601eb7p+4, where it becomes denormal;
 * at baseline 1.203 at -7.6580587787475776e-308 and 2.384 at 0x1.a93d63e279b6p+4.
 */
#include "error_kernels.h"
#include "by_sleef.h"

MAP(erf, SLEEF(erf, u10)(x))
MAP(erfc, SLEEF(erfc, u15)(x))
