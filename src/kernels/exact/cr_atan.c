/* SPDX-License-Identifier: MIT */
/* atan, correctly rounded. */
#include "cr_atan_kernels.h"
#include "arc_f32.h"

#if VL == 16
#include "arctan_by_table.h"
#define ATAN_OF atan_by_table
#else
#include "arctan.h"
#define ATAN_OF atan_of
#endif

static const struct hard hard_atan[] = {{0x3d8d6b23, 0x1.1a6386p-4f}};
static const struct hard hard_half_atan[] = {{0x3ce8a000, 0x1.d14p-6f}, {0x3e56a000, 0x1.a74p-3f},
	{0x40cdc000, 0x1.6acp+0f}, {0x4115c000, 0x1.76cp+0f}};

MAP(cr_atan, vf_copysign(BUT_FOR(hard_atan, vf_abs(x), WIDE(ATAN_OF, vf_abs(x))), x))
MAP_16(atan, vf_copysign(BUT_FOR(hard_half_atan, vf_abs(x), vf_atan(vf_abs(x))), x),
       vf_copysign(WIDE_TO_ODD(ATAN_OF, vf_abs(x)), x))
