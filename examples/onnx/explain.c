/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "strides.h"

static const char *order(const struct value *v)
{
	return strides_are_dense(v) ? "" : strides_are_channels_last(v) ? " channels last" : " strided";
}

static void print_step(const struct step *s)
{
	char text[200];

	printf("%-36s %18s%-14s %s (%s", s->kernel, value_dims(s->out[0], text), order(s->out[0]), s->node->name,
	       s->node->op->name);
	if (s->node->covers > 1)
		printf(" of %zu nodes", s->node->covers);
	printf(")\n");
}

void explain(const struct plan *p)
{
	const struct graph *g = p->graph;

	for (size_t i = 0; i < p->steps; i++)
		print_step(&p->step[i]);
	printf("%zu nodes in the file, %zu after fusion, %zu calls of kernels; arena %.1f MB, constants %.1f MB\n", g->read,
	       g->nodes, p->steps, (double)p->arena_bytes / 1e6, (double)g->constant_bytes / 1e6);
}

static int slowest_first(const void *a, const void *b)
{
	const struct step *x = *(struct step *const *)a, *y = *(struct step *const *)b;

	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

void profile(struct plan *p, size_t runs)
{
	struct step **list = calloc(p->steps + 1, sizeof(*list));
	double all = 0;

	for (size_t i = 0; i < runs; i++)
		plan_run_timed(p);
	for (size_t i = 0; i < p->steps && list; i++) {
		list[i] = &p->step[i];
		all += p->step[i].seconds;
	}
	if (list && p->steps)
		qsort(list, p->steps, sizeof(*list), slowest_first);
	for (size_t i = 0; i < p->steps && list; i++) {
		printf("%9.4f ms %5.1f%%  ", list[i]->seconds * 1e3 / (double)runs, 100 * list[i]->seconds / all);
		print_step(list[i]);
	}
	printf("%9.4f ms in all, by %zu runs at ISA %s\n", all * 1e3 / (double)runs, runs, isk_isa_current());
	free(list);
}
