/* SPDX-License-Identifier: MIT */
/* Calling what a part defines: the rows `part` of kernels.tbl. */
#ifndef ISK_PART_H
#define ISK_PART_H

#include "kernel.h"
#include "parts.h"

/* isk_drive__avx512, called from what is compiled for avx512_vnni as well. */
#define ISK_PART(part, name) ISK_PASTE4(ISK_PREFIX, _##name, __, ISK_PASTE2(ISK_PART_##part##_, ISK_ISA))

/* Declares what another part defines. Hidden: the linker knows how far it is, and its address needs no
 * relocation. */
#define ISK_EXTERN extern __attribute__((visibility("hidden")))

#endif
