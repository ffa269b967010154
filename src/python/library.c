/* SPDX-License-Identifier: MIT */
/* prefix.h replaces the names of the API by those of the library for which this is compiled. */
#include "prefix.h"

#include "library.h"

extern const struct library ISK_OWN_NAME(python_library);

const struct library ISK_OWN_NAME(python_library) = {
	.kernels = isk_kernels,
	.count = &isk_kernels_count,
	.bound = isk_bound,
	.find = isk_kernel_find,
	.info = isk_kernel_info,
	.candidates = isk_candidates,
};
