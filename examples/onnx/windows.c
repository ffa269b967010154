/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "shapes.h"
#include "windows.h"

enum { MOST = 1 << 20 };

/* A list of `count` numbers from low on; absent if the attribute is missing. */
static void list_of(const struct node *n, const char *name, size_t count, int64_t low, int64_t absent, int64_t *list)
{
	const Onnx__AttributeProto *a = attribute(n, name);

	if (a && a->n_ints != count)
		refuse(n, "%s has %zu numbers; the image has %zu dimensions", name, a->n_ints, n->in[0]->rank - 2);
	for (size_t i = 0; i < count; i++) {
		list[i] = a ? a->ints[i] : absent;
		if (list[i] < low || list[i] > MOST)
			refuse(n, "%s has %lld; allowed are %lld to %d", name, (long long)list[i], (long long)low, MOST);
	}
}

/* Padding that makes ceil(size / stride) windows; an odd pixel comes first or last. */
static void pad_same(struct windows *w, size_t side, int odd_first)
{
	const size_t out = (w->size[side] + w->stride[side] - 1) / w->stride[side];
	const size_t reach = (out ? out - 1 : 0) * w->stride[side] + (w->kernel[side] - 1) * w->dilation[side] + 1;
	const size_t pads = reach > w->size[side] ? reach - w->size[side] : 0;

	w->before[side] = odd_first ? pads - pads / 2 : pads / 2;
	w->after[side] = pads - w->before[side];
}

static size_t count_of(const struct windows *w, size_t side, int up)
{
	const size_t reach = (w->kernel[side] - 1) * w->dilation[side] + 1,
				 size = w->size[side] + w->before[side] + w->after[side];
	size_t count;

	if (size < reach)
		return 0;
	count = (size - reach + (up ? w->stride[side] - 1 : 0)) / w->stride[side] + 1;
	/* ONNX: a window may not begin in the padding at the end. */
	return up && (count - 1) * w->stride[side] >= w->size[side] + w->before[side] ? count - 1 : count;
}

struct windows windows_of(const struct node *n, const size_t *kernel)
{
	const struct value *x = n->in[0];
	const size_t axes = x->rank - 2;
	int64_t sizes[SIDES], strides[SIDES], dilations[SIDES], pads[2 * SIDES];
	struct windows w;

	if (x->rank != 3 && x->rank != 4)
		refuse(n, "input '%s' has %zu dimensions; allowed are 3 and 4", x->name, x->rank);
	if (!kernel && !attribute(n, "kernel_shape"))
		refuse(n, "kernel_shape is missing");
	list_of(n, "kernel_shape", axes, 1, 1, sizes);
	list_of(n, "strides", axes, 1, 1, strides);
	list_of(n, "dilations", axes, 1, 1, dilations);
	list_of(n, "pads", 2 * axes, 0, 0, pads);
	for (size_t side = 0; side < SIDES; side++) {
		w.size[side] = w.kernel[side] = w.stride[side] = w.dilation[side] = 1;
		w.before[side] = w.after[side] = 0;
	}
	for (size_t i = 0; i < axes; i++) {
		const size_t side = i + SIDES - axes;

		w.size[side] = x->dim[2 + i];
		w.kernel[side] = kernel ? kernel[i] : (size_t)sizes[i];
		if (kernel && attribute(n, "kernel_shape") && w.kernel[side] != (size_t)sizes[i])
			refuse(n, "kernel_shape has %lld, the weights have %zu", (long long)sizes[i], kernel[i]);
		if (!w.kernel[side])
			refuse(n, "a kernel of size 0");
		w.stride[side] = (size_t)strides[i];
		w.dilation[side] = (size_t)dilations[i];
		w.before[side] = (size_t)pads[i];
		w.after[side] = (size_t)pads[axes + i];
		if (attribute_is(n, "auto_pad", "SAME_UPPER") || attribute_is(n, "auto_pad", "SAME_LOWER"))
			pad_same(&w, side, attribute_is(n, "auto_pad", "SAME_LOWER"));
		else if (attribute_is(n, "auto_pad", "VALID"))
			w.before[side] = w.after[side] = 0;
	}
	for (size_t side = 0; side < SIDES; side++)
		w.out[side] = count_of(&w, side, attribute_int(n, "ceil_mode", 0) != 0);
	return w;
}

/* The sizes of a ConvTranspose's output along one side, and the padding that they and the attributes determine. */
static void spread_out(const struct node *n, struct windows *w, size_t side, int64_t more, const int64_t *wanted)
{
	const size_t whole = w->size[side] ? (w->size[side] - 1) * w->stride[side] + (w->kernel[side] - 1) * w->dilation[side] + 1 : 0;
	const int same_upper = attribute_is(n, "auto_pad", "SAME_UPPER"), same_lower = attribute_is(n, "auto_pad", "SAME_LOWER");
	size_t out = whole + (size_t)more, pads;

	if (wanted || same_upper || same_lower) {
		const size_t size = wanted ? (size_t)*wanted : w->size[side] * w->stride[side];

		pads = out > size ? out - size : 0;
		w->before[side] = same_upper ? pads / 2 : pads - pads / 2;
		w->after[side] = pads - w->before[side];
		out = size;
	} else {
		pads = w->before[side] + w->after[side];
		out = out > pads ? out - pads : 0;
	}
	w->out[side] = out;
}

struct windows windows_transposed(const struct node *n, const size_t *kernel)
{
	const size_t axes = n->in[0]->rank - 2;
	struct windows w = windows_of(n, kernel);
	int64_t more[SIDES], sizes[SIDES];

	list_of(n, "output_padding", axes, 0, 0, more);
	list_of(n, "output_shape", axes, 1, 1, sizes);
	for (size_t side = 0; side < SIDES; side++)
		w.out[side] = 1;
	for (size_t i = 0; i < axes; i++)
		spread_out(n, &w, i + SIDES - axes, more[i], attribute(n, "output_shape") ? &sizes[i] : NULL);
	return w;
}

void windows_infer(struct graph *g, struct node *n, const struct windows *w, int type, size_t channels)
{
	const struct value *x = n->in[0];
	size_t dim[RANK] = {x->dim[0], channels};

	for (size_t i = 2; i < x->rank; i++)
		dim[i] = w->out[i - 2 + SIDES + 2 - x->rank];
	infer_output(g, n, 0, type, x->rank, dim);
}

struct isk_conv windows_geometry(const struct windows *w, size_t images, const size_t image[SIDES], size_t channels,
                                 size_t out_channels, size_t groups)
{
	return (struct isk_conv){
		.size = sizeof(struct isk_conv),
		.images = images,
		.height = image[HEIGHT],
		.width = image[WIDTH],
		.channels = channels,
		.out_channels = out_channels,
		.kernel_h = w->kernel[HEIGHT],
		.kernel_w = w->kernel[WIDTH],
		.stride_h = w->stride[HEIGHT],
		.stride_w = w->stride[WIDTH],
		.dilation_h = w->dilation[HEIGHT],
		.dilation_w = w->dilation[WIDTH],
		.pad_top = w->before[HEIGHT],
		.pad_bottom = w->after[HEIGHT],
		.pad_left = w->before[WIDTH],
		.pad_right = w->after[WIDTH],
		.groups = groups,
	};
}

struct isk_conv windows_conv(const struct node *n)
{
	const struct value *x = n->in[0], *w = n->in[1];
	const struct windows win = windows_of(n, w->dim + 2);

	return windows_geometry(&win, x->dim[0], win.size, x->dim[1], w->dim[0], (size_t)attribute_int(n, "group", 1));
}
