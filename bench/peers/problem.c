/* SPDX-License-Identifier: MIT */
/* Operands, and the check of a result: samples of its elements in double precision. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "problem.h"

/* More than the error of any order of additions; the library's own tests are the strict ones. */
static double eps_of(enum type type)
{
	return type == F64 ? 0x1p-53 : 0x1p-24;
}

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

static uint32_t state;

void random_seed(uint32_t seed)
{
	state = seed;
}

uint32_t random_next(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/* Fills an array with 2^bits different values, centred at 0. */
static void *fill(enum type type, size_t count, int bits)
{
	/* The period is a prime, so that rows of a matrix differ. */
	enum { PERIOD = 65521 };
	const size_t drawn = count < PERIOD ? count : PERIOD, each = type_bytes(type);
	char *x = allocate(count * each);

	for (size_t i = 0; i < drawn; i++) {
		const int r = (int)(random_next() >> (24 - bits)) - (1 << (bits - 1));

		value_set(type, x, i, type == U8 ? r + 128 : type == S8 ? r : r / 128.0);
	}
	for (size_t i = drawn; i < count; i += drawn)
		memcpy(x + i * each, x, (count - i < drawn ? count - i : drawn) * each);
	return x;
}

struct counts counts_of(const struct row *row)
{
	const size_t m = row->m, n = row->n, k = row->k;
	const struct isk_conv *v = &row->conv;

	switch (row->op) {
	case PRODUCT:
	case GROUPED:
	case LINEAR:
		return (struct counts){m * k, k * n, m * n};
	case CONV:
		return (struct counts){v->images * v->height * v->width * v->channels, k * n, m * n};
	case CONV_TRANSPOSE:
		return (struct counts){conv_out_height(v) * conv_out_width(v) * v->out_channels, k * n, m * n};
	case COLUMNS:
		return (struct counts){m * n, 0, n};
	case BAG:
		return (struct counts){k * n, 0, m * n};
	case POOL:
		return (struct counts){m * k * k, 0, m * n * n};
	case CELL:
		return (struct counts){4 * n, n, 2 * n};
	case STEP:
		return (struct counts){n, 3 * n, 3 * n};
	default:
		return (struct counts){m * n, m * n, has_one_result(row->op) ? 1 : m * n};
	}
}

static size_t c_bytes(const struct row *row)
{
	return counts_of(row).c * type_bytes(row->c);
}

/* Counts the operands and a handful of packed copies of B. */
static int fits(const struct row *row)
{
	const double b = (double)row->k * (double)row->n * (double)type_bytes(row->b);
	const double rest = (double)counts_of(row).a * (double)type_bytes(row->a) + (double)c_bytes(row);

	return machine_memory() == 0 || 10 * b + 3 * rest < (double)machine_memory();
}

static double work_of(const struct row *row)
{
	const double results = (double)row->m * (double)row->n;

	switch (row->op) {
	case TRANSPOSE:
		return 2 * results * (double)type_bytes(row->a);
	case CONV_TRANSPOSE: /* each element of A is multiplied by all weights of its channel */
		return 2 * (double)counts_of(row).a * (double)(row->k * row->n) / (double)row->conv.out_channels;
	case BAG:
		return BAG_ROWS * results;
	case POOL:
		return (double)counts_of(row).a;
	default:
		return is_vectors(row->op) ? results : 2 * results * (double)row->k;
	}
}

int problem_make(struct problem *p, const struct row *row)
{
	random_seed(1);
	*p = (struct problem){.row = row, .work = work_of(row)};
	if (!fits(row))
		return 0;
	p->c = allocate(c_bytes(row));
	if (is_vectors(row->op)) {
		vectors_make(p);
		return 1;
	}
	p->a = fill(row->a, counts_of(row).a, 8);
	if (row->op == TRANSPOSE)
		return 1;
	/* Integer weights of 7 bits, because peers that add pairs of products in 16 bits are right with these only. */
	p->b = fill(row->b, counts_of(row).b, row->b == S8 ? 7 : 8);
	if (row->op == LINEAR) {
		p->bias = fill(F32, row->n, 8);
		p->residual = fill(F32, row->m * row->n, 8);
	}
	if (row->op == GROUPED)
		p->scales = fill(F32, (row->k + SCALE_GROUP - 1) / SCALE_GROUP * row->n, 8);
	return 1;
}

void problem_free(struct problem *p)
{
	if (is_vectors(p->row->op))
		vectors_free(p);
	free(p->a);
	free(p->b);
	free(p->bias);
	free(p->residual);
	free(p->scales);
	free(p->c);
}

/* Fills the result with NaN in every floating-point type, or with the initial state of a step. */
void problem_spoil(struct problem *p)
{
	if (p->row->op == STEP)
		memcpy(p->c, p->vectors.b, c_bytes(p->row));
	else
		memset(p->c, 0xff, c_bytes(p->row));
}

/* Term k of the sum at output pixel i and channel j, with k in the order of OIHW; 0 in the padding. */
static double conv_term(const struct problem *p, size_t i, size_t j, size_t k)
{
	const struct isk_conv *v = &p->row->conv;
	const size_t in_group = v->channels / v->groups, taps = v->kernel_h * v->kernel_w;
	const size_t height = conv_out_height(v), width = conv_out_width(v);
	const size_t row = i / width % height * v->stride_h + k % taps / v->kernel_w * v->dilation_h - v->pad_top;
	const size_t col = i % width * v->stride_w + k % v->kernel_w * v->dilation_w - v->pad_left;
	const size_t channel = j / (v->out_channels / v->groups) * in_group + k / taps;
	const size_t pixel = (i / width / height * v->height + row) * v->width + col;

	/* Unsigned: an index before the first row or column is far beyond the last. */
	if (row >= v->height || col >= v->width)
		return 0;
	return value_get(p->row->a, p->a, pixel * v->channels + channel) * value_get(p->row->b, p->b, j * p->row->k + k);
}

/* Term k of the sum at pixel i of the image and channel j, with k in the order of output channel of the group and tap; 0 where
 * the convolution has no place that takes the pixel by this tap. */
static double conv_transpose_term(const struct problem *p, size_t i, size_t j, size_t k)
{
	const struct isk_conv *v = &p->row->conv;
	const size_t taps = v->kernel_h * v->kernel_w, in_group = v->channels / v->groups;
	const size_t out = j / in_group * (v->out_channels / v->groups) + k / taps, tap = k % taps;
	const size_t row = i / v->width + v->pad_top - tap / v->kernel_w, col = i % v->width + v->pad_left - tap % v->kernel_w;
	const size_t height = conv_out_height(v), width = conv_out_width(v);

	if (row % v->stride_h || col % v->stride_w || row / v->stride_h >= height || col / v->stride_w >= width)
		return 0;
	return value_get(p->row->a, p->a, (row / v->stride_h * width + col / v->stride_w) * v->out_channels + out) *
	       value_get(p->row->b, p->b, (out * in_group + j % in_group) * taps + tap);
}

static double term_of(const struct problem *p, size_t i, size_t j, size_t k)
{
	if (p->row->op == CONV)
		return conv_term(p, i, j, k);
	if (p->row->op == CONV_TRANSPOSE)
		return conv_transpose_term(p, i, j, k);
	return value_get(p->row->a, p->a, i * p->row->k + k) * value_get(p->row->b, p->b, k * p->row->n + j);
}

/* Element (i, j), and the error that a right one may have. */
static double expected(const struct problem *p, enum op op, size_t i, size_t j, double *tolerance)
{
	const struct row *row = p->row;
	double sum = 0, terms = 0;

	*tolerance = 0;
	if (op == TRANSPOSE)
		return value_get(row->a, p->a, i * row->n + j);
	for (size_t k = 0; k < row->k; k++) {
		const double scale = op == GROUPED ? (double)p->scales[k / SCALE_GROUP * row->n + j] : 1;
		const double term = scale * term_of(p, i, j, k);

		sum += term;
		terms += fabs(term);
	}
	if (row->c == S8 || row->c == U8) {
		/* A sum may be rounded to the slightly farther neighbour. */
		*tolerance = 0.501;
		return fmin(fmax(sum / OUT_SCALE, row->c == U8 ? 0 : INT8_MIN), row->c == U8 ? UINT8_MAX : INT8_MAX);
	}
	*tolerance = row->c == S32 ? 0 : eps_of(row->c) * (double)(row->k + 2) * terms;
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

const char *problem_check(const struct problem *p, enum op op)
{
	enum { SAMPLES = 200 };
	static char text[128];
	const struct row *row = p->row;

	random_seed(2);
	for (int s = 0; s < SAMPLES; s++) {
		/* The corners first. */
		const size_t i = s < 4 ? (size_t)(s & 1) * (row->m - 1) : random_next() % row->m;
		const size_t j = s < 4 ? (size_t)(s >> 1) * (row->n - 1) : random_next() % row->n;
		const double got = value_get(row->c, p->c, op == TRANSPOSE ? j * row->m + i : i * row->n + j);
		double tolerance;
		const double want = expected(p, op, i, j, &tolerance);

		if (!(fabs(got - want) <= tolerance)) {
			snprintf(text, sizeof(text), "C[%zu][%zu] is %.9g, not %.9g", i, j, got, want);
			return text;
		}
	}
	return NULL;
}
