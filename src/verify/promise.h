/* SPDX-License-Identifier: MIT */
#ifndef PROMISE_H
#define PROMISE_H

#include <string.h>

#include "isakern.h"

/* Whether a variant must have the bits of the others: by its row, and at baseline only if a single result is right. */
static inline int bits_promised(const struct isk_kernel_info *info, const char *isa)
{
	if (strcmp(info->bits, "bound") == 0 || (strcmp(info->bits, "same-amx") == 0 && strcmp(isa, "amx") == 0))
		return 0;
	return strcmp(isa, "baseline") != 0 || strcmp(info->error_baseline, "exact") == 0;
}

#endif
