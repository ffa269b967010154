/* SPDX-License-Identifier: MIT */
/* The state of each ISA of the library, gathered from the candidates of all kernels. */
#ifndef CENSUS_H
#define CENSUS_H

#include "command.h"

struct isa {
	const char *name;
	int seen; /* some kernel lists the ISA, so its state is known */
	enum isk_state state;
	char reason[sizeof(((struct isk_candidate *)0)->reason)];
	size_t variants, bound;
};

struct census {
	struct isa *isas; /* lowest first */
	size_t count, kernels, same;
};

void census_take(struct census *census);
void census_free(struct census *census);

#endif
