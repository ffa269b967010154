/* SPDX-License-Identifier: MIT */
#include "origin.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

static struct value **copy_list(struct graph *g, struct value *const *list, size_t count)
{
	struct value **copy = graph_alloc(g, count, sizeof(struct value *));

	if (count)
		memcpy(copy, list, count * sizeof(*list));
	return copy;
}

void origin_keep(struct graph *g, const struct node *n)
{
	struct node *kept;

	if (g->read == g->file_space) {
		g->file_space = g->file_space * 2 + 64;
		g->file = reallocarray(g->file, g->file_space, sizeof(*g->file));
		if (!g->file)
			errx(1, "out of memory");
	}
	kept = &g->file[g->read++];
	*kept = *n;
	kept->in = copy_list(g, n->in, n->ins);
	kept->out = copy_list(g, n->out, n->outs);
}

static int has(struct value *const *list, size_t count, const struct value *v)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == v)
			return 1;
	return 0;
}

/* The node that makes v, or the value in its place. */
static const struct node *maker_now(const struct value *v)
{
	for (; v; v = v->became)
		if (v->maker && !v->maker->dead && has(v->maker->out, v->maker->outs, v))
			return v->maker;
	return NULL;
}

/* The home of the first node behind node i of the file that took v. */
static const struct node *home_of_users(const struct graph *g, const struct node *const *home, size_t i,
                                        const struct value *v)
{
	while (++i < g->read)
		if (home[i] && has(g->file[i].in, g->file[i].ins, v))
			return home[i];
	return NULL;
}

/* A value that no node makes any more is inside the node that computes what its users were. */
const struct node **origin_homes(struct graph *g)
{
	const struct node **home = graph_alloc(g, g->read, sizeof(const struct node *));

	for (size_t i = g->read; i-- > 0;)
		for (size_t j = 0; j < g->file[i].outs && !home[i]; j++) {
			const struct value *v = g->file[i].out[j];

			if (v && !value_is_constant(v)) {
				home[i] = maker_now(v);
				home[i] = home[i] ? home[i] : home_of_users(g, home, i, v);
			}
		}
	return home;
}
