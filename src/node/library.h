/* SPDX-License-Identifier: MIT */
/* The functions by which the addon uses a library of kernels; library.c is compiled for each library. */
#ifndef ISK_NODE_LIBRARY_H
#define ISK_NODE_LIBRARY_H

#include "isakern_call.h"

#include <isakern/library.h>

struct library {
	int (*call)(const char *kernel, const struct isk_value *args, size_t count, struct isk_value *result);
	const char *(*message)(void);
	int (*signature)(const char *kernel, struct isk_signature *signature);
	int (*parameter)(const char *kernel, size_t i, struct isk_parameter *parameter);
	int (*candidates)(const char *kernel, struct isk_candidate *out, size_t max);
	size_t (*count)(void);
};

#endif
