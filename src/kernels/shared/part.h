/* SPDX-License-Identifier: MIT */
/* Calls of functions that a source part defines: the rows `part` of kernels.tbl. */
#ifndef ISK_PART_H
#define ISK_PART_H

#include "kernel.h"
#include "parts.h"

/* For example isk_drive__avx512, which sources compiled for avx512_vnni call, too. */
#define ISK_PART(part, name) ISK_PASTE4(ISK_PREFIX, _##name, __, ISK_PASTE2(ISK_PART_##part##_, ISK_ISA))

/* Declares a function of another part. It is hidden, so that its address needs no relocation at load time. */
#define ISK_EXTERN extern __attribute__((visibility("hidden")))

#endif
