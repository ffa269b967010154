/* SPDX-License-Identifier: MIT */
/*
 * What every kernel source includes first: the public types, the name of the
 * variant being compiled (ISK_FN), its prototypes and the vector vocabulary.
 */
#ifndef ISK_KERNEL_H
#define ISK_KERNEL_H

#include "isakern.h"
#include "isk_tables.h"
#include "vec.h"

#define ISK_PASTE2(kernel, isa) isk_##kernel##__##isa
#define ISK_PASTE(kernel, isa)  ISK_PASTE2(kernel, isa)
#define ISK_FN(kernel)          ISK_PASTE(kernel, ISK_ISA)

#define X(kernel, ...) extern __typeof(isk_##kernel) ISK_FN(kernel);
ISK_KERNELS(X)
#undef X

#endif
