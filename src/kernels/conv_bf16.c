/* SPDX-License-Identifier: MIT */
/* bf16 convolution, by vdpbf16ps where no denormal can come up, or by AMX, which knows none. */
#include "bf16_pairs.h"
#include "conv_direct.h"
#include "gemm_float.h"
#include "conv_amx.h"
#include "depthwise.h"

/* As they are. */
static __attribute__((noinline)) void fetch_pairs(float *to, size_t stride, const struct product *p,
                                                  size_t row, size_t rows, size_t at, size_t k)
{
	copy_patches((unsigned char *)to, stride * sizeof(*to), p->a, row, rows, at, k, vi_set1(0),
	             sizeof(isk_bf16), 4);
}

/* As f32, the odd one of a pair first: from the second half of a row of f32 they spread over all of it. */
static __attribute__((noinline)) void fetch_wide(float *to, size_t stride, const struct product *p,
                                                 size_t row, size_t rows, size_t at, size_t k)
{
	fetch_pairs(to + stride / 2, stride, p, row, rows, at, k);
	for (; rows; rows--, to += stride) {
		const isk_bf16 *x = (const isk_bf16 *)(to + stride / 2);

		for (size_t i = 0; i < k; i += VL)
			vf_store(to + i, vf_swap_pairs(vf_load_bf16(x + i)));
	}
}

static inline struct product product_of(const struct call *call, const struct group *group)
{
	return (struct product){
		.c = group->y,
		.a = &group->a,
		.panels = group->panels,
		.n = call->s->columns,
		.k = call->s->k,
		.ldc = call->s->ldy,
		.post = &group->post,
	};
}

/* One product for each group, not in the frame of a kernel that may call another one: it is a large one. */
#define DEFINE_PATCHES(name, fetch, tile, type)                                \
	static __attribute__((noinline)) void name(const struct call *call)        \
	{                                                                          \
		for (size_t g = 0; g < call->conv->groups; g++) {                      \
			const struct group group = group_of(call, g, ISK_BF16, C_BF16);    \
			const struct product p = product_of(call, &group);                 \
                                                                               \
			product(&p, group.pixels, fetch, tile, finish, type, C_BF16);      \
		}                                                                      \
	}

DEFINE_FINISH(finish, C_BF16)
DEFINE_TILE(tile_wide, B_BF16)
DEFINE_TILE(tile_dot, B_DOT)
DEFINE_STORE(sums_to_bf16, finish, ISK_BF16, C_BF16)

DEFINE_TAPS(tile_pairs, B_DOT)

DEFINE_PATCHES(patches_wide, fetch_wide, tile_wide, B_BF16)
DEFINE_PATCHES(patches_dot, fetch_pairs, tile_dot, B_DOT)

DEFINE_EMIT(emit, finish)

static __attribute__((noinline)) void patches_amx(const struct call *call)
{
	const size_t k = call->s->k, panel = isk_packed_depth(ISK_BF16, k) * ISK_PACKED_LINE;

	for (size_t i = 0; i < call->conv->groups; i++) {
		const struct group group = group_of(call, i, ISK_BF16, C_BF16);
		const struct product p = product_of(call, &group);
		const struct amx_job g = {&p, 2 * k, 0, panel, NULL, 0};

		amx_convolution(&g, group.pixels, vi_set1(0), 0, 0, emit, AMX_BF16);
	}
}

/* Whether no product of x and the weights, nor a sum of them, can be a denormal. */
static int meets_no_denormal(const struct call *call)
{
	const struct isk_conv *conv = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const int used = conv->out_channels && s->out_height && s->out_width; /* else x may be NULL */
	const size_t pixels = used ? conv->images * conv->height * conv->width : 0;
	const int least = least_exponent(call->x, pixels, conv->channels, s->ldx);
	const unsigned char *packed = call->packed;
	int least_w = 255;

	for (size_t g = 0; g < s->matrices; g++, packed += isk_packed_bytes(ISK_BF16, s->k, s->columns)) {
		const int here = ((const struct isk_packed *)(const void *)packed)->least;

		least_w = here < least_w ? here : least_w;
	}
	return least && least_w && least + least_w >= DOT_EXPONENTS;
}

/*
 * In place the padding is left out: 0 times a weight that is finite, and such are
 * weights that meet no denormal, changes no sum that cannot be -0, and without
 * denormals none can.
 */
int ISK_FN(conv_bf16)(isk_bf16 *y, const isk_bf16 *x, const void *packed, const struct isk_conv *conv,
                      const struct isk_post *post)
{
	struct isk_conv_sizes s;
	const struct call call = {y, x, packed, conv, &s, post ? post : &isk_no_post};
	const int status = check_conv(&call, &s, sizeof(*x), ISK_BF16, C_BF16, 0, 0);

	if (status)
		return status;
	if (is_plain_matrix(conv))
		return ISK_FN(gemm_bf16)(y, x, packed, conv->images * conv->height * conv->width, conv->out_channels,
		                         conv->channels, s.ldy, s.ldx, post);
	if (s.multiplier)
		depthwise(&call, sums_to_bf16, ISK_BF16, C_BF16);
	else if (HAS_AMX)
		patches_amx(&call);
	else if (!VF_DOT_IS_FAST || !meets_no_denormal(&call))
		patches_wide(&call);
	else if (fits_in_place(&call, 2))
		conv_direct(&call, tile_pairs, finish, 2, ISK_BF16, C_BF16);
	else
		patches_dot(&call);
	return ISK_OK;
}
