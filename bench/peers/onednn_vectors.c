/* SPDX-License-Identifier: MIT */
/* oneDNN's primitives for vectors and rows. */
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "onednn.h"
#include "problem.h"

/* Enters the primitive of a descriptor with its operands; an operand without memory ends the list. */
struct operand {
	int kind;
	const dnnl_memory_desc_t *desc;
	const void *memory;
};

static void enter_operation(struct field *f, const char *how, const void *operation,
                            const struct operand *operands)
{
	struct primitive *s;
	dnnl_primitive_desc_t desc;
	int failed;

	if (fn_dnnl_primitive_desc_create(&desc, operation, NULL, onednn_engine, NULL))
		return;
	s = allocate(sizeof(*s));
	failed = fn_dnnl_primitive_create(&s->primitive, desc);
	fn_dnnl_primitive_desc_destroy(desc);
	for (; !failed && operands->memory; operands++)
		failed = !argument(s, operands->kind, operands->desc, (void *)operands->memory);
	if (failed)
		release_primitive(s);
	else
		field_add(f, PEER, "oneDNN", how, call_primitive, s)->release = release_primitive;
}

static void enter_map(struct field *f, const struct vectors *v, const dnnl_memory_desc_t *x)
{
	static const struct {
		const char *kernel, *how;
		dnnl_alg_kind_t kind;
		float alpha;
	} maps[] = {
		{"exp_f32", "eltwise exp", dnnl_eltwise_exp, 0},
		{"log_f32", "eltwise log", dnnl_eltwise_log, 0},
		{"tanh_f32", "eltwise tanh", dnnl_eltwise_tanh, 0},
		{"sigmoid_f32", "eltwise logistic", dnnl_eltwise_logistic, 0},
		{"silu_f32", "eltwise swish", dnnl_eltwise_swish, 1},
		{"gelu_f32", "eltwise gelu_erf", dnnl_eltwise_gelu_erf, 0},
		{"gelu_tanh_f32", "eltwise gelu_tanh", dnnl_eltwise_gelu_tanh, 0},
		{"relu_f32", "eltwise relu", dnnl_eltwise_relu, 0},
	};
	const struct operand operands[] = {{DNNL_ARG_SRC, x, v->a}, {DNNL_ARG_DST, x, v->y}, {0}};
	dnnl_eltwise_desc_t operation;

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (strcmp(maps[i].kernel, f->problem->row->kernel) == 0 &&
		    fn_dnnl_eltwise_forward_desc_init(&operation, dnnl_forward_inference, maps[i].kind, x,
		                                      maps[i].alpha, 0) == 0)
			enter_operation(f, maps[i].how, &operation, operands);
}

static void enter_zip(struct field *f, const struct vectors *v, const dnnl_memory_desc_t *x)
{
	static const struct {
		const char *kernel, *how;
		dnnl_alg_kind_t kind;
	} zips[] = {
		{"add_f32", "binary add", dnnl_binary_add},
		{"mul_f32", "binary mul", dnnl_binary_mul},
		{"lt_f32", "binary lt", dnnl_binary_lt},
	};
	const dnnl_memory_desc_t y = matrix(onednn_types[f->problem->row->c], v->rows, v->cols, v->cols, 1);
	const struct operand operands[] = {
		{DNNL_ARG_SRC_0, x, v->a}, {DNNL_ARG_SRC_1, x, v->b}, {DNNL_ARG_DST, &y, v->y}, {0}};
	dnnl_binary_desc_t operation;

	for (size_t i = 0; i < sizeof(zips) / sizeof(zips[0]); i++)
		if (strcmp(zips[i].kernel, f->problem->row->kernel) == 0 &&
		    fn_dnnl_binary_desc_init(&operation, zips[i].kind, x, x, &y) == 0)
			enter_operation(f, zips[i].how, &operation, operands);
}

static void enter_reduction(struct field *f, const struct vectors *v, const dnnl_memory_desc_t *x)
{
	const int max = strcmp(f->problem->row->kernel, "max_f32") == 0;
	const size_t cols = f->problem->row->op == COLUMNS ? v->cols : 1;
	const dnnl_memory_desc_t y = matrix(dnnl_f32, 1, cols, cols, 1);
	const struct operand operands[] = {{DNNL_ARG_SRC, x, v->a}, {DNNL_ARG_DST, &y, v->y}, {0}};
	dnnl_reduction_desc_t operation;

	if (fn_dnnl_reduction_desc_init(&operation, max ? dnnl_reduction_max : dnnl_reduction_sum, x, &y, 0,
	                                0) == 0)
		enter_operation(f, "reduction", &operation, operands);
}

static void enter_softmax(struct field *f, const struct vectors *v, const dnnl_memory_desc_t *x)
{
	const struct operand operands[] = {{DNNL_ARG_SRC, x, v->a}, {DNNL_ARG_DST, x, v->y}, {0}};
	dnnl_softmax_desc_t operation;

	if (fn_dnnl_softmax_forward_desc_init(&operation, dnnl_forward_inference, x, 1) == 0)
		enter_operation(f, "softmax", &operation, operands);
}

static void enter_layernorm(struct field *f, const struct vectors *v, const dnnl_memory_desc_t *x)
{
	const dnnl_dims_t cols = {(dnnl_dim_t)v->cols};
	dnnl_memory_desc_t each;
	dnnl_layer_normalization_desc_t operation;
	const struct operand operands[] = {{DNNL_ARG_SRC, x, v->a},
	                                   {DNNL_ARG_DST, x, v->y},
	                                   {DNNL_ARG_SCALE, &each, v->weight},
	                                   {DNNL_ARG_SHIFT, &each, v->bias},
	                                   {0}};

	fn_dnnl_memory_desc_init_by_tag(&each, 1, cols, dnnl_f32, dnnl_a);
	if (fn_dnnl_layer_normalization_forward_desc_init(&operation, dnnl_forward_inference, x, NULL,
	                                                  NORM_EPSILON, dnnl_use_scale | dnnl_use_shift) == 0)
		enter_operation(f, "layer normalization", &operation, operands);
}

/* Conversions are reorders from one type to another, with a scale and a zero point if the row has them. */
static void enter_conversion(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	const struct vectors *v = &p->vectors;
	const int quantize = row->op == QUANTIZE, u8 = row->a == U8 || row->c == U8;
	const dnnl_memory_desc_t from = matrix(onednn_types[row->a], 1, v->cols, v->cols, 1);
	const dnnl_memory_desc_t to = matrix(onednn_types[row->c], 1, v->cols, v->cols, 1);
	const float scale = quantize ? 1 / QUANTIZE_SCALE : QUANTIZE_SCALE;
	const int32_t zero = u8 ? QUANTIZE_ZERO_U8 : QUANTIZE_ZERO_S8;
	dnnl_primitive_attr_t attr;
	struct primitive *s;

	fn_dnnl_primitive_attr_create(&attr);
	if (row->op != CVT) {
		fn_dnnl_primitive_attr_set_output_scales(attr, 1, 0, &scale);
		if (zero)
			fn_dnnl_primitive_attr_set_zero_points(attr, quantize ? DNNL_ARG_DST : DNNL_ARG_SRC, 1, 0, &zero);
	}
	s = make_reorder(&from, (void *)v->a, &to, v->y, attr);
	fn_dnnl_primitive_attr_destroy(attr);
	if (s)
		field_add(f, PEER, "oneDNN", "reorder", call_primitive, s)->release = release_primitive;
}

void enter_vectors(struct field *f, const struct problem *p)
{
	const struct vectors *v = &p->vectors;
	const dnnl_memory_desc_t x = matrix(dnnl_f32, v->rows, v->cols, v->cols, 1);

	if (p->row->op == MAP)
		enter_map(f, v, &x);
	else if (p->row->op == ZIP || p->row->op == COMPARE)
		enter_zip(f, v, &x);
	else if (p->row->op == REDUCE || p->row->op == COLUMNS)
		enter_reduction(f, v, &x);
	else if (p->row->op == SOFTMAX)
		enter_softmax(f, v, &x);
	else if (strcmp(p->row->kernel, "layernorm_f32") == 0)
		enter_layernorm(f, v, &x);
	else if (p->row->op == CVT || p->row->op == QUANTIZE || p->row->op == DEQUANTIZE)
		enter_conversion(f, p);
}
