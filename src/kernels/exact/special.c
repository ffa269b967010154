/* SPDX-License-Identifier: MIT */
/*
 * lgamma and erfinv of f32, by way of f64: rounded correctly but where the exact result lies next
 * to a tie, within 0.5 + 2^-20 ulp or so.
 */
#include "special_kernels.h"
#include "inverse_erf.h"
#include "log_gamma.h"

MAP(lgamma, LGAMMA(WIDE, x))
MAP(erfinv, ERFINV(WIDE, x))
