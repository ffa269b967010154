/* SPDX-License-Identifier: MIT */
/*
 * bf16 convolution. vdpbf16ps takes denormals for 0, so it serves where none can
 * come up: see gemm_bf16.c.
 */
#include "conv_float.h"

/* What the least exponent fields of x and of the weights must add up to. */
#define DOT_EXPONENTS 142

#define PUT_WIDE(i, n, x)                                                      \
	vf_store(to + (i), !(x) ? vf_set1(0) : (n) >= VL ? vf_load_bf16(x) : vf_load_bf16_n(x, n))

/* As f32, the odd one of a pair first. */
static inline void fetch_wide(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                              size_t at, size_t k)
{
	float *const first = to;
	const size_t all = rows;

	FETCH_PATCHES(isk_bf16, PUT_WIDE)
	for (size_t r = 0; r < all; r++) {
		to = first + r * stride;
		to[k] = 0;
		for (size_t i = 0; i < k; i += VL)
			vf_store(to + i, vf_swap_pairs(vf_load(to + i)));
	}
}

ISK_INLINE vi load_halves(const isk_bf16 *x, size_t n)
{
	return n >= VL ? vi_load_u16(x) : vi_load_u16_n(x, n);
}

#define PUT_PAIRS(i, n, x) vi_store_high16((isk_bf16 *)to + (i), (x) ? load_halves(x, n) << 16 : vi_set1(0))

/* As they are. */
static inline void fetch_pairs(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                               size_t at, size_t k)
{
	isk_bf16 *const first = (isk_bf16 *)to;
	const size_t all = rows;

	FETCH_PATCHES(isk_bf16, PUT_PAIRS)
	for (size_t r = 0; r < all; r++)
		first[2 * r * stride + k] = 0;
}

DEFINE_FINISH(finish, C_BF16)
DEFINE_TILE(tile_wide, B_BF16)
DEFINE_TILE(tile_dot, B_DOT)
DEFINE_STORE(sums_to_bf16, finish, ISK_BF16, C_BF16)

DEFINE_PATCHES(patches_wide, fetch_wide, tile_wide, finish, ISK_BF16, B_BF16, C_BF16)
DEFINE_PATCHES(patches_dot, fetch_pairs, tile_dot, finish, ISK_BF16, B_DOT, C_BF16)

/* Whether no product of x and the weights, nor a sum of them, can be a denormal. */
static int meets_no_denormal(const struct call *call)
{
	const struct isk_conv *conv = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const int used = conv->out_channels && s->out_height && s->out_width; /* else x may be NULL */
	const size_t pixels = used ? conv->images * conv->height * conv->width : 0;
	const isk_bf16 *x = call->x;
	const unsigned char *packed = call->packed;
	vi least = vi_set1(INT32_MAX);
	int32_t lanes[VL], smallest = INT32_MAX;
	unsigned least_w = 255;

	for (size_t i = 0; i < pixels; i++, x += s->ldx)
		for (size_t j = 0; j < conv->channels; j += VL) {
			const vi size = load_halves(x + j, conv->channels - j) & 0x7fff;
			const vi seen = vi_sel(vi_eq(size, vi_set1(0)), vi_set1(INT32_MAX), size);

			least = vi_sel(vi_gt(least, seen), seen, least);
		}
	vi_store(lanes, least);
	for (int i = 0; i < VL; i++)
		smallest = lanes[i] < smallest ? lanes[i] : smallest;
	for (size_t g = 0; g < s->matrices; g++, packed += isk_packed_bytes(ISK_BF16, s->k, s->columns)) {
		const unsigned here = ((const struct isk_packed *)(const void *)packed)->least;

		least_w = here < least_w ? here : least_w;
	}
	return least_w && smallest >> 7 && (smallest >> 7) + (int)least_w >= DOT_EXPONENTS;
}

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
	else if (VF_DOT_IS_FAST && meets_no_denormal(&call))
		patches_dot(&call);
	else
		patches_wide(&call);
	return ISK_OK;
}
