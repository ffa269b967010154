/* SPDX-License-Identifier: MIT */
/* f32 to 8-bit integers, as in quantize.h, and back. */
#include "quantize_kernels.h"
#include "loops.h"
#include "quantize.h"

QUANTIZE(quantize, quantize(x, q), quantize_four(four, x, p, q))
DEQUANTIZE(dequantize, vi_to_vf(x - zero) * scale)
