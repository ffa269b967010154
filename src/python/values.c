/* SPDX-License-Identifier: MIT */
/* Values and results of calls, between numpy's numbers and the struct of arguments. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#include "elements.h"

size_t value_bytes(const struct isk_kernel *k, const struct isk_argument *a)
{
	const enum isk_type type = isk_by_value(isk_argument_type(k, a));

	return type ? isk_element_bytes(type) : sizeof(int);
}

/*
 * A value whose type is one of the kernel's name is a double in the struct of arguments. numpy passes values of narrower
 * floats than f32 as f32.
 */
void set_value(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, const void *from)
{
	const enum isk_type type = isk_by_value(isk_argument_type(k, a));
	void *to = isk_argument_at(args, a);

	if (a->variable)
		*(double *)to = isk_element_value(type, isk_element_bits(type, from, 0));
	else
		memcpy(to, from, value_bytes(k, a));
}

void get_result(const struct isk_kernel *k, const union isk_args *args, void *to)
{
	/* Every struct of arguments begins with the result. */
	const union isk_result *r = (const union isk_result *)args;

	switch (k->shape->returns) {
	case ISK_RETURNS_SIZE:
		*(int64_t *)to = (int64_t)r->size;
		break;
	case ISK_RETURNS_STATUS:
		*(int32_t *)to = r->status;
		break;
	default:
		memcpy(to, r, isk_element_bytes(isk_result_type(k)));
	}
}
