/* SPDX-License-Identifier: MIT */
/*
 * Narrow tiles of a convolution of f32, for a last part of a panel that has at most half of its columns. At VL 8 that half
 * is one vector. Other tiles multiply the vector beside it too, which is padding. A narrow tile has MR + 1 to NARROW_ROWS rows,
 * because the registers hold NARROW_ROWS sums. With narrow tiles a convolution of 3 by 3 takes this part of the time without
 * them (Zen 5 at AVX2, loaded): 56x56x64 to 24 channels 0.79, 48x320x3 to 8 (stride 2) 0.59, 40x40x24 to 2 0.60, 64x64x3 to 3 0.75.
 */
#ifndef ISK_NARROW_H
#define ISK_NARROW_H

#include "multiply.h"

#define NARROW      (PANEL / 2)
#define NARROW_ROWS 12 /* with 14, gcc spills sums */
#define HAS_NARROW  (VL == NARROW && MR < NARROW_ROWS)

#endif
