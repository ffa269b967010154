/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "explain.h"
#include "origin.h"
#include "strides.h"

static const char *order(const struct value *v)
{
	return strides_are_dense(v) ? "" : strides_are_channels_last(v) ? " channels last" : " strided";
}

/* The step whose kernel computes the node, behind copies of its inputs; p->steps: none. */
static size_t last_step(const struct plan *p, const struct node *n)
{
	for (size_t i = p->steps; n && i-- > 0;)
		if (p->step[i].node == n)
			return i;
	return p->steps;
}

/* The operators of the file that the node computes; its own, if a pass made it beside them. */
static void print_operators(const struct graph *g, const struct node *const *home, const struct node *n)
{
	size_t told = 0;

	for (size_t i = 0; i < g->read; i++)
		if (home[i] == n)
			printf("%s%s", told++ ? " + " : "", g->file[i].proto->op_type);
	if (!told)
		printf("%s", n->op->name);
}

static void print_step(const struct plan *p, const struct node *const *home, size_t i)
{
	const struct step *s = &p->step[i];
	char text[200];

	printf("%-36s %18s%-14s ", s->kernel, value_dims(s->out[0], text), order(s->out[0]));
	if (i == last_step(p, s->node)) {
		printf("%s: ", s->node->name);
		print_operators(p->graph, home, s->node);
	} else
		printf("for %s", s->node->name);
	printf("\n");
}

static void print_node(const struct plan *p, const struct node *n, const struct node *home)
{
	const size_t step = last_step(p, home);
	const struct value *v = n->out[0];
	char text[200], number[20];

	snprintf(number, sizeof(number), "%zu", step + 1);
	printf("%10s  %-22s %18s  %s\n",
	       step < p->steps        ? number
	       : home                 ? "a view"
	       : value_is_constant(v) ? "constant"
	                              : "not needed",
	       n->proto->op_type, value_dims(v, text), n->name);
}

void explain(const struct plan *p)
{
	const struct graph *g = p->graph;
	const struct node *const *home = origin_homes(p->graph);

	printf("Nodes of the file, each behind the number of the call that computes it:\n");
	for (size_t i = 0; i < g->read; i++)
		print_node(p, &g->file[i], home[i]);
	printf("Calls of kernels, and the nodes that each computes:\n");
	for (size_t i = 0; i < p->steps; i++) {
		printf("%10zu  ", i + 1);
		print_step(p, home, i);
	}
	printf("%zu nodes in the file, %zu after fusion, %zu calls of kernels; arena %.1f MB, constants %.1f MB\n", g->read,
	       g->nodes, p->steps, (double)p->arena_bytes / 1e6, (double)g->constant_bytes / 1e6);
}

static int slowest_first(const void *a, const void *b)
{
	const struct step *x = *(struct step *const *)a, *y = *(struct step *const *)b;

	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void multiply(enum isk_type operand, void *c, const void *a, const void *b, size_t size)
{
	const struct isk_post post = {.size = sizeof(post)};

	if (operand == ISK_S8)
		KERNEL(gemm_u8s8_s32)(c, a, b, size, size, size, size, size, &post);
	else if (operand == ISK_BF16)
		KERNEL(gemm_bf16_f32)(c, a, b, size, size, size, size, size, &post);
	else
		KERNEL(gemm_f32)(c, a, b, size, size, size, size, size, &post);
}

static void pack(enum isk_type operand, void *packed, const void *b, size_t bytes, size_t size)
{
	if (operand == ISK_S8)
		isk_gemm_pack_s8(packed, b, bytes, size, size, size, 0);
	else if (operand == ISK_BF16)
		isk_gemm_pack_bf16(packed, b, bytes, size, size, size, 0);
	else
		isk_gemm_pack_f32(packed, b, bytes, size, size, size, 0);
}

/* Products a second of the shape that is fastest, a square one whose matrices lie in the caches: the peak of --profile.
 */
static double peak(enum isk_type operand)
{
	enum { SIZE = 384, TRIES = 40 };
	const size_t bytes = isk_packed_size(operand, SIZE, SIZE);
	void *a = calloc(SIZE * SIZE, 4), *c = calloc(SIZE * SIZE, 4), *b = calloc(bytes, 1);
	double least = HUGE_VAL;

	if (!a || !b || !c)
		errx(1, "out of memory");
	pack(operand, b, a, bytes, SIZE);
	for (int i = 0; i < TRIES; i++) {
		const double before = clock_seconds();

		multiply(operand, c, a, b, SIZE);
		least = fmin(least, clock_seconds() - before);
	}
	free(a);
	free(b);
	free(c);
	return (double)SIZE * SIZE * SIZE / least;
}

/* The types of operands of products. */
static const struct {
	enum isk_type type;
	const char *name;
} operands[] = {{ISK_F32, "f32"}, {ISK_BF16, "bf16"}, {ISK_S8, "8 bits"}};

enum { OPERANDS = sizeof(operands) / sizeof(*operands) };

static double peak_of(enum isk_type operand, const double *peaks)
{
	size_t i = 0;

	while (operands[i].type != operand)
		i++;
	return peaks[i];
}

void profile(struct plan *p, size_t runs)
{
	struct step **list = calloc(p->steps + 1, sizeof(*list));
	const struct node *const *home = origin_homes(p->graph);
	double peaks[OPERANDS], all = 0;

	for (size_t i = 0; i < OPERANDS; i++)
		peaks[i] = peak(operands[i].type);
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
		if (list[i]->products > 0)
			printf("%3.0f%%  ",
			       100 * list[i]->products * (double)runs / list[i]->seconds / peak_of(list[i]->operand, peaks));
		else
			printf("%6s", "");
		print_step(p, home, (size_t)(list[i] - p->step));
	}
	printf("%9.4f ms in all, by %zu runs at ISA %s; peaks:", all * 1e3 / (double)runs, runs, isk_isa_current());
	for (size_t i = 0; i < OPERANDS; i++)
		printf(" %.0f of %s%s", peaks[i] / 1e9, operands[i].name, i + 1 < OPERANDS ? "," : "");
	printf(" in billion products a second\n");
	free(list);
}
