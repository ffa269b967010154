/* SPDX-License-Identifier: MIT */
/*
 * Every reduction of no elements, of one, of elements that are all equal, and of two NaNs that lie in different
 * blocks of the elements, at every ISA and for the references. The values are written here by hand, an operation
 * a line, because an oracle can be wrong where the kernel is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"
#include "args.h"
#include "elements.h"
#include "isakern.h"

#define NOT_A_NUMBER ((double)NAN)
/* For integers this stands for the greatest one, and -GREATEST for the least one. */
#define GREATEST     ((double)INFINITY)

/*
 * The results for 0, 1, 4 and 1024 elements that all are `element`, or its size if the type has no sign.
 * `output` is the name of an array, or empty if the operation has one result only.
 */
struct edge {
	const char *op, *output;
	double element, none, one, four, many;
};

static const struct edge edges[] = {
	{"sum", "", -2, 0, -2, -8, -2048},
	{"asum", "", -2, 0, 2, 8, 2048},
	{"sumsq", "", -2, 0, 4, 16, 4096},
	{"mean", "", -2, NOT_A_NUMBER, -2, -2, -2},
	{"prod", "", -1, 1, -1, 1, 1},
	{"min", "", -2, GREATEST, -2, -2, -2},
	{"max", "", -2, -GREATEST, -2, -2, -2},
	{"minmax", "low", -2, GREATEST, -2, -2, -2},
	{"minmax", "high", -2, -GREATEST, -2, -2, -2},
	{"argmin", "", -2, 0, 0, 0, 0},
	{"argmax", "", -2, 0, 0, 0, 0},
	{"count_nonzero", "", -2, 0, 1, 4, 1024},
	{"nrm2", "", -2, 0, 2, 4, 64},
	{"logsumexp", "", -2, -GREATEST, -2, -0.6137056388801094, 4.931471805599453},
	{"meanvar", "mean", -2, NOT_A_NUMBER, -2, -2, -2},
	{"meanvar", "variance", -2, NOT_A_NUMBER, 0, 0, 0},
	{"meanvar_unbiased", "mean", -2, NOT_A_NUMBER, -2, -2, -2},
	{"meanvar_unbiased", "variance", -2, NOT_A_NUMBER, NOT_A_NUMBER, 0, 0},
	{"meanm2", "mean", -2, NOT_A_NUMBER, -2, -2, -2},
	{"meanm2", "variance", -2, 0, 0, 0, 0},
	{"sum_exact", "", -2, 0, -2, -8, -2048},
	{"xor_sum", "", -2, 0, -2, 0, 0},
	{"dot", "", -2, 0, 4, 16, 4096},
	{"dot_exact", "", -2, 0, 4, 16, 4096},
	{"l2sq", "", -2, 0, 0, 0, 0},
	{"l1", "", -2, 0, 0, 0, 0},
	{"linf", "", -2, 0, 0, 0, 0},
	{"cosine", "", -2, 0, 1, 1, 1},
	{"popcount", "", 5, 0, 2, 8, 2048},
	{"hamming", "", 5, 0, 0, 0, 0},
	{"and_popcount", "", 5, 0, 2, 8, 2048},
	{"jaccard", "", 5, 1, 1, 1, 1},
	/* Sums begin with +0, so that sums of -0 alone are +0. */
	{"sum", "", -0.0, 0, 0, 0, 0},
	{"asum", "", -0.0, 0, 0, 0, 0},
	{"sumsq", "", -0.0, 0, 0, 0, 0},
	{"mean", "", -0.0, NOT_A_NUMBER, 0, 0, 0},
	{"prod", "", -0.0, 1, -0.0, 0, 0},
	{"min", "", -0.0, GREATEST, -0.0, -0.0, -0.0},
	{"max", "", -0.0, -GREATEST, -0.0, -0.0, -0.0},
	{"minmax", "low", -0.0, GREATEST, -0.0, -0.0, -0.0},
	{"minmax", "high", -0.0, -GREATEST, -0.0, -0.0, -0.0},
	{"argmin", "", -0.0, 0, 0, 0, 0},
	{"argmax", "", -0.0, 0, 0, 0, 0},
	{"count_nonzero", "", -0.0, 0, 0, 0, 0},
	{"nrm2", "", -0.0, 0, 0, 0, 0},
	{"sum_exact", "", -0.0, 0, 0, 0, 0},
	{"dot", "", -0.0, 0, 0, 0, 0},
	{"dot_exact", "", -0.0, 0, 0, 0, 0},
	{"l2sq", "", -0.0, 0, 0, 0, 0},
	{"l1", "", -0.0, 0, 0, 0, 0},
	{"linf", "", -0.0, 0, 0, 0, 0},
	{"cosine", "", -0.0, 0, 0, 0, 0},
};

/*
 * Columns beside each other, or rows, and elements from one to the next where there is a stride. A block of a sum
 * has at most BLOCK elements.
 */
enum { KEPT = 3, GAP = 2, MANY = 1024, BLOCK = 4096, MOST = 3 * BLOCK, BYTES = MOST * (KEPT + GAP) * 8 };
/* The positions of the NaNs, which are in the same lane of their blocks. */
enum { FIRST_NAN = 5, SECOND_NAN = FIRST_NAN + 2 * BLOCK };

static int tests, failed;

/* The operation without its form: strided, of rows, of columns, into a wider type. */
static size_t stem(const char *op)
{
	static const char *const forms[] = {"_cols", "_rows", "_strided", "_wide"};
	size_t length = strlen(op);

	for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++)
		if (length > strlen(forms[f]) && strncmp(op + length - strlen(forms[f]), forms[f], strlen(forms[f])) == 0)
			length -= strlen(forms[f]);
	return length;
}

static int is_of(const struct edge *edge, const struct isk_kernel *k)
{
	return strlen(edge->op) == stem(k->op) && strncmp(edge->op, k->op, stem(k->op)) == 0;
}

static int is_equal(double a, double b)
{
	return a == b && !signbit(a) == !signbit(b);
}

static const struct edge *edge_of(const struct isk_kernel *k, const char *output, double element)
{
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		if (is_of(&edges[i], k) && strcmp(edges[i].output, output) == 0 && is_equal(edges[i].element, element))
			return &edges[i];
	return NULL;
}

/* Whether the value is the same, and the sign if it is 0. A value that is no integer may err by 4 ulp. */
static int is_value(enum isk_type type, uint64_t bits, double wanted)
{
	const double got = isk_element_value(type, bits);
	const double rounded = isk_element_value(type, isk_element_round(type, (long double)wanted));

	if (isnan(wanted) || isnan(got))
		return isnan(wanted) && isnan(got);
	if (wanted == rint(wanted) || isinf(wanted))
		return got == rounded && !signbit(got) == !signbit(rounded);
	return fabs(got - wanted) <= 4 * ldexp(fabs(wanted), -isk_format_of(type).fraction);
}

/* Whether a size counts the elements that are reduced: no output has it as an extent. */
static int is_reduced(const struct isk_kernel *k, int size)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		for (int e = 0; e < a->extents; e++)
			if (a->role == ISK_OUT && a->extent[e].size == size)
				return 0;
	}
	return 1;
}

static union isk_args args;
static unsigned char memory[8][BYTES];

/* The position of an element of an array among the elements of its result. */
static size_t position(const struct isk_kernel *k, const struct isk_argument *a, size_t element)
{
	const int stride = a->extent[0].stride;
	const size_t step = stride < 0 ? 1 : *(size_t *)isk_argument_at(&args, &k->shape->arguments[stride]);

	return a->extents == 2 && is_reduced(k, a->extent[1].size) ? element % step : element / step;
}

/* Places n elements for each result, all of which are `element`, or its size if a type has no sign. */
static void place(const struct isk_kernel *k, size_t n, double element)
{
	memset(&args, 0, sizeof(args));
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_SIZE)
			*(size_t *)isk_argument_at(&args, a) = is_reduced(k, i) ? n : KEPT;
		if (a->role == ISK_IN || a->role == ISK_OUT)
			*(void **)isk_argument_at(&args, a) = memory[i];
	}
	/* Elements of one array, and columns of n, lie apart by the gap; rows of n by that and n. */
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		for (int e = 0; e < a->extents; e++)
			if (a->extent[e].stride >= 0)
				*(size_t *)isk_argument_at(&args, &k->shape->arguments[a->extent[e].stride])
				    = GAP + (a->extents == 1 ? 1 : is_reduced(k, a->extent[1].size) ? n : KEPT);
	}
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];
		const enum isk_type type = isk_argument_type(k, a);

		if (a->role == ISK_OUT)
			memset(memory[i], 0x55, KEPT * 8);
		for (size_t j = 0; a->role == ISK_IN && j < isk_argument_span(k, &args, a, 0); j++)
			isk_element_set(type, memory[i], j, (long double)(k->types[0] == ISK_U8 ? fabs(element) : element));
	}
}

/* Whether a result is as wanted; if not, a line about it is in text. */
static int is_right(char text[160], const struct isk_argument *a, enum isk_type type, size_t j, size_t n, double wanted)
{
	const uint64_t bits = isk_element_bits(type, a ? *(void **)isk_argument_at(&args, a) : (void *)&args.result, j);

	if (is_value(type, bits, wanted))
		return 1;
	snprintf(text, 160, "of %zu elements %s is %.17g, wanted %.17g", n, a ? a->name : "the result",
	         isk_element_value(type, bits), wanted);
	return 0;
}

/* A line about the first wrong result for n elements; NULL if all are right. */
static const char *judge(const struct isk_kernel *k, size_t n, double element)
{
	static char text[160];
	const enum isk_type returned = isk_result_type(k);

	for (int i = -1; i < k->shape->count; i++) {
		const struct isk_argument *a = i < 0 ? NULL : &k->shape->arguments[i];
		const enum isk_type type = a ? isk_argument_type(k, a) : returned;
		const struct edge *edge = edge_of(k, a ? a->name : "", element);

		if (a ? a->role != ISK_OUT : !returned)
			continue;
		if (!edge)
			edge = edge_of(k, "", element);
		if (!edge) {
			snprintf(text, sizeof(text), "edges[] has no line for it");
			return text;
		}
		for (size_t j = 0; j < (a ? KEPT : 1); j++)
			if (!is_right(text, a, type, j, n, (&edge->none)[n == 0 ? 0 : n == 1 ? 1 : n == 4 ? 2 : 3]))
				return text;
	}
	return NULL;
}

/* Puts NaNs at both positions, among other elements, and judges the results: NaN, the first position, or the count of all. */
static const char *judge_nans(const struct isk_kernel *k, isk_function fn)
{
	static char text[160];
	const enum isk_type returned = isk_result_type(k);
	const double whole = strncmp(k->op, "count", 5) == 0 ? MOST : FIRST_NAN;

	place(k, MOST, 1);
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		for (size_t j = 0; a->role == ISK_IN && j < isk_argument_span(k, &args, a, 0); j++)
			if (position(k, a, j) == FIRST_NAN || position(k, a, j) == SECOND_NAN)
				isk_element_set(isk_argument_type(k, a), memory[i], j, (long double)NAN);
	}
	k->call(fn, &args);
	for (int i = -1; i < k->shape->count; i++) {
		const struct isk_argument *a = i < 0 ? NULL : &k->shape->arguments[i];
		const enum isk_type type = a ? isk_argument_type(k, a) : returned;

		if (a ? a->role != ISK_OUT : !returned)
			continue;
		for (size_t j = 0; j < (a ? KEPT : 1); j++)
			if (!is_right(text, a, type, j, MOST, isk_element_is_float(type) ? NOT_A_NUMBER : whole))
				return text;
	}
	return NULL;
}

/*
 * Two parts that are empty, each of them, and none of them. Their means differ; m2 of two parts of 2 elements
 * that are 4 apart is 1 + 3 + 4^2 * 2 * 2 / 4.
 */
static const char *judge_combined(const struct isk_kernel *k, isk_function fn)
{
	static const struct {
		size_t a, b;
		double mean, m2;
	} cases[] = {{0, 0, 6, 1}, {2, 0, 6, 1}, {0, 2, 10, 3}, {2, 2, 8, 20}};
	static char text[160];
	const enum isk_type type = k->types[0];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct isk_args_combine *c = &args.combine;
		void **const arrays[] = {(void **)&c->mean, (void **)&c->m2, (void **)&c->mean_a, (void **)&c->m2_a,
		                         (void **)&c->mean_b, (void **)&c->m2_b};
		static const long double values[] = {0, 0, 6, 1, 10, 3};

		memset(&args, 0, sizeof(args));
		c->n = KEPT;
		c->count_a = cases[i].a;
		c->count_b = cases[i].b;
		for (size_t j = 0; j < 6; j++) {
			*arrays[j] = memory[j];
			for (size_t e = 0; e < KEPT; e++)
				isk_element_set(type, memory[j], e, values[j]);
		}
		k->call(fn, &args);
		for (size_t e = 0; e < KEPT; e++)
			if (!is_value(type, isk_element_bits(type, c->mean, e), cases[i].mean)
			    || !is_value(type, isk_element_bits(type, c->m2, e), cases[i].m2)) {
				snprintf(text, sizeof(text), "parts of %zu and %zu: mean %g, m2 %g, wanted %g and %g", cases[i].a, cases[i].b,
				         isk_element_value(type, isk_element_bits(type, c->mean, e)),
				         isk_element_value(type, isk_element_bits(type, c->m2, e)), cases[i].mean, cases[i].m2);
				return text;
			}
	}
	return NULL;
}

/*
 * Judges all lines of the operation with this element. Zeros have the same result for whole vectors and lines of a sum,
 * where no lane is empty, because an empty lane is +0.
 */
static const char *judge_equal(const struct isk_kernel *k, isk_function fn, double element)
{
	static const size_t counts[] = {0, 1, 4, MANY, 8, 16, 32, 48, 64};
	const char *why = NULL;

	for (size_t i = 0; !why && i < (element == 0 ? sizeof(counts) / sizeof(counts[0]) : 4); i++) {
		place(k, counts[i], element);
		k->call(fn, &args);
		why = judge(k, counts[i], element);
	}
	return why;
}

static void check(const void *to, const char *isa, isk_function fn)
{
	const struct isk_kernel *k = to;
	const char *why = "edges[] has no line for it";

	if (strcmp(k->shape->name, "combine") == 0) {
		why = judge_combined(k, fn);
	} else {
		for (size_t i = 0, lines = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
			if (is_of(&edges[i], k) && (!lines++ || !why))
				why = judge_equal(k, fn, edges[i].element);
		if (!why && isk_element_is_float(k->types[0]))
			why = judge_nans(k, fn);
	}
	failed += why != NULL;
	printf("%sok %d - %s/%s%s%s\n", why ? "not " : "", ++tests, k->name, isa, why ? ": " : "", why ? why : "");
}

static int is_reduction(const struct isk_kernel *k)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	const int number = isk_kernel_find(k->name);

	return number >= 0 && isk_kernel_info((size_t)number, &info) == ISK_OK && strcmp(info.family, "reduce") == 0;
}

int main(void)
{
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_kernel *k = &isk_kernels[i];

		if (is_reduction(k))
			each_variant(k->name, &tests, check, k);
	}
	printf("1..%d\n", tests);
	return failed || !tests;
}
