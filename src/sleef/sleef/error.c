/* SPDX-License-Identifier: MIT */
/* The error function. */
#include "error_kernels.h"
#include "by_sleef.h"

MAP(erf, SLEEF(erf, u10)(x))
MAP(erfc, SLEEF(erfc, u15)(x))
