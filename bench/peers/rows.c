/* SPDX-License-Identifier: MIT */
/* The rows, and what isakern is to reach on each: the ratios of PEERS.md and the goals set from them. */
#include <stdio.h>
#include <string.h>

#include "peers.h"

struct shape {
	size_t m, n, k;
};

#define CUBE(s) {s, s, s}
#define SHAPES(name, ...) static const struct shape name[] = {__VA_ARGS__, {0, 0, 0}}
/* Layers of transformers: N by K. The largest is not held by any cache. */
#define LAYERS(name, m) SHAPES(name, {m, 768, 768}, {m, 3072, 768}, {m, 768, 3072})
#define LARGE(name, m)  SHAPES(name, {m, 4096, 4096})
#define WITH_LARGE(name, m) SHAPES(name, {m, 768, 768}, {m, 3072, 768}, {m, 768, 3072}, {m, 4096, 4096})

SHAPES(cube_64, CUBE(64));
SHAPES(small_cubes, CUBE(64), CUBE(96), CUBE(128));
SHAPES(large_cubes, CUBE(256), CUBE(512), CUBE(1024), CUBE(2048));
SHAPES(tiny_even, CUBE(16), CUBE(32));
SHAPES(tiny_uneven, CUBE(8), CUBE(12), CUBE(24));
SHAPES(tiny_odd, CUBE(1), CUBE(3), CUBE(5), CUBE(7), CUBE(9), CUBE(11), CUBE(13), CUBE(15), CUBE(17), CUBE(19),
       CUBE(21), CUBE(23), CUBE(25), CUBE(27), CUBE(29), CUBE(31));
WITH_LARGE(m1, 1);
WITH_LARGE(m4, 4);
LAYERS(m16, 16);
LARGE(m16_large, 16);
WITH_LARGE(m16_all, 16);
LAYERS(m64, 64);
LARGE(m64_large, 64);
WITH_LARGE(m64_all, 64);
LAYERS(m128, 128);
LARGE(m128_large, 128);
WITH_LARGE(m128_all, 128);
LAYERS(m512, 512);
LARGE(m512_large, 512);
WITH_LARGE(m512_all, 512);

/* Inputs are height by width by channels; padding keeps the size at stride 1. */
struct layer {
	size_t height, width, channels, out, kernel_h, kernel_w, stride, groups;
};

#define LAYER(h, w, c, out, kh, kw, stride, groups) {h, w, c, out, kh, kw, stride, groups}
#define SQUARE(s, c, out, k, stride) LAYER(s, s, c, out, k, k, stride, 1)
#define DEPTHWISE(s, c, stride)      LAYER(s, s, c, c, 3, 3, stride, c)
#define LAYER_LIST(name, ...) static const struct layer name[] = {__VA_ARGS__, {0}}

LAYER_LIST(mobilenet_depthwise, DEPTHWISE(112, 32, 1), DEPTHWISE(112, 96, 2), DEPTHWISE(56, 144, 1),
           DEPTHWISE(28, 192, 1), DEPTHWISE(14, 384, 1), DEPTHWISE(7, 960, 1));
LAYER_LIST(mobilenet_1x1, SQUARE(112, 16, 96, 1, 1), SQUARE(14, 96, 576, 1, 1));
LAYER_LIST(resnet_first, SQUARE(224, 3, 64, 7, 2));
LAYER_LIST(resnet_3x3, SQUARE(56, 64, 64, 3, 1), SQUARE(28, 128, 128, 3, 1), SQUARE(14, 256, 256, 3, 1),
           SQUARE(7, 512, 512, 3, 1));
LAYER_LIST(resnet_1x1, SQUARE(56, 64, 256, 1, 1), SQUARE(28, 512, 128, 1, 1), SQUARE(14, 1024, 256, 1, 1),
           SQUARE(7, 2048, 512, 1, 1));
LAYER_LIST(silero, LAYER(1, 640, 1, 258, 1, 256, 128, 1), LAYER(1, 4, 129, 128, 1, 3, 1, 1),
           LAYER(1, 4, 128, 64, 1, 3, 2, 1), LAYER(1, 2, 64, 64, 1, 3, 2, 1), LAYER(1, 1, 64, 128, 1, 3, 1, 1));
LAYER_LIST(some_3x3, SQUARE(28, 128, 128, 3, 1), SQUARE(14, 256, 256, 3, 1));
LAYER_LIST(some_1x1, SQUARE(28, 512, 128, 1, 1), SQUARE(14, 1024, 256, 1, 1));
LAYER_LIST(some_depthwise, DEPTHWISE(56, 144, 1), DEPTHWISE(14, 384, 1));

/* Source and destination together fit in the second-level cache, or in the third. */
SHAPES(in_l2_b8, {512, 512, 1});
SHAPES(in_l2_b16, {256, 512, 1}, {300, 401, 1});
SHAPES(in_l2_b32, {256, 256, 1}, {200, 300, 1});
SHAPES(in_l2_b64, {128, 256, 1}, {150, 201, 1});
SHAPES(in_l3_b32, {1024, 1024, 1}, {768, 3072, 1});

static const struct series {
	const char *kernel, *group;
	enum op op;
	enum type a, b, c;
	const struct shape *shapes;
	const struct layer *layers;
	struct goal goals[MOST_GOALS];
	int capped;
} all[] = {
	{"gemm_f32", "cube", PRODUCT, F32, F32, F32, small_cubes, NULL, {{"best", 1.00}}, 1},
	{"gemm_f32", "cube", PRODUCT, F32, F32, F32, large_cubes, NULL, {{"best", 1.00}, {"peak", 0.93}}, 1},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_even, NULL, {{"libxsmm", 1.00}}, 0},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_uneven, NULL, {{"libxsmm", 1.30}}, 0},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_odd, NULL, {{"libxsmm", 1.00}}, 0},
	{"gemm_f32", "m1", PRODUCT, F32, F32, F32, m1, NULL, {{"read", 0.97}}, 0},
	{"gemm_f32bf16", "m1", PRODUCT, F32, BF16, F32, m1, NULL, {{"f32", 1.8}}, 0},
	{"gemm_f32s8", "m1", PRODUCT, F32, S8, F32, m1, NULL, {{"f32", 3.4}}, 0},
	{"gemm_f32", "m4", PRODUCT, F32, F32, F32, m4, NULL, {{"best", 1.05}}, 0},
	{"gemm_f32", "m16", PRODUCT, F32, F32, F32, m16, NULL, {{"best", 1.20}}, 0},
	{"gemm_f32", "m16", PRODUCT, F32, F32, F32, m16_large, NULL, {{"best", 1.13}}, 0},
	{"gemm_f32", "m64", PRODUCT, F32, F32, F32, m64, NULL, {{"best", 1.03}}, 0},
	{"gemm_f32", "m64", PRODUCT, F32, F32, F32, m64_large, NULL, {{"best", 1.05}}, 0},
	{"gemm_f32", "m128", PRODUCT, F32, F32, F32, m128, NULL, {{"best", 1.03}}, 0},
	{"gemm_f32", "m128", PRODUCT, F32, F32, F32, m128_large, NULL, {{"best", 1.05}}, 0},
	{"gemm_f32", "m512", PRODUCT, F32, F32, F32, m512, NULL, {{"best", 1.03}}, 0},
	{"gemm_f32", "m512", PRODUCT, F32, F32, F32, m512_large, NULL, {{"best", 1.05}}, 0},
	{"gemm_bf16_f32", "m4", PRODUCT, BF16, BF16, F32, m4, NULL, {{"oneDNN", 1.3}}, 0},
	{"gemm_bf16_f32", "m16", PRODUCT, BF16, BF16, F32, m16_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m64", PRODUCT, BF16, BF16, F32, m64_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m128", PRODUCT, BF16, BF16, F32, m128_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m512", PRODUCT, BF16, BF16, F32, m512_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16", "m16", PRODUCT, BF16, BF16, BF16, m16_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16", "m128", PRODUCT, BF16, BF16, BF16, m128_all, NULL, {{"oneDNN", 1.7}}, 0},
	{"gemm_f16_f32", "m16", PRODUCT, F16, F16, F32, m16_all, NULL, {{"best", 1.25}}, 0},
	{"gemm_f16_f32", "m128", PRODUCT, F16, F16, F32, m128_all, NULL, {{"best", 1.05}}, 0},
	{"gemm_f16_f32", "m512", PRODUCT, F16, F16, F32, m512_all, NULL, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "cube", PRODUCT, U8, S8, S32, cube_64, NULL, {{"best", 1.3}}, 0},
	{"gemm_u8s8_s32", "m1", PRODUCT, U8, S8, S32, m1, NULL, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "m4", PRODUCT, U8, S8, S32, m4, NULL, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "m16", PRODUCT, U8, S8, S32, m16_all, NULL, {{"best", 1.10}}, 0},
	{"gemm_u8s8_s32", "m64", PRODUCT, U8, S8, S32, m64_all, NULL, {{"best", 1.03}}, 0},
	{"gemm_u8s8_s32", "m128", PRODUCT, U8, S8, S32, m128_all, NULL, {{"best", 1.03}}, 0},
	{"gemm_u8s8_s32", "m512", PRODUCT, U8, S8, S32, m512_all, NULL, {{"best", 1.03}}, 0},
	{"gemm_s8s8_s32", "m16", PRODUCT, S8, S8, S32, m16_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m64", PRODUCT, S8, S8, S32, m64_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m128", PRODUCT, S8, S8, S32, m128_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m512", PRODUCT, S8, S8, S32, m512_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s8", "m16", PRODUCT, S8, S8, S8, m16_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s8", "m128", PRODUCT, S8, S8, S8, m128_all, NULL, {{"best", 1.20}}, 0},
	{"gemm_f32", "fused-m16", LINEAR, F32, F32, F32, m16_all, NULL, {{"plain", 0.97}, {"oneDNN", 1.2}, {"torch", 2.0}}, 0},
	{"gemm_f32", "fused-m128", LINEAR, F32, F32, F32, m128_all, NULL, {{"plain", 0.97}}, 0},
	{"conv_f32", "depthwise", CONV, F32, F32, F32, NULL, mobilenet_depthwise, {{"oneDNN", 1.00}}, 0},
	{"conv_f32", "1x1", CONV, F32, F32, F32, NULL, mobilenet_1x1, {{"oneDNN", 1.00}}, 0},
	{"conv_f32", "1x1", CONV, F32, F32, F32, NULL, resnet_1x1, {{"oneDNN", 1.00}}, 0},
	{"conv_f32", "3x3", CONV, F32, F32, F32, NULL, resnet_3x3, {{"oneDNN", 1.00}}, 0},
	{"conv_f32", "7x7", CONV, F32, F32, F32, NULL, resnet_first, {{"oneDNN", 1.00}}, 0},
	{"conv_f32", "silero", CONV, F32, F32, F32, NULL, silero, {{"oneDNN", 1.00}}, 0},
	{"conv_bf16", "depthwise", CONV, BF16, BF16, BF16, NULL, some_depthwise, {{"oneDNN", 1.00}}, 0},
	{"conv_bf16", "1x1", CONV, BF16, BF16, BF16, NULL, some_1x1, {{"oneDNN", 1.00}}, 0},
	{"conv_bf16", "3x3", CONV, BF16, BF16, BF16, NULL, some_3x3, {{"oneDNN", 1.00}}, 0},
	{"conv_u8s8_s32", "depthwise", CONV, U8, S8, S32, NULL, some_depthwise, {{"oneDNN", 1.00}}, 0},
	{"conv_u8s8_s32", "1x1", CONV, U8, S8, S32, NULL, some_1x1, {{"oneDNN", 1.00}}, 0},
	{"conv_u8s8_s32", "3x3", CONV, U8, S8, S32, NULL, some_3x3, {{"oneDNN", 1.00}}, 0},
	{"transpose_b8", "l2", TRANSPOSE, U8, U8, U8, in_l2_b8, NULL, {{"copy", 0.70}}, 0},
	{"transpose_b16", "l2", TRANSPOSE, BF16, BF16, BF16, in_l2_b16, NULL, {{"copy", 0.70}}, 0},
	{"transpose_b32", "l2", TRANSPOSE, F32, F32, F32, in_l2_b32, NULL, {{"copy", 0.70}}, 0},
	{"transpose_b64", "l2", TRANSPOSE, F64, F64, F64, in_l2_b64, NULL, {{"copy", 0.70}}, 0},
	{"transpose_b32", "l3", TRANSPOSE, F32, F32, F32, in_l3_b32, NULL, {{0}}, 0},
};

static size_t places(size_t size, size_t padding, size_t taps, size_t stride)
{
	return (size + 2 * padding - taps) / stride + 1;
}

static void from_shape(struct row *row, const struct shape *shape)
{
	row->m = shape->m;
	row->n = shape->n;
	row->k = shape->k;
	if (row->op == TRANSPOSE)
		snprintf(row->shape, sizeof(row->shape), "%zux%zu", row->m, row->n);
	else
		snprintf(row->shape, sizeof(row->shape), "%zux%zux%zu", row->m, row->n, row->k);
	if (row->op == TRANSPOSE)
		row->k = 0;
}

static void from_layer(struct row *row, const struct layer *layer)
{
	/* The frames of Silero's first layer are padded by its caller. */
	const size_t pad_h = (layer->kernel_h - 1) / 2, pad_w = layer->kernel_w > 7 ? 0 : (layer->kernel_w - 1) / 2;

	row->conv = (struct isk_conv){
		.size = sizeof(row->conv), .images = 1, .height = layer->height, .width = layer->width,
		.channels = layer->channels, .out_channels = layer->out, .kernel_h = layer->kernel_h,
		.kernel_w = layer->kernel_w, .stride_h = layer->height > 1 ? layer->stride : 1, .stride_w = layer->stride,
		.dilation_h = 1, .dilation_w = 1, .pad_top = pad_h, .pad_left = pad_w, .pad_bottom = pad_h, .pad_right = pad_w,
		.groups = layer->groups};
	row->m = places(layer->height, pad_h, layer->kernel_h, row->conv.stride_h)
	       * places(layer->width, pad_w, layer->kernel_w, layer->stride);
	row->n = layer->out;
	row->k = layer->kernel_h * layer->kernel_w * layer->channels / layer->groups;
	snprintf(row->shape, sizeof(row->shape), "%zux%zux%zu>%zu", layer->height, layer->width, layer->channels,
	         layer->out);
	if (layer->stride > 1)
		snprintf(row->shape + strlen(row->shape), sizeof(row->shape) - strlen(row->shape), "/%zu", layer->stride);
}

static size_t length(const struct series *s)
{
	size_t count = 0;

	while (s->shapes ? s->shapes[count].m : s->layers[count].height)
		count++;
	return count;
}

int row_get(size_t i, struct row *row)
{
	for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); i -= length(&all[s]), s++) {
		if (i >= length(&all[s]))
			continue;
		*row = (struct row){.kernel = all[s].kernel, .group = all[s].group, .op = all[s].op, .a = all[s].a,
		                    .b = all[s].b, .c = all[s].c, .capped = all[s].capped};
		memcpy(row->goals, all[s].goals, sizeof(row->goals));
		if (all[s].shapes)
			from_shape(row, &all[s].shapes[i]);
		else
			from_layer(row, &all[s].layers[i]);
		return 1;
	}
	return 0;
}
