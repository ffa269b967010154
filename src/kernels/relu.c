/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "vmath.h"

ISK_MAP(relu_f32, vf_relu)
