/* SPDX-License-Identifier: MIT */
/* Resize of images whose channels lie side by side. */
#include <stdio.h>

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

/* The number of the attribute's text in a list; `absent` if there is no attribute. */
static unsigned word(const struct node *n, const char *name, const char *const *list, size_t count, unsigned absent)
{
	char all[160];
	size_t length = 0;

	if (!attribute(n, name))
		return absent;
	for (size_t i = 0; i < count; i++) {
		if (attribute_is(n, name, list[i]))
			return (unsigned)i;
		length += (size_t)snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "", list[i]);
	}
	refuse(n, "this %s is not supported; allowed are %s", name, all);
}

enum mode { NEAREST, LINEAR, CUBIC };

#define WORD(n, name, absent, ...)                                                                           \
	word(n, name, (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), absent)

/* Numbers as isk_resize_* take them, and enum mode. Version 10, which has 2 inputs, has one way to choose the nearest pixel. */
static enum mode mode_of(const struct node *n)
{
	return (enum mode)WORD(n, "mode", NEAREST, "nearest", "linear", "cubic");
}

static unsigned coordinates_of(const struct node *n)
{
	return WORD(n, "coordinate_transformation_mode", n->ins == 2 ? 0 : 1, "asymmetric", "half_pixel", "pytorch_half_pixel",
	            "align_corners", "half_pixel_symmetric", "tf_half_pixel_for_nn");
}

static unsigned rounding_of(const struct node *n)
{
	return WORD(n, "nearest_mode", n->ins == 2 ? 2 : 0, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil");
}

static void infer_resize(struct graph *g, struct node *n)
{
	static const char *const others[] = {"antialias", "axes", "keep_aspect_ratio_policy"};
	size_t dim[RANK];
	double scale[RANK];

	check_type(n, 0, F32);
	if (n->in[0]->rank != 4)
		refuse(n, "an input of %zu dimensions; 4 are allowed", n->in[0]->rank);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (attribute_int(n, others[i], 0) || (i && attribute(n, others[i])))
			refuse(n, "attribute %s is not supported", others[i]);
	mode_of(n);
	coordinates_of(n);
	rounding_of(n);
	sizes_of(n, dim, scale);
	infer_output(g, n, 0, F32, 4, dim);
}

struct resize {
	enum mode mode;
	float scale_h, scale_w, a;
	unsigned coordinates, rounding, excludes;
	const struct value *x, *y; /* for their sizes and strides */
};

static void run_resize(const struct step *s)
{
	const struct resize *r = s->state;
	const size_t *from = r->x->dim, *to = r->y->dim, *x = r->x->stride, *y = r->y->stride;
	float *out = value_data(s->out[0]);
	const float *in = value_data(s->in[0]);

	if (r->mode == NEAREST)
		must(s, KERNEL(resize_nearest_b32)(out, in, to[0], to[1], to[2], to[3], from[2], from[3], y[0], y[2], y[3], x[0], x[2],
		                                   x[3], r->scale_h, r->scale_w, r->coordinates, r->rounding));
	else if (r->mode == LINEAR)
		must(s, KERNEL(resize_linear_f32)(out, in, to[0], to[1], to[2], to[3], from[2], from[3], y[0], y[2], y[3], x[0], x[2],
		                                  x[3], r->scale_h, r->scale_w, r->coordinates));
	else
		must(s, KERNEL(resize_cubic_f32)(out, in, to[0], to[1], to[2], to[3], from[2], from[3], y[0], y[2], y[3], x[0], x[2],
		                                 x[3], r->scale_h, r->scale_w, r->coordinates, r->a, r->excludes));
}

static void plan_resize(struct plan *p, struct node *n)
{
	static const char *const kernels[] = {"resize_nearest_b32", "resize_linear_f32", "resize_cubic_f32"};
	struct resize *r = graph_alloc(p->graph, 1, sizeof(*r));
	const struct value *x = n->in[0];
	size_t dim[RANK];
	double scale[RANK];
	struct step *s;

	if (x->dim[1] != 1 && x->stride[1] != 1)
		x = plan_channels_last(p, n, n->in[0]);
	sizes_of(n, dim, scale);
	place_store(p, n->out[0]);
	*r = (struct resize){mode_of(n), (float)scale[2], (float)scale[3], (float)attribute_float(n, "cubic_coeff_a", -0.75),
	                     coordinates_of(n), rounding_of(n), attribute_int(n, "exclude_outside", 0) != 0, x, n->out[0]};
	s = plan_step(p, n, run_resize, kernels[r->mode], r);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op resize_ops[] = {
	{"Resize", 1, 4, infer_resize, plan_resize},
	{NULL, 0, 0, NULL, NULL},
};
