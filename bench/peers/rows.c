/* SPDX-License-Identifier: MIT */
/* The rows, and their stated goals. Every row also has the goal of goals.c: level with the best peer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "row.h"

struct shape {
	size_t m, n, k;
};

#define CUBE(s) {s, s, s}
#define SHAPES(name, ...) static const struct shape name[] = {__VA_ARGS__, {0, 0, 0}}
/* Layers of transformers: N by K. */
#define LAYERS(name, m) SHAPES(name, {m, 768, 768}, {m, 3072, 768}, {m, 768, 3072})
#define LARGE(name, m)  SHAPES(name, {m, 4096, 4096})
#define WITH_LARGE(name, m) SHAPES(name, {m, 768, 768}, {m, 3072, 768}, {m, 768, 3072}, {m, 4096, 4096})

SHAPES(cube_64, CUBE(64));
SHAPES(small_cubes, CUBE(64), CUBE(96), CUBE(128));
SHAPES(large_cubes, CUBE(256), CUBE(512), CUBE(1024), CUBE(2048));
SHAPES(doubles, CUBE(4096), {1, 1024, 1024}, {16, 1024, 1024}, {128, 1024, 1024}, {128, 4096, 4096}, {512, 64, 512});
SHAPES(far_row, {1, 1024, 1024});
SHAPES(tiny_even, CUBE(16), CUBE(32));
SHAPES(tiny_uneven, CUBE(8), CUBE(24));
SHAPES(tiny_odd, CUBE(1), CUBE(3), CUBE(5), CUBE(7), CUBE(17), CUBE(19), CUBE(21), CUBE(23), CUBE(25),
       CUBE(27), CUBE(29), CUBE(31));
SHAPES(tiny_9_to_15, CUBE(9), CUBE(10), CUBE(11), CUBE(12), CUBE(13), CUBE(14), CUBE(15));
LAYERS(m1_layers, 1);
LARGE(m1_large, 1);
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

/* f32 weights fit into the second-level cache. */
SHAPES(m1_from_l2, {1, 256, 256});
SHAPES(groups, {1, 3072, 768}, {4, 3072, 768}, {16, 3072, 768}, {64, 3072, 768}, {1, 4096, 4096},
       {4, 4096, 4096}, {16, 4096, 4096}, {64, 4096, 4096});
/* N and K are 0: a square that exceeds the last cache of this machine. */
SHAPES(beyond_cache, {1, 0, 0}, {4, 0, 0}, {16, 0, 0});

#define ONE_COLUMN(m) {m, 1, 64}, {m, 1, 256}, {m, 1, 1024}, {m, 1, 4096}
#define COLUMNS(n)    {1, n, 1024}, {17, n, 256}, {33, n, 4096}, {128, n, 64}, {1024, n, 256}
SHAPES(one_column, ONE_COLUMN(1), ONE_COLUMN(17), ONE_COLUMN(33), ONE_COLUMN(128), ONE_COLUMN(1024));
SHAPES(few_columns, COLUMNS(2), COLUMNS(3), COLUMNS(4), COLUMNS(5), COLUMNS(7), COLUMNS(8), COLUMNS(12),
       COLUMNS(15));
SHAPES(short_k, {1, 512, 13}, {128, 512, 13}, {4096, 64, 13}, {4096, 512, 13}, {1024, 1024, 64},
       {1500, 1500, 64}, {4096, 64, 64});
SHAPES(narrow, {1500, 64, 1500}, {4096, 64, 1024}, {1024, 32, 4096});

/* Real models. Attention multiplies matrices that were just computed, hence unpacked. */
SHAPES(llama, {1, 1024, 4096}, {1, 11008, 4096}, {1, 4096, 11008}, {8, 4096, 4096}, {32, 1024, 4096});
SHAPES(llama_attention, {1, 128, 512}, {1, 512, 128}, {32, 512, 128});
SHAPES(whisper, {1500, 384, 384}, {1500, 1536, 384}, {1500, 384, 1536}, {1500, 512, 512}, {1, 51865, 384});
SHAPES(whisper_attention, {1500, 1500, 64}, {1500, 64, 1500}, {1, 1500, 64});
SHAPES(resnet, {3136, 64, 64}, {3136, 256, 64}, {784, 512, 128}, {196, 1024, 256}, {49, 2048, 512},
       {1, 1000, 2048});
SHAPES(mobilenetv3, {12544, 16, 16}, {3136, 24, 64}, {784, 120, 40}, {196, 480, 80}, {49, 960, 160},
       {7, 960, 240}, {1, 240, 960}, {1, 1280, 960});
SHAPES(bert_large, {128, 1024, 1024}, {128, 4096, 1024}, {128, 1024, 4096}, {384, 1024, 1024});
SHAPES(bert_attention, {128, 128, 64}, {128, 64, 128}, {384, 384, 64}, {384, 64, 384});
SHAPES(recommendation, {1, 256, 512}, {17, 256, 512}, {128, 256, 512}, {128, 64, 256}, {128, 512, 415},
       {1, 512, 415}, {2048, 512, 13}, {1, 64, 256}, {33, 64, 256});

/* Inputs are height by width by channels; padding keeps the size at stride 1. */
struct layer {
	size_t height, width, channels, out, kernel_h, kernel_w, stride, groups;
};

#define LAYER(h, w, c, out, kh, kw, stride, groups) {h, w, c, out, kh, kw, stride, groups}
#define SQUARE(s, c, out, k, stride) LAYER(s, s, c, out, k, k, stride, 1)
#define DEPTHWISE(s, c, k, stride)   LAYER(s, s, c, c, k, k, stride, c)
#define LAYER_LIST(name, ...) static const struct layer name[] = {__VA_ARGS__, {0}}

LAYER_LIST(mobilenet_depthwise, DEPTHWISE(112, 32, 3, 1), DEPTHWISE(112, 96, 3, 2), DEPTHWISE(56, 144, 3, 1),
           DEPTHWISE(28, 192, 3, 1), DEPTHWISE(14, 384, 3, 1), DEPTHWISE(7, 960, 3, 1));
LAYER_LIST(mobilenet_5x5, DEPTHWISE(56, 72, 5, 2), DEPTHWISE(28, 120, 5, 1), DEPTHWISE(7, 960, 5, 1));
LAYER_LIST(mobilenet_1x1, SQUARE(112, 16, 96, 1, 1), SQUARE(112, 16, 16, 1, 1), SQUARE(56, 64, 24, 1, 1),
           SQUARE(28, 40, 120, 1, 1), SQUARE(14, 96, 576, 1, 1), SQUARE(7, 960, 160, 1, 1));
LAYER_LIST(resnet_first, SQUARE(224, 3, 64, 7, 2));
LAYER_LIST(resnet_3x3, SQUARE(56, 64, 64, 3, 1), SQUARE(28, 128, 128, 3, 1), SQUARE(14, 256, 256, 3, 1),
           SQUARE(7, 512, 512, 3, 1), SQUARE(56, 128, 128, 3, 2));
LAYER_LIST(resnet_1x1, SQUARE(56, 64, 256, 1, 1), SQUARE(28, 512, 128, 1, 1), SQUARE(14, 1024, 256, 1, 1),
           SQUARE(7, 2048, 512, 1, 1), SQUARE(56, 256, 512, 1, 2));
LAYER_LIST(silero, LAYER(1, 640, 1, 258, 1, 256, 128, 1), LAYER(1, 4, 129, 128, 1, 3, 1, 1),
           LAYER(1, 4, 128, 64, 1, 3, 2, 1), LAYER(1, 2, 64, 64, 1, 3, 2, 1), LAYER(1, 1, 64, 128, 1, 3, 1, 1));
/* Networks that enlarge images: PP-OCRv4's detection, a U-Net, a generator of images. Their sizes are those of the input. */
LAYER_LIST(enlarging, SQUARE(160, 24, 24, 2, 2), SQUARE(320, 24, 1, 2, 2), SQUARE(28, 512, 256, 2, 2), SQUARE(56, 256, 128, 2, 2),
           SQUARE(4, 1024, 512, 4, 2), SQUARE(16, 256, 128, 4, 2), SQUARE(32, 128, 3, 4, 2), SQUARE(28, 64, 64, 3, 2),
           SQUARE(28, 64, 64, 3, 1), DEPTHWISE(56, 64, 4, 2));
LAYER_LIST(some_3x3, SQUARE(28, 128, 128, 3, 1), SQUARE(14, 256, 256, 3, 1));
LAYER_LIST(some_1x1, SQUARE(28, 512, 128, 1, 1), SQUARE(14, 1024, 256, 1, 1));
LAYER_LIST(some_depthwise, DEPTHWISE(56, 144, 3, 1), DEPTHWISE(14, 384, 3, 1));

/* Source and destination together fit in the second-level cache, or in the third. */
SHAPES(in_l2_b8, {512, 512, 1});
SHAPES(in_l2_b16, {256, 512, 1}, {300, 401, 1});
SHAPES(in_l2_b32, {256, 256, 1}, {200, 300, 1}, {100, 100, 1});
SHAPES(in_l2_b64, {128, 256, 1}, {150, 201, 1});
SHAPES(in_l3_b32, {1024, 1024, 1}, {768, 3072, 1}, {2048, 2048, 1});

enum { MI = 1 << 20 };

SHAPES(lengths, {1, 16, 0}, {1, 256, 0}, {1, 4096, 0}, {1, 65536, 0}, {1, 4 * MI, 0}, {1, 24 * MI, 0});
/* The same lengths in groups with goals of their own: short calls, first or second-level cache, memory. */
SHAPES(short_lengths, {1, 16, 0}, {1, 256, 0});
SHAPES(cached_lengths, {1, 4096, 0}, {1, 65536, 0});
SHAPES(shared_lengths, {1, 4 * MI, 0});
SHAPES(beyond_lengths, {1, 24 * MI, 0});
SHAPES(long_lengths, {1, 4096, 0}, {1, 65536, 0}, {1, 4 * MI, 0}, {1, 24 * MI, 0});
/* The lengths of vector search, beside 16 and 256. */
SHAPES(searches, {1, 64, 0}, {1, 1536, 0});
SHAPES(texts, {64, 64, 0}, {64, 1024, 0}, {512, 768, 0}, {8, 32000, 0});
SHAPES(columns, {64, 64, 0}, {1024, 8, 0}, {256, 256, 0}, {16, 4096, 0}, {1024, 1024, 0}, {16384, 1024, 0});
/* Bags by columns, from a table in the second-level cache or in memory. */
SHAPES(bags, {256, 64, 2000}, {256, 128, 1000}, {256, 64, 500000}, {256, 128, 250000});
/* Channels, side of the result, side of the image, in pixels. */
SHAPES(pools, {64, 7, 56}, {512, 7, 14}, {960, 1, 7}, {256, 6, 13});
SHAPES(units, {1, 64, 0}, {1, 128, 0}, {1, 256, 0}, {1, 1024, 0});

/*
 * The sources of goals. PEERS.md, the measurements of others, is about Emerald Rapids, except where it speaks
 * of every CPU.
 */
#define EMR(against, ratio)   {against, ratio, EMERALD_RAPIDS, "PEERS.md"}
#define ISSUE(against, ratio) {against, ratio, ANY_MACHINE, "issue 9"}
#define DOUBLES               {"best", 0.95, ANY_MACHINE, "issue 33"}
#define PEAK                  {"peak", 0.95, ANY_MACHINE, "PEERS.md"}
#define WHOLE(against, ratio) {against, ratio, WHOLE_CPU, "issue 10"}
#define CPU(against, ratio)   {against, ratio, ANY_MACHINE, "issue 10"}
/* Differences from a limit that are smaller than this are noise. */
#define AT_LIMIT(against) CPU(against, 0.90)
#define STREAMED          WHOLE("best", 1.25)

#define F32S F32, F32, F32
#define F64S F64, F64, F64

/* A kernel at all lengths, with one goal for memory and other goals for the caches. */
#define BY_LENGTH(kernel, group, op, a, b, c, streamed, ...)                                                 \
	{kernel, group, op, a, b, c, short_lengths, NULL, {{0}}},                                                \
		{kernel, group, op, a, b, c, cached_lengths, NULL, {__VA_ARGS__}},                                   \
		{kernel, group, op, a, b, c, shared_lengths, NULL, {{0}}},                                           \
		{kernel, group, op, a, b, c, beyond_lengths, NULL, {streamed}}
#define MAPS(kernel, ...) BY_LENGTH(kernel, "maps", MAP, F32, F32, F32, STREAMED, __VA_ARGS__)
/* Correctly rounded kernels, whose peers are not. */
#define EXACT(kernel, ...) {kernel, "exact", MAP, F32S, lengths, NULL, {__VA_ARGS__}}

static const struct series {
	const char *kernel, *group;
	enum op op;
	enum type a, b, c;
	const struct shape *shapes;
	const struct layer *layers;
	struct goal goals[MOST_GOALS];
} all[] = {
	{"gemm_f32", "cube", PRODUCT, F32S, small_cubes, NULL, {ISSUE("best", 0.98)}},
	{"gemm_f32", "cube", PRODUCT, F32S, large_cubes, NULL, {PEAK}},
	{"matmul_f32", "tiny", PRODUCT, F32S, tiny_even, NULL, {EMR("libxsmm", 1.00)}},
	{"matmul_f32", "tiny", PRODUCT, F32S, tiny_uneven, NULL, {EMR("libxsmm", 1.30)}},
	{"matmul_f32", "tiny", PRODUCT, F32S, tiny_odd, NULL, {EMR("libxsmm", 1.00)}},
	{"matmul_f32", "tiny", PRODUCT, F32S, tiny_9_to_15, NULL, {ISSUE("best", 0.95)}},
	{"matmul_plan_f32", "tiny", PRODUCT, F32S, tiny_even, NULL, {{0}}},
	{"matmul_plan_f32", "tiny", PRODUCT, F32S, tiny_uneven, NULL, {{0}}},
	{"matmul_plan_f32", "tiny", PRODUCT, F32S, tiny_odd, NULL, {{0}}},
	{"matmul_plan_f32", "tiny", PRODUCT, F32S, tiny_9_to_15, NULL, {{0}}},
	{"gemm_f64", "doubles", PRODUCT, F64S, small_cubes, NULL, {DOUBLES}},
	{"gemm_f64", "doubles", PRODUCT, F64S, large_cubes, NULL, {DOUBLES}},
	{"gemm_f64", "doubles", PRODUCT, F64S, doubles, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, tiny_even, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, tiny_uneven, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, small_cubes, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, large_cubes, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, far_row, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, one_column, NULL, {DOUBLES}},
	{"matmul_f64", "doubles", PRODUCT, F64S, few_columns, NULL, {DOUBLES}},
	{"gemm_f32", "m1", PRODUCT, F32S, m1, NULL, {EMR("read", 0.97)}},
	{"gemm_f32bf16", "m1", PRODUCT, F32, BF16, F32, m1, NULL, {EMR("f32", 1.8)}},
	{"gemm_f32f16", "m1", PRODUCT, F32, F16, F32, m1, NULL, {EMR("f32", 1.8)}},
	{"gemm_f32s8", "m1", PRODUCT, F32, S8, F32, m1_from_l2, NULL, {ISSUE("f32", 1.6)}},
	{"gemm_f32s8", "m1", PRODUCT, F32, S8, F32, m1_layers, NULL, {EMR("f32", 3.4)}},
	{"gemm_f32s8", "m1", PRODUCT, F32, S8, F32, m1_large, NULL, {EMR("f32", 3.4), ISSUE("f32", 3.2)}},
	{"gemm_f32s8", "grouped-scales", GROUPED, F32, S8, F32, groups, NULL, {ISSUE("columns", 0.85)}},
	{"gemm_f32", "m4", PRODUCT, F32S, m4, NULL, {EMR("best", 1.05)}},
	{"gemm_f32", "m16", PRODUCT, F32S, m16, NULL, {EMR("best", 1.20)}},
	{"gemm_f32", "m16", PRODUCT, F32S, m16_large, NULL, {EMR("best", 1.13)}},
	{"gemm_f32", "m64", PRODUCT, F32S, m64, NULL, {EMR("best", 1.03), ISSUE("best", 0.98)}},
	{"gemm_f32", "m64", PRODUCT, F32S, m64_large, NULL, {EMR("best", 1.05), ISSUE("best", 0.98)}},
	{"gemm_f32", "m128", PRODUCT, F32S, m128, NULL, {EMR("best", 1.03), ISSUE("best", 0.98)}},
	{"gemm_f32", "m128", PRODUCT, F32S, m128_large, NULL, {EMR("best", 1.05), ISSUE("best", 0.98)}},
	{"gemm_f32", "m512", PRODUCT, F32S, m512, NULL, {EMR("best", 1.03), PEAK}},
	{"gemm_f32", "m512", PRODUCT, F32S, m512_large, NULL, {EMR("best", 1.05), PEAK}},
	{"gemm_f32", "one-column", PRODUCT, F32S, one_column, NULL, {ISSUE("best", 1.00), ISSUE("dot", 1.00)}},
	{"gemm_f32", "few-columns", PRODUCT, F32S, few_columns, NULL, {ISSUE("best", 1.00)}},
	{"gemm_f32", "short-k", PRODUCT, F32S, short_k, NULL, {ISSUE("best", 0.97)}},
	{"gemm_f32", "narrow", PRODUCT, F32S, narrow, NULL, {ISSUE("best", 0.97)}},
	{"gemm_f32", "llama", PRODUCT, F32S, llama, NULL, {{0}}},
	{"matmul_f32", "llama", PRODUCT, F32S, llama_attention, NULL, {{0}}},
	{"gemm_f32", "whisper", PRODUCT, F32S, whisper, NULL, {{0}}},
	{"matmul_f32", "whisper", PRODUCT, F32S, whisper_attention, NULL, {ISSUE("best", 0.97)}},
	{"gemm_f32", "resnet", PRODUCT, F32S, resnet, NULL, {{0}}},
	{"gemm_f32", "mobilenetv3", PRODUCT, F32S, mobilenetv3, NULL, {{0}}},
	{"gemm_f32", "bert-large", PRODUCT, F32S, bert_large, NULL, {{0}}},
	{"matmul_f32", "bert-large", PRODUCT, F32S, bert_attention, NULL, {{0}}},
	{"gemm_f32", "recommendation", PRODUCT, F32S, recommendation, NULL, {{0}}},
	{"gemm_f32", "beyond-cache", PRODUCT, F32S, beyond_cache, NULL, {{0}}},
	{"gemm_f32bf16", "beyond-cache", PRODUCT, F32, BF16, F32, beyond_cache, NULL, {{0}}},
	{"gemm_f32s8", "beyond-cache", PRODUCT, F32, S8, F32, beyond_cache, NULL, {{0}}},
	{"gemm_u8s8_s32", "beyond-cache", PRODUCT, U8, S8, S32, beyond_cache, NULL, {{0}}},
	{"gemm_bf16_f32", "m4", PRODUCT, BF16, BF16, F32, m4, NULL, {EMR("oneDNN", 1.3)}},
	{"gemm_bf16_f32", "m16", PRODUCT, BF16, BF16, F32, m16_all, NULL, {EMR("oneDNN", 1.7)}},
	{"gemm_bf16_f32", "m64", PRODUCT, BF16, BF16, F32, m64_all, NULL, {EMR("oneDNN", 1.7)}},
	{"gemm_bf16_f32", "m128", PRODUCT, BF16, BF16, F32, m128_all, NULL, {EMR("oneDNN", 1.7)}},
	{"gemm_bf16_f32", "m512", PRODUCT, BF16, BF16, F32, m512_all, NULL, {EMR("oneDNN", 1.7), PEAK}},
	{"gemm_bf16", "m16", PRODUCT, BF16, BF16, BF16, m16_all, NULL, {EMR("oneDNN", 1.7), ISSUE("best", 0.97)}},
	{"gemm_bf16", "m128", PRODUCT, BF16, BF16, BF16, m128_all, NULL, {EMR("oneDNN", 1.7), ISSUE("best", 0.97)}},
	{"gemm_f16_f32", "m16", PRODUCT, F16, F16, F32, m16_all, NULL, {EMR("best", 1.25)}},
	{"gemm_f16_f32", "m128", PRODUCT, F16, F16, F32, m128_all, NULL, {EMR("best", 1.05)}},
	{"gemm_f16_f32", "m512", PRODUCT, F16, F16, F32, m512_all, NULL, {EMR("best", 1.05), PEAK}},
	{"gemm_u8s8_s32", "cube", PRODUCT, U8, S8, S32, cube_64, NULL, {EMR("best", 1.3)}},
	{"gemm_u8s8_s32", "m1", PRODUCT, U8, S8, S32, m1, NULL, {EMR("best", 1.05)}},
	{"gemm_u8s8_s32", "m4", PRODUCT, U8, S8, S32, m4, NULL, {EMR("best", 1.05)}},
	{"gemm_u8s8_s32", "m16", PRODUCT, U8, S8, S32, m16_all, NULL, {EMR("best", 1.10)}},
	{"gemm_u8s8_s32", "m64", PRODUCT, U8, S8, S32, m64_all, NULL, {EMR("best", 1.03)}},
	{"gemm_u8s8_s32", "m128", PRODUCT, U8, S8, S32, m128_all, NULL, {EMR("best", 1.03)}},
	{"gemm_u8s8_s32", "m512", PRODUCT, U8, S8, S32, m512_all, NULL, {EMR("best", 1.03), PEAK}},
	{"gemm_u8s8_u8", "m16", PRODUCT, U8, S8, U8, m16_all, NULL, {ISSUE("best", 0.97)}},
	{"gemm_u8s8_u8", "m128", PRODUCT, U8, S8, U8, m128_all, NULL, {ISSUE("best", 0.97)}},
	{"gemm_u8s8_s8", "m16", PRODUCT, U8, S8, S8, m16_all, NULL, {ISSUE("best", 0.97)}},
	{"gemm_u8s8_s8", "m128", PRODUCT, U8, S8, S8, m128_all, NULL, {ISSUE("best", 0.97)}},
	{"gemm_s8s8_s32", "m16", PRODUCT, S8, S8, S32, m16_all, NULL, {EMR("best", 1.20)}},
	{"gemm_s8s8_s32", "m64", PRODUCT, S8, S8, S32, m64_all, NULL, {EMR("best", 1.20)}},
	{"gemm_s8s8_s32", "m128", PRODUCT, S8, S8, S32, m128_all, NULL, {EMR("best", 1.20)}},
	{"gemm_s8s8_s32", "m512", PRODUCT, S8, S8, S32, m512_all, NULL, {EMR("best", 1.20), PEAK}},
	{"gemm_s8s8_s8", "m16", PRODUCT, S8, S8, S8, m16_all, NULL, {EMR("best", 1.20), ISSUE("best", 0.97)}},
	{"gemm_s8s8_s8", "m128", PRODUCT, S8, S8, S8, m128_all, NULL, {EMR("best", 1.20), ISSUE("best", 0.97)}},
	{"gemm_f32", "fused-m16", LINEAR, F32S, m16_all, NULL,
	 {EMR("plain", 0.97), EMR("oneDNN", 1.2), EMR("torch", 2.0)}},
	{"gemm_f32", "fused-m128", LINEAR, F32S, m128_all, NULL, {EMR("plain", 0.97)}},
	{"conv_f32", "depthwise", CONV, F32S, NULL, mobilenet_depthwise, {{0}}},
	{"conv_f32", "depthwise-5x5", CONV, F32S, NULL, mobilenet_5x5, {{0}}},
	{"conv_f32", "1x1", CONV, F32S, NULL, mobilenet_1x1, {{0}}},
	{"conv_f32", "1x1", CONV, F32S, NULL, resnet_1x1, {{0}}},
	{"conv_f32", "3x3", CONV, F32S, NULL, resnet_3x3, {{0}}},
	{"conv_f32", "7x7", CONV, F32S, NULL, resnet_first, {{0}}},
	{"conv_f32", "silero", CONV, F32S, NULL, silero, {{0}}},
	{"conv_transpose_f32", "conv-transpose", CONV_TRANSPOSE, F32S, NULL, enlarging, {{0}}},
	{"conv_bf16", "depthwise", CONV, BF16, BF16, BF16, NULL, some_depthwise, {{0}}},
	{"conv_bf16", "1x1", CONV, BF16, BF16, BF16, NULL, some_1x1, {{0}}},
	{"conv_bf16", "3x3", CONV, BF16, BF16, BF16, NULL, some_3x3, {{0}}},
	{"conv_u8s8_s32", "depthwise", CONV, U8, S8, S32, NULL, some_depthwise, {{0}}},
	{"conv_u8s8_s32", "1x1", CONV, U8, S8, S32, NULL, some_1x1, {{0}}},
	{"conv_u8s8_s32", "3x3", CONV, U8, S8, S32, NULL, some_3x3, {{0}}},
	{"transpose_b8", "transpose", TRANSPOSE, U8, U8, U8, in_l2_b8, NULL, {EMR("copy", 0.70)}},
	{"transpose_b16", "transpose", TRANSPOSE, BF16, BF16, BF16, in_l2_b16, NULL, {EMR("copy", 0.70)}},
	{"transpose_b32", "transpose", TRANSPOSE, F32S, in_l2_b32, NULL, {EMR("copy", 0.70)}},
	{"transpose_b32", "transpose", TRANSPOSE, F32S, in_l3_b32, NULL, {{0}}},
	{"transpose_b64", "transpose", TRANSPOSE, F64, F64, F64, in_l2_b64, NULL, {EMR("copy", 0.70)}},
	MAPS("exp_f32", WHOLE("best", 1.50)),
	MAPS("tanh_f32", {0}),
	MAPS("sigmoid_f32", {0}),
	MAPS("silu_f32", WHOLE("best", 1.30)),
	/* In the tails, where results vanish, all peers are inexact, so none is right to 4 ulp. */
	MAPS("gelu_f32", WHOLE("best", 1.30), WHOLE("oneDNN", 1.30)),
	MAPS("gelu_tanh_f32", WHOLE("best", 1.30), WHOLE("oneDNN", 1.30)),
	MAPS("relu_f32", AT_LIMIT("copy")),
	MAPS("log_f32", {0}),
	MAPS("sin_f32", WHOLE("SLEEF u10", 1.60)),
	MAPS("cos_f32", WHOLE("SLEEF u10", 1.60)),
	EXACT("cr_exp_f32", CPU("best", 0.65), CPU("fast", 1 / 2.6)),
	EXACT("cr_log_f32", CPU("best", 0.65)),
	EXACT("cr_tanh_f32", CPU("best", 1.00)),
	EXACT("cr_expm1_f32", CPU("best", 1.00)),
	EXACT("cr_erf_f32", CPU("best", 1.00)),
	EXACT("cr_cbrt_f32", CPU("best", 1.00)),
	EXACT("cr_atan_f32", CPU("best", 1.00)),
	EXACT("cr_sin_f32", CPU("best", 0.90)),
	EXACT("cr_cos_f32", CPU("best", 0.90)),
	BY_LENGTH("add_f32", "arithmetic", ZIP, F32, F32, F32, STREAMED, AT_LIMIT("copy")),
	BY_LENGTH("mul_f32", "arithmetic", ZIP, F32, F32, F32, STREAMED, AT_LIMIT("copy")),
	BY_LENGTH("copy_b32", "selections", CVT, F32, F32, F32, STREAMED, AT_LIMIT("copy")),
	BY_LENGTH("lt_f32", "selections", COMPARE, F32, F32, U8, {0}, AT_LIMIT("copy")),
	BY_LENGTH("select_b32", "selections", SELECT, F32, F32, F32, {0}, AT_LIMIT("copy"), WHOLE("torch", 10.0)),
	{"sum_f32", "reductions", REDUCE, F32S, lengths, NULL, {{0}}},
	{"sum_f32", "reductions", REDUCE, F32S, searches, NULL, {{0}}},
	{"max_f32", "reductions", REDUCE, F32S, lengths, NULL, {{0}}},
	{"dot_f32", "reductions", REDUCE2, F32S, lengths, NULL, {{0}}},
	{"dot_f32", "reductions", REDUCE2, F32S, searches, NULL, {{0}}},
	{"l2sq_f32", "reductions", REDUCE2, F32S, lengths, NULL, {{0}}},
	{"l2sq_f32", "reductions", REDUCE2, F32S, searches, NULL, {{0}}},
	{"cosine_f32", "reductions", REDUCE2, F32S, lengths, NULL, {{0}}},
	{"cosine_f32", "reductions", REDUCE2, F32S, searches, NULL, {{0}}},
	{"argmax_f32", "reductions", INDEX, F32, F32, F64, short_lengths, NULL, {WHOLE("best", 2.00)}},
	{"argmax_f32", "reductions", INDEX, F32, F32, F64, searches, NULL, {WHOLE("best", 2.00)}},
	{"argmax_f32", "reductions", INDEX, F32, F32, F64, long_lengths, NULL, {{0}}},
	{"sum_cols_f32", "columns", COLUMNS, F32S, columns, NULL, {AT_LIMIT("read")}},
	{"softmax_f32", "rows", SOFTMAX, F32S, texts, NULL, {WHOLE("best", 1.30)}},
	{"layernorm_f32", "rows", NORM, F32S, texts, NULL, {{0}}},
	{"rmsnorm_f32", "rows", NORM, F32S, texts, NULL, {WHOLE("best", 1.30)}},
	BY_LENGTH("cvt_f32_bf16", "conversions", CVT, F32, F32, BF16, {0}, AT_LIMIT("copy")),
	BY_LENGTH("cvt_bf16_f32", "conversions", CVT, BF16, F32, F32, {0}, AT_LIMIT("copy")),
	BY_LENGTH("cvt_f32_f16", "conversions", CVT, F32, F32, F16, {0}, AT_LIMIT("copy")),
	BY_LENGTH("cvt_f16_f32", "conversions", CVT, F16, F32, F32, {0}, AT_LIMIT("copy")),
	{"quantize_f32_s8", "conversions", QUANTIZE, F32, F32, S8, lengths, NULL, {{0}}},
	{"quantize_f32_u8", "conversions", QUANTIZE, F32, F32, U8, lengths, NULL, {{0}}},
	BY_LENGTH("dequantize_s8_f32", "conversions", DEQUANTIZE, S8, F32, F32, {0}, AT_LIMIT("copy")),
	BY_LENGTH("dequantize_u8_f32", "conversions", DEQUANTIZE, U8, F32, F32, {0}, AT_LIMIT("copy")),
	{"bag_sum_f32_f32_s64", "networks", BAG, F32S, bags, NULL, {WHOLE("torch", 1.50)}},
	{"adaptive_avgpool_nchw_f32", "networks", POOL, F32S, pools, NULL, {WHOLE("torch", 10.0)}},
	{"adaptive_avgpool_nhwc_f32", "networks", POOL, F32S, pools, NULL, {WHOLE("torch", 10.0)}},
	{"lstm_ctht_f32", "networks", CELL, F32S, units, NULL, {WHOLE("torch", 4.00)}},
	{"adam_f32", "networks", STEP, F32S, lengths, NULL, {WHOLE("torch", 2.50)}},
};

/* The side of a square matrix of twice the last cache. */
static size_t side_beyond_cache(enum type type)
{
	const size_t known = machine_cache(3), cache = known ? known : (size_t)32 * MI;

	return ((size_t)sqrt(2 * (double)cache / (double)type_bytes(type)) + 127) / 128 * 128;
}

static void vectors_text(struct row *row)
{
	char count[24];

	snprintf(count, sizeof(count), row->n < MI ? "%zu" : "%zuM", row->n < MI ? row->n : row->n / MI);
	if (row->m == 1)
		snprintf(row->shape, sizeof(row->shape), "%s", count);
	else if (row->op == BAG)
		snprintf(row->shape, sizeof(row->shape), "%zux%zu/%zu", row->m, row->n, row->k);
	else if (row->op == POOL)
		snprintf(row->shape, sizeof(row->shape), "%zux%zux%zu>%zu", row->m, row->k, row->k, row->n);
	else
		snprintf(row->shape, sizeof(row->shape), "%zux%s", row->m, count);
}

static void from_shape(struct row *row, const struct shape *shape)
{
	row->m = shape->m;
	row->n = shape->n ? shape->n : side_beyond_cache(row->b);
	row->k = shape->n ? shape->k : row->n;
	if (is_vectors(row->op)) {
		vectors_text(row);
	} else if (row->op == TRANSPOSE) {
		row->k = 0;
		snprintf(row->shape, sizeof(row->shape), "%zux%zu", row->m, row->n);
	} else {
		snprintf(row->shape, sizeof(row->shape), "%zux%zux%zu", row->m, row->n, row->k);
	}
}

/* Makes conv the convolution of which the layer is the transpose, and which takes the layer's output to its input. */
static void transpose(struct row *row, const struct layer *layer)
{
	const size_t pad_h = (layer->kernel_h - layer->stride) / 2, pad_w = (layer->kernel_w - layer->stride) / 2;
	struct isk_conv *v = &row->conv;

	v->pad_top = v->pad_bottom = pad_h;
	v->pad_left = v->pad_right = pad_w;
	v->height = (layer->height - 1) * layer->stride + layer->kernel_h - 2 * pad_h;
	v->width = (layer->width - 1) * layer->stride + layer->kernel_w - 2 * pad_w;
	v->channels = layer->out;
	v->out_channels = layer->channels;
	row->m = v->height * v->width;
}

static void from_layer(struct row *row, const struct layer *layer)
{
	/* The caller pads the frames of Silero's first layer. */
	const size_t pad_h = (layer->kernel_h - 1) / 2, pad_w = layer->kernel_w > 7 ? 0 : (layer->kernel_w - 1) / 2;

	row->conv = (struct isk_conv){
		.size = sizeof(row->conv), .images = 1, .height = layer->height, .width = layer->width,
		.channels = layer->channels, .out_channels = layer->out, .kernel_h = layer->kernel_h,
		.kernel_w = layer->kernel_w, .stride_h = layer->height > 1 ? layer->stride : 1, .stride_w = layer->stride,
		.dilation_h = 1, .dilation_w = 1, .pad_top = pad_h, .pad_left = pad_w, .pad_bottom = pad_h, .pad_right = pad_w,
		.groups = layer->groups};
	row->m = conv_out_height(&row->conv) * conv_out_width(&row->conv);
	row->n = layer->out;
	row->k = layer->kernel_h * layer->kernel_w * layer->channels / layer->groups;
	if (row->op == CONV_TRANSPOSE)
		transpose(row, layer);
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
		*row = (struct row){.kernel = all[s].kernel,
		                    .group = all[s].group,
		                    .op = all[s].op,
		                    .a = all[s].a,
		                    .b = all[s].b,
		                    .c = all[s].c};
		goals_here(all[s].goals, row->goals);
		if (all[s].shapes)
			from_shape(row, &all[s].shapes[i]);
		else
			from_layer(row, &all[s].layers[i]);
		return 1;
	}
	return 0;
}
