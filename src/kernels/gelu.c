/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "vmath.h"

ISK_MAP(gelu_f32, vf_gelu)
ISK_MAP(gelu_tanh_f32, vf_gelu_tanh)
