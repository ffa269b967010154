/* SPDX-License-Identifier: MIT */
/* u8 by s8 convolutions: depthwise.h, or products of patches and weights by gemm_int.h. */
#include "conv_patch.h"
#include "depthwise.h"
#include "gemm_int.h"

/* Runs come in order: what is written after one is overwritten by the next. */
static inline void fetch(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                         size_t at, size_t k)
{
	const struct patches *a = p->a;
	const vi outside = vi_set1_u8((uint8_t)p->a_zero);

	for (; rows && k; rows--, row++, to += stride) {
		struct walk walk = walk_from(a, row, at);
		struct run run;

		for (size_t done = 0; done < k; done += run.n) {
			run = walk_on(a, &walk, k - done);
			for (size_t i = 0; i < run.n; i += 4 * VL)
				vi_store((int32_t *)(void *)(to + done + i),
				         run.x == SIZE_MAX ? outside : vi_load_bytes((const uint8_t *)a->x + run.x + i, run.n - i));
		}
		vi_store_bytes(to + k, vi_set1(0), -k & 3);
	}
}

DEFINE_FINISH(finish_f32, C_F32)
DEFINE_FINISH(finish_u8, C_U8)
DEFINE_STORE(sums_to_s32, NULL, ISK_S8, C_S32)
DEFINE_STORE(sums_to_f32, finish_f32, ISK_S8, C_F32)
DEFINE_STORE(sums_to_u8, finish_u8, ISK_S8, C_U8)

/* One for every type of y, which only store knows. */
static __attribute__((noinline)) void depthwise_u8s8(struct depthwise *d, const unsigned char *packed, store_fn *store)
{
	depthwise(d, packed, store, ISK_S8, C_S32);
}

typedef int gemm_fn(void *c, const uint8_t *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                    size_t lda, const struct isk_post *post);

ISK_INLINE int convolve(void *y, const uint8_t *x, const unsigned char *packed, const struct isk_conv *conv,
                        const struct isk_post *post, finish_fn *finish, store_fn *store, gemm_fn *gemm,
                        const enum isk_c type)
{
	struct isk_conv_sizes s;
	struct depthwise d = {.y = y, .x = x, .conv = conv, .s = &s, .post = post};
	const int status = check_conv(y, x, packed, conv, post, &s, 1, ISK_S8, type, 0, UINT8_MAX);
	const size_t y_bytes = c_bytes(type);

	if (status)
		return status;
	if (is_plain_matrix(conv))
		return gemm(y, x, packed, conv->images * conv->height * conv->width, conv->out_channels, conv->channels,
		            s.ldy, s.ldx, post);
	if (s.multiplier)
		depthwise_u8s8(&d, packed, store);
	for (size_t g = 0; g < conv->groups && !s.multiplier; g++) {
		const struct isk_post part = post_from(post, g * s.columns, y_bytes);
		const struct patches a = {x + g * (conv->channels / conv->groups), conv, &s};
		const unsigned char *panels = packed + g * isk_packed_bytes(ISK_S8, s.k, s.columns) + ISK_PACKED_LINE;
		const size_t lines = isk_packed_panels(s.columns) * isk_packed_depth(ISK_S8, s.k);
		const struct product p = {
			.c = (unsigned char *)y + g * s.columns * y_bytes,
			.a = &a,
			.panels = panels,
			.sums = (const int32_t *)(const void *)(panels + lines * ISK_PACKED_LINE),
			.n = s.columns,
			.k = s.k,
			.ldc = s.ldy,
			.post = &part,
			.a_zero = post->a_zero,
		};

		product(&p, conv->images * s.out_height * s.out_width, fetch, finish, type);
	}
	return ISK_OK;
}

#define CONV(name, gemm, out, finish, store, type)                             \
	static int name##_1x1(void *c, const uint8_t *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, \
	                      size_t lda, const struct isk_post *post)             \
	{                                                                          \
		return ISK_FN(gemm)(c, a, packed, m, n, k, ldc, lda, post);            \
	}                                                                          \
	int ISK_FN(name)(out *y, const uint8_t *x, const void *packed, const struct isk_conv *conv, \
	                 const struct isk_post *post)                              \
	{                                                                          \
		return convolve(y, x, packed, conv, post ? post : &isk_no_post, finish, store, name##_1x1, type); \
	}

CONV(conv_u8s8_s32, gemm_u8s8_s32, int32_t, NULL, sums_to_s32, C_S32)
CONV(conv_u8s8_f32, gemm_u8s8_f32, float, finish_f32, sums_to_f32, C_F32)
CONV(conv_u8s8_u8, gemm_u8s8_u8, uint8_t, finish_u8, sums_to_u8, C_U8)
