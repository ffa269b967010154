/* SPDX-License-Identifier: MIT */
/* Properties of this machine on which measurements depend. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>

/* The CPU's own name for itself, or "unknown". */
const char *machine_cpu(void);
/* The CPU's family and model, on AArch64 its implementer and part, as Linux tells them; 0 if it does not. */
void machine_family_model(unsigned *family, unsigned *model);
/* Bytes of data cache that a core sees at level 1 to 3; 0 if unknown. */
size_t machine_cache(int level);
/* Bytes of memory that are available without swapping. */
size_t machine_memory(void);

#endif
