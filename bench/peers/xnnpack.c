/* SPDX-License-Identifier: MIT */
/* XNNPACK: f32 and s8 fully-connected and f32 convolution, weights packed; and its operators for vectors and rows. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "library.h"
#include "peer.h"
#include "problem.h"

enum { TRANSPOSE_WEIGHTS = 1 };

static int (*create_product)(size_t inputs, size_t outputs, size_t input_stride, size_t output_stride,
                             const float *kernel, const float *bias, float least, float most, uint32_t flags, void **op);
static int (*setup_product)(void *op, size_t batch, const float *input, float *output, void *threads);
static int (*create_product_s8)(size_t inputs, size_t outputs, size_t input_stride, size_t output_stride,
                                int8_t input_zero, float input_scale, float kernel_scale, const int8_t *kernel,
                                const int32_t *bias, int8_t output_zero, float output_scale, int8_t least,
                                int8_t most, uint32_t flags, void **op);
static int (*setup_product_s8)(void *op, size_t batch, const int8_t *input, int8_t *output, void *threads);
static int (*create_conv)(uint32_t top, uint32_t right, uint32_t bottom, uint32_t left, uint32_t kernel_h,
                          uint32_t kernel_w, uint32_t stride_h, uint32_t stride_w, uint32_t dilation_h,
                          uint32_t dilation_w, uint32_t groups, size_t in_group, size_t out_group, size_t input_stride,
                          size_t output_stride, const float *kernel, const float *bias, float least, float most,
                          uint32_t flags, void **op);
static int (*setup_conv)(void *op, size_t batch, size_t height, size_t width, const float *input, float *output,
                         void *threads);
static int (*create_deconv)(uint32_t top, uint32_t right, uint32_t bottom, uint32_t left, uint32_t kernel_h,
                            uint32_t kernel_w, uint32_t stride_h, uint32_t stride_w, uint32_t dilation_h,
                            uint32_t dilation_w, uint32_t groups, size_t in_group, size_t out_group, size_t input_stride,
                            size_t output_stride, const float *kernel, const float *bias, float least, float most,
                            uint32_t flags, void **op);
static int (*setup_deconv)(void *op, size_t batch, size_t height, size_t width, uint32_t more_rows, uint32_t more_columns,
                           const float *input, float *output, void *threads);
static int (*run)(void *op, void *threads);
static int (*delete)(void *op);

static void *library;

static const char *open_xnnpack(void)
{
	int (*initialize)(const void *allocator);

	library = library_open("libXNNPACK.so.0");
	if (!library)
		return NULL;
	*(void **)&initialize = dlsym(library, "xnn_initialize");
	*(void **)&create_product = dlsym(library, "xnn_create_fully_connected_nc_f32");
	*(void **)&setup_product = dlsym(library, "xnn_setup_fully_connected_nc_f32");
	*(void **)&create_product_s8 = dlsym(library, "xnn_create_fully_connected_nc_qs8");
	*(void **)&setup_product_s8 = dlsym(library, "xnn_setup_fully_connected_nc_qs8");
	*(void **)&create_conv = dlsym(library, "xnn_create_convolution2d_nhwc_f32");
	*(void **)&setup_conv = dlsym(library, "xnn_setup_convolution2d_nhwc_f32");
	*(void **)&create_deconv = dlsym(library, "xnn_create_deconvolution2d_nhwc_f32");
	*(void **)&setup_deconv = dlsym(library, "xnn_setup_deconvolution2d_nhwc_f32");
	*(void **)&run = dlsym(library, "xnn_run_operator");
	*(void **)&delete = dlsym(library, "xnn_delete_operator");
	if (!initialize || !create_product || !setup_product || !create_product_s8 || !setup_product_s8 || !create_conv
	    || !setup_conv || !create_deconv || !setup_deconv || !run || !delete || initialize(NULL))
		return NULL;
	return "libXNNPACK.so.0";
}

static void call(void *op)
{
	run(op, NULL);
}

static void release(void *op)
{
	delete(op);
}

static void add(struct field *f, const char *how, void *op)
{
	field_add(f, PEER, "XNNPACK", how, call, op)->release = release;
}

static void enter_product(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	void *op;

	if (create_product(row->k, row->n, row->k, row->n, p->b, NULL, -INFINITY, INFINITY, TRANSPOSE_WEIGHTS,
	                   &op))
		return;
	setup_product(op, row->m, p->a, p->c, NULL);
	add(f, "fully_connected_nc_f32, packed", op);
}

static void enter_product_s8(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	void *op;

	if (create_product_s8(row->k, row->n, row->k, row->n, 0, 1, 1, p->b, NULL, 0, OUT_SCALE, INT8_MIN,
	                      INT8_MAX, TRANSPOSE_WEIGHTS, &op))
		return;
	setup_product_s8(op, row->m, p->a, p->c, NULL);
	add(f, "fully_connected_nc_qs8, packed", op);
}

/* Its weights are OHWI. It copies them. */
static float *weights(const struct problem *p)
{
	const struct isk_conv *v = &p->row->conv;
	const size_t taps = v->kernel_h * v->kernel_w, channels = v->channels / v->groups;
	const float *from = p->b;
	float *to = allocate(v->out_channels * taps * channels * sizeof(*to));

	for (size_t o = 0; o < v->out_channels; o++)
		for (size_t c = 0; c < channels; c++)
			for (size_t t = 0; t < taps; t++)
				to[(o * taps + t) * channels + c] = from[(o * channels + c) * taps + t];
	return to;
}

static void enter_conv(struct field *f, const struct problem *p)
{
	const struct isk_conv *v = &p->row->conv;
	float *w = weights(p);
	void *op;

	if (create_conv((uint32_t)v->pad_top, (uint32_t)v->pad_right, (uint32_t)v->pad_bottom,
	                (uint32_t)v->pad_left, (uint32_t)v->kernel_h, (uint32_t)v->kernel_w,
	                (uint32_t)v->stride_h, (uint32_t)v->stride_w, (uint32_t)v->dilation_h,
	                (uint32_t)v->dilation_w, (uint32_t)v->groups, v->channels / v->groups,
	                v->out_channels / v->groups, v->channels, v->out_channels, w, NULL, -INFINITY, INFINITY,
	                0, &op) == 0) {
		setup_conv(op, v->images, v->height, v->width, p->a, p->c, NULL);
		add(f, "convolution2d_nhwc_f32, packed", op);
	}
	free(w);
}

/* The weights of a deconvolution: for each channel of the result, taps, and channels of the input within the group. */
static float *transposed_weights(const struct problem *p)
{
	const struct isk_conv *v = &p->row->conv;
	const size_t taps = v->kernel_h * v->kernel_w, in_group = v->channels / v->groups, out_group = v->out_channels / v->groups;
	const float *from = p->b;
	float *to = allocate(v->channels * taps * out_group * sizeof(*to));

	for (size_t o = 0; o < v->out_channels; o++)
		for (size_t c = 0; c < in_group; c++)
			for (size_t t = 0; t < taps; t++)
				to[((o / out_group * in_group + c) * taps + t) * out_group + o % out_group] = from[(o * in_group + c) * taps + t];
	return to;
}

static void enter_conv_transpose(struct field *f, const struct problem *p)
{
	const struct isk_conv *v = &p->row->conv;
	float *w = transposed_weights(p);
	void *op;

	if (create_deconv((uint32_t)v->pad_top, (uint32_t)v->pad_right, (uint32_t)v->pad_bottom, (uint32_t)v->pad_left,
	                  (uint32_t)v->kernel_h, (uint32_t)v->kernel_w, (uint32_t)v->stride_h, (uint32_t)v->stride_w,
	                  (uint32_t)v->dilation_h, (uint32_t)v->dilation_w, (uint32_t)v->groups, v->out_channels / v->groups,
	                  v->channels / v->groups, v->out_channels, v->channels, w, NULL, -INFINITY, INFINITY, 0, &op) == 0) {
		setup_deconv(op, v->images, conv_out_height(v), conv_out_width(v), 0, 0, p->a, p->c, NULL);
		add(f, "deconvolution2d_nhwc_f32, packed", op);
	}
	free(w);
}

/* How the operators for vectors are made, by their parameters. All are set up alike, except those of two inputs. */
typedef int make_fn(size_t channels, size_t input_stride, size_t output_stride, uint32_t flags, void **op);
typedef int make_clamp_fn(size_t channels, size_t input_stride, size_t output_stride, float least, float most,
                          uint32_t flags, void **op);
typedef int make_quantize_fn(size_t channels, size_t input_stride, size_t output_stride, float scale,
                             int zero, int least, int most, uint32_t flags, void **op);
typedef int make_dequantize_fn(size_t channels, size_t input_stride, size_t output_stride, float scale,
                               int zero, uint32_t flags, void **op);
typedef int make_zip_fn(float least, float most, uint32_t flags, void **op);
typedef int setup_fn(void *op, size_t batch, const void *input, void *output, void *threads);
typedef int setup_zip_fn(void *op, size_t dims_a, const size_t *shape_a, size_t dims_b, const size_t *shape_b,
                         const void *a, const void *b, void *output, void *threads);

static const char *const operators[][2] = {
	{"sigmoid_f32", "sigmoid_nc_f32"},
	{"relu_f32", "clamp_nc_f32"},
	{"softmax_f32", "softmax_nc_f32"},
	{"add_f32", "add_nd_f32"},
	{"mul_f32", "multiply_nd_f32"},
	{"cvt_f32_f16", "convert_nc_f32_f16"},
	{"cvt_f16_f32", "convert_nc_f16_f32"},
	{"quantize_f32_s8", "convert_nc_f32_qs8"},
	{"quantize_f32_u8", "convert_nc_f32_qu8"},
	{"dequantize_s8_f32", "convert_nc_qs8_f32"},
	{"dequantize_u8_f32", "convert_nc_qu8_f32"},
};

static void *function(const char *what, const char *name)
{
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "xnn_%s_%s", what, name);
	return dlsym(library, symbol);
}

static int make_vectors(const struct row *row, void *make, void **op)
{
	const size_t n = row->n;
	const int u8 = row->a == U8 || row->c == U8, zero = u8 ? QUANTIZE_ZERO_U8 : QUANTIZE_ZERO_S8;

	if (row->op == ZIP)
		return ((make_zip_fn *)make)(-INFINITY, INFINITY, 0, op);
	if (row->op == QUANTIZE)
		return ((make_quantize_fn *)make)(n, n, n, QUANTIZE_SCALE, zero, u8 ? 0 : INT8_MIN,
		                                  u8 ? UINT8_MAX : INT8_MAX, 0, op);
	if (row->op == DEQUANTIZE)
		return ((make_dequantize_fn *)make)(n, n, n, QUANTIZE_SCALE, zero, 0, op);
	if (strcmp(row->kernel, "relu_f32") == 0)
		return ((make_clamp_fn *)make)(n, n, n, 0, INFINITY, 0, op);
	return ((make_fn *)make)(n, n, n, 0, op);
}

static int setup_vectors(const struct problem *p, void *setup, void *op)
{
	const struct vectors *v = &p->vectors;

	if (p->row->op == ZIP)
		return ((setup_zip_fn *)setup)(op, 1, &v->cols, 1, &v->cols, v->a, v->b, v->y, NULL);
	return ((setup_fn *)setup)(op, v->rows, v->a, v->y, NULL);
}

static void enter_vectors_of(struct field *f, const struct problem *p, const char *name)
{
	void *make = function("create", name), *setup = function("setup", name), *op;

	if (!make || !setup || make_vectors(p->row, make, &op))
		return;
	if (setup_vectors(p, setup, op))
		delete (op);
	else
		add(f, name, op);
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (strcmp(operators[i][0], row->kernel) == 0)
			enter_vectors_of(f, p, operators[i][1]);
	if (row->op == PRODUCT && row->a == S8 && row->c == S8)
		enter_product_s8(f, p);
	if (row->a != F32 || row->b != F32)
		return;
	if (row->op == PRODUCT)
		enter_product(f, p);
	if (row->op == CONV)
		enter_conv(f, p);
	if (row->op == CONV_TRANSPOSE)
		enter_conv_transpose(f, p);
}

const struct peer xnnpack = {"XNNPACK", "libxnnpack0", 1, open_xnnpack, enter};
