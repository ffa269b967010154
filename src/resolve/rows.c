/* SPDX-License-Identifier: MIT */
/* From the name of a kernel to its number, and from that to its row. */
#include "resolve.h"

#include "names.h"

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

int isk_kernel_number(const char *name)
{
	int i = 0;

#define X(kernel, ...)                                                         \
	if (isk_equal(name, #kernel))                                              \
		return i;                                                              \
	i++;
	ISK_KERNELS(X)
#undef X
	return -1;
}

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
