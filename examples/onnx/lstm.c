/* SPDX-License-Identifier: MIT */
/* LSTM in one direction: the products of all inputs at once, then a product and a cell for each step. */
#include <string.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

enum { IN_SEQUENCE, IN_W, IN_R, IN_B, IN_LENGTHS, IN_H, IN_C, IN_PEEPHOLES };

static const struct value *optional(const struct node *n, size_t i)
{
	return i < n->ins ? n->in[i] : NULL;
}

static void check_constant(const struct node *n, size_t i, size_t rows, size_t cols)
{
	const struct value *v = n->in[i];
	char text[200];

	check_type(n, i, F32);
	if (!value_is_constant(v) || v->dim[0] != 1 || value_count(v) != rows * cols)
		refuse(n, "input '%s' of %s must be a constant of 1x%zux%zu", v->name, value_dims(v, text), rows, cols);
}

static void infer_lstm(struct graph *g, struct node *n)
{
	const struct value *x = n->in[IN_SEQUENCE];
	const size_t d = (size_t)attribute_int(n, "hidden_size", 0);
	size_t dim[4];

	check_type(n, IN_SEQUENCE, F32);
	if (x->rank != 3 || n->in[IN_W]->rank != 3 || n->in[IN_R]->rank != 3 || d == 0 || d > 1 << 16)
		refuse(n, "hidden_size must be 1 to 65536, and X, W and R have 3 dimensions");
	if (attribute_int(n, "layout", 0) || attribute_int(n, "input_forget", 0) || attribute(n, "clip") ||
	    attribute(n, "activations") || (attribute(n, "direction") && !attribute_is(n, "direction", "forward")) ||
	    optional(n, IN_LENGTHS) || optional(n, IN_PEEPHOLES))
		refuse(n, "direction forward, layout 0 and the default activations, without lengths, clip, input_forget and "
		          "peepholes, are allowed");
	check_constant(n, IN_W, 4 * d, x->dim[2]);
	check_constant(n, IN_R, 4 * d, d);
	if (optional(n, IN_B))
		check_constant(n, IN_B, 8 * d, 1);
	for (size_t i = IN_H; i <= IN_C; i++)
		if (optional(n, i) && value_count(n->in[i]) != x->dim[1] * d)
			refuse(n, "input '%s' must have %zu elements", n->in[i]->name, x->dim[1] * d);
	dim[0] = x->dim[0];
	dim[1] = 1;
	dim[2] = x->dim[1];
	dim[3] = d;
	infer_output(g, n, 0, F32, 4, dim);
	for (size_t i = 1; i < n->outs && i < 3; i++)
		infer_output(g, n, i, F32, 3, dim + 1);
}

struct lstm {
	size_t steps, batch, width, d;
	void *w, *r;
	float *bias, *gates, *c;
	const struct value *h0, *c0; /* NULL: zeros */
};

/* Rows of gates (input, output, forget, candidate) as columns of the product. */
static void *pack(struct plan *p, const struct value *v, size_t k, size_t columns)
{
	const size_t bytes = isk_packed_size(ISK_F32, k, columns);
	int is_packed;
	void *packed = plan_packed(p, v, "lstm", NULL, 0, bytes, &is_packed);

	if (!is_packed)
		isk_gemm_pack_f32(packed, value_data(v), bytes, k, columns, k, 1);
	graph_used_up(p->graph, v);
	return packed;
}

static void run_lstm(const struct step *s)
{
	const struct lstm *t = s->state;
	const size_t d = t->d, gates = 4 * d, states = t->batch * d;
	const unsigned acts = ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH);
	const struct isk_post post = {.size = sizeof(post), .bias = t->bias};
	struct isk_post sum = {.size = sizeof(sum), .binary = ISK_BINARY_ADD, .ldother = gates};
	const float *h = t->h0 ? value_data(t->h0) : NULL;

	must(s, isk_gemm_f32(t->gates, value_data(s->in[0]), t->w, t->steps * t->batch, gates, t->width, gates, t->width,
	                     &post));
	if (t->c0)
		memcpy(t->c, value_data(t->c0), states * sizeof(float));
	else
		memset(t->c, 0, states * sizeof(float));
	for (size_t i = 0; i < t->steps; i++) {
		float *g = t->gates + i * t->batch * gates, *y = (float *)value_data(s->out[0]) + i * states;

		sum.other = g;
		if (h)
			must(s, isk_gemm_f32(g, h, t->r, t->batch, gates, d, gates, d, &sum));
		for (size_t b = 0; b < t->batch; b++, g += gates)
			must(s, isk_lstm_ctht_f32(t->c + b * d, y + b * d, g + 3 * d, g, g + 2 * d, g + d, t->c + b * d, NULL, NULL,
			                          NULL, d, acts));
		h = y;
	}
	if (s->outs > 1 && t->steps)
		memcpy(value_data(s->out[1]), h, states * sizeof(float));
	if (s->outs > 2)
		memcpy(value_data(s->out[2]), t->c, states * sizeof(float));
}

static void plan_lstm(struct plan *p, struct node *n)
{
	struct lstm *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = plan_dense(p, n, n->in[IN_SEQUENCE]);
	const size_t d = n->out[0]->dim[3];
	struct step *s;

	*t = (struct lstm){.steps = x->dim[0], .batch = x->dim[1], .width = x->dim[2], .d = d};
	t->w = pack(p, n->in[IN_W], t->width, 4 * d);
	t->r = pack(p, n->in[IN_R], d, 4 * d);
	t->gates = graph_alloc(p->graph, t->steps * t->batch * 4 * d, sizeof(float));
	t->c = graph_alloc(p->graph, t->batch * d, sizeof(float));
	if (optional(n, IN_B)) {
		/* Two biases, of W and of R. */
		const float *b = value_data(n->in[IN_B]);

		t->bias = graph_alloc(p->graph, 4 * d, sizeof(float));
		isk_add_f32(t->bias, b, b + 4 * d, 4 * d);
	}
	t->h0 = optional(n, IN_H) ? plan_dense(p, n, n->in[IN_H]) : NULL;
	t->c0 = optional(n, IN_C) ? plan_dense(p, n, n->in[IN_C]) : NULL;
	for (size_t i = 0; i < n->outs && i < 3; i++)
		plan_store(p, n->out[i]);
	s = plan_step(p, n, run_lstm, "gemm_f32, lstm_ctht_f32", t);
	step_in(s, x);
	if (t->h0)
		step_in(s, t->h0);
	if (t->c0)
		step_in(s, t->c0);
	for (size_t i = 0; i < n->outs && i < 3; i++)
		step_out(s, n->out[i]);
}

const struct op lstm_ops[] = {
	{"LSTM", 3, 8, infer_lstm, plan_lstm},
	{NULL, 0, 0, NULL, NULL},
};
