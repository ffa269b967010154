/* SPDX-License-Identifier: MIT */
/* The integers around a number. */
#include "whole_kernels.h"
#include "loops_streamed.h"

MAP(floor, v_floor(x))
MAP(ceil, v_ceil(x))
MAP(round, v_nearest(x))
MAP(trunc, v_trunc(x))
