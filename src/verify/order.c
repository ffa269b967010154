/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <math.h>
#include <stdlib.h>

#include "arrays.h"
#include "harness.h"
#include "packed.h"
#include "state.h"

static double term(const struct terms *t, size_t i)
{
	return isk_element_value(t->type, isk_element_bits(t->type, t->x, i * t->step));
}

/* A fused multiply-add of f64, or of f32, in which all values are then. */
static double multiply_add(enum isk_type type, double a, double b, double c)
{
	return type == ISK_F64 ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
}

/*
 * One chain of fused multiply-adds as the contract names it: in the order of k, or, if B is bf16, the odd k
 * of each pair first. k is filled up with zeros to a whole group.
 */
static double chain(const struct terms *a, const struct terms *b, size_t from, size_t to)
{
	const size_t group = isk_packed_group(b->type);
	double sum = 0;

	for (size_t i = from; i < (to + group - 1) / group * group; i++) {
		const size_t at = b->type == ISK_BF16 ? i ^ 1 : i;

		sum = at < to ? multiply_add(b->type, term(a, at), term(b, at), sum) : sum + 0;
	}
	return sum;
}

/*
 * The order of AMX: for each 32 k one chain over the even k and one over the odd ones, filled up with zeros.
 * Denormals are 0, because tdpbf16ps takes its inputs and outputs so.
 */
static float amx_sum(const struct terms *a, const struct terms *b, size_t k)
{
	const uint32_t control = flushing_begin();
	float sum = 0;

	for (size_t i = 0; i < k; i += 32) {
		float chains[2] = {0, 0};

		for (size_t j = i; j < i + 32; j++)
			chains[j % 2] = fmaf(j < k ? (float)term(a, j) : 0, j < k ? (float)term(b, j) : 0, chains[j % 2]);
		sum += chains[0] + chains[1];
	}
	flushing_end(control);
	return sum;
}

/* The sum modulo 2^32, as a signed number, rounded to f32. */
static float integer_sum(const struct terms *a, const struct terms *b, size_t k, uint32_t a_zero, uint32_t b_zero)
{
	uint32_t total = 0;

	for (size_t i = 0; i < k; i++)
		total += ((uint32_t)(int32_t)term(a, i) - a_zero) * ((uint32_t)(int32_t)term(b, i) - b_zero);
	return (float)(int32_t)total;
}

/* The sum that the contract names to the bit, rounded to f32 if it is one of integers. */
static double sum_of(const struct terms *a, const struct terms *b, size_t k, size_t row, size_t col,
                     const struct isk_post *post)
{
	double sum = 0;

	if (!isk_element_is_float(a->type))
		return (double)integer_sum(a, b, k, (uint32_t)(post->row_zero ? post->row_zero[row] : post->a_zero),
		                           post->b_zeros ? (uint32_t)post->b_zero[post->b_zeros == 1 ? 0 : col] : 0);
	if (!b->scale_k)
		return chain(a, b, 0, k);
	for (size_t i = 0; i < k; i += b->scale_k)
		sum = multiply_add(ISK_F32, chain(a, b, i, k - i < b->scale_k ? k : i + b->scale_k),
		                   (double)b->scale[i / b->scale_k * b->ldscale], sum);
	return sum;
}

/* A sum of integers, scaled and biased. */
static float scaled_sum(float x, size_t row, size_t col, const struct isk_post *post)
{
	const float *scale = post->scale, *row_scale = post->row_scale, *bias = post->bias;

	return fmaf(x, (post->scales ? scale[post->scales == 1 ? 0 : col] : 1) * (row_scale ? row_scale[row] : 1),
	            bias ? bias[col] : -0.0f);
}

int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t row, size_t col,
               const struct isk_post *post, uint64_t *bits)
{
	const enum isk_type out = type_c(v->kernel);
	const int scaled = post->scales || post->row_scale || post->bias;
	const struct variant *promising = first_promising(v);
	const int by_amx = promising && has_amx_order(promising) && a->type == ISK_BF16;
	double x;

	*bits = 0;
	if (!promising || out == ISK_S32 || (scaled && isk_element_is_float(a->type)) || post->binary
	    || (post->act != ISK_ACT_NONE && post->act != ISK_ACT_RELU))
		return 0;
	x = by_amx ? (double)amx_sum(a, b, k) : sum_of(a, b, k, row, col, post);
	if (scaled)
		x = (double)scaled_sum((float)x, row, col, post);
	if (post->act == ISK_ACT_RELU && x <= 0)
		x = 0;
	*bits = isk_element_round(out, !quantized(v->kernel) ? (long double)x
	                               : isnan(x)            ? (long double)post->out_zero
	                                                     : rintl((long double)((float)x / post->out_scale)) + post->out_zero);
	return 1;
}

enum isk_type type_post(const struct isk_kernel *k)
{
	return isk_post_type(type_c(k));
}

enum isk_activation activation_for(const struct isk_kernel *k, enum isk_activation act)
{
	return type_c(k) == ISK_F64 && isk_needs_exp(act) ? ISK_ACT_NONE : act;
}

void set_post(const struct isk_kernel *k, struct isk_post *post, size_t n, size_t scales, enum isk_activation act,
              enum isk_binary binary)
{
	post->scales = scales == 2 ? n : scales;
	post->act = activation_for(k, act);
	post->act_a = post->act == ISK_ACT_HARDTANH ? -0.75 : 0.1;
	post->act_b = 1.25;
	post->binary = binary;
	post->other_scale = -1.5;
}

void draw_simple_post(const struct isk_kernel *k, struct isk_post *post, size_t n)
{
	const size_t scales = random_below(3);
	const enum isk_activation last = random_below(2) ? ISK_ACT_SILU : ISK_ACT_RELU6;
	const enum isk_activation act = (enum isk_activation)random_below(last + 1);
	const int has_other = (int)random_below(2);

	set_post(k, post, n, scales, act, has_other ? (enum isk_binary)random_below(ISK_BINARY_AXPY + 1) : ISK_BINARY_NONE);
}

double distance(const struct variant *v, uint64_t bits, long double result, const struct isk_post *post)
{
	const enum isk_type out = type_c(v->kernel);
	const double least = out == ISK_S8 ? -128 : 0, most = out == ISK_S8 ? 127 : 255;
	const double got = isk_element_value(out, bits), exact = (double)result;
	double low, high;

	if (!quantized(v->kernel))
		return (double)element_distance(out, bits, result);
	if (isnan(exact))
		return got == post->out_zero ? 0 : HUGE_VAL;
	low = (got - post->out_zero - 0.5) * (double)post->out_scale;
	high = (got - post->out_zero + 0.5) * (double)post->out_scale;
	low = got == least ? -HUGE_VAL : low - fabs(low) * 0x1p-23;
	high = got == most ? HUGE_VAL : high + fabs(high) * 0x1p-23;
	return exact < low ? low - exact : exact > high ? exact - high : 0;
}

/* Bytes of the results of one variant at most, and of all variants that are tried together, with those of a twin. */
#define OF_ONE (ROOM / 2)
#define OF_ALL (16 * OF_ONE)

unsigned char *results_room(void)
{
	static unsigned char *results;

	if (!results && !(results = malloc(OF_ALL)))
		abort();
	return results;
}

void compute_each(struct variant *v, compute_product *compute, const void *problem, size_t count, size_t cols, isk_function same)
{
	const enum isk_type type = type_c(v->kernel);
	const size_t bytes = count * isk_element_bytes(type);
	unsigned char *to = results_room(), *const beside = to + OF_ALL - OF_ONE;
	const unsigned char *of_twin = NULL;

	if (bytes > OF_ONE)
		wrong("the test asks for %zu results", count);
	for (struct variant *each = taking_part(v); each; each = taking_part(each->next), to += bytes) {
		const isk_function twin = same ? same : each->twin;

		compute(each, each->fn, problem, to);
		if (twin == each->fn)
			of_twin = to;
		if (!twin || twin == each->fn)
			continue;
		if (!of_twin) {
			compute(each, twin, problem, beside);
			of_twin = beside;
		}
		for (size_t i = 0; i < count; i++)
			check_same(each, type, isk_element_bits(type, to, i), isk_element_bits(type, of_twin, i), AT(i / cols, i % cols));
	}
}

void check_element(struct variant *v, const struct element *e, const uint64_t *named, const struct isk_value *exact,
                   const struct isk_post *post, double slack)
{
	const enum isk_type type = type_c(v->kernel);
	const size_t bytes = e->count * isk_element_bytes(type);
	const unsigned char *results = results_room();

	for (struct variant *each = taking_part(v); each; each = taking_part(each->next), results += bytes) {
		const uint64_t bits = isk_element_bits(type, results, e->index);

		if (named && promises_bits(each))
			check_bits(each, type, bits, *named, "by the contract's order of operations", e->at);
		if (exact)
			check_error(each, type, bits, exact->v, (long double)distance(each, bits, exact->v, post),
			            (long double)exact->scale, (long double)slack, e->at);
	}
}
