/* SPDX-License-Identifier: MIT */
/* Products of matrices: by packed weights if they are constant, else in place by their strides. */
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "ops.h"
#include "post.h"
#include "shapes.h"
#include "strides.h"
#include "weights16.h"

static void infer_matmul(struct graph *g, struct node *n)
{
	const struct value *a = n->in[IN_X], *b = n->in[IN_WEIGHTS];
	const size_t rank = a->rank > b->rank ? a->rank : b->rank;
	size_t dim[RANK];
	char text[2][200];

	check_type(n, 0, F32);
	check_type(n, 1, F32);
	if (a->rank < 2 || b->rank < 2)
		refuse(n, "inputs of %zu and %zu dimensions; both must have 2 or more", a->rank, b->rank);
	if (a->dim[a->rank - 1] != b->dim[b->rank - 2])
		refuse(n, "inputs of %s and %s cannot be multiplied", value_dims(a, text[0]), value_dims(b, text[1]));
	for (size_t i = 0; i + 2 < rank; i++) {
		const size_t of_a = i + a->rank < rank ? 1 : a->dim[i + a->rank - rank],
					 of_b = i + b->rank < rank ? 1 : b->dim[i + b->rank - rank];

		if (of_a != of_b && of_a != 1 && of_b != 1)
			refuse(n, "inputs of %s and %s cannot be multiplied", value_dims(a, text[0]), value_dims(b, text[1]));
		dim[i] = of_a != 1 ? of_a : of_b;
	}
	dim[rank - 2] = a->dim[a->rank - 2];
	dim[rank - 1] = b->dim[b->rank - 1];
	infer_output(g, n, 0, F32, rank, dim);
}

/* A Gemm becomes a MatMul whose weights and bias have alpha, beta and transB in them. */
static void infer_gemm(struct graph *g, struct node *n)
{
	const struct value *a = n->in[0], *b = n->in[1], *c = n->ins > 2 ? n->in[2] : NULL;
	const int transposed = attribute_int(n, "transB", 0) != 0;
	const float alpha = (float)attribute_float(n, "alpha", 1), beta = (float)attribute_float(n, "beta", 1);
	struct value *w, *bias;
	size_t k, columns;
	float *to;

	check_type(n, 0, F32);
	check_type(n, 1, F32);
	if (a->rank != 2 || b->rank != 2 || attribute_int(n, "transA", 0) || !value_is_constant(b))
		refuse(n, "matrices without transA, of which the second is constant, are allowed");
	k = b->dim[transposed];
	columns = b->dim[!transposed];
	w = constant_new(g, b->name, F32, 2, (size_t[]){k, columns});
	to = value_data(w);
	if (transposed)
		isk_transpose_b32(to, value_data(b), columns, k, columns, k);
	else
		memcpy(to, value_data(b), value_bytes(b));
	isk_scale_f32(to, to, k * columns, alpha);
	if (c) {
		check_type(n, 2, F32);
		if (!value_is_constant(c) || (value_count(c) != columns && value_count(c) != 1) ||
		    (c->rank == 2 && c->dim[0] != 1 && c->dim[1] == 1))
			refuse(n, "C must be a constant with one number for each column");
		bias = constant_new(g, c->name, F32, 1, &columns);
		to = value_data(bias);
		for (size_t i = 0; i < columns; i++)
			to[i] = beta * ((const float *)value_data(c))[value_count(c) == 1 ? 0 : i];
		n->in[2] = bias;
	}
	n->in[1] = w;
	n->op = op_find("MatMul");
	infer_matmul(g, n);
}

struct product {
	struct isk_post post;
	void *packed; /* NULL: in place */
	size_t m, n, k, ldc, lda, ldb;
	unsigned transposed;
	struct loops batch;
	const struct step *step; /* while it runs */
};

static void run_packed(const struct step *s)
{
	struct product *p = s->state;

	if (s->ins > 1)
		p->post.other = value_data(s->in[1]);
	must(s, KERNEL(gemm_f32)(value_data(s->out[0]), value_data(s->in[0]), p->packed, p->m, p->n, p->k, p->ldc, p->lda,
	                         &p->post));
}

/* v as rows by its last axis, dense copies of it if needed. */
static const struct value *as_rows(struct plan *p, const struct node *n, const struct value *v, size_t *rows,
                                   size_t *ld)
{
	const size_t last = v->rank - 1;

	if ((v->dim[last] != 1 && v->stride[last] != 1) || !strides_merge(v, 0, last, rows, ld) ||
	    (*rows != 1 && *ld < v->dim[last])) {
		v = plan_dense(p, n, v);
		strides_merge(v, 0, last, rows, ld);
	}
	if (*rows == 1)
		*ld = v->dim[last];
	return v;
}

static void run_packed_bf16(const struct step *s)
{
	struct product *p = s->state;

	if (s->ins > 1)
		p->post.other = value_data(s->in[1]);
	must(s, KERNEL(gemm_bf16_f32)(value_data(s->out[0]), value_data(s->in[0]), p->packed, p->m, p->n, p->k, p->ldc,
	                              p->lda, &p->post));
}

/* Packs the weights of the product; of bf16 if it takes them so. */
static void pack(struct plan *p, const struct node *n, struct product *t, int in_bf16)
{
	const struct value *b = n->in[IN_WEIGHTS];
	const size_t bytes = isk_packed_size(in_bf16 ? ISK_BF16 : ISK_F32, t->k, t->n);
	isk_bf16 *narrow = in_bf16 ? weights16_narrow(p, b) : NULL;
	int is_packed, status = 0;

	t->packed = plan_packed(p, b, in_bf16 ? "gemm_bf16" : "gemm_f32", NULL, 0, bytes, &is_packed);
	if (!is_packed)
		status = in_bf16 ? isk_gemm_pack_bf16(t->packed, narrow, bytes, t->k, t->n, t->n, 0)
		                 : isk_gemm_pack_f32(t->packed, value_data(b), bytes, t->k, t->n, t->n, 0);
	if (status)
		refuse(n, "isakern has no product of these sizes");
	free(narrow);
}

static struct value *input_in_bf16(struct plan *p, const struct node *n)
{
	struct value *x = n->in[IN_X];

	return weights16_input(p, n, x, x->bf16 ? NULL : plan_dense(p, n, x));
}

static void plan_by_packed(struct plan *p, struct node *n)
{
	struct product *t = graph_alloc(p->graph, 1, sizeof(*t));
	const int in_bf16 = weights16_wanted(p->graph, n);
	const struct value *b = n->in[IN_WEIGHTS], *a, *other = NULL;
	struct step *s;
	size_t rows;

	t->post = post_of(p, n);
	a = as_rows(p, n, in_bf16 ? input_in_bf16(p, n) : n->in[IN_X], &t->m, &t->lda);
	t->n = t->ldc = b->dim[1];
	t->k = b->dim[0];
	if (n->ins > IN_OTHER && n->in[IN_OTHER]) {
		other = as_rows(p, n, n->in[IN_OTHER], &rows, &t->post.ldother);
		t->post.binary = ISK_BINARY_ADD;
	}
	pack(p, n, t, in_bf16);
	graph_used_up(p->graph, b);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, in_bf16 ? run_packed_bf16 : run_packed,
	              post_name(p->graph, n, in_bf16 ? "gemm_bf16_f32" : "gemm_f32"), t);
	step_in(s, a);
	if (other)
		step_in(s, other);
	step_out(s, n->out[0]);
	step_products(s, in_bf16 ? ISK_BF16 : ISK_F32, t->k);
}

static void multiply_batch(void *context, const size_t *at)
{
	const struct product *t = context;
	const struct loops *l = &t->batch;
	const size_t last = l->rank - 1;
	const struct step *s = t->step;

	must(s, KERNEL(matmul_batch_f32)(
				(float *)value_data(s->out[0]) + at[0], (const float *)value_data(s->in[0]) + at[1],
				(const float *)value_data(s->in[1]) + at[2], l->dim[last], t->m, t->n, t->k, t->ldc, t->lda, t->ldb,
				l->stride[0][last], l->stride[1][last], l->stride[2][last], t->transposed, &t->post));
}

static void run_in_place(const struct step *s)
{
	struct product *t = s->state;

	t->step = s;
	loops_each(&t->batch, 1, multiply_batch, t);
}

int is_matrix(const struct value *v, int *transposed, size_t *ld)
{
	const size_t rows = v->dim[v->rank - 2], cols = v->dim[v->rank - 1], by_row = v->stride[v->rank - 2],
				 by_col = v->stride[v->rank - 1];

	*transposed = 0;
	*ld = rows == 1 ? cols : by_row;
	if ((cols == 1 || by_col == 1) && *ld >= cols)
		return 1;
	*transposed = 1;
	*ld = cols == 1 ? rows : by_col;
	return (rows == 1 || by_row == 1) && *ld >= rows;
}

static const struct value *as_matrix(struct plan *p, const struct node *n, const struct value *v, unsigned flag,
                                     unsigned *transposed, size_t *ld)
{
	int is_transposed;

	if (!is_matrix(v, &is_transposed, ld)) {
		v = plan_dense(p, n, v);
		is_matrix(v, &is_transposed, ld);
	}
	*transposed |= is_transposed ? flag : 0;
	return v;
}

void order_output(const struct graph *g, struct node *n)
{
	const struct node *user = graph_only_user(g, n->out[0]);
	struct value *c = n->out[0], tried = *c;
	size_t order[RANK], ld;
	int transposed;

	if (!user || !is_op(user, "Transpose") || !attribute(user, "perm"))
		return;
	for (size_t i = 0; i < c->rank; i++)
		order[i] = axis_of(user, attribute(user, "perm")->ints[i], c->rank);
	strides_by_order(&tried, order);
	if (is_matrix(&tried, &transposed, &ld) && !transposed)
		*c = tried;
}

static void plan_in_place(struct plan *p, struct node *n)
{
	struct product *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *a, *b;
	struct value batch[3];
	struct step *s;
	int transposed;

	t->post = post_of(p, n);
	a = as_matrix(p, n, n->in[IN_X], ISK_TRANSPOSED_A, &t->transposed, &t->lda);
	b = as_matrix(p, n, n->in[IN_WEIGHTS], ISK_TRANSPOSED_B, &t->transposed, &t->ldb);
	order_output(p->graph, n);
	is_matrix(n->out[0], &transposed, &t->ldc);
	t->m = a->dim[a->rank - 2];
	t->k = a->dim[a->rank - 1];
	t->n = b->dim[b->rank - 1];
	batch[0] = *n->out[0];
	batch[1] = *a;
	batch[2] = *b;
	for (size_t i = 0; i < 3; i++)
		batch[i].rank -= 2;
	loops_of(&t->batch, (const struct value *[]){&batch[0], &batch[1], &batch[2]}, 3);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_in_place, post_name(p->graph, n, "matmul_batch_f32"), t);
	step_in(s, a);
	step_in(s, b);
	step_out(s, n->out[0]);
	step_products(s, ISK_F32, t->k);
}

static void plan_matmul(struct plan *p, struct node *n)
{
	if (value_is_constant(n->in[IN_WEIGHTS]) && n->in[IN_WEIGHTS]->rank == 2)
		plan_by_packed(p, n);
	else
		plan_in_place(p, n);
}

const struct op product_ops[] = {
	{"MatMul", 2, 2, infer_matmul, plan_matmul},
	{"Gemm", 2, 3, infer_gemm, plan_matmul},
	{NULL, 0, 0, NULL, NULL},
};
