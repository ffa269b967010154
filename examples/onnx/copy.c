/* SPDX-License-Identifier: MIT */
/* Copies between values of other strides. */
#include "ops.h"
#include "strides.h"

enum { COPIED = 5 }; /* the dimensions that a call copies */

struct copy {
	struct loops loops;
	size_t bytes; /* of an element */
	char *to;
	const char *from;
};

/* The innermost loops: as many as a call copies, the last of them dense in `to`. */
static void copy_inner(void *context, const size_t *at)
{
	const struct copy *c = context;
	const struct loops *l = &c->loops;
	char *to = c->to + at[0] * c->bytes;
	const char *from = c->from + at[1] * c->bytes;
	const size_t is_dense = l->stride[0][l->rank - 1] == 1;
	size_t n[COPIED] = {1, 1, 1, 1, 1}, y[COPIED] = {1, 1, 1, 1, 1}, x[COPIED] = {1, 1, 1, 1, 1};

	for (size_t i = COPIED - !is_dense, j = l->rank; i > 0 && j > 0;) {
		n[--i] = l->dim[--j];
		y[i] = l->stride[0][j];
		x[i] = l->stride[1][j];
	}
	(c->bytes == 8   ? KERNEL(permute_b64)
	 : c->bytes == 4 ? KERNEL(permute_b32)
	 : c->bytes == 2 ? KERNEL(permute_b16)
	                 : KERNEL(permute_b8))(to, from, n[0], n[1], n[2], n[3], n[4], y[0], y[1], y[2], y[3], x[0], x[1], x[2],
	                                       x[3], x[4]);
}

static void run_copy(const struct step *s)
{
	struct copy c = {.bytes = type_bytes(s->out[0]->type), .to = value_data(s->out[0]), .from = value_data(s->in[0])};

	loops_of(&c.loops, (const struct value *[]){s->out[0], s->in[0]}, 2);
	loops_each(&c.loops, c.loops.stride[0][c.loops.rank - 1] == 1 ? COPIED : COPIED - 1, copy_inner, &c);
}

void plan_copy(struct plan *p, const struct node *n, struct value *to, const struct value *from)
{
	struct step *s = plan_step(p, n, run_copy, "copy", NULL);

	step_in(s, from);
	step_out(s, to);
}
