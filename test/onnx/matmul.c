/* SPDX-License-Identifier: MIT */
/* MatMul and Gemm, of f32. */
#include <stdlib.h>

#include "isakern.h"
#include "node.h"
#include "product.h"

const char *run_matmul_packed(struct node *node, const struct op *op)
{
	struct product p = product_of(node->in[0], node->in[1], ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
	const float *a = node->in[0]->data, *b = node->in[1]->data;
	const size_t bytes = isk_packed_size(ISK_F32, p.k, p.n);
	void *packed = must_alloc(bytes);
	float *c = p.out.data;

	for (size_t i = 0; i < p.batches; i++) {
		must(isk_gemm_pack_f32(packed, b + p.b[i], bytes, p.k, p.n, p.n, 0), op->kernel);
		must(isk_gemm_f32(c + i * p.m * p.n, a + p.a[i], packed, p.m, p.n, p.k, p.n, p.k, NULL), op->kernel);
	}
	node->out = p.out;
	free(packed);
	product_free(&p);
	return NULL;
}

const char *run_matmul(struct node *node, const struct op *op)
{
	struct product p = product_of(node->in[0], node->in[1], ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
	const float *a = node->in[0]->data, *b = node->in[1]->data;
	float *c = p.out.data;

	for (size_t i = 0; i < p.batches; i++)
		must(isk_matmul_f32(c + i * p.m * p.n, a + p.a[i], b + p.b[i], p.m, p.n, p.k, p.n, p.k, p.n, 0, NULL),
		     op->kernel);
	node->out = p.out;
	product_free(&p);
	return NULL;
}

const char *run_matmul_batch(struct node *node, const struct op *op)
{
	struct product p = product_of(node->in[0], node->in[1], ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
	const size_t stride_a = p.batches > 1 ? p.a[1] : 0, stride_b = p.batches > 1 ? p.b[1] : 0;
	const char *skip = NULL;

	for (size_t i = 0; i < p.batches; i++)
		if (p.a[i] != i * stride_a || p.b[i] != i * stride_b)
			skip = "matrices of a batch are at one distance";
	if (!skip)
		must(isk_matmul_batch_f32(p.out.data, node->in[0]->data, node->in[1]->data, p.batches, p.m, p.n, p.k,
		                          p.n, p.k, p.n, p.m * p.n, stride_a, stride_b, 0, NULL),
		     op->kernel);
	node->out = p.out;
	product_free(&p);
	return skip;
}

/* C of Gemm, broadcast to m by n. */
static float *broadcast(const struct tensor *c, size_t m, size_t n)
{
	const size_t rows = c->dims > 1 ? c->dim[0] : 1, cols = c->dims ? c->dim[c->dims - 1] : 1;
	float *whole = must_alloc(m * n * sizeof(*whole));

	for (size_t i = 0; i < m * n; i++)
		whole[i] = ((const float *)c->data)[(rows > 1 ? i / n : 0) * cols + (cols > 1 ? i % n : 0)];
	return whole;
}

struct gemm {
	size_t m, n, k;
	unsigned transposed;
	float alpha, *other;
	struct isk_post post;
};

/* alpha becomes the scale. beta * C becomes the bias if all its rows are alike, else the other operand. */
static void gemm_of(struct gemm *g, struct node *node)
{
	const struct tensor *a = node->in[0], *b = node->in[1], *c = node->in[2];
	const int trans_a = node_int(node, "transA", 0) != 0, trans_b = node_int(node, "transB", 0) != 0;
	const float beta = node_float(node, "beta", 1);

	*g = (struct gemm){.m = a->dim[trans_a], .n = b->dim[!trans_b], .k = a->dim[!trans_a]};
	g->transposed = (trans_a ? ISK_TRANSPOSED_A : 0) | (trans_b ? ISK_TRANSPOSED_B : 0);
	g->alpha = node_float(node, "alpha", 1);
	g->other = c ? broadcast(c, g->m, g->n) : NULL;
	g->post = (struct isk_post){.size = sizeof(g->post), .scale = &g->alpha, .scales = 1};
	if (c && (c->dims < 2 || c->dim[0] == 1)) {
		for (size_t j = 0; j < g->n; j++)
			g->other[j] *= beta;
		g->post.bias = g->other;
	} else if (c) {
		g->post.binary = ISK_BINARY_AXPY;
		g->post.other = g->other;
		g->post.ldother = g->n;
		g->post.other_scale = (double)beta;
	}
	node->out = tensor_new(a->type, 2, (size_t[]){g->m, g->n});
}

const char *run_gemm_packed(struct node *node, const struct op *op)
{
	const float *a = node->in[0]->data;
	struct gemm g;
	size_t bytes;
	void *packed;
	float *rows;
	int trans_b;

	gemm_of(&g, node);
	trans_b = (g.transposed & ISK_TRANSPOSED_B) != 0;
	bytes = isk_packed_size(ISK_F32, g.k, g.n);
	packed = must_alloc(bytes);
	rows = must_alloc(g.m * g.k * sizeof(*rows));
	if (g.transposed & ISK_TRANSPOSED_A)
		isk_transpose_b32(rows, a, g.k, g.m, g.k, g.m);
	must(isk_gemm_pack_f32(packed, node->in[1]->data, bytes, g.k, g.n, trans_b ? g.k : g.n, trans_b),
	     op->kernel);
	must(isk_gemm_f32(node->out.data, g.transposed & ISK_TRANSPOSED_A ? rows : a, packed, g.m, g.n, g.k, g.n,
	                  g.k, &g.post),
	     op->kernel);
	free(packed);
	free(rows);
	free(g.other);
	return NULL;
}

const char *run_gemm(struct node *node, const struct op *op)
{
	struct gemm g;

	gemm_of(&g, node);
	must(isk_matmul_f32(node->out.data, node->in[0]->data, node->in[1]->data, g.m, g.n, g.k, g.n,
	                    g.transposed & ISK_TRANSPOSED_A ? g.m : g.k,
	                    g.transposed & ISK_TRANSPOSED_B ? g.k : g.n, g.transposed, &g.post),
	     op->kernel);
	free(g.other);
	return NULL;
}
