/* SPDX-License-Identifier: MIT */
/*
 * The kernels of a library as data, for programs that were made without them: it is in the library of references, under
 * one name whatever the library's own prefix is. Its structs are those of call.h and results.h of the same version.
 */
#ifndef ISK_DESCRIPTION_H
#define ISK_DESCRIPTION_H

#include "call.h"
#include "results.h"

struct isk_description {
	size_t size;                 /* of this struct */
	const char *version;         /* of the isakern whose tables and headers the library is made with */
	const char *prefix;          /* of its kernels, and of its API: "isk", "isk_sleef" */
	const char *own;
	const char *bind;            /* the variable of its pins */
	size_t count;
	const struct isk_kernel *kernels;
	isk_form *const *forms;      /* of the same kernels */
};

extern const struct isk_description isakern_description;

#endif
