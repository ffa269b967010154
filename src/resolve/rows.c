/* SPDX-License-Identifier: MIT */
/* From the number of a kernel to its row. */
#include "resolve.h"

/* In a static program only the kernels it uses are there: asking about all of
 * them must not link all of them. */
#ifdef ISK_STATIC
#define ISK_ROW_LINKAGE __attribute__((weak, visibility("hidden")))
#else
#define ISK_ROW_LINKAGE __attribute__((visibility("hidden")))
#endif

#define X(kernel, ...) extern const struct isk_row isk_row__##kernel ISK_ROW_LINKAGE;
ISK_KERNELS(X)
#undef X

/* Comparisons, not an array: an array of addresses would need relocation. */
const struct isk_row *isk_row(size_t i)
{
#define X(kernel, ...)                                                         \
	if (i-- == 0)                                                              \
		return &isk_row__##kernel;
	ISK_KERNELS(X)
#undef X
	return NULL;
}
