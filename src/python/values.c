/* SPDX-License-Identifier: MIT */
/* Values and results of calls, between numpy's numbers and the struct of arguments. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#include "element_types.h"

/*
 * A number of numpy as a double, because a value whose type is one of the kernel's name is a double in the struct of
 * arguments. numpy passes values of 16-bit floats as f32.
 */
static double as_double(const enum isk_type type, const void *from)
{
	switch (type) {
	case ISK_F64:
		return *(const double *)from;
	case ISK_S8:
		return *(const int8_t *)from;
	case ISK_U8:
		return *(const uint8_t *)from;
	case ISK_S16:
		return *(const int16_t *)from;
	case ISK_S32:
		return *(const int32_t *)from;
	default:
		return (double)*(const float *)from;
	}
}

size_t value_bytes(const struct isk_kernel *k, const struct isk_argument *a)
{
	const enum isk_type type = isk_by_value(isk_argument_type(k, a));

	return type ? isk_element_bytes(type) : sizeof(int);
}

void set_value(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, const void *from)
{
	void *to = isk_argument_at(args, a);

	if (a->variable)
		*(double *)to = as_double(isk_by_value(k->types[a->variable - 1]), from);
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
