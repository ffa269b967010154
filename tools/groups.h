/* SPDX-License-Identifier: MIT */
/* The groups of kernels that options name: families, and element types. */
#ifndef GROUPS_H
#define GROUPS_H

#include <stddef.h>

/* The most names of either kind that a library may have. */
enum { MOST_GROUPS = 64 };

struct groups {
	const char *names[MOST_GROUPS];
	size_t count;
};

/* In the order of the tables. The names of types are those in the names of kernels. */
struct groups families(void);
struct groups element_types(void);

/* Whether the type is part of the kernel's name, as f16 is of exp_f16 and of cvt_f32_f16. */
int kernel_has_type(const char *kernel, const char *type);

/* Ends the program with one line that names the groups if the name is none of them. */
void group_check(const char *option, const char *name, const struct groups *groups);

#endif
