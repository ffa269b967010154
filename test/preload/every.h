/* SPDX-License-Identifier: MIT */
/* Each kernel of a library once, by the name that the dynamic linker resolves. */
#ifndef EVERY_H
#define EVERY_H

#include "../call/samples.h"

static inline int every(void)
{
	struct sample *s = aligned_alloc(64, sizeof(*s));
	isk_function fn;

	for (size_t i = 0; s && i < isk_kernels_count; i++) {
		sample_make(&isk_kernels[i], s);
		fn = function_of("isk_", &isk_kernels[i]);
		if (!fn)
			return 1;
		isk_kernels[i].call(fn, &s->args);
	}
	printf("%zu kernels\n", isk_kernels_count);
	free(s);
	return 0;
}

#endif
