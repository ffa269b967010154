/* SPDX-License-Identifier: MIT */
#include "passes.h"

void passes_run(struct graph *g)
{
	/* Activations first, because their factors and terms are none of a channel; gates leave more affine ones behind. */
	static pass_fn *const passes[] = {
		fuse_identity, fuse_activation, fuse_norm, fuse_scaled, fuse_weights8,  fuse_affine,
		fuse_gate,     fuse_affine,     fuse_pool, fuse_post,   fuse_attention,
	};

	for (size_t i = 0; i < sizeof(passes) / sizeof(*passes); i++) {
		passes[i](g);
		graph_tidy(g);
	}
}
