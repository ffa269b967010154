/* SPDX-License-Identifier: MIT */
/* The ISA that a kernel is bound to, by what its library says of the candidates. */
#ifndef BOUND_H
#define BOUND_H

#include <stdlib.h>

#include "isakern.h"

static inline const char *bound_isa(__typeof(isk_candidates) *candidates_of, const char *kernel)
{
	const int count = candidates_of(kernel, NULL, 0);
	struct isk_candidate *c = calloc((size_t)count + 1, sizeof(*c));
	const char *isa = "none";

	if (!c)
		exit(99);
	c->size = sizeof(*c);
	candidates_of(kernel, c, (size_t)count);
	for (int i = 0; i < count; i++)
		if (c[i].bound)
			isa = c[i].isa;
	free(c);
	return isa;
}

#endif
