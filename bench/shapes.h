/* SPDX-License-Identifier: MIT */
/*
 * What to time of a kernel, and what one call of it moves and computes: by its
 * shape alone, so that a new kernel of a known shape is timed without a word.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct problem {
	size_t n;     /* elements, rows, or m */
	size_t cols;  /* of rows, or n of a matrix product */
	size_t depth; /* k of a matrix product */
	double size;     /* what is plotted: all elements, or the side of a matrix */
	double elements; /* results, or inputs where there is one result */
	double bytes;    /* read and written at least */
	double flops;    /* of matrix products; 0 elsewhere */
	char label[32];
};

/* Elements in bytes, and how many arrays are read. */
struct operands {
	size_t in, out;
	int inputs;
};

static inline int shape_is(const char *shape, const char *name)
{
	return strcmp(shape, name) == 0;
}

/* Multiplies two matrices, packed or not. */
static inline int is_product(const char *shape)
{
	return shape_is(shape, "gemm") || shape_is(shape, "matmul") || shape_is(shape, "matmul_batch");
}

static inline void problem_matrix(struct problem *p, const char *shape, struct operands o, size_t side)
{
	const double area = (double)side * (double)side;

	p->n = p->cols = p->depth = side;
	p->size = (double)side;
	p->elements = area;
	if (is_product(shape)) {
		p->bytes = area * (2 * (double)o.in + (double)o.out);
		p->flops = 2 * area * (double)side;
		snprintf(p->label, sizeof(p->label), "%zu^3", side);
	} else {
		p->bytes = 2 * area * (double)o.in;
		snprintf(p->label, sizeof(p->label), "%zux%zu", side, side);
	}
}

static inline void problem_count(struct problem *p, size_t count)
{
	if (count < (size_t)1 << 20)
		snprintf(p->label, sizeof(p->label), "%zu", count);
	else
		snprintf(p->label, sizeof(p->label), "%zuM", count >> 20);
}

static inline void problem_rows(struct problem *p, const char *shape, struct operands o, size_t count)
{
	const int pool = shape_is(shape, "pool");
	/* A pool or a plane of one row would be a copy. */
	const int deep = pool || shape_is(shape, "images");
	const size_t widest = deep ? 256 : 1024, least_rows = deep ? 4 : 1;

	p->cols = count / least_rows < widest ? count / least_rows : widest;
	p->n = count / p->cols;
	p->bytes = (double)count * (double)o.in + (double)(pool ? p->cols : count) * (double)o.out;
	snprintf(p->label, sizeof(p->label), "%zux%zu", p->n, p->cols);
}

/* Images of n by n pixels and cols channels, in depth groups: layers of MobileNet and of ResNet-50. */
static inline int problem_conv(struct problem *p, const char *shape, struct operands o, size_t i)
{
	static const size_t layers[][3] = {{7, 1024, 1024}, {14, 512, 512}, {28, 256, 256},
	                                   {56, 128, 128},  {112, 32, 32},  {7, 512, 1},
	                                   {14, 256, 1},    {28, 128, 1},   {56, 64, 1}};
	const int known = i < sizeof(layers) / sizeof(layers[0]);
	const size_t *layer = layers[known ? i : 0];
	const double area = (double)(layer[0] * layer[0]), in_group = (double)(layer[1] / layer[2]);
	const double weights = 9 * (double)layer[1] * in_group;

	p->n = layer[0];
	p->cols = layer[1];
	p->depth = layer[2];
	p->size = p->elements = area * (double)layer[1];
	p->flops = 2 * area * weights;
	p->bytes = p->elements * (double)(o.in + o.out) + weights * (double)o.in;
	if (shape_is(shape, "conv_pack")) {
		p->size = p->elements = weights;
		p->flops = 0;
		p->bytes = 2 * weights * (double)o.in;
	}
	snprintf(p->label, sizeof(p->label), "%zux%zux%zu/%zu", p->n, p->n, p->cols, p->depth);
	return known;
}

/* The i-th problem of a shape, smallest first; 0 when it would take more than limit bytes. */
static inline int shape_problem(const char *shape, struct operands o, size_t i, double limit, struct problem *p)
{
	const size_t count = (size_t)64 << 2 * i;

	memset(p, 0, sizeof(*p));
	p->size = p->elements = (double)count;
	p->n = count;
	if (shape_is(shape, "query")) {
		p->n = 1;
		p->size = p->elements = 1;
		snprintf(p->label, sizeof(p->label), "call");
		return i == 0;
	}
	if (shape_is(shape, "matmul") || shape_is(shape, "matmul_batch")) {
		/* Small ones above all, among them what no vector divides. */
		static const size_t sides[] = {8, 12, 16, 17, 24, 31, 32, 64, 128, 256, 512, 1024};

		problem_matrix(p, shape, o, sides[i < 12 ? i : 0]);
		return i < 12 && p->bytes <= limit;
	}
	if (shape_is(shape, "gemm") || shape_is(shape, "pack") || shape_is(shape, "transpose")) {
		problem_matrix(p, shape, o, (size_t)8 << i);
		/* A larger product only takes longer. */
		return i < 8 && p->bytes <= limit;
	}
	if (shape_is(shape, "conv") || shape_is(shape, "conv_pack"))
		return problem_conv(p, shape, o, i) && p->bytes <= limit;
	if (shape_is(shape, "softmax") || shape_is(shape, "norm") || shape_is(shape, "pool")
	    || shape_is(shape, "images")) {
		problem_rows(p, shape, o, count);
	} else {
		const int one_result = shape_is(shape, "reduce") || shape_is(shape, "reduce2") || shape_is(shape, "index");

		p->bytes = (double)count * (double)(o.in * (size_t)o.inputs + (one_result ? 0 : o.out));
		problem_count(p, count);
	}
	return i < 14 && p->bytes <= limit;
}

#endif
