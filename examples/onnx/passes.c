/* SPDX-License-Identifier: MIT */
#include "passes.h"

void passes_run(struct graph *g)
{
	graph_tidy(g);
}
