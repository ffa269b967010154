/* SPDX-License-Identifier: MIT */
/*
 * MatMul and Gemm. MatMul is numpy's: the last two dimensions are matrices, those
 * before are batches, which are broadcast; a vector is a matrix of one row or column.
 */
#include <stdlib.h>

#include "isakern.h"
#include "node.h"

/* A MatMul taken apart: batch matrices of m by k times k by n. */
struct product {
	size_t m, n, k;
	size_t batches;
	size_t *a, *b; /* where each begins */
	struct tensor out;
};

/* Dimension i, counted from the last, of a tensor whose matrices are rows by cols. */
static size_t batch_dim(const struct tensor *t, size_t i)
{
	return i + 2 < t->dims ? t->dim[t->dims - 3 - i] : 1;
}

static size_t batch_place(const struct tensor *t, const size_t *index, size_t dims, size_t matrix)
{
	size_t place = 0, stride = matrix;

	for (size_t i = 0; i < dims; i++) {
		const size_t dim = batch_dim(t, i);

		place += dim > 1 ? index[i] * stride : 0;
		stride *= dim;
	}
	return place;
}

static void product_free(struct product *p)
{
	free(p->a);
	free(p->b);
}

static struct product product_of(const struct tensor *a, const struct tensor *b, int type)
{
	const size_t most = a->dims > b->dims ? a->dims : b->dims, dims = most > 2 ? most - 2 : 0;
	size_t batch[TENSOR_DIMS], index[TENSOR_DIMS] = {0}, out[TENSOR_DIMS], outs = 0;
	struct product p = {.batches = 1};

	p.m = a->dims > 1 ? a->dim[a->dims - 2] : 1;
	p.k = a->dim[a->dims - 1];
	p.n = b->dims > 1 ? b->dim[b->dims - 1] : 1;
	for (size_t i = 0; i < dims; i++) {
		const size_t x = batch_dim(a, i), y = batch_dim(b, i);

		batch[i] = x > 1 ? x : y;
		p.batches *= batch[i];
	}
	p.a = must_alloc(p.batches * sizeof(*p.a));
	p.b = must_alloc(p.batches * sizeof(*p.b));
	for (size_t i = 0; i < p.batches; i++) {
		p.a[i] = batch_place(a, index, dims, p.m * p.k);
		p.b[i] = batch_place(b, index, dims, p.k * p.n);
		for (size_t j = 0; j < dims && ++index[j] == batch[j]; j++)
			index[j] = 0;
	}
	for (size_t i = dims; i-- > 0;)
		out[outs++] = batch[i];
	if (a->dims > 1)
		out[outs++] = p.m;
	if (b->dims > 1)
		out[outs++] = p.n;
	p.out = tensor_new(type, outs, out);
	return p;
}

const char *run_matmul(struct node *node)
{
	struct product p = product_of(node->in[0], node->in[1], ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
	const float *a = node->in[0]->data, *b = node->in[1]->data;
	const size_t bytes = isk_packed_size(ISK_F32, p.k, p.n);
	void *packed = must_alloc(bytes);
	float *c = p.out.data;

	for (size_t i = 0; i < p.batches; i++) {
		must(isk_gemm_pack_f32(packed, b + p.b[i], bytes, p.k, p.n, p.n, 0), "gemm_pack_f32");
		must(isk_gemm_f32(c + i * p.m * p.n, a + p.a[i], packed, p.m, p.n, p.k, p.n, p.k, NULL), "gemm_f32");
	}
	node->out = p.out;
	free(packed);
	product_free(&p);
	return NULL;
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

/* alpha is the scale. beta * C is the bias where its rows are alike, else the other operand. */
const char *run_gemm(struct node *node)
{
	const struct tensor *a = node->in[0], *b = node->in[1], *c = node->in[2];
	const int trans_a = node_int(node, "transA", 0) != 0, trans_b = node_int(node, "transB", 0) != 0;
	const size_t m = a->dim[trans_a], k = a->dim[!trans_a], n = b->dim[!trans_b];
	const float alpha = node_float(node, "alpha", 1), beta = node_float(node, "beta", 1);
	const size_t bytes = isk_packed_size(ISK_F32, k, n);
	void *packed = must_alloc(bytes);
	float *rows = must_alloc(m * k * sizeof(*rows)), *other = c ? broadcast(c, m, n) : NULL;
	struct isk_post post = {.size = sizeof(post), .scale = &alpha, .scales = 1};

	for (size_t i = 0; i < m * k; i++)
		rows[i] = ((const float *)a->data)[trans_a ? i % k * m + i / k : i];
	if (c && (c->dims < 2 || c->dim[0] == 1)) {
		for (size_t j = 0; j < n; j++)
			other[j] *= beta;
		post.bias = other;
	} else if (c) {
		post.binary = ISK_BINARY_AXPY;
		post.other = other;
		post.ldother = n;
		post.other_scale = beta;
	}
	node->out = tensor_new(a->type, 2, (size_t[]){m, n});
	must(isk_gemm_pack_f32(packed, b->data, bytes, k, n, trans_b ? k : n, trans_b), "gemm_pack_f32");
	must(isk_gemm_f32(node->out.data, rows, packed, m, n, k, n, k, &post), "gemm_f32");
	free(packed);
	free(rows);
	free(other);
	return NULL;
}
