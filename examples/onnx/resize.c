/* SPDX-License-Identifier: MIT */
/*
 * Resize of images whose channels lie last. By the nearest pixel: pixels are rows of channels, gathered by a list of
 * their numbers. Linear: each row of the output is a mixture of two rows, and of its pixels two are mixed.
 */
#include <math.h>
#include <string.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

/* The size of each axis of the output, and the scale. Their product is rounded to f32 first, so that 5 times 2.6 is 13. */
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
		dim[i] = sizes ? (size_t)list[i] : (size_t)((float)x->dim[i] * (float)scale[i]);
	}
}

/* half_pixel is the default. */
static int is_linear(const struct node *n)
{
	return attribute_is(n, "mode", "linear") && (!attribute(n, "coordinate_transformation_mode") ||
	                                             attribute_is(n, "coordinate_transformation_mode", "half_pixel"));
}

static void infer_resize(struct graph *g, struct node *n)
{
	size_t dim[RANK];
	double scale[RANK];

	check_type(n, 0, F32);
	if (n->in[0]->rank != 4)
		refuse(n, "an input of %zu dimensions; 4 are allowed", n->in[0]->rank);
	if (!is_linear(n) &&
	    (!attribute_is(n, "mode", "nearest") || !attribute_is(n, "coordinate_transformation_mode", "asymmetric") ||
	     !attribute_is(n, "nearest_mode", "floor")))
		refuse(n, "mode nearest, coordinate_transformation_mode asymmetric and nearest_mode floor are allowed, or mode "
		          "linear and coordinate_transformation_mode half_pixel");
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

/* Between which two pixels of an axis a pixel of the output lies, and how far from the first. */
struct between {
	size_t low, high;
	float part;
};

static struct between *all_between(struct graph *g, size_t from, size_t to, double scale)
{
	struct between *list = graph_alloc(g, to, sizeof(*list));

	for (size_t i = 0; i < to && from; i++) {
		const double at = fmin(fmax(((double)i + .5) / scale - .5, 0), (double)from - 1);

		list[i].low = (size_t)at;
		list[i].high = list[i].low + 1 < from ? list[i].low + 1 : list[i].low;
		list[i].part = (float)(at - floor(at));
	}
	return list;
}

struct linear {
	size_t images, height, width, channels, ldy; /* of the output */
	size_t from_height, from_width;
	const struct between *rows, *columns;
	float *row; /* of the input's width */
};

/* y = (1 - part) * low + part * high */
static void mix(float *y, const float *low, const float *high, float part, size_t n)
{
	memcpy(y, low, n * sizeof(*y));
	if (part != 0)
		isk_axpby_f32(y, high, n, part, 1 - part);
}

static void run_linear(const struct step *s)
{
	const struct linear *l = s->state;
	const size_t width = l->from_width * l->channels;

	for (size_t i = 0; i < l->images * l->height; i++) {
		const float *x = (const float *)value_data(s->in[0]) + i / l->height * l->from_height * width;
		float *y = (float *)value_data(s->out[0]) + i * l->width * l->ldy;
		const struct between *b = &l->rows[i % l->height];

		mix(l->row, x + b->low * width, x + b->high * width, b->part, width);
		for (size_t j = 0; j < l->width; j++) {
			const struct between *c = &l->columns[j];

			mix(y + j * l->ldy, l->row + c->low * l->channels, l->row + c->high * l->channels, c->part, l->channels);
		}
	}
}

static void plan_linear(struct plan *p, struct node *n)
{
	struct linear *l = graph_alloc(p->graph, 1, sizeof(*l));
	const struct value *x = plan_channels_last(p, n, n->in[0]), *y = n->out[0];
	size_t dim[RANK];
	double scale[RANK];
	struct step *s;

	sizes_of(n, dim, scale);
	place_store(p, n->out[0]);
	*l = (struct linear){.images = x->dim[2] && x->dim[3] ? x->dim[0] : 0,
	                     .height = y->dim[2],
	                     .width = y->dim[3],
	                     .channels = x->dim[1],
	                     .ldy = strides_of_pixels(y),
	                     .from_height = x->dim[2],
	                     .from_width = x->dim[3],
	                     .rows = all_between(p->graph, x->dim[2], y->dim[2], scale[2]),
	                     .columns = all_between(p->graph, x->dim[3], y->dim[3], scale[3]),
	                     .row = graph_alloc(p->graph, x->dim[3] * x->dim[1], sizeof(float))};
	s = plan_step(p, n, run_linear, "axpby_f32", l);
	step_in(s, x);
	step_out(s, n->out[0]);
}

static void plan_nearest(struct plan *p, struct node *n)
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

static void plan_resize(struct plan *p, struct node *n)
{
	if (is_linear(n))
		plan_linear(p, n);
	else
		plan_nearest(p, n);
}

const struct op resize_ops[] = {
	{"Resize", 1, 4, infer_resize, plan_resize},
	{NULL, 0, 0, NULL, NULL},
};
