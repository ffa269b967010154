/* SPDX-License-Identifier: MIT */
/* The rows, and what isakern is to reach on each: the ratios of PEERS.md and the goals set from them. */
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

static const struct series {
	const char *kernel, *group;
	enum op op;
	enum type a, b, c;
	const struct shape *shapes;
	struct goal goals[MOST_GOALS];
	int capped;
} all[] = {
	{"gemm_f32", "cube", PRODUCT, F32, F32, F32, small_cubes, {{"best", 1.00}}, 1},
	{"gemm_f32", "cube", PRODUCT, F32, F32, F32, large_cubes, {{"best", 1.00}, {"peak", 0.93}}, 1},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_even, {{"libxsmm", 1.00}}, 0},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_uneven, {{"libxsmm", 1.30}}, 0},
	{"matmul_f32", "tiny", PRODUCT, F32, F32, F32, tiny_odd, {{"libxsmm", 1.00}}, 0},
	{"gemm_f32", "m1", PRODUCT, F32, F32, F32, m1, {{"read", 0.97}}, 0},
	{"gemm_f32bf16", "m1", PRODUCT, F32, BF16, F32, m1, {{"f32", 1.8}}, 0},
	{"gemm_f32s8", "m1", PRODUCT, F32, S8, F32, m1, {{"f32", 3.4}}, 0},
	{"gemm_f32", "m4", PRODUCT, F32, F32, F32, m4, {{"best", 1.05}}, 0},
	{"gemm_f32", "m16", PRODUCT, F32, F32, F32, m16, {{"best", 1.20}}, 0},
	{"gemm_f32", "m16", PRODUCT, F32, F32, F32, m16_large, {{"best", 1.13}}, 0},
	{"gemm_f32", "m64", PRODUCT, F32, F32, F32, m64, {{"best", 1.03}}, 0},
	{"gemm_f32", "m64", PRODUCT, F32, F32, F32, m64_large, {{"best", 1.05}}, 0},
	{"gemm_f32", "m128", PRODUCT, F32, F32, F32, m128, {{"best", 1.03}}, 0},
	{"gemm_f32", "m128", PRODUCT, F32, F32, F32, m128_large, {{"best", 1.05}}, 0},
	{"gemm_f32", "m512", PRODUCT, F32, F32, F32, m512, {{"best", 1.03}}, 0},
	{"gemm_f32", "m512", PRODUCT, F32, F32, F32, m512_large, {{"best", 1.05}}, 0},
	{"gemm_bf16_f32", "m4", PRODUCT, BF16, BF16, F32, m4, {{"oneDNN", 1.3}}, 0},
	{"gemm_bf16_f32", "m16", PRODUCT, BF16, BF16, F32, m16_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m64", PRODUCT, BF16, BF16, F32, m64_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m128", PRODUCT, BF16, BF16, F32, m128_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16_f32", "m512", PRODUCT, BF16, BF16, F32, m512_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16", "m16", PRODUCT, BF16, BF16, BF16, m16_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_bf16", "m128", PRODUCT, BF16, BF16, BF16, m128_all, {{"oneDNN", 1.7}}, 0},
	{"gemm_f16_f32", "m16", PRODUCT, F16, F16, F32, m16_all, {{"best", 1.25}}, 0},
	{"gemm_f16_f32", "m128", PRODUCT, F16, F16, F32, m128_all, {{"best", 1.05}}, 0},
	{"gemm_f16_f32", "m512", PRODUCT, F16, F16, F32, m512_all, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "cube", PRODUCT, U8, S8, S32, cube_64, {{"best", 1.3}}, 0},
	{"gemm_u8s8_s32", "m1", PRODUCT, U8, S8, S32, m1, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "m4", PRODUCT, U8, S8, S32, m4, {{"best", 1.05}}, 0},
	{"gemm_u8s8_s32", "m16", PRODUCT, U8, S8, S32, m16_all, {{"best", 1.10}}, 0},
	{"gemm_u8s8_s32", "m64", PRODUCT, U8, S8, S32, m64_all, {{"best", 1.03}}, 0},
	{"gemm_u8s8_s32", "m128", PRODUCT, U8, S8, S32, m128_all, {{"best", 1.03}}, 0},
	{"gemm_u8s8_s32", "m512", PRODUCT, U8, S8, S32, m512_all, {{"best", 1.03}}, 0},
	{"gemm_s8s8_s32", "m16", PRODUCT, S8, S8, S32, m16_all, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m64", PRODUCT, S8, S8, S32, m64_all, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m128", PRODUCT, S8, S8, S32, m128_all, {{"best", 1.20}}, 0},
	{"gemm_s8s8_s32", "m512", PRODUCT, S8, S8, S32, m512_all, {{"best", 1.20}}, 0},
	{"gemm_f32", "fused-m16", LINEAR, F32, F32, F32, m16_all, {{"plain", 0.97}, {"oneDNN", 1.2}, {"torch", 2.0}}, 0},
	{"gemm_f32", "fused-m128", LINEAR, F32, F32, F32, m128_all, {{"plain", 0.97}}, 0},
};

int row_get(size_t i, struct row *row)
{
	for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++) {
		size_t count = 0;

		while (all[s].shapes[count].m)
			count++;
		if (i < count) {
			const struct shape *shape = &all[s].shapes[i];

			*row = (struct row){all[s].kernel, all[s].group, all[s].op, all[s].a, all[s].b, all[s].c,
			                    shape->m, shape->n, shape->k, {{0}}, all[s].capped};
			memcpy(row->goals, all[s].goals, sizeof(row->goals));
			return 1;
		}
		i -= count;
	}
	return 0;
}
