/* SPDX-License-Identifier: MIT */
/* atan, correctly rounded. */
#include "cr_atan_kernels.h"
#include "arctan.h"

static const struct hard hard_atan[] = {{0x3d8d6b23, 0x1.1a6386p-4f}};

MAP(cr_atan, vf_copysign(BUT_FOR(hard_atan, vf_abs(x), WIDE(atan_of, vf_abs(x))), x))
MAP(atan, vf_copysign(WIDE_TO_ODD(atan_of, vf_abs(x)), x))
