/* SPDX-License-Identifier: MIT */
/*
 * u8 by s8 convolutions: depthwise.h, conv_direct.h, or products of patches and
 * weights by gemm_int.h or conv_amx.h.
 */
#include "conv_direct.h"
#include "depthwise.h"
#include "gemm_int.h"
#include "conv_amx.h"

static __attribute__((noinline)) void fetch(unsigned char *to, size_t stride, const struct product *p,
                                            size_t row, size_t rows, size_t at, size_t k)
{
	copy_patches(to, stride, p->a, row, rows, at, k, vi_set1_u8((uint8_t)p->a_zero), 1, 4);
}

DEFINE_FINISH(finish_f32, C_F32)
DEFINE_FINISH(finish_u8, C_U8)
DEFINE_STORE(sums_to_s32, NULL, ISK_S8, C_S32)
DEFINE_STORE(sums_to_f32, finish_f32, ISK_S8, C_F32)
DEFINE_STORE(sums_to_u8, finish_u8, ISK_S8, C_U8)

/* One for every type of y, of which only stores know. */
static __attribute__((noinline)) void depthwise_u8s8(const struct call *call, store_fn *store,
                                                    const enum isk_c y_type)
{
	depthwise(call, store, ISK_S8, y_type);
}

/* Whether one instruction takes four channels from where they are, and the padding, being 0, can be left out. */
static int in_fours(const struct call *call)
{
	return VI_DOT_STEPS == 1 && !call->post->a_zero && !call->post->b_zeros && fits_in_place(call, 4);
}

DEFINE_TAPS(tile_fours, B_DOT_S8)

/* A finish_fn of sums that are still integers. */
#define DEFINE_FINISH_SUMS(name, finish, type)                                 \
	static void name(void *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col, \
	                 size_t rows, size_t cols, const struct isk_post *post)    \
	{                                                                          \
		const struct product p = {.c = c, .ldc = ldc, .post = post};           \
                                                                               \
		emit_sums(&p, (int32_t *)t, ldt, NULL, row, col, rows, cols, finish, type); \
	}

DEFINE_FINISH_SUMS(finish_sums_s32, NULL, C_S32)
DEFINE_FINISH_SUMS(finish_sums_f32, finish_f32, C_F32)
DEFINE_FINISH_SUMS(finish_sums_u8, finish_u8, C_U8)

static __attribute__((noinline)) void direct_u8s8(const struct call *call, finish_fn *finish,
                                                  const enum isk_c y_type)
{
	conv_direct(call, tile_fours, finish, 4, ISK_S8, y_type);
}

static void amx(const struct product *p, size_t pixels, int straight, amx_emit_fn *emit)
{
	const size_t panel = isk_packed_depth(ISK_S8, p->k) * ISK_PACKED_LINE;
	const struct amx_job g = {p, p->k, 0, panel, p->sums, -p->a_zero};

	amx_convolution(&g, pixels, vi_set1_u8((uint8_t)p->a_zero), straight, p->post->b_zeros != 0, emit,
	                AMX_US);
}

/* One product for each group, not in the frame of a kernel that may call another one: it is a large one. */
#define DEFINE_PATCHES(name, finish, y_type)                                   \
	DEFINE_EMIT(name##_emit, finish, y_type)                                   \
	static __attribute__((noinline)) void name(const struct call *call)        \
	{                                                                          \
		const struct isk_conv_sizes *s = call->s;                              \
		const size_t lines = isk_packed_panels(s->columns) * isk_packed_depth(ISK_S8, s->k); \
                                                                               \
		for (size_t g = 0; g < call->conv->groups; g++) {                      \
			const struct group group = group_of(call, g, ISK_S8, y_type);      \
			const struct product p = {                                         \
				.c = group.y,                                                  \
				.a = &group.a,                                                 \
				.panels = group.panels,                                        \
				.sums = (const int32_t *)(const void *)(group.panels + lines * ISK_PACKED_LINE), \
				.n = s->columns,                                               \
				.k = s->k,                                                     \
				.ldc = s->ldy,                                                 \
				.post = &group.post,                                           \
				.a_zero = group.post.a_zero,                                   \
			};                                                                 \
                                                                               \
			if (HAS_AMX)                                                       \
				amx(&p, group.pixels, y_type == C_S32 && !p.post->b_zeros, name##_emit); \
			else                                                               \
				product(&p, group.pixels, fetch, finish, y_type);              \
		}                                                                      \
	}

DEFINE_PATCHES(patches_s32, NULL, C_S32)
DEFINE_PATCHES(patches_f32, finish_f32, C_F32)
DEFINE_PATCHES(patches_u8, finish_u8, C_U8)

#define CONV(name, gemm, out, store, finish, patches, type)                    \
	int ISK_FN(name)(out *y, const uint8_t *x, const void *packed, const struct isk_conv *conv, \
	                 const struct isk_post *post)                              \
	{                                                                          \
		struct isk_conv_sizes s;                                               \
		const struct call call = {y, x, packed, conv, &s, post ? post : &isk_no_post}; \
		const int status = check_conv(&call, &s, 1, ISK_S8, type, 0, UINT8_MAX); \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		if (is_plain_matrix(conv))                                             \
			return ISK_FN(gemm)(y, x, packed, conv->images * conv->height * conv->width, \
			                    conv->out_channels, conv->channels, s.ldy, s.ldx, post); \
		if (s.multiplier)                                                      \
			depthwise_u8s8(&call, store, type);                                \
		else if (!HAS_AMX && in_fours(&call))                                  \
			direct_u8s8(&call, finish, type);                                  \
		else                                                                   \
			patches(&call);                                                    \
		return ISK_OK;                                                         \
	}

CONV(conv_u8s8_s32, gemm_u8s8_s32, int32_t, sums_to_s32, finish_sums_s32, patches_s32, C_S32)
CONV(conv_u8s8_f32, gemm_u8s8_f32, float, sums_to_f32, finish_sums_f32, patches_f32, C_F32)
CONV(conv_u8s8_u8, gemm_u8s8_u8, uint8_t, sums_to_u8, finish_sums_u8, patches_u8, C_U8)
