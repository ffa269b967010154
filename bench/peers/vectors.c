/* SPDX-License-Identifier: MIT */
/* Operands of vectors and rows, and the check of their results in double precision. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

/* Checked elements and rows: all those by which peers are judged, and a part of larger results. */
enum { MOST_CHECKED = JUDGED_BY, MOST_ROWS = 16 };

/* Between -8 and 8, where no function here overflows, and saturating ones are saturated. */
static float draw(void)
{
	return (float)random_next() / 0x1p20f - 8;
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double silu(double x)
{
	return x * sigmoid(x);
}

static double gelu(double x)
{
	return x / 2 * erfc(-x * M_SQRT1_2);
}

/* tanh(u) is 2 sigmoid(2u) - 1, which cancels against the 1. */
static double gelu_tanh(double x)
{
	return x * sigmoid(2 * sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
}

static double relu(double x)
{
	return fmax(x, 0);
}

static const struct {
	const char *kernel;
	double (*of)(double);
} maps[] = {
	{"exp_f32", exp},   {"tanh_f32", tanh}, {"sigmoid_f32", sigmoid},     {"silu_f32", silu},
	{"gelu_f32", gelu}, {"relu_f32", relu}, {"gelu_tanh_f32", gelu_tanh}, {"sin_f32", sin},
	{"cos_f32", cos},   {"log_f32", log},   {"expm1_f32", expm1},         {"erf_f32", erf},
	{"cbrt_f32", cbrt}, {"atan_f32", atan},
};

/* The ordinary name of a correctly rounded kernel. */
static const char *plain_name(const char *kernel)
{
	return strncmp(kernel, "cr_", 3) ? kernel : kernel + 3;
}

static double map(const char *kernel, double x)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (strcmp(maps[i].kernel, plain_name(kernel)) == 0)
			return maps[i].of(x);
	abort();
}

/* A unit in the last place of a result near x. */
static double ulp_of(enum type type, double x)
{
	static const int bits[] = {[F32] = FLT_MANT_DIG, [BF16] = 8, [F16] = 11},
					 least[] = {[F32] = -126, [BF16] = -126, [F16] = -14};
	int exponent;

	if (type != F32 && type != BF16 && type != F16)
		return 1;
	frexp(x, &exponent);
	return ldexp(1, (exponent - 1 > least[type] ? exponent - 1 : least[type]) - (bits[type] - 1));
}

static double quantized(const struct row *row, double x)
{
	const double value = x / (double)QUANTIZE_SCALE + (row->c == U8 ? QUANTIZE_ZERO_U8 : QUANTIZE_ZERO_S8);

	return row->c == U8 ? fmin(fmax(value, 0), UINT8_MAX) : fmin(fmax(value, INT8_MIN), INT8_MAX);
}

/* Element i of a kernel whose results each depend on one index alone. */
static double single(const struct problem *p, const char *kernel, size_t i)
{
	const struct row *row = p->row;
	const double a = value_get(row->a, p->vectors.a, i), b = value_get(row->b, p->vectors.b, i);

	switch (row->op) {
	case MAP:
		return map(kernel, a);
	case ZIP:
		return strcmp(row->kernel, "add_f32") == 0 ? a + b : a * b;
	case QUANTIZE:
		return quantized(row, a);
	case DEQUANTIZE:
		return (a - (row->a == U8 ? QUANTIZE_ZERO_U8 : QUANTIZE_ZERO_S8)) * (double)QUANTIZE_SCALE;
	case COMPARE:
		return a < b;
	case SELECT:
		return p->vectors.mask[i] ? a : b;
	default:
		return a;
	}
}

struct statistics {
	double sum, squares, most;
	size_t most_at;
};

static struct statistics statistics_of(const float *x, size_t count)
{
	struct statistics s = {.most = -(double)INFINITY};

	for (size_t i = 0; i < count; i++) {
		const double v = (double)x[i];

		s.sum += v;
		s.squares += v * v;
		s.most_at = v > s.most ? i : s.most_at;
		s.most = fmax(s.most, v);
	}
	return s;
}

/* The single result of a row. *stray is the spread of partial sums: the root of the sum of the terms' squares. */
static double reduced(const struct row *row, const float *a, const float *b, double *stray)
{
	const struct statistics s = statistics_of(a, row->n), t = statistics_of(b, row->n);
	const double norms = sqrt(s.squares * t.squares);
	double dot = 0, squares = 0;

	for (size_t i = 0; i < row->n; i++) {
		const double term = (double)a[i] * (double)b[i];

		dot += term;
		squares += term * term;
	}
	*stray = 0;
	if (row->op == INDEX)
		return (double)s.most_at;
	if (strcmp(row->kernel, "max_f32") == 0)
		return s.most;
	if (strcmp(row->kernel, "l2sq_f32") == 0)
		return s.squares + t.squares - 2 * dot;
	*stray = sqrt(s.squares);
	if (strcmp(row->kernel, "sum_f32") == 0)
		return s.sum;
	*stray = sqrt(squares);
	if (strcmp(row->kernel, "dot_f32") == 0)
		return dot;
	*stray /= norms;
	return dot / norms;
}

/* A value that value_set() can store, from a value between -8 and 8. */
static double narrow(enum type type, double x)
{
	return type == U8 ? floor(16 * x) + 128 : type == S8 ? floor(16 * x) : floor(16 * x) / 128;
}

static float *drawn(size_t count)
{
	float *x = allocate(count * sizeof(*x));

	for (size_t i = 0; i < count; i++)
		x[i] = draw();
	return x;
}

static uint8_t *drawn_mask(size_t count)
{
	uint8_t *mask = allocate(count);

	for (size_t i = 0; i < count; i++)
		mask[i] = random_next() >> 20 & 1;
	return mask;
}

/* Draws the table rows of each bag, and the beginning of each bag. */
static void make_bags(struct vectors *v)
{
	int64_t *index = allocate(v->rows * BAG_ROWS * sizeof(*index)), *starts = allocate((v->rows + 1) * sizeof(*starts));

	for (size_t i = 0; i < v->rows * BAG_ROWS; i++)
		index[i] = random_next() % (uint32_t)v->side;
	for (size_t b = 0; b <= v->rows; b++)
		starts[b] = (int64_t)(b * BAG_ROWS);
	v->index = index;
	v->starts = starts;
}

void vectors_make(struct problem *p)
{
	const struct row *row = p->row;
	const struct counts counts = counts_of(row);
	float *a = drawn(counts.a), *b = drawn(counts.b), *weight = drawn(row->n), *bias = drawn(row->n);

	for (size_t i = 0; i < counts.a && strcmp(plain_name(row->kernel), "log_f32") == 0; i++)
		a[i] = fabsf(a[i]) + 0x1p-20f;
	/* Averages of squares. */
	for (size_t i = 2 * row->n; i < counts.b && row->op == STEP; i++)
		b[i] = fabsf(b[i]);
	/* In place: a narrower element never overwrites a later wider one. */
	for (size_t i = 0; i < counts.a && row->a != F32; i++)
		value_set(row->a, a, i, narrow(row->a, (double)a[i]));
	p->vectors = (struct vectors){.y = p->c, .a = a, .b = b, .weight = weight, .bias = bias,
	                              .rows = row->m, .cols = row->n, .side = row->k};
	if (row->op == SELECT)
		p->vectors.mask = drawn_mask(row->n);
	if (row->op == BAG)
		make_bags(&p->vectors);
	if (has_one_result(row->op))
		p->result = reduced(row, a, b, &p->result_stray);
}

void vectors_free(struct problem *p)
{
	free((void *)p->vectors.a);
	free((void *)p->vectors.b);
	free((void *)p->vectors.weight);
	free((void *)p->vectors.bias);
	free((void *)p->vectors.mask);
	free((void *)p->vectors.index);
	free((void *)p->vectors.starts);
}

/* Element i of a row whose exponentials add up to total. */
static double of_row(const struct problem *p, const struct statistics *s, double total, double x, size_t i)
{
	const double cols = (double)p->vectors.cols, weight = (double)p->vectors.weight[i];
	const double mean = s->sum / cols, square = s->squares / cols;

	if (p->row->op == SOFTMAX)
		return exp(x - s->most) / total;
	if (strcmp(p->row->kernel, "rmsnorm_f32") == 0)
		return x / sqrt(square + (double)NORM_EPSILON) * weight;
	return (x - mean) / sqrt(square - mean * mean + (double)NORM_EPSILON) * weight +
	       (double)p->vectors.bias[i];
}

struct verdict {
	char text[96];
	double ulp;
};

/* Whether element i of the result is near enough. */
static int look(const struct problem *p, size_t i, double want, double tolerance, struct verdict *verdict)
{
	const enum type type = p->row->c;
	const double got = value_get(type, p->c, i), error = fabs(got - want);

	verdict->ulp = fmax(verdict->ulp, error / ulp_of(type, want));
	if (error <= tolerance)
		return 1;
	snprintf(verdict->text, sizeof(verdict->text), "element %zu is %.9g, not %.9g", i, got, want);
	return 0;
}

static int check_single(const struct problem *p, const char *kernel, size_t i, struct verdict *verdict)
{
	double want, tolerance;

	if (p->row->op >= COLUMNS) {
		want = result_of(p, i, &tolerance);
		return look(p, i, want, tolerance, verdict);
	}
	want = single(p, kernel, i);
	/* A map must only not be plainly wrong, because its error is shown. */
	return look(p, i, want, p->row->op == MAP ? 1e-3 * (1e-3 + fabs(want)) : 0.5 * ulp_of(p->row->c, want),
	            verdict);
}

static int check_singles(const struct problem *p, const char *kernel, struct verdict *verdict)
{
	const size_t count = counts_of(p->row).c, step = count / MOST_CHECKED + 1;

	for (size_t i = 0; i < count; i += step)
		if (!check_single(p, kernel, i, verdict))
			return 0;
	return check_single(p, kernel, count - 1, verdict);
}

static int check_row(const struct problem *p, size_t r, struct verdict *verdict)
{
	const struct vectors *v = &p->vectors;
	const float *x = (const float *)v->a + r * v->cols;
	const struct statistics s = statistics_of(x, v->cols);
	double total = 0;

	for (size_t i = 0; i < v->cols; i++)
		total += exp((double)x[i] - s.most);
	for (size_t i = 0; i < v->cols; i++) {
		const double want = of_row(p, &s, total, (double)x[i], i);
		const double size = p->row->op == SOFTMAX ? 0 : fabs((double)v->weight[i]) + fabs((double)v->bias[i]);

		/* f32 with any polynomial for exp and any order of additions. */
		if (!look(p, r * v->cols + i, want, 1e-5 * (fabs(want) + size), verdict))
			return 0;
	}
	return 1;
}

static int check_rows(const struct problem *p, struct verdict *verdict)
{
	const size_t rows = p->vectors.rows, step = rows / MOST_ROWS + 1;

	for (size_t r = 0; r < rows; r += step)
		if (!check_row(p, r, verdict))
			return 0;
	return check_row(p, rows - 1, verdict);
}

static int check_result(const struct problem *p, struct verdict *verdict)
{
	/* Roundings mostly have random signs, so together they grow like the root of their number. */
	const double tolerance = 0x1p-20 * sqrt((double)p->row->n) * (fabs(p->result) + p->result_stray);

	return look(p, 0, p->result, p->row->op == INDEX ? 0 : tolerance, verdict);
}

const char *vectors_check(const struct problem *p, const char *kernel, double *ulp)
{
	static struct verdict verdict;
	const enum op op = p->row->op;
	int right;

	verdict.ulp = 0;
	if (has_one_result(op))
		right = check_result(p, &verdict);
	else if (op == SOFTMAX || op == NORM)
		right = check_rows(p, &verdict);
	else
		right = check_singles(p, kernel, &verdict);
	*ulp = verdict.ulp;
	return right ? NULL : verdict.text;
}
