/* SPDX-License-Identifier: MIT */
/*
 * Tanh before MaxPool moves behind it, where fewer values are left. The bits are the same, because isakern's tanh_f32 never
 * decreases (its contract; test_monotone tries all inputs): the tanh of the largest value is the largest tanh. sigmoid_f32
 * decreases at 326 inputs by one bit, GELU and SiLU between two numbers, and relu costs nothing behind a convolution.
 */
#include "passes.h"
#include "pattern.h"

static int move_behind(struct graph *g, struct node *pool)
{
	struct node *tanh = is_op(pool, "MaxPool") ? made_by(pool->in[0], "Tanh") : NULL;
	struct value *all = pool->in[0], *most = pool->out[0], *last;

	if (!tanh || graph_only_user(g, all) != pool || value_count(most) >= value_count(all))
		return 0;
	last = value_new(g, pool, most->name, F32, most->rank, most->dim);
	graph_replace(g, most, last);
	graph_set_input(g, pool, 0, tanh->in[0]);
	graph_replace(g, all, last); /* for origin.c: nothing takes it any more */
	graph_set_input(g, tanh, 0, most);
	tanh->out[0] = last;
	last->maker = tanh;
	graph_exchange(g, tanh, pool);
	return 1;
}

void fuse_pool(struct graph *g)
{
	fuse_all(g, move_behind);
}
