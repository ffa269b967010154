/* SPDX-License-Identifier: MIT */
/* Kernels as data (call.h), called by the names of their arguments, for tests that know these names. */
#ifndef BY_NAME_H
#define BY_NAME_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "elements.h"

static inline const struct isk_argument *argument_of(const struct isk_kernel *k, const char *name)
{
	for (int i = 0; i < k->shape->count; i++)
		if (strcmp(k->shape->arguments[i].name, name) == 0)
			return &k->shape->arguments[i];
	return NULL;
}

/* Copies a value to the argument of this name, if the kernel has it: a pointer, a size, or the type in its row. */
static inline void set_argument(const struct isk_kernel *k, union isk_args *args, const char *name, const void *value)
{
	const struct isk_argument *a = argument_of(k, name);
	size_t bytes = sizeof(void *);

	if (!a)
		return;
	if (a->role == ISK_VALUE)
		bytes = a->type ? isk_element_bytes(a->type) : sizeof(int);
	memcpy(isk_argument_at(args, a), value, bytes);
}

/* Sets an array or a struct; a size of that name is left alone. */
static inline void set_pointer(const struct isk_kernel *k, union isk_args *args, const char *name, const void *value)
{
	const struct isk_argument *a = argument_of(k, name);

	if (a && (a->role == ISK_OUT || a->role == ISK_IN || a->role == ISK_STRUCT))
		set_argument(k, args, name, &value);
}

static inline void set_size(const struct isk_kernel *k, union isk_args *args, const char *name, size_t value)
{
	set_argument(k, args, name, &value);
}

/* The array of packed weights, as an output or an input. */
static inline const struct isk_argument *packed_of(const struct isk_kernel *k, enum isk_role role)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].packed && k->shape->arguments[i].role == role)
			return &k->shape->arguments[i];
	return NULL;
}

static inline int same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The kernel that packs the weights of this one, with scales for groups or without. */
static inline const struct isk_kernel *packer_of(const struct isk_kernel *k, int groups)
{
	const struct isk_argument *weights = packed_of(k, ISK_IN);

	for (size_t i = 0; i < isk_kernels_count && weights; i++) {
		const struct isk_kernel *packer = &isk_kernels[i];
		const struct isk_argument *to = packed_of(packer, ISK_OUT);

		if (to && isk_argument_type(packer, to) == isk_argument_type(k, weights) && same_text(to->measured, weights->measured)
		    && !argument_of(packer, "groups") == !groups)
			return packer;
	}
	return NULL;
}

/* The function that this process calls by the name of a kernel with a prefix, such as "isk_"; NULL if there is none. */
static inline isk_function function_of(const char *prefix, const struct isk_kernel *k)
{
	char symbol[96];
	isk_function fn;

	snprintf(symbol, sizeof(symbol), "%s%s", prefix, k->name);
	*(void **)&fn = dlsym(RTLD_DEFAULT, symbol);
	return fn;
}

/* The form for many threads that src/omp/parallel.c has for a kernel's shape, or NULL. */
static inline isk_function written_form(const struct isk_kernel *k)
{
	return k->shape->cuts || k->shape->returns != ISK_RETURNS_STATUS ? NULL : function_of("isk_parallel_", k);
}

#endif
