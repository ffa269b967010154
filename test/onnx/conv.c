/* SPDX-License-Identifier: MIT */
/*
 * Conv, ConvInteger and QLinearConv. ONNX's images are NCHW and isakern's NHWC, so they are transposed on the
 * way in and out. Weights are OIHW in both.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "isakern.h"
#include "node.h"

typedef int conv_fn(void *y, const void *x, const void *packed, const struct isk_conv *conv,
                    const struct isk_post *post);

/* Padding of one axis that makes ceil(size / stride) outputs; the odd pixel comes first or last. */
static void same_pads(size_t size, size_t taps, size_t stride, size_t dilation, int odd_first, size_t *before,
                      size_t *after)
{
	const size_t reach = ((size + stride - 1) / stride - 1) * stride + (taps - 1) * dilation + 1;
	const size_t pads = reach > size ? reach - size : 0;

	*before = odd_first ? pads - pads / 2 : pads / 2;
	*after = pads - *before;
}

static int auto_pad_is(const struct node *node, const char *name)
{
	const Onnx__AttributeProto *a = node_attribute(node, "auto_pad");

	return a && a->s.len == strlen(name) && memcmp(a->s.data, name, a->s.len) == 0;
}

/* The convolution that the node describes; a 1-D one gets a second axis of size 1. */
static const char *conv_of(struct isk_conv *conv, const struct node *node, const struct tensor *x,
                           const struct tensor *w)
{
	const size_t axes = x->dims - 2, across = axes - 1;
	size_t strides[TENSOR_DIMS], dilations[TENSOR_DIMS], pads[2 * TENSOR_DIMS];

	if (axes != 1 && axes != 2)
		return "isakern convolves in 1 and in 2 dimensions";
	node_ints(node, "strides", axes, strides, 1);
	node_ints(node, "dilations", axes, dilations, 1);
	node_ints(node, "pads", 2 * axes, pads, 0);
	if (auto_pad_is(node, "SAME_LOWER") || auto_pad_is(node, "SAME_UPPER"))
		for (size_t i = 0; i < axes; i++)
			same_pads(x->dim[2 + i], w->dim[2 + i], strides[i], dilations[i], auto_pad_is(node, "SAME_LOWER"),
			          &pads[i], &pads[axes + i]);
	*conv = (struct isk_conv){
		.size = sizeof(*conv),
		.images = x->dim[0],
		.channels = x->dim[1],
		.out_channels = w->dim[0],
		.groups = (size_t)node_int(node, "group", 1),
		.height = 1,
		.kernel_h = 1,
		.stride_h = 1,
		.dilation_h = 1,
		.width = x->dim[2 + across],
		.kernel_w = w->dim[2 + across],
		.stride_w = strides[across],
		.dilation_w = dilations[across],
		.pad_left = pads[across],
		.pad_right = pads[axes + across],
	};
	if (axes == 2) {
		conv->height = x->dim[2];
		conv->kernel_h = w->dim[2];
		conv->stride_h = strides[0];
		conv->dilation_h = dilations[0];
		conv->pad_top = pads[0];
		conv->pad_bottom = pads[axes];
	}
	return NULL;
}

static struct tensor output_of(const struct isk_conv *conv, const struct tensor *x, int type)
{
	size_t height, width;

	must(isk_conv_output(conv, &height, &width), "isk_conv_output");
	if (x->dims == 3)
		return tensor_new(type, 3, (size_t[]){conv->images, conv->out_channels, width});
	return tensor_new(type, 4, (size_t[]){conv->images, conv->out_channels, height, width});
}

/* y = conv(x, w) with y and x in ONNX's layout, with elements of these sizes. */
static void convolve(const struct op *op, const struct isk_conv *conv, void *y, size_t y_bytes, const void *x,
                     size_t x_bytes, const void *w, const struct isk_post *post)
{
	const enum isk_type type = x_bytes == 4 ? ISK_F32 : ISK_S8;
	const size_t bytes = isk_conv_packed_size(type, conv), pixels = conv->height * conv->width;
	void *packed = must_alloc(bytes), *in = must_alloc(conv->images * pixels * conv->channels * x_bytes),
		 *out;
	size_t height, width;

	must(isk_conv_output(conv, &height, &width), "isk_conv_output");
	out = must_alloc(conv->images * height * width * conv->out_channels * y_bytes);
	if (x_bytes == 4)
		isk_nchw_nhwc_b32(in, x, conv->images, conv->channels, pixels);
	else
		isk_nchw_nhwc_b8(in, x, conv->images, conv->channels, pixels);
	must(type == ISK_F32 ? isk_conv_pack_f32(packed, w, bytes, conv)
	                     : isk_conv_pack_s8(packed, w, bytes, conv),
	     "isk_conv_pack");
	must(((conv_fn *)op->fn)(out, in, packed, conv, post), op->kernel);
	if (y_bytes == 4)
		isk_nhwc_nchw_b32(y, out, conv->images, conv->out_channels, height * width);
	else
		isk_nhwc_nchw_b8(y, out, conv->images, conv->out_channels, height * width);
	free(packed);
	free(in);
	free(out);
}

const char *run_conv(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0], *w = node->in[1], *bias = node->in[2];
	const struct isk_post post = {.size = sizeof(post), .bias = bias ? bias->data : NULL};
	struct isk_conv conv;
	const char *skip = conv_of(&conv, node, x, w);

	if (skip)
		return skip;
	node->out = output_of(&conv, x, x->type);
	convolve(op, &conv, node->out.data, 4, x->data, 4, w->data, &post);
	return NULL;
}

/* The common part of both integer convolutions. c has 4 bytes in an element, or 1. */
static const char *convolve_bytes(const struct op *op, const struct isk_conv *conv, void *c,
                                  const struct bytes *x, const struct bytes *w, struct isk_post *post)
{
	if (x->zeros != 1)
		return "isakern has one zero point for all of an image";
	if (w->zeros != 1 && w->zeros != conv->out_channels)
		return "isakern has zero points by output channel";
	post->a_zero = x->zero[0];
	post->b_zero = w->zero;
	post->b_zeros = w->zeros;
	convolve(op, conv, c, op->c == C_S32 || op->c == C_F32 ? 4 : 1, x->data, 1, w->data, post);
	return NULL;
}

const char *run_conv_integer(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0], *w = node->in[1];
	struct isk_post post = {.size = sizeof(post)};
	struct isk_conv conv;
	const char *skip = conv_of(&conv, node, x, w);
	struct bytes a, b;

	if (skip)
		return skip;
	a = bytes_of(x, node->in[2], op->a_signed);
	b = bytes_of(w, node->in[3], 1);
	node->out = output_of(&conv, x, ONNX__TENSOR_PROTO__DATA_TYPE__INT32);
	skip = convolve_bytes(op, &conv, node->out.data, &a, &b, &post);
	bytes_free(&a);
	bytes_free(&b);
	return skip;
}

/*
 * Inputs: x, its scale and zero point; w, its scale and zero point; scale and zero point of the output; the
 * bias, in units of the product of both scales.
 */
const char *run_qlinear_conv(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0], *w = node->in[3], *bias = node->in[8];
	struct isk_conv conv;
	const char *skip = conv_of(&conv, node, x, w);
	struct requantize r;
	struct bytes a, b;
	float *biases = NULL;

	if (skip)
		return skip;
	a = bytes_of(x, node->in[2], op->a_signed);
	b = bytes_of(w, node->in[5], 1);
	node->out = output_of(&conv, x, node->in[7]->type);
	skip = requantize_begin(&r, op, node->in[1], node->in[4], node->in[6], node->in[7], conv.out_channels,
	                        node->out.count);
	if (!skip && bias) {
		biases = must_alloc(bias->count * sizeof(*biases));
		for (size_t i = 0; i < bias->count; i++)
			biases[i] = (float)tensor_int(bias, i) * r.scale[r.post.scales == 1 ? 0 : i];
		r.post.bias = biases;
	}
	if (!skip)
		skip = convolve_bytes(op, &conv, r.c, &a, &b, &r.post);
	if (!skip)
		requantize_end(&r, op, &node->out);
	requantize_free(&r);
	free(biases);
	bytes_free(&a);
	bytes_free(&b);
	return skip;
}
