/* SPDX-License-Identifier: MIT */
/*
 * gemm_bf16_f32 multiplies bf16 by bf16 into f32: twice as fast as f32 with vdpbf16ps, some ten times with AMX. Outputs
 * and all that is between products stay f32.
 */
#include "weights16.h"

#include <err.h>
#include <stdlib.h>

#include "post.h"

int weights16_wanted(const struct graph *g, const struct node *n)
{
	return g->takes_bf16 && !value_is_constant(n->in[IN_X]);
}

static void run_convert(const struct step *s)
{
	KERNEL(cvt_f32_bf16)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->in[0]));
}

const struct value *weights16_input(struct plan *p, const struct node *n)
{
	struct value *x = n->in[IN_X], *to;
	const struct value *dense;
	struct step *s;

	if (x->bf16)
		return x->bf16;
	dense = plan_dense(p, n, x);
	to = value_new(p->graph, n, x->name, BF16, x->rank, x->dim);
	plan_store(p, to);
	s = plan_step(p, n, run_convert, "cvt_f32_bf16", NULL);
	step_in(s, dense);
	step_out(s, to);
	/* A copy in a branch is not there if another branch is taken. */
	if (!n->guard)
		x->bf16 = to;
	return to;
}

void *weights16_pack(struct plan *p, const struct node *n)
{
	const struct value *b = n->in[IN_WEIGHTS];
	const size_t k = b->dim[0], columns = b->dim[1], bytes = isk_packed_size(ISK_BF16, k, columns);
	int is_packed;
	void *packed = plan_packed(p, b, "gemm_bf16", NULL, 0, bytes, &is_packed);
	isk_bf16 *narrow;

	p->graph->in_bf16++;
	if (is_packed)
		return packed;
	narrow = malloc(value_count(b) * sizeof(*narrow) + 1);
	if (!narrow)
		errx(1, "out of memory");
	isk_cvt_f32_bf16(narrow, value_data(b), value_count(b));
	if (isk_gemm_pack_bf16(packed, narrow, bytes, k, columns, columns, 0) != 0)
		refuse(n, "isakern has no product of these sizes");
	free(narrow);
	return packed;
}
