/* SPDX-License-Identifier: MIT */
/* Resize by the nearest pixel: pixels are rows of channels, gathered by a list of their numbers. */
#include <math.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

/* The size of each axis of the output, and the scale. */
static void sizes_of(const struct node *n, size_t *dim, double *scale)
{
	const struct value *x = n->in[0];
	const size_t at = n->ins == 2 ? 1 : 2; /* version 10 has no roi */
	const struct value *scales = n->ins > at ? n->in[at] : NULL, *sizes = n->ins > 3 ? n->in[3] : NULL;
	int64_t list[RANK];

	if (sizes && parameter_ints(n, "sizes", 3, list, RANK) != (int)x->rank)
		refuse(n, "sizes must be a number for each of the %zu dimensions", x->rank);
	if (!sizes && (!scales || !value_is_constant(scales) || scales->type != F32 || value_count(scales) != x->rank))
		refuse(n, "scales must be a constant with a number for each of the %zu dimensions", x->rank);
	for (size_t i = 0; i < x->rank; i++) {
		scale[i] = sizes ? (double)list[i] / (double)x->dim[i] : (double)((const float *)value_data(scales))[i];
		if (!(scale[i] > 0 && scale[i] < 1e6) || (i < 2 && scale[i] != 1))
			refuse(n, "a scale of %g for axis %zu; the axes of images may be scaled by factors above 0", scale[i], i);
		dim[i] = sizes ? (size_t)list[i] : (size_t)floor((double)x->dim[i] * scale[i]);
	}
}

static void infer_resize(struct graph *g, struct node *n)
{
	size_t dim[RANK];
	double scale[RANK];

	check_type(n, 0, F32);
	if (n->in[0]->rank != 4)
		refuse(n, "an input of %zu dimensions; 4 are allowed", n->in[0]->rank);
	if (!attribute_is(n, "mode", "nearest") || !attribute_is(n, "coordinate_transformation_mode", "asymmetric") ||
	    !attribute_is(n, "nearest_mode", "floor"))
		refuse(n, "mode nearest, coordinate_transformation_mode asymmetric and nearest_mode floor are allowed");
	sizes_of(n, dim, scale);
	infer_output(g, n, 0, F32, 4, dim);
}

struct resize {
	size_t images, from, to, channels; /* pixels of an image */
	size_t ldy;
	int32_t *pixel;
};

static void run_resize(const struct step *s)
{
	const struct resize *r = s->state;

	for (size_t i = 0; i < r->images; i++)
		must(s, KERNEL(gather_rows_b32_s32)((float *)value_data(s->out[0]) + i * r->to * r->ldy,
		                                    (const float *)value_data(s->in[0]) + i * r->from * r->channels, r->pixel,
		                                    r->to, r->from, r->channels, r->ldy, r->channels));
}

static size_t nearest(size_t i, double scale, size_t size)
{
	const size_t at = (size_t)floor((double)i / scale);

	return at < size ? at : size - 1;
}

static void plan_resize(struct plan *p, struct node *n)
{
	struct resize *r = graph_alloc(p->graph, 1, sizeof(*r));
	const struct value *x = plan_channels_last(p, n, n->in[0]), *y = n->out[0];
	size_t dim[RANK];
	double scale[RANK];
	struct step *s;

	sizes_of(n, dim, scale);
	*r = (struct resize){x->dim[0], x->dim[2] * x->dim[3], y->dim[2] * y->dim[3], x->dim[1], 0, NULL};
	if (r->from > INT32_MAX)
		refuse(n, "an image of %zu pixels; at most %d are allowed", r->from, INT32_MAX);
	r->pixel = graph_alloc(p->graph, r->to, sizeof(*r->pixel));
	for (size_t i = 0; i < y->dim[2] && r->from; i++)
		for (size_t j = 0; j < y->dim[3]; j++)
			r->pixel[i * y->dim[3] + j] =
				(int32_t)(nearest(i, scale[2], x->dim[2]) * x->dim[3] + nearest(j, scale[3], x->dim[3]));
	place_store(p, n->out[0]);
	r->ldy = strides_of_pixels(n->out[0]);
	s = plan_step(p, n, run_resize, "gather_rows_b32_s32", r);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op resize_ops[] = {
	{"Resize", 1, 4, infer_resize, plan_resize},
	{NULL, 0, 0, NULL, NULL},
};
