/* SPDX-License-Identifier: MIT */
/*
 * The header of every kernel source: element types, the name of the variant that is
 * compiled (ISK_FN) and the vector vocabulary. A source does not include it directly. The
 * header generated for that source includes it and adds its prototypes and the types of
 * each of its operations: exp.c begins with exp_kernels.h.
 */
#ifndef ISK_KERNEL_H
#define ISK_KERNEL_H

#include "isakern/types.h"
#include "formats.h"
#include "paste.h"
#include "vec.h"

/* isk_exp_f32__avx2 */
#define ISK_FN(kernel) ISK_PASTE4(ISK_PREFIX, _##kernel, __, ISK_ISA)

#endif
