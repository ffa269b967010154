/* SPDX-License-Identifier: MIT */
/*
 * Conversions that a load and a store by type are: all of these fit float lanes, or are rounded to them, once. f16
 * by F16C from avx2 up, by integers that give the same bits at baseline; either makes NaNs quiet.
 */
#include "cvt_plain_kernels.h"
#include "loops_streamed.h"

CVT(cvt, x)
