/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "vmath.h"

ISK_MAP(exp_f32, vf_exp)
