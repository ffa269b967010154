/* SPDX-License-Identifier: MIT */
/*
 * Conversions by a load and a store alone. Each rounds at most once: either all inputs fit float lanes, or the load
 * rounds them (s32). f16 is converted by F16C from avx2 up, and at baseline by integer operations that give the same
 * bits. Both make NaNs quiet.
 */
#include "cvt_plain_kernels.h"
#include "conversion.h"

CVT_STREAMED(cvt, convert)
