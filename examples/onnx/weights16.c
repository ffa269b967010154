/* SPDX-License-Identifier: MIT */
/*
 * gemm_bf16_f32 and conv_bf16_f32 multiply bf16 by bf16 into f32: twice as fast as f32 with vdpbf16ps, some ten times with AMX.
 * Outputs and all that is between products stay f32.
 */
#include "weights16.h"

#include <err.h>
#include <stdlib.h>

#include "post.h"
#include "strides.h"

int weights16_wanted(const struct graph *g, const struct node *n)
{
	return g->takes_bf16 && !value_is_constant(n->in[IN_X]);
}

static void run_convert(const struct step *s)
{
	KERNEL(cvt_f32_bf16)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->in[0]));
}

struct value *weights16_input(struct plan *p, const struct node *n, struct value *x, const struct value *filled)
{
	struct value *to;
	struct step *s;

	if (x->bf16)
		return x->bf16;
	to = value_new(p->graph, n, x->name, BF16, x->rank, x->dim);
	strides_like(to, filled);
	plan_store(p, to);
	s = plan_step(p, n, run_convert, "cvt_f32_bf16", NULL);
	step_in(s, filled);
	step_out(s, to);
	/* A copy in a branch is not there if another branch is taken. */
	if (!n->guard)
		x->bf16 = to;
	return to;
}

isk_bf16 *weights16_narrow(struct plan *p, const struct value *w)
{
	isk_bf16 *narrow = malloc(value_count(w) * sizeof(*narrow) + 1);

	if (!narrow)
		errx(1, "out of memory");
	isk_cvt_f32_bf16(narrow, value_data(w), value_count(w));
	p->graph->in_bf16++;
	return narrow;
}
