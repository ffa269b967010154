/* SPDX-License-Identifier: MIT */
/*
 * Narrow tiles of a convolution of f32. If the last columns of y are at most half a panel, they are one vector at VL 8,
 * beside which other tiles multiply a vector of padding. Narrow tiles have MR + 1 to NARROW_ROWS rows, since registers hold
 * the sums of so many. Time relative to other tiles, Zen 5 at AVX2 (loaded), 3 by 3: 56x56x64 to 24 channels 0.79, 48x320x3 to
 * 8 (stride 2) 0.59, 40x40x24 to 2 0.60, 64x64x3 to 3 0.75.
 */
#ifndef ISK_NARROW_H
#define ISK_NARROW_H

#include "multiply.h"

#define NARROW      (PANEL / 2)
#define NARROW_ROWS 12 /* with 14, gcc spills sums */
#define HAS_NARROW  (VL == NARROW && MR < NARROW_ROWS)

#endif
