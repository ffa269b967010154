/* SPDX-License-Identifier: MIT */
/* Copies between values of other strides: rows where both are dense, transposes where each is dense along another axis.
 */
#include <string.h>

#include "plan.h"
#include "strides.h"

struct copy {
	struct loops loops;
	size_t bytes; /* of an element */
	char *to;
	const char *from;
};

static void copy_rows(void *context, const size_t *at)
{
	const struct copy *c = context;
	const size_t last = c->loops.rank - 1;

	memcpy(c->to + at[0] * c->bytes, c->from + at[1] * c->bytes, c->loops.dim[last] * c->bytes);
}

/* The last axis but one of `from` is dense. */
static void copy_transposed(void *context, const size_t *at)
{
	const struct copy *c = context;
	const struct loops *l = &c->loops;
	char *to = c->to + at[0] * c->bytes;
	const char *from = c->from + at[1] * c->bytes;
	const size_t rows = l->dim[l->rank - 1], cols = l->dim[l->rank - 2];
	const size_t ldy = l->stride[0][l->rank - 2], ldx = l->stride[1][l->rank - 1];

	if (c->bytes == 4)
		isk_transpose_b32(to, from, rows, cols, ldy, ldx);
	else if (c->bytes == 8)
		isk_transpose_b64(to, from, rows, cols, ldy, ldx);
	else if (c->bytes == 2)
		isk_transpose_b16(to, from, rows, cols, ldy, ldx);
	else
		isk_transpose_b8(to, from, rows, cols, ldy, ldx);
}

/* Strided on both sides, or one element for all. */
static void copy_elements(void *context, const size_t *at)
{
	const struct copy *c = context;
	const size_t last = c->loops.rank - 1;

	for (size_t i = 0; i < c->loops.dim[last]; i++)
		memcpy(c->to + (at[0] + i * c->loops.stride[0][last]) * c->bytes,
		       c->from + (at[1] + i * c->loops.stride[1][last]) * c->bytes, c->bytes);
}

/* Moves the axis along which `from` is dense to the place before the last; returns 0 if there is none, or a row would
 * end too early. */
static int bring_dense_axis(struct loops *l)
{
	for (size_t i = 0; i + 1 < l->rank; i++) {
		if (l->stride[1][i] != 1 || l->stride[1][l->rank - 1] < l->dim[i] || l->stride[0][i] < l->dim[l->rank - 1])
			continue;
		for (size_t j = i; j + 2 < l->rank; j++) {
			const size_t dim = l->dim[j], to = l->stride[0][j], from = l->stride[1][j];

			l->dim[j] = l->dim[j + 1];
			l->stride[0][j] = l->stride[0][j + 1];
			l->stride[1][j] = l->stride[1][j + 1];
			l->dim[j + 1] = dim;
			l->stride[0][j + 1] = to;
			l->stride[1][j + 1] = from;
		}
		return 1;
	}
	return 0;
}

static void run_copy(const struct step *s)
{
	struct copy c = {.bytes = type_bytes(s->out[0]->type), .to = value_data(s->out[0]), .from = value_data(s->in[0])};
	size_t last;

	loops_of(&c.loops, (const struct value *[]){s->out[0], s->in[0]}, 2);
	last = c.loops.rank - 1;
	if (c.loops.stride[0][last] == 1 && c.loops.stride[1][last] == 1)
		loops_each(&c.loops, 1, copy_rows, &c);
	else if (c.loops.stride[0][last] == 1 && bring_dense_axis(&c.loops))
		loops_each(&c.loops, 2, copy_transposed, &c);
	else
		loops_each(&c.loops, 1, copy_elements, &c);
}

void plan_copy(struct plan *p, const struct node *n, struct value *to, const struct value *from)
{
	struct step *s = plan_step(p, n, run_copy, "copy", NULL);

	step_in(s, from);
	step_out(s, to);
}
