/* SPDX-License-Identifier: MIT */
/*
 * MatMulInteger and QLinearMatMul on each kernel of 8-bit products. Operands and outputs are moved to the
 * signedness of the kernel, which changes no sum.
 */
#include <stdlib.h>

#include "bytes.h"
#include "isakern.h"
#include "node.h"
#include "product.h"

typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                    size_t lda, const struct isk_post *post);

static const char *multiply(const struct op *op, const struct product *p, void *c, const struct bytes *a,
                            const struct bytes *b, struct isk_post *post)
{
	const size_t bytes = isk_packed_size(ISK_S8, p->k, p->n);
	const size_t element = op->c == C_S32 || op->c == C_F32 ? 4 : 1;
	void *packed;

	if (a->zeros != 1)
		return "isakern has one zero point for all of A";
	if (b->zeros != 1 && b->zeros != p->n)
		return "isakern has zero points by column of B alone";
	packed = must_alloc(bytes);
	post->a_zero = a->zero[0];
	post->b_zero = b->zero;
	post->b_zeros = b->zeros;
	for (size_t i = 0; i < p->batches; i++) {
		must(isk_gemm_pack_s8(packed, (int8_t *)b->data + p->b[i], bytes, p->k, p->n, p->n, 0), op->kernel);
		must(((gemm_fn *)op->fn)((char *)c + i * p->m * p->n * element, a->data + p->a[i], packed, p->m, p->n,
		                         p->k, p->n, p->k, post),
		     op->kernel);
	}
	free(packed);
	return NULL;
}

const char *run_matmul_integer(struct node *node, const struct op *op)
{
	struct product p = product_of(node->in[0], node->in[1], ONNX__TENSOR_PROTO__DATA_TYPE__INT32);
	struct bytes a = bytes_of(node->in[0], node->in[2], op->a_signed);
	struct bytes b = bytes_of(node->in[1], node->in[3], 1);
	struct isk_post post = {.size = sizeof(post)};
	const char *skip = multiply(op, &p, p.out.data, &a, &b, &post);

	node->out = p.out;
	bytes_free(&a);
	bytes_free(&b);
	product_free(&p);
	return skip;
}

/* Inputs: a, its scale and zero point; b, its scale and zero point; scale and zero point of the output. */
const char *run_qlinear_matmul(struct node *node, const struct op *op)
{
	const struct tensor *a_scale = node->in[1], *b_scale = node->in[4];
	struct product p = product_of(node->in[0], node->in[3], node->in[7]->type);
	struct bytes a = bytes_of(node->in[0], node->in[2], op->a_signed);
	struct bytes b = bytes_of(node->in[3], node->in[5], 1);
	struct requantize r;
	const char *skip = requantize_begin(&r, op, a_scale, b_scale, node->in[6], node->in[7], p.n, p.out.count);

	if (!skip)
		skip = multiply(op, &p, r.c, &a, &b, &r.post);
	if (!skip)
		requantize_end(&r, op, &p.out);
	node->out = p.out;
	requantize_free(&r);
	bytes_free(&a);
	bytes_free(&b);
	product_free(&p);
	return skip;
}
