/* SPDX-License-Identifier: MIT */
/* atan, correctly rounded. */
#include "cr_atan_kernels.h"

#if VL == 16
#include "arctan_by_table.h"
#define ATAN_OF atan_by_table
#else
#include "arctan.h"
#define ATAN_OF atan_of
#endif

static const struct hard hard_atan[] = {{0x3d8d6b23, 0x1.1a6386p-4f}};

MAP(cr_atan, vf_copysign(BUT_FOR(hard_atan, vf_abs(x), WIDE(ATAN_OF, vf_abs(x))), x))
MAP(atan, vf_copysign(WIDE_TO_ODD(ATAN_OF, vf_abs(x)), x))
