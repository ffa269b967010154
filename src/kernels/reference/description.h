/* SPDX-License-Identifier: MIT */
/*
 * The kernels of a library as data, for programs that were built without its tables. The library of references exports
 * it, under one name for all prefixes. Its structs are those of call.h and results.h of the same version.
 */
#ifndef ISK_DESCRIPTION_H
#define ISK_DESCRIPTION_H

#include "call.h"
#include "results.h"

struct isk_description {
	size_t size;                 /* sizeof(struct isk_description) */
	const char *version;         /* version of isakern with whose tables and headers the library is built */
	const char *prefix;          /* prefix of its kernels: "isk", "isk_sleef" */
	const char *own;             /* prefix of its API */
	const char *bind;            /* environment variable with its pins */
	size_t count;                /* number of kernels */
	const struct isk_kernel *kernels;
	isk_form *const *forms;      /* forms of the same kernels */
};

extern const struct isk_description isakern_description;

#endif
