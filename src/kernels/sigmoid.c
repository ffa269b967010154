/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "vmath.h"

ISK_MAP(sigmoid_f32, vf_sigmoid)
ISK_MAP(silu_f32, vf_silu)
