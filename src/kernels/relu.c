/* SPDX-License-Identifier: MIT */
/* max(x, 0). The operand order keeps NaNs, but -0 too: adding 0 makes that +0. */
#include "map.h"

static inline vf relu(vf x)
{
	return vf_max(vf_set1(0), x) + 0;
}

ISK_MAP(relu_f32, relu)
