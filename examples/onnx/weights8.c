/* SPDX-License-Identifier: MIT */
#include "weights8.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "ops.h"
#include "passes.h"
#include "pattern.h"
#include "scaled.h"
#include "strides.h"

/* Smaller weights stay in the caches as f32. */
enum { WORTH_IT = 1 << 18 };

/* (weights - zero) - (weights as s8). Weights of u8 become s8 by subtraction of 128. */
static int offset_of(const struct value *w, const struct value *zero)
{
	return (w->type == U8 ? 128 : 0) - (zero ? (int)value_int(zero, 0) : 0);
}

static int is_product_with(const Onnx__NodeProto *node, const char *name)
{
	return strcmp(node->op_type, "MatMul") == 0 && node->n_input == 2 && strcmp(node->input[1], name) == 0 &&
	       strcmp(node->input[0], name) != 0;
}

int weights8_stay(const Onnx__GraphProto *proto, const struct node *n)
{
	const struct value *w = n->in[0], *zero = n->ins > 2 ? n->in[2] : NULL;

	if (!is_op(n, "DequantizeLinear") || w->rank != 2 || value_count(w) < WORTH_IT || offset_of(w, zero) > 127)
		return 0;
	for (size_t i = 0; i < proto->n_node; i++)
		for (size_t j = 0; j < proto->node[i]->n_input; j++)
			if (strcmp(proto->node[i]->input[j], n->proto->output[0]) == 0 &&
			    !is_product_with(proto->node[i], n->proto->output[0]))
				return 0;
	return 1;
}

/* MatMul and the DequantizeLinear of its weights become one node. */
static int fuse_one(struct graph *g, struct node *n)
{
	const struct node *from = is_op(n, "MatMul") ? made_by(n->in[IN_WEIGHTS], "DequantizeLinear") : NULL;
	struct node *product;

	if (!from || !value_is_constant(from->in[0]) || from->in[0]->rank != 2)
		return 0;
	product = node_new(g, "WeightsMatMul", n->name, IN_B_ZERO + 1, 1);
	graph_set_input(g, product, IN_X, n->in[IN_X]);
	graph_set_input(g, product, IN_WEIGHTS, from->in[0]);
	graph_set_input(g, product, IN_SCALE, from->in[1]);
	if (from->ins > 2 && from->in[2])
		graph_set_input(g, product, IN_B_ZERO, from->in[2]);
	graph_put(g, product, n->out[0]);
	graph_tidy(g);
	return 1;
}

void fuse_weights8(struct graph *g)
{
	fuse_all(g, fuse_one);
}

/*
 * x * (w + offset) is x * w + offset * sum(x). The sum stands behind each row of x, and a row of offsets behind the
 * weights, if the offset is not 0.
 */
struct weights8 {
	struct isk_post post;
	size_t m, n, k, depth; /* depth: k, and the sum */
	float *rows;           /* m rows of depth numbers; NULL: x itself */
	void *packed;
};

static void run_weights8(const struct step *s)
{
	const struct weights8 *t = s->state;
	const float *x = value_data(s->in[0]);

	for (size_t i = 0; t->rows && i < t->m; i++) {
		memcpy(t->rows + i * t->depth, x + i * t->k, t->k * sizeof(*x));
		t->rows[i * t->depth + t->k] = isk_sum_f32(x + i * t->k, t->k);
	}
	must(s, KERNEL(gemm_f32s8)(value_data(s->out[0]), t->rows ? t->rows : x, t->packed, t->m, t->n, t->depth, t->n,
	                           t->depth, &t->post));
}

static void pack_weights8(struct weights8 *t, const struct node *n, const struct value *w, int offset, size_t bytes)
{
	const uint8_t *from = value_data(w);
	int8_t *b = malloc(t->depth * t->n + 1);

	if (!b)
		errx(1, "out of memory");
	for (size_t i = 0; i < t->k * t->n; i++)
		b[i] = (int8_t)(w->type == U8 ? from[i] ^ 128 : from[i]);
	memset(b + t->k * t->n, offset, (t->depth - t->k) * t->n);
	if (isk_gemm_pack_s8(t->packed, b, bytes, t->depth, t->n, t->n, 0) != 0)
		refuse(n, "isakern has no product of these sizes");
	free(b);
}

static void plan_weights8(struct plan *p, struct node *n)
{
	struct weights8 *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = plan_dense(p, n, n->in[IN_X]), *w = n->in[IN_WEIGHTS];
	const int offset = offset_of(w, n->in[IN_B_ZERO]);
	struct step *s;
	int is_packed;
	size_t bytes;

	t->k = w->dim[0];
	t->n = w->dim[1];
	t->m = value_count(n->out[0]) / (t->n ? t->n : 1);
	t->depth = t->k + (offset != 0);
	t->post = (struct isk_post){.size = sizeof(t->post), .scale = value_data(n->in[IN_SCALE]), .scales = 1};
	if (offset)
		t->rows = graph_alloc(p->graph, t->m * t->depth, sizeof(*t->rows));
	bytes = isk_packed_size(ISK_S8, t->depth, t->n);
	t->packed = plan_packed(p, w, "gemm_f32s8", &offset, sizeof(offset), bytes, &is_packed);
	if (!is_packed)
		pack_weights8(t, n, w, offset, bytes);
	graph_used_up(p->graph, w);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_weights8, "gemm_f32s8+scale", t);
	step_in(s, x);
	step_out(s, n->out[0]);
	step_products(s, ISK_F32, t->depth);
}

const struct op weights8_ops[] = {
	{"WeightsMatMul", IN_B_ZERO + 1, IN_B_ZERO + 1, NULL, plan_weights8},
	{NULL, 0, 0, NULL, NULL},
};
