/* SPDX-License-Identifier: MIT */
/*
 * What every kernel source sees: the element types, the name of the variant that
 * is compiled (ISK_FN) and the vector vocabulary. Its prototypes, and the types
 * each of its operations is wanted in, are in the header generated for it alone,
 * which includes this one: exp.c begins with exp_kernels.h.
 */
#ifndef ISK_KERNEL_H
#define ISK_KERNEL_H

#include "isakern/types.h"
#include "element_types.h"
#include "paste.h"
#include "vec.h"

/* isk_exp_f32__avx2 */
#define ISK_FN(kernel) ISK_PASTE4(ISK_PREFIX, _##kernel, __, ISK_ISA)

#endif
