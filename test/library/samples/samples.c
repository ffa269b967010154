/* SPDX-License-Identifier: MIT */
#include "samples_kernels.h"
#include "loops.h"

MAP(neg, -x)
ZIP(sub, a - b)
