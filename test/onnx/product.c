/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "node.h"
#include "product.h"

/* Batch dimension i, counted from the last, of a tensor whose matrices are rows by cols. */
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

void product_free(struct product *p)
{
	free(p->a);
	free(p->b);
}

struct product product_of(const struct tensor *a, const struct tensor *b, int type)
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
