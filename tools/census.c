/* SPDX-License-Identifier: MIT */
#include "census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(struct isa *isa, const struct isk_candidate *c)
{
	isa->variants += c->fn != NULL;
	isa->bound += (size_t)c->bound;
	/* A demotion or a pin concerns a single kernel, not the ISA. */
	if (isa->seen && isa->state != ISK_USABLE)
		return;
	isa->seen = 1;
	isa->state = c->state == ISK_DEMOTED || c->state == ISK_PINNED ? ISK_USABLE : c->state;
	snprintf(isa->reason, sizeof(isa->reason), "%s", isa->state == ISK_USABLE ? "usable" : c->reason);
}

void census_take(struct census *census)
{
	struct isk_kernel_info info;

	*census = (struct census){.count = asked.isa_count()};
	census->isas = allocate(census->count * sizeof(*census->isas));
	for (size_t i = 0; i < census->count; i++)
		census->isas[i].name = asked.isa_name(i);
	for (; kernel_info(census->kernels, &info); census->kernels++) {
		struct isk_candidate *candidates;
		const size_t listed = candidates_of(info.name, &candidates);

		census->same += strcmp(info.bits, "same") == 0;
		for (size_t c = 0; c < listed; c++)
			for (size_t i = 0; i < census->count; i++)
				if (strcmp(census->isas[i].name, candidates[c].isa) == 0)
					note(&census->isas[i], &candidates[c]);
		free(candidates);
	}
}

void census_free(struct census *census)
{
	free(census->isas);
}
