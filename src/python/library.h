/* SPDX-License-Identifier: MIT */
/* The functions and data by which the extension uses a library of kernels; library.c is compiled for each library. */
#ifndef ISK_PYTHON_LIBRARY_H
#define ISK_PYTHON_LIBRARY_H

#include <isakern/library.h>

#include "call.h"

struct library {
	const struct isk_kernel *kernels;
	const size_t *count;
	void (*(*bound)(const char *kernel))(void);
	int (*find)(const char *kernel);
	int (*info)(size_t i, struct isk_kernel_info *info);
	int (*candidates)(const char *kernel, struct isk_candidate *out, size_t max);
};

#endif
