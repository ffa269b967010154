/* SPDX-License-Identifier: MIT */
/* Operands, and the check of a result: samples of its elements in double precision. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

/* Beyond what any order of f32 additions can be off; the library's own tests are the strict ones. */
#define EPS 0x1p-24

size_t type_bytes(enum type type)
{
	static const size_t bytes[] = {[F32] = 4, [BF16] = 2, [F16] = 2, [U8] = 1, [S8] = 1, [S32] = 4, [F64] = 8};

	return bytes[type];
}

const char *type_name(enum type type)
{
	static const char *const names[] = {
		[F32] = "f32", [BF16] = "bf16", [F16] = "f16", [U8] = "u8", [S8] = "s8", [S32] = "s32", [F64] = "f64"};

	return names[type];
}

double value_get(enum type type, const void *x, size_t i)
{
	switch (type) {
	case F32:
		return (double)((const float *)x)[i];
	case BF16: {
		const uint32_t bits = (uint32_t)((const uint16_t *)x)[i] << 16;
		float f;

		memcpy(&f, &bits, sizeof(f));
		return (double)f;
	}
	case F16: {
		const uint16_t bits = ((const uint16_t *)x)[i];
		const int exponent = bits >> 10 & 31, fraction = bits & 1023;
		const double size = ldexp(fraction + (exponent ? 1024 : 0), (exponent ? exponent : 1) - 25);

		return bits & 0x8000 ? -size : size;
	}
	case U8:
		return ((const uint8_t *)x)[i];
	case S8:
		return ((const int8_t *)x)[i];
	case S32:
		return ((const int32_t *)x)[i];
	case F64:
		return ((const double *)x)[i];
	}
	return 0;
}

/* Values are multiples of 2^-7 below 1, which every type of float holds, or integers. */
void value_set(enum type type, void *x, size_t i, double value)
{
	const float f = (float)value;

	switch (type) {
	case F32:
		((float *)x)[i] = f;
		break;
	case BF16: {
		uint32_t bits;

		memcpy(&bits, &f, sizeof(bits));
		((uint16_t *)x)[i] = (uint16_t)(bits >> 16);
		break;
	}
	case F16: {
		int exponent;
		const double half = frexp(fabs(value), &exponent);

		((uint16_t *)x)[i] = value == 0 ? 0
		                                : (uint16_t)((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10
		                                             | ((int)(half * 2048) & 1023));
		break;
	}
	case U8:
		((uint8_t *)x)[i] = (uint8_t)value;
		break;
	case S8:
		((int8_t *)x)[i] = (int8_t)value;
		break;
	case S32:
		((int32_t *)x)[i] = (int32_t)value;
		break;
	case F64:
		((double *)x)[i] = value;
		break;
	}
}

static uint32_t seed;

static uint32_t random_next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void *fill(enum type type, size_t count)
{
	/* In 2 MB pages if the system gives them: all contestants read the same operands. */
	void *x = allocate(count * type_bytes(type));

	for (size_t i = 0; i < count; i++) {
		const int r = (int)(random_next() % 255) - 127;

		value_set(type, x, i, type == U8 ? r + 128 : type == S8 ? r : r / 128.0);
	}
	return x;
}

void problem_make(struct problem *p, const struct row *row)
{
	seed = 1;
	*p = (struct problem){.row = row, .work = 2 * (double)row->m * (double)row->n * (double)row->k};
	if (row->op == TRANSPOSE) {
		p->work = 2 * (double)(row->m * row->n * type_bytes(row->a));
		p->a = fill(row->a, row->m * row->n);
		return;
	}
	if (row->op == CONV)
		p->a = fill(row->a, row->conv.images * row->conv.height * row->conv.width * row->conv.channels);
	else
		p->a = fill(row->a, row->m * row->k);
	p->b = fill(row->b, row->k * row->n);
	if (row->op == LINEAR) {
		p->bias = fill(F32, row->n);
		p->residual = fill(F32, row->m * row->n);
	}
}

void problem_free(struct problem *p)
{
	free(p->a);
	free(p->b);
	free(p->bias);
	free(p->residual);
}

/* Element k of the sum of output pixel i and channel j, k in the order of OIHW; 0 in the padding. */
static double conv_term(const struct problem *p, size_t i, size_t j, size_t k)
{
	const struct isk_conv *v = &p->row->conv;
	const size_t in_group = v->channels / v->groups, taps = v->kernel_h * v->kernel_w;
	const size_t width = (v->width + v->pad_left + v->pad_right - (v->kernel_w - 1) * v->dilation_w - 1) / v->stride_w + 1;
	const size_t height = p->row->m / v->images / width;
	const size_t row = i / width % height * v->stride_h + k % taps / v->kernel_w * v->dilation_h - v->pad_top;
	const size_t col = i % width * v->stride_w + k % v->kernel_w * v->dilation_w - v->pad_left;
	const size_t channel = j / (v->out_channels / v->groups) * in_group + k / taps;
	const size_t pixel = (i / width / height * v->height + row) * v->width + col;

	/* Before the first row or column is far beyond the last. */
	if (row >= v->height || col >= v->width)
		return 0;
	return value_get(p->row->a, p->a, pixel * v->channels + channel) * value_get(p->row->b, p->b, j * p->row->k + k);
}

static double term_of(const struct problem *p, size_t i, size_t j, size_t k)
{
	if (p->row->op == CONV)
		return conv_term(p, i, j, k);
	return value_get(p->row->a, p->a, i * p->row->k + k) * value_get(p->row->b, p->b, k * p->row->n + j);
}

/* Element (i, j), and how far a right one may be from it. */
static double expected(const struct problem *p, enum op op, size_t i, size_t j, double *tolerance)
{
	const struct row *row = p->row;
	double sum = 0, terms = 0;

	*tolerance = 0;
	if (op == TRANSPOSE)
		return value_get(row->a, p->a, i * row->n + j);
	for (size_t k = 0; k < row->k; k++) {
		const double term = term_of(p, i, j, k);

		sum += term;
		terms += fabs(term);
	}
	if (row->c == S8) {
		/* Rounded by whom to a neighbour that is a little farther is right as well. */
		*tolerance = 0.501;
		return fmin(fmax(sum / OUT_SCALE, INT8_MIN), INT8_MAX);
	}
	*tolerance = row->c == S32 ? 0 : EPS * (double)(row->k + 2) * terms;
	if (op == LINEAR) {
		const double x = sum + (double)p->bias[j];

		sum = x / 2 * (1 + erf(x / sqrt(2))) + (double)p->residual[i * row->n + j];
		/* The derivative of gelu is below 1.13; its approximations in peers are good to 1e-5. */
		*tolerance = 2 * *tolerance + 1e-5 * (1 + fabs(sum));
	}
	if (row->c == BF16)
		*tolerance += 0x1p-8 * fabs(sum);
	if (row->c == F16)
		*tolerance += 0x1p-11 * fabs(sum);
	return sum;
}

const char *problem_check(const struct problem *p, enum op op, const void *c)
{
	enum { SAMPLES = 200 };
	static char text[128];
	const struct row *row = p->row;

	seed = 2;
	for (int s = 0; s < SAMPLES; s++) {
		/* The corners first. */
		const size_t i = s < 4 ? (size_t)(s & 1) * (row->m - 1) : random_next() % row->m;
		const size_t j = s < 4 ? (size_t)(s >> 1) * (row->n - 1) : random_next() % row->n;
		const double got = value_get(row->c, c, op == TRANSPOSE ? j * row->m + i : i * row->n + j);
		double tolerance;
		const double want = expected(p, op, i, j, &tolerance);

		if (!(fabs(got - want) <= tolerance)) {
			snprintf(text, sizeof(text), "C[%zu][%zu] is %.9g, not %.9g", i, j, got, want);
			return text;
		}
	}
	return NULL;
}
