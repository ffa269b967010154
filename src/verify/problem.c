/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "asked.h"

/* How the sizes of a shape grow, and the unit of its speed. */
enum growth { CALL, COUNT, ROWS, SQUARE, PRODUCT, CONVOLUTION };

static int has_extent(const struct isk_argument *a, int argument)
{
	for (int e = 0; e < a->extents; e++)
		if (a->extent[e].size == argument)
			return 1;
	return 0;
}

int is_extent(const struct isk_shape *shape, int argument)
{
	for (int i = 0; i < shape->count; i++)
		if (has_extent(&shape->arguments[i], argument))
			return 1;
	return 0;
}

/* The first array of a role; NULL: there is none. */
static const struct isk_argument *first(const struct isk_shape *shape, enum isk_role role)
{
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == role)
			return &shape->arguments[i];
	return NULL;
}

/* Whether products are summed over this extent: two inputs, indices aside, have it and no output has. */
static int is_summed_over(const struct isk_shape *shape, int argument)
{
	int inputs = 0;

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->role == ISK_OUT && has_extent(a, argument))
			return 0;
		inputs += a->role == ISK_IN && !a->below && has_extent(a, argument);
	}
	return inputs == 2;
}

static int is_reading_packed(const struct isk_shape *shape)
{
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_IN && shape->arguments[i].packed)
			return 1;
	return 0;
}

static int is_packing(const struct isk_shape *shape)
{
	const struct isk_argument *out = first(shape, ISK_OUT);

	return out && out->packed;
}

/* Whether the first extent of the output is the last one of the input. */
static int is_turning(const struct isk_shape *shape)
{
	const struct isk_argument *out = first(shape, ISK_OUT), *in = first(shape, ISK_IN);

	return out && in && out->extents > 1 && out->extents == in->extents
	       && out->extent[0].size == in->extent[in->extents - 1].size;
}

static enum growth growth_of(const struct isk_shape *shape)
{
	int extents = 0, summed = 0;

	for (int i = 0; i < shape->count; i++) {
		if (shape->arguments[i].measured)
			return CONVOLUTION;
		extents += is_extent(shape, i);
		summed |= first(shape, ISK_OUT) && is_summed_over(shape, i);
	}
	if (summed)
		return PRODUCT;
	if (is_packing(shape) || is_turning(shape))
		return SQUARE;
	return extents == 0 ? CALL : extents == 1 ? COUNT : ROWS;
}

const struct isk_kernel *kernel_described(const char *name)
{
	const int number = asked.kernel_find(name);
	const struct isk_kernel *k = number < 0 ? NULL : &asked.described->kernels[number];

	/* The library may be another build than the one that this program was made with. */
	if (!k || (size_t)number >= asked.described->count || strcmp(k->name, name) != 0)
		return NULL;
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_STRUCT && strcmp(a->name, "conv") && strcmp(a->name, "groups") && !a->null)
			return NULL;
	}
	return k;
}

void extents_set(const struct isk_kernel *k, union isk_args *args, const size_t *last, int count)
{
	const struct isk_shape *shape = k->shape;
	int extents = 0, extent = 0;

	for (int i = 0; i < shape->count; i++)
		extents += is_extent(shape, i);
	/* Extents before the given ones, such as a batch or images, are 1. */
	for (int i = 0; i < shape->count; i++)
		if (is_extent(shape, i)) {
			const int known = extent++ - (extents - count);

			*(size_t *)isk_argument_at(args, &shape->arguments[i]) = known < 0 ? 1 : last[known];
		}
	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		for (int e = a->extents - 1; e >= 0; e--)
			if (a->extent[e].stride >= 0)
				*(size_t *)isk_argument_at(args, &shape->arguments[a->extent[e].stride]) =
					isk_argument_span(k, args, a, e + 1);
	}
}

static size_t measured(const struct isk_conv *c, const char *what)
{
	size_t height = 0, width = 0;

	if (strcmp(what, "image") == 0)
		return c->images * c->height * c->width * (c->ldx ? c->ldx : c->channels);
	if (strcmp(what, "output") != 0)
		return c->out_channels * (c->channels / c->groups) * c->kernel_h * c->kernel_w;
	isk_conv_output(c, &height, &width);
	return c->images * height * width * (c->ldy ? c->ldy : c->out_channels);
}

size_t elements_of(const struct isk_kernel *k, union isk_args *args, const struct isk_conv *conv,
                   const struct isk_argument *a)
{
	return a->measured ? measured(conv, a->measured) : isk_argument_span(k, args, a, 0);
}

static int count_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	const size_t count = (size_t)64 << 2 * i;

	extents_set(k, &p->args, &count, 1);
	if (count < (size_t)1 << 20)
		snprintf(p->label, sizeof(p->label), "%zu", count);
	else
		snprintf(p->label, sizeof(p->label), "%zuM", count >> 20);
	return i < 14;
}

static int rows_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	const struct isk_argument *out = first(k->shape, ISK_OUT), *in = first(k->shape, ISK_IN);
	/*
	 * Reductions across rows (fewer extents written than read) and planes need several rows, because one row
	 * would be a copy.
	 */
	const int across = (out && in && out->extents < in->extents) || (in && in->extents > 2);
	const size_t count = (size_t)64 << 2 * i, widest = across ? 256 : 1024, least = across ? 4 : 1;
	const size_t cols = count / least < widest ? count / least : widest, rows = count / cols;

	extents_set(k, &p->args, (const size_t[]){rows, cols}, 2);
	snprintf(p->label, sizeof(p->label), "%zux%zu", rows, cols);
	return i < 14;
}

/* Larger matrices would only take longer. */
static int square_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	const size_t side = (size_t)8 << i;

	extents_set(k, &p->args, (const size_t[]){side, side}, 2);
	p->size = (double)side;
	snprintf(p->label, sizeof(p->label), "%zux%zu", side, side);
	return i < 8;
}

static int product_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	/* Products without packing are mostly small; some of their sizes are no multiple of a vector. */
	static const size_t small[] = {8, 12, 16, 17, 24, 31, 32, 64, 128, 256, 512, 1024};
	const int packed = is_reading_packed(k->shape);
	const int known = i < (packed ? 8 : sizeof(small) / sizeof(small[0]));
	const size_t side = !known ? 8 : packed ? (size_t)8 << i : small[i];

	extents_set(k, &p->args, (const size_t[]){side, side, side}, 3);
	p->size = (double)side;
	/* A complex product is four real ones. */
	p->flops = 2 * p->size * p->size * p->size * (isk_parts(k->types[0]) == 2 ? 4 : 1);
	snprintf(p->label, sizeof(p->label), "%zu^3", side);
	return known;
}

/* 3 by 3 with a padding of 1, on which convolutional networks spend most time: layers of MobileNet and of ResNet-50. */
static int conv_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	/* side, channels, groups */
	static const size_t layers[][3] = {{7, 1024, 1024}, {14, 512, 512}, {28, 256, 256},
	                                   {56, 128, 128},  {112, 32, 32},  {7, 512, 1},
	                                   {14, 256, 1},    {28, 128, 1},   {56, 64, 1}};
	const int known = i < sizeof(layers) / sizeof(layers[0]);
	const size_t *layer = layers[known ? i : 0];

	p->conv = (struct isk_conv){.size = sizeof(p->conv), .images = 1, .height = layer[0], .width = layer[0],
	                            .channels = layer[1], .out_channels = layer[1], .kernel_h = 3, .kernel_w = 3,
	                            .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, .pad_top = 1,
	                            .pad_left = 1, .pad_bottom = 1, .pad_right = 1, .groups = layer[2]};
	if (!is_packing(k->shape))
		p->flops = 2 * (double)(layer[0] * layer[0]) * (double)measured(&p->conv, "weights");
	snprintf(p->label, sizeof(p->label), "%zux%zux%zu/%zu", layer[0], layer[0], layer[1], layer[2]);
	return known;
}

static int call_set(const struct isk_kernel *k, size_t i, struct problem *p)
{
	(void)k;
	p->size = p->elements = 1;
	strcpy(p->label, "call");
	return i == 0;
}

static double ns_per_element(const struct problem *p, double ns)
{
	return ns / p->elements;
}

static double ns_per_call(const struct problem *p, double ns)
{
	(void)p;
	return ns;
}

static double gigabytes(const struct problem *p, double ns)
{
	return p->bytes / ns;
}

static double gigaflops(const struct problem *p, double ns)
{
	return p->flops / ns;
}

static const struct {
	int (*set)(const struct isk_kernel *k, size_t i, struct problem *p);
	const char *counted;
	struct metric metric;
} growths[] = {
	[CALL] = {call_set, "a call", {"ns/call", ns_per_call}},
	[COUNT] = {count_set, "elements", {"ns/element", ns_per_element}},
	[ROWS] = {rows_set, "elements", {"ns/element", ns_per_element}},
	[SQUARE] = {square_set, "rows and columns", {"ns/element", ns_per_element}},
	[PRODUCT] = {product_set, "rows and columns", {"GFLOP/s", gigaflops}},
	[CONVOLUTION] = {conv_set, "elements", {"GFLOP/s", gigaflops}},
};

int problem_of(const struct isk_kernel *k, size_t i, double limit, struct problem *p)
{
	const enum growth growth = growth_of(k->shape);
	int known;

	*p = (struct problem){.counted = growths[growth].counted};
	known = growths[growth].set(k, i, p);
	for (int j = 0; j < k->shape->count; j++) {
		const struct isk_argument *a = &k->shape->arguments[j];
		double elements;

		if (a->role != ISK_OUT && a->role != ISK_IN)
			continue;
		elements = (double)elements_of(k, &p->args, &p->conv, a);
		p->bytes += elements * isk_element_width(isk_argument_type(k, a)) / 8.0;
		if (p->elements < elements && !(a->role == ISK_IN && a->packed))
			p->elements = elements;
	}
	if (p->size <= 0)
		p->size = p->elements;
	return known && p->bytes <= limit;
}

const struct metric *metric_of(const struct isk_shape *shape)
{
	static const struct metric bandwidth = {"GB/s", gigabytes};

	return is_packing(shape) ? &bandwidth : &growths[growth_of(shape)].metric;
}
