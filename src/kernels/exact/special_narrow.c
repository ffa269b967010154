/* SPDX-License-Identifier: MIT */
/* lgamma and erfinv of 16 bits, correctly rounded. */
#include "special_narrow_kernels.h"
#include "inverse_erf.h"
#include "log_gamma.h"

MAP(lgamma, LGAMMA(WIDE_TO_ODD, x))
MAP(erfinv, ERFINV(WIDE_TO_ODD, x))
