/* SPDX-License-Identifier: MIT */
/* XNNPACK: f32 and s8 fully-connected and f32 convolution, weights packed. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "library.h"
#include "peers.h"

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
static int (*run)(void *op, void *threads);
static int (*delete)(void *op);

static const char *open_xnnpack(void)
{
	void *library = library_open("libXNNPACK.so.0");
	int (*initialize)(const void *allocator);

	if (!library)
		return NULL;
	*(void **)&initialize = dlsym(library, "xnn_initialize");
	*(void **)&create_product = dlsym(library, "xnn_create_fully_connected_nc_f32");
	*(void **)&setup_product = dlsym(library, "xnn_setup_fully_connected_nc_f32");
	*(void **)&create_product_s8 = dlsym(library, "xnn_create_fully_connected_nc_qs8");
	*(void **)&setup_product_s8 = dlsym(library, "xnn_setup_fully_connected_nc_qs8");
	*(void **)&create_conv = dlsym(library, "xnn_create_convolution2d_nhwc_f32");
	*(void **)&setup_conv = dlsym(library, "xnn_setup_convolution2d_nhwc_f32");
	*(void **)&run = dlsym(library, "xnn_run_operator");
	*(void **)&delete = dlsym(library, "xnn_delete_operator");
	if (!initialize || !create_product || !setup_product || !create_product_s8 || !setup_product_s8 || !create_conv
	    || !setup_conv || !run || !delete || initialize(NULL))
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

static struct entry *add(struct field *f, const char *how, void *op)
{
	struct entry *e = field_add(f, PEER, "XNNPACK", how, call, op);

	e->release = release;
	return e;
}

static void enter_product(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	void *op;

	if (create_product(row->k, row->n, row->k, row->n, p->b, NULL, -INFINITY, INFINITY, TRANSPOSE_WEIGHTS, &op) == 0)
		setup_product(op, row->m, p->a, add(f, "fully_connected_nc_f32, packed", op)->c, NULL);
}

static void enter_product_s8(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	void *op;

	if (create_product_s8(row->k, row->n, row->k, row->n, 0, 1, 1, p->b, NULL, 0, OUT_SCALE, INT8_MIN, INT8_MAX,
	                      TRANSPOSE_WEIGHTS, &op) == 0)
		setup_product_s8(op, row->m, p->a, add(f, "fully_connected_nc_qs8, packed", op)->c, NULL);
}

/* Its weights are OHWI. It keeps no pointer to them. */
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

	if (create_conv((uint32_t)v->pad_top, (uint32_t)v->pad_right, (uint32_t)v->pad_bottom, (uint32_t)v->pad_left,
	                (uint32_t)v->kernel_h, (uint32_t)v->kernel_w, (uint32_t)v->stride_h, (uint32_t)v->stride_w,
	                (uint32_t)v->dilation_h, (uint32_t)v->dilation_w, (uint32_t)v->groups, v->channels / v->groups,
	                v->out_channels / v->groups, v->channels, v->out_channels, w, NULL, -INFINITY, INFINITY, 0, &op) == 0)
		setup_conv(op, v->images, v->height, v->width, p->a, add(f, "convolution2d_nhwc_f32, packed", op)->c, NULL);
	free(w);
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;

	if (row->op == PRODUCT && row->a == S8 && row->c == S8)
		enter_product_s8(f, p);
	if (row->a != F32 || row->b != F32)
		return;
	if (row->op == PRODUCT)
		enter_product(f, p);
	if (row->op == CONV)
		enter_conv(f, p);
}

const struct peer xnnpack = {"XNNPACK", "libxnnpack0", 1, open_xnnpack, enter};
