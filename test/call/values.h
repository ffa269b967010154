/* SPDX-License-Identifier: MIT */
#ifndef VALUES_H
#define VALUES_H

#include "isakern_call.h"
#include "samples.h"

/* The arguments of a sample, as a caller by name would pass them. */
static inline size_t sample_values(const struct isk_kernel *k, struct sample *s, struct isk_value *values)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];
		void *const at = isk_argument_at(&s->args, a);
		struct isk_parameter p = {.size = sizeof(p)};

		if (isk_parameter(k->name, (size_t)i, &p))
			return 0;
		values[i] = (struct isk_value){.kind = p.kind, .type = p.type, .bytes = SAMPLE_BYTES};
		if (p.kind == ISK_KIND_REAL)
			values[i].real = isk_element_value(a->type, isk_element_bits(a->type, at, 0));
		else if (p.kind != ISK_KIND_INTEGER)
			values[i].pointer = *(void **)at;
		else if (p.role != ISK_VALUE)
			values[i].integer = (int64_t)*(size_t *)at;
		else
			values[i].integer = a->type == ISK_F64   ? (int64_t)*(double *)at
			                    : a->type == ISK_S64 ? *(int64_t *)at
			                                         : *(int32_t *)at;
		if (p.kind == ISK_KIND_STRUCT && values[i].pointer)
			values[i].bytes = *(const size_t *)values[i].pointer;
	}
	return (size_t)k->shape->count;
}

#endif
