/* SPDX-License-Identifier: MIT */
/*
 * Single elements of results that combine many inputs: sums of columns, bags, pools, cells of networks, steps
 * of optimizers.
 */
#include <math.h>

#include "problem.h"

/* Inputs are below 8. */
#define LARGEST 8

struct sum {
	double terms;
	size_t count;
};

static void add(struct sum *sum, const void *x, size_t i)
{
	sum->terms += (double)((const float *)x)[i];
	sum->count++;
}

static struct sum column(const struct vectors *v, size_t i)
{
	struct sum sum = {0};

	for (size_t r = 0; r < v->rows; r++)
		add(&sum, v->a, r * v->cols + i);
	return sum;
}

static struct sum bag(const struct vectors *v, size_t i)
{
	const size_t b = i / v->cols;
	struct sum sum = {0};

	for (int64_t k = v->starts[b]; k < v->starts[b + 1]; k++)
		add(&sum, v->a, (size_t)v->index[k] * v->cols + i % v->cols);
	return sum;
}

/* Pixel i; the channels of a pixel are adjacent (NHWC), or each channel is an image by itself. */
static struct sum pooled(const struct vectors *v, size_t i, int nhwc)
{
	const size_t pixels = v->cols * v->cols, channel = nhwc ? i % v->rows : i / pixels;
	const size_t pixel = nhwc ? i / v->rows : i % pixels, row = pixel / v->cols, col = pixel % v->cols;
	struct sum sum = {0};

	for (size_t r = row * v->side / v->cols; r * v->cols < (row + 1) * v->side; r++)
		for (size_t c = col * v->side / v->cols; c * v->cols < (col + 1) * v->side; c++) {
			const size_t at = r * v->side + c;

			add(&sum, v->a, nhwc ? at * v->rows + channel : channel * v->side * v->side + at);
		}
	return sum;
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double cell(const struct vectors *v, size_t i)
{
	const size_t unit = i % v->cols;
	const float *gates = v->a, *old = v->b;
	const double input = (double)gates[unit], forget = (double)gates[v->cols + unit];
	const double candidate = (double)gates[2 * v->cols + unit], output = (double)gates[3 * v->cols + unit];
	const double c = (double)old[unit] * sigmoid(forget) + tanh(candidate) * sigmoid(input);

	return i < v->cols ? c : tanh(c) * sigmoid(output);
}

static double step(const struct vectors *v, size_t i)
{
	const size_t at = i % v->cols;
	const float *begin = v->b;
	const double g = (double)((const float *)v->a)[at], beta1 = (double)ADAM_BETA1, beta2 = (double)ADAM_BETA2;
	const double m = beta1 * (double)begin[v->cols + at] + (1 - beta1) * g;
	const double square = beta2 * (double)begin[2 * v->cols + at] + (1 - beta2) * g * g;
	const double root = sqrt(square * (double)ADAM_V_SCALE) + (double)ADAM_EPSILON;

	if (i >= v->cols)
		return i < 2 * v->cols ? m : square;
	return (double)begin[at] - (double)ADAM_RATE * (double)ADAM_M_SCALE * m / root;
}

double result_of(const struct problem *p, size_t i, double *tolerance)
{
	const struct vectors *v = &p->vectors;
	struct sum sum;
	double want;

	if (p->row->op == CELL || p->row->op == STEP) {
		want = p->row->op == CELL ? cell(v, i) : step(v, i);
		*tolerance = 1e-6 * (LARGEST + fabs(want));
		return want;
	}
	sum = p->row->op == COLUMNS ? column(v, i) : p->row->op == BAG ? bag(v, i) : pooled(v, i, is_nhwc(p->row));
	/*
	 * Partial sums of terms of either sign grow like the root of their number, and so do their roundings
	 * together, so the error grows like the number of terms. The worst of many sums is several times as far
	 * off as most.
	 */
	*tolerance = 0x1p-20 * LARGEST * (double)sum.count;
	if (p->row->op != POOL)
		return sum.terms;
	*tolerance /= (double)sum.count;
	return sum.terms / (double)sum.count;
}
