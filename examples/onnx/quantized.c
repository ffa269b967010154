/* SPDX-License-Identifier: MIT */
/*
 * Products and convolutions of 8 bits. MatMulInteger and ConvInteger give integers; ScaledMatMul and ScaledConv, which
 * a pass makes of them and of the factors behind, give f32.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "ops.h"
#include "post.h"
#include "scaled.h"
#include "shapes.h"
#include "strides.h"
#include "windows.h"

static void infer_dynamic_quantize(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	if (n->outs != 3)
		refuse(n, "%zu outputs; the operator has 3", n->outs);
	infer_output(g, n, 0, U8, n->in[0]->rank, n->in[0]->dim);
	infer_output(g, n, 1, F32, 0, NULL);
	infer_output(g, n, 2, U8, 0, NULL);
}

static void run_dynamic_quantize(const struct step *s)
{
	const size_t n = value_count(s->in[0]);
	int32_t zero;

	isk_quantize_rows_f32_u8(value_data(s->out[0]), value_data(s->out[1]), &zero, value_data(s->in[0]), 1, n, n, n);
	*(uint8_t *)value_data(s->out[2]) = (uint8_t)zero;
}

static void plan_dynamic_quantize(struct plan *p, struct node *n)
{
	const struct value *x = n->in[0];
	struct step *s;

	if (!strides_fill(x))
		x = plan_dense(p, n, x);
	strides_like(n->out[0], x);
	for (size_t i = 0; i < 3; i++)
		plan_store(p, n->out[i]);
	s = plan_step(p, n, run_dynamic_quantize, "quantize_rows_f32_u8", NULL);
	step_in(s, x);
	for (size_t i = 0; i < 3; i++)
		step_out(s, n->out[i]);
}

static void infer_dequantize(struct graph *g, struct node *n)
{
	if (n->in[0]->type != U8 && n->in[0]->type != S8)
		refuse(n, "input '%s' has type %s; allowed are UINT8 and INT8", n->in[0]->name, type_name(n->in[0]->type));
	check_type(n, 1, F32);
	if (value_count(n->in[1]) != 1 || (n->ins > 2 && n->in[2] && value_count(n->in[2]) != 1))
		refuse(n, "scale and zero point must be one number each");
	infer_output(g, n, 0, F32, n->in[0]->rank, n->in[0]->dim);
}

static void run_dequantize(const struct step *s)
{
	const float scale = *(const float *)value_data(s->in[1]);
	const int32_t zero = s->ins > 2 ? (int32_t)value_int(s->in[2], 0) : 0;

	if (s->in[0]->type == U8)
		KERNEL(dequantize_u8_f32)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->in[0]), scale, zero);
	else
		KERNEL(dequantize_s8_f32)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->in[0]), scale, zero);
}

static void plan_dequantize(struct plan *p, struct node *n)
{
	const struct value *x = n->in[0];
	struct step *s;

	if (!strides_fill(x))
		x = plan_dense(p, n, x);
	strides_like(n->out[0], x);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_dequantize, x->type == U8 ? "dequantize_u8_f32" : "dequantize_s8_f32", NULL);
	for (size_t i = 0; i < n->ins && n->in[i]; i++)
		step_in(s, i == 0 ? x : n->in[i]);
	step_out(s, n->out[0]);
}

/* Weights and their zero point, which must be constant, and the zero point of x. */
static void check_zeros(const struct node *n)
{
	if (n->in[0]->type != S8 && n->in[0]->type != U8)
		refuse(n, "input '%s' has type %s; allowed are INT8 and UINT8", n->in[0]->name, type_name(n->in[0]->type));
	if (n->in[1]->type != S8 && n->in[1]->type != U8)
		refuse(n, "weights of type %s; allowed are INT8 and UINT8", type_name(n->in[1]->type));
	if (!value_is_constant(n->in[1]) ||
	    (n->ins > 3 && n->in[3] && (!value_is_constant(n->in[3]) || value_count(n->in[3]) != 1)))
		refuse(n, "weights and their one zero point must be constant");
	if (n->ins > 2 && n->in[2] && value_count(n->in[2]) != 1)
		refuse(n, "the zero point must be one number");
}

static void infer_matmul_integer(struct graph *g, struct node *n)
{
	const struct value *a = n->in[0], *b = n->in[1];
	size_t dim[RANK];

	check_zeros(n);
	if (a->rank < 2 || b->rank != 2 || a->dim[a->rank - 1] != b->dim[0])
		refuse(n, "an input of at least 2 dimensions times weights of 2, with sizes that fit, is allowed");
	memcpy(dim, a->dim, sizeof(dim));
	dim[a->rank - 1] = b->dim[1];
	infer_output(g, n, 0, S32, a->rank, dim);
}

static void infer_conv_integer(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0], *w = n->in[1];
	struct windows win;

	check_zeros(n);
	if (x->rank != w->rank || attribute_int(n, "group", 1) != 1 || x->rank < 3)
		refuse(n, "group 1 and weights of as many dimensions as the input are allowed");
	win = windows_of(n, w->dim + 2);
	if (w->dim[1] != x->dim[1])
		refuse(n, "weights for %zu channels; the input has %zu", w->dim[1], x->dim[1]);
	windows_infer(g, n, &win, S32, w->dim[0]);
}

struct integer {
	struct isk_post post;
	struct isk_conv conv;
	size_t m, n, k, lda;
	void *packed;
	int32_t b_zero;
	const struct value *scale, *a_zero, *other;
};

/* Weights of u8 become s8 by subtraction of 128, from their zero point as well. */
static int moved_by(const struct value *w)
{
	return w->type == U8 ? 128 : 0;
}

/* The weights as s8; free() frees them. */
static int8_t *signed_weights(const struct value *w)
{
	const uint8_t *from = value_data(w);
	uint8_t *to = malloc(value_count(w) + 1);

	if (!to)
		errx(1, "out of memory");
	for (size_t i = 0; i < value_count(w); i++)
		to[i] = (uint8_t)(from[i] - moved_by(w));
	return (int8_t *)to;
}

/* The values that only a run has. */
static void set_post(struct integer *t)
{
	t->post.a_zero = t->a_zero ? (int32_t)value_int(t->a_zero, 0) : 0;
	if (t->scale)
		t->post.scale = value_data(t->scale);
	if (t->other)
		t->post.other = value_data(t->other);
}

/* Calls the product or convolution (op) of the types of its input and output. */
#define CALL(s, t, op, ...)                                                                                  \
	must(s, (s)->in[0]->type == S8                                                                           \
	            ? (t)->scale ? KERNEL(op##_s8s8_f32)(__VA_ARGS__) : KERNEL(op##_s8s8_s32)(__VA_ARGS__)       \
	        : (t)->scale ? KERNEL(op##_u8s8_f32)(__VA_ARGS__)                                                \
	                     : KERNEL(op##_u8s8_s32)(__VA_ARGS__))

static void run_product(const struct step *s)
{
	struct integer *t = s->state;

	set_post(t);
	CALL(s, t, gemm, value_data(s->out[0]), value_data(s->in[0]), t->packed, t->m, t->n, t->k, t->n, t->lda, &t->post);
}

static void run_convolution(const struct step *s)
{
	struct integer *t = s->state;

	set_post(t);
	CALL(s, t, conv, value_data(s->out[0]), value_data(s->in[0]), t->packed, &t->conv, &t->post);
}

/* The name of the kernel that CALL() calls. */
static const char *kernel_name(const struct node *n, const struct integer *t, const char *const names[4])
{
	return names[2 * (n->in[0]->type == S8) + (t->scale == NULL)];
}

static int is_scaled(const struct node *n)
{
	return is_op(n, "ScaledMatMul") || is_op(n, "ScaledConv");
}

static const struct value *input(const struct node *n, size_t i)
{
	return i < n->ins ? n->in[i] : NULL;
}

/* Scale, zero points and residual. */
static void begin(struct plan *p, struct node *n, struct integer *t)
{
	const int scaled = is_scaled(n);
	const struct value *zero = input(n, scaled ? IN_B_ZERO : 3);

	if (scaled)
		t->post = post_of(p, n);
	else
		t->post = (struct isk_post){.size = sizeof(t->post)};
	t->a_zero = input(n, scaled ? IN_A_ZERO : 2);
	t->scale = scaled ? plan_dense(p, n, n->in[IN_SCALE]) : NULL;
	t->post.scales = t->scale ? value_count(t->scale) : 0;
	t->b_zero = (zero ? (int32_t)value_int(zero, 0) : 0) - moved_by(n->in[IN_WEIGHTS]);
	t->post.b_zero = &t->b_zero;
	t->post.b_zeros = t->b_zero != 0;
}

static void end(struct plan *p, struct node *n, struct integer *t, const struct value *x, size_t products, run_fn *run,
                const char *kernel)
{
	struct step *s;

	plan_store(p, n->out[0]);
	s = plan_step(p, n, run, is_scaled(n) ? post_name(p->graph, n, kernel) : kernel, t);
	step_in(s, x);
	if (t->a_zero)
		step_in(s, t->a_zero);
	if (t->scale)
		step_in(s, t->scale);
	if (t->other)
		step_in(s, t->other);
	step_out(s, n->out[0]);
	step_products(s, ISK_S8, products);
}

static void plan_product(struct plan *p, struct node *n)
{
	static const char *const names[] = {"gemm_u8s8_f32", "gemm_u8s8_s32", "gemm_s8s8_f32", "gemm_s8s8_s32"};
	struct integer *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *a = n->in[0], *b = n->in[1];
	const size_t last = a->rank - 1;
	size_t bytes;
	int is_packed;

	begin(p, n, t);
	if ((a->dim[last] != 1 && a->stride[last] != 1) || !strides_merge(a, 0, last, &t->m, &t->lda) ||
	    t->lda < a->dim[last]) {
		a = plan_dense(p, n, a);
		strides_merge(a, 0, last, &t->m, &t->lda);
	}
	t->k = b->dim[0];
	t->n = b->dim[1];
	if (t->m == 1)
		t->lda = t->k;
	if (is_scaled(n) && input(n, IN_OTHER)) {
		t->other = plan_dense(p, n, n->in[IN_OTHER]);
		t->post.binary = ISK_BINARY_ADD;
		t->post.ldother = t->n;
	}
	bytes = isk_packed_size(ISK_S8, t->k, t->n);
	t->packed = plan_packed(p, b, "gemm_u8s8", NULL, 0, bytes, &is_packed);
	if (!is_packed) {
		int8_t *weights = signed_weights(b);

		if (isk_gemm_pack_s8(t->packed, weights, bytes, t->k, t->n, t->n, 0) != 0)
			refuse(n, "isakern has no product of these sizes");
		free(weights);
	}
	graph_used_up(p->graph, b);
	end(p, n, t, a, t->k, run_product, kernel_name(n, t, names));
}

static void plan_convolution(struct plan *p, struct node *n)
{
	static const char *const names[] = {"conv_u8s8_f32", "conv_u8s8_s32", "conv_s8s8_f32", "conv_s8s8_s32"};
	struct integer *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = plan_channels_last(p, n, n->in[0]);
	size_t bytes;
	int is_packed;

	begin(p, n, t);
	t->conv = windows_conv(n);
	bytes = isk_conv_packed_size(ISK_S8, &t->conv);
	t->packed = plan_packed(p, n->in[IN_WEIGHTS], "conv_u8s8", &t->conv, sizeof(t->conv), bytes, &is_packed);
	if (!is_packed) {
		int8_t *weights = signed_weights(n->in[IN_WEIGHTS]);

		if (isk_conv_pack_s8(t->packed, weights, bytes, &t->conv) != 0)
			refuse(n, "isakern has no convolution of these sizes");
		free(weights);
	}
	graph_used_up(p->graph, n->in[IN_WEIGHTS]);
	if (is_scaled(n) && input(n, IN_OTHER)) {
		t->other = plan_channels_last(p, n, n->in[IN_OTHER]);
		t->post.binary = ISK_BINARY_ADD;
		t->post.ldother = t->conv.out_channels;
	}
	strides_channels_last(n->out[0]);
	end(p, n, t, x, t->conv.kernel_h * t->conv.kernel_w * t->conv.channels, run_convolution,
	    kernel_name(n, t, names));
}

const struct op quantized_ops[] = {
	{"DynamicQuantizeLinear", 1, 1, infer_dynamic_quantize, plan_dynamic_quantize},
	{"DequantizeLinear", 2, 3, infer_dequantize, plan_dequantize},
	{"MatMulInteger", 2, 4, infer_matmul_integer, plan_product},
	{"ConvInteger", 2, 4, infer_conv_integer, plan_convolution},
	{NULL, 0, 0, NULL, NULL},
};

const struct op scaled_ops[] = {
	{"ScaledMatMul", 7, 7, NULL, plan_product},
	{"ScaledConv", 7, 7, NULL, plan_convolution},
	{NULL, 0, 0, NULL, NULL},
};
