/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
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
		print_step(list[i]);
	}
	printf("%9.4f ms in all, by %zu runs at ISA %s; peaks:", all * 1e3 / (double)runs, runs, isk_isa_current());
	for (size_t i = 0; i < OPERANDS; i++)
		printf(" %.0f of %s%s", peaks[i] / 1e9, operands[i].name, i + 1 < OPERANDS ? "," : "");
	printf(" in billion products a second\n");
	free(list);
}
