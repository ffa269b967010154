/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "vmath.h"

ISK_MAP(tanh_f32, vf_tanh)
