/* SPDX-License-Identifier: MIT */
#include "samples_kernels.h"
#include "loops.h"

MAP(opposite, -x)
ZIP(difference, a - b)
