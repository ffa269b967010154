/* SPDX-License-Identifier: MIT */
/* Operators that passes make of several, and BatchNormalization, which is one of them with constants. */
#include <math.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

/*
 * ScaleShift: x[n][c]... * scale[c] + shift[c]. Scale and shift have a number for each channel, or for each channel of
 * each image; shift may be missing.
 */
static void infer_same_float(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	infer_same(g, n);
}

static void infer_batchnorm(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const double epsilon = attribute_float(n, "epsilon", 1e-5);
	size_t channels;
	struct value *scale, *shift;

	check_type(n, 0, F32);
	if (x->rank < 2)
		refuse(n, "an input of %zu dimensions; at least 2 are allowed", x->rank);
	channels = x->dim[1];
	for (size_t i = 1; i < 5; i++) {
		check_type(n, i, F32);
		if (!value_is_constant(n->in[i]) || value_count(n->in[i]) != channels)
			refuse(n, "input '%s' must be a constant of %zu numbers", n->in[i]->name, channels);
	}
	scale = constant_new(g, "scale", F32, 1, &channels);
	shift = constant_new(g, "shift", F32, 1, &channels);
	for (size_t c = 0; c < channels; c++) {
		const double weight = (double)((const float *)value_data(n->in[1]))[c],
					 bias = (double)((const float *)value_data(n->in[2]))[c];
		const double mean = (double)((const float *)value_data(n->in[3]))[c],
					 variance = (double)((const float *)value_data(n->in[4]))[c];
		const double factor = weight / sqrt(variance + epsilon);

		((float *)value_data(scale))[c] = (float)factor;
		((float *)value_data(shift))[c] = (float)(bias - mean * factor);
	}
	n->in[1] = scale;
	n->in[2] = shift;
	n->ins = 3;
	n->op = op_find("ScaleShift");
	infer_same_float(g, n);
	n->outs = 1;
}

struct scale_shift {
	size_t images, pixels, channels, ldx, step; /* step: of scale, from one image to the next */
};

static void run_scale_shift(const struct step *s)
{
	const struct scale_shift *t = s->state;

	for (size_t i = 0; i < t->images; i++) {
		const size_t at = i * t->pixels * t->channels, from = i * t->pixels * t->ldx;

		KERNEL(batchnorm_nhwc_f32)
		((float *)value_data(s->out[0]) + at, (const float *)value_data(s->in[0]) + from,
		 (const float *)value_data(s->in[1]) + i * t->step,
		 s->ins > 2 ? (const float *)value_data(s->in[2]) + i * t->step : NULL, t->pixels, t->channels, t->channels,
		 t->ldx);
	}
}

static void plan_scale_shift(struct plan *p, struct node *n)
{
	struct scale_shift *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = strides_of_pixels(n->in[0]) ? n->in[0] : plan_channels_last(p, n, n->in[0]);
	const struct value *scale = plan_dense(p, n, n->in[1]);
	const struct value *shift = n->ins > 2 && n->in[2] ? plan_dense(p, n, n->in[2]) : NULL;
	const int by_image = value_count(scale) != x->dim[1];
	struct step *s;

	t->channels = x->dim[1];
	t->ldx = strides_of_pixels(x);
	t->images = by_image ? x->dim[0] : 1;
	t->pixels = t->channels && t->images ? value_count(x) / t->channels / t->images : 0;
	t->step = by_image ? t->channels : 0;
	strides_channels_last(n->out[0]);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_scale_shift, "batchnorm_nhwc_f32", t);
	step_in(s, x);
	step_in(s, scale);
	if (shift)
		step_in(s, shift);
	step_out(s, n->out[0]);
	s->in_place = t->ldx == t->channels;
}

struct norm {
	size_t rows, cols, ldx;
	float epsilon;
	const float *weight, *bias;
};

static void run_layernorm(const struct step *s)
{
	const struct norm *t = s->state;

	KERNEL(layernorm_f32)
	(value_data(s->out[0]), value_data(s->in[0]), t->weight, t->bias, t->rows, t->cols, t->cols, t->ldx, t->epsilon);
}

static void run_rmsnorm(const struct step *s)
{
	const struct norm *t = s->state;

	KERNEL(rmsnorm_f32)
	(value_data(s->out[0]), value_data(s->in[0]), t->weight, t->bias, t->rows, t->cols, t->cols, t->ldx, t->epsilon);
}

/* Norms of the last axis. */
static void plan_norm(struct plan *p, struct node *n)
{
	struct norm *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = n->in[0];
	const size_t last = x->rank - 1;
	struct step *s;

	if ((x->dim[last] != 1 && x->stride[last] != 1) || !strides_merge(x, 0, last, &t->rows, &t->ldx) ||
	    t->ldx < x->dim[last]) {
		x = plan_dense(p, n, x);
		strides_merge(x, 0, last, &t->rows, &t->ldx);
	}
	t->cols = x->dim[last];
	if (t->rows == 1)
		t->ldx = t->cols;
	t->epsilon = (float)n->number[0];
	t->weight = n->in[1] ? value_data(n->in[1]) : NULL;
	t->bias = n->in[2] ? value_data(n->in[2]) : NULL;
	plan_store(p, n->out[0]);
	if (is_op(n, "LayerNorm"))
		s = plan_step(p, n, run_layernorm, "layernorm_f32", t);
	else
		s = plan_step(p, n, run_rmsnorm, "rmsnorm_f32", t);
	step_in(s, x);
	step_out(s, n->out[0]);
	s->in_place = t->ldx == t->cols;
}

const struct op fused_ops[] = {
	{"ScaleShift", 2, 3, infer_same_float, plan_scale_shift},
	{"LayerNorm", 1, 3, infer_same_float, plan_norm},
	{"RmsNorm", 1, 3, infer_same_float, plan_norm},
	{NULL, 0, 0, NULL, NULL},
};

const struct op norm_ops[] = {
	{"BatchNormalization", 5, 5, infer_batchnorm, NULL},
	{NULL, 0, 0, NULL, NULL},
};
