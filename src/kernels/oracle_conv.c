/* SPDX-License-Identifier: MIT */
/*
 * The oracles of convolutions: their definition in isakern.h, tap by tap, with
 * sizes computed in 128 bits. What a product of a row and a column is, and what a
 * column of a packed matrix, comes from the oracles of matrices.
 */
#include "oracle.h"
#include "packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

static int depthwise(const struct isk_conv *c)
{
	return c->groups > 1 && c->channels == c->groups;
}

static size_t in_group(const struct isk_conv *c)
{
	return c->channels / c->groups;
}

static wide places(size_t size, size_t before, size_t after, size_t taps, size_t stride, size_t dilation)
{
	const wide extent = (wide)size + before + after, reach = (wide)(taps - 1) * dilation + 1;

	return extent < reach ? 0 : (extent - reach) / stride + 1;
}

static int too_many(wide a, wide b, wide c, wide d)
{
	const wide most = SIZE_MAX;

	if (a > most || b > most || a * b > most || c > most || a * b * c > most)
		return 1;
	return a * b * c != 0 && (d > most || a * b * c * d > most);
}

static size_t pixel_of_y(const struct isk_conv *c, size_t *width)
{
	*width = (size_t)places(c->width, c->pad_left, c->pad_right, c->kernel_w, c->stride_w, c->dilation_w);
	return (size_t)places(c->height, c->pad_top, c->pad_bottom, c->kernel_h, c->stride_h, c->dilation_h);
}

size_t isk_oracle_conv_pixels(const struct isk_conv *c)
{
	size_t width;

	return c->images * pixel_of_y(c, &width) * width;
}

static size_t matrices(const struct isk_conv *c)
{
	return depthwise(c) ? 1 : c->groups;
}

static size_t depth(const struct isk_conv *c)
{
	return c->kernel_h * c->kernel_w * in_group(c);
}

/* x and y bytes of an element of theirs. */
static int check_sizes(const struct isk_conv *c, enum isk_type type, size_t x_bytes, size_t y_bytes)
{
	const wide half = SIZE_MAX / 2;
	wide ldx, ldy, height, width;

	if (!c)
		return ISK_ERR_NULL;
	ldx = c->ldx ? c->ldx : c->channels;
	ldy = c->ldy ? c->ldy : c->out_channels;
	if (c->size != sizeof(*c) || !c->kernel_h || !c->kernel_w || !c->stride_h || !c->stride_w
	    || !c->dilation_h || !c->dilation_w || !c->groups || c->channels % c->groups
	    || c->out_channels % c->groups)
		return ISK_ERR_CONV;
	if (ldx < c->channels || ldy < c->out_channels)
		return ISK_ERR_STRIDE;
	height = places(c->height, c->pad_top, c->pad_bottom, c->kernel_h, c->stride_h, c->dilation_h);
	width = places(c->width, c->pad_left, c->pad_right, c->kernel_w, c->stride_w, c->dilation_w);
	if ((wide)c->height + c->pad_top + c->pad_bottom > half
	    || (wide)c->width + c->pad_left + c->pad_right > half
	    || (wide)(c->kernel_h - 1) * c->dilation_h > SIZE_MAX
	    || (wide)(c->kernel_w - 1) * c->dilation_w > SIZE_MAX
	    || too_many(c->kernel_h, c->kernel_w, in_group(c), 1)
	    || too_many(c->images, c->height, c->width, ldx * x_bytes)
	    || too_many(c->images, height, width, ldy * y_bytes))
		return ISK_ERR_SIZE;
	if (too_many(isk_packed_bytes(type, depth(c), c->out_channels / matrices(c)), matrices(c), 1, 1)
	    || isk_packed_bytes(type, depth(c), c->out_channels / matrices(c)) == 0)
		return ISK_ERR_SIZE;
	return ISK_OK;
}

static int check(enum isk_element at, size_t x_bytes, enum isk_element bt, enum isk_type type,
                 enum isk_element ct, size_t y_bytes, const void *y, const void *x, const void *packed,
                 const struct isk_conv *c, const struct isk_post *post)
{
	const unsigned char *matrix = packed;
	struct isk_packed header;
	size_t pixels;
	int status = check_sizes(c, type, x_bytes, y_bytes);

	if (status)
		return status;
	pixels = isk_oracle_conv_pixels(c);
	if (post && (post->size != sizeof(*post) || post->first_column || post->group))
		return ISK_ERR_POST;
	if (!packed || (!y && pixels && c->out_channels)
	    || (!x && pixels && c->out_channels && c->height && c->width && c->channels))
		return ISK_ERR_NULL;
	for (size_t g = 0; g < matrices(c); g++, matrix += isk_packed_bytes(type, depth(c), header.n)) {
		memcpy(&header, matrix, sizeof(header));
		status = isk_packed_check_header(&header, type);
		if (status)
			return status;
		if (header.k != depth(c) || header.n != c->out_channels / matrices(c))
			return ISK_ERR_SHAPE;
	}
	return isk_oracle_post_check(at, bt, ct, pixels, c->out_channels, depth(c), post);
}

/* Where the weight of a tap and a channel (of its group) of output o is in memory. */
static const void *weight(const struct isk_weights *w, const struct isk_conv *c, size_t o, size_t u, size_t v,
                          size_t channel, size_t bytes)
{
	const size_t columns = c->out_channels / matrices(c), i = (u * c->kernel_w + v) * in_group(c) + channel;
	const unsigned char *packed = w->packed, *first;
	struct isk_packed header;
	struct isk_column column;

	if (w->oihw)
		return (const unsigned char *)w->oihw
		       + (((o * in_group(c) + channel) * c->kernel_h + u) * c->kernel_w + v) * bytes;
	memcpy(&header, packed, sizeof(header));
	packed += o / columns * isk_packed_bytes(header.type, depth(c), columns);
	column = isk_oracle_packed_column(packed, o % columns);
	first = column.first;
	return first + (i / column.group * column.stride + i % column.group) * bytes;
}

/* Where x has it, or NULL outside the image. */
static const void *input(const void *x, const struct isk_conv *c, size_t pixel, size_t o, size_t u, size_t v,
                         size_t channel, size_t bytes)
{
	size_t out_width;
	const size_t out_height = pixel_of_y(c, &out_width), group = o / (c->out_channels / c->groups);
	const size_t image = pixel / (out_height * out_width), row = pixel / out_width % out_height;
	const __int128 r = (__int128)(row * c->stride_h + u * c->dilation_h) - c->pad_top;
	const __int128 q = (__int128)(pixel % out_width * c->stride_w + v * c->dilation_w) - c->pad_left;

	if (r < 0 || r >= (__int128)c->height || q < 0 || q >= (__int128)c->width)
		return NULL;
	return (const unsigned char *)x
	       + (((image * c->height + (size_t)r) * c->width + (size_t)q) * (c->ldx ? c->ldx : c->channels)
	          + group * in_group(c) + channel) * bytes;
}

/* Whether taps outside the image are left out of a sum of x of this type, instead of multiplying 0. */
static int leaves_out(const struct isk_conv *c, int x_type)
{
	return x_type == ISK_E_f32 && !depthwise(c);
}

#define EACH_TERM(c)                                                           \
	for (size_t u = 0; u < (c)->kernel_h; u++)                                 \
		for (size_t v = 0; v < (c)->kernel_w; v++)                             \
			for (size_t channel = 0; channel < in_group(c); channel++)

/* As the product of a row and a column, whose oracle knows what a sum and its error are. */
#define CONV(name, product, A, B, C, type)                                     \
	double isk_oracle_##name(const ISK_C_##A *x, const struct isk_weights *w, const struct isk_conv *c, \
	                         size_t pixel, size_t o, const struct isk_post *post, double *scale) \
	{                                                                          \
		ISK_C_##A *a = malloc(depth(c) * sizeof(*a) + 1);                      \
		ISK_C_##B *b = malloc(depth(c) * sizeof(*b) + 1);                      \
		const struct isk_column column = {b, 1, 1};                            \
		double y = (double)NAN;                                                \
		size_t i = 0;                                                          \
                                                                               \
		*scale = 0;                                                            \
		if (a && b) {                                                          \
			EACH_TERM (c) {                                                    \
				const ISK_C_##A *at = input(x, c, pixel, o, u, v, channel, sizeof(*at)); \
                                                                               \
				if (!at && leaves_out(c, ISK_E_##A))                           \
					continue;                                                  \
				a[i] = (ISK_C_##A)(at ? *at : post ? post->a_zero : 0);        \
				b[i++] = *(const ISK_C_##B *)weight(w, c, o, u, v, channel, sizeof(*b)); \
			}                                                                  \
			y = isk_oracle_##product(a, &column, i, pixel, o, post, scale);    \
		}                                                                      \
		free(a);                                                               \
		free(b);                                                               \
		return y;                                                              \
	}                                                                          \
	int isk_oracle_check_##name(ISK_C_##C *y, const ISK_C_##A *x, const void *packed, \
	                            const struct isk_conv *c, const struct isk_post *post) \
	{                                                                          \
		return check(ISK_E_##A, sizeof(*x), ISK_E_##B, type, ISK_E_##C, sizeof(*y), y, x, packed, c, post); \
	}

CONV(conv_f32, gemm_f32, f32, f32, f32, ISK_F32)
CONV(conv_bf16, gemm_bf16, bf16, bf16, bf16, ISK_BF16)
CONV(conv_u8s8_s32, gemm_u8s8_s32, u8, s8, s32, ISK_S8)
CONV(conv_u8s8_f32, gemm_u8s8_f32, u8, s8, f32, ISK_S8)
CONV(conv_u8s8_u8, gemm_u8s8_u8, u8, s8, u8, ISK_S8)

/* The matrix is gathered one element at a time, then packed as any other. */
#define PACK(name, T, type)                                                    \
	int isk_oracle_##name(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *c) \
	{                                                                          \
		const int status = check_sizes(c, type, 1, 1);                         \
		const struct isk_weights weights = {.oihw = w};                        \
		size_t columns, size;                                                  \
                                                                               \
		if (!packed || !c || (!w && !status && depth(c) && c->out_channels))   \
			return ISK_ERR_NULL;                                               \
		if (status)                                                            \
			return status;                                                     \
		columns = c->out_channels / matrices(c);                               \
		size = isk_packed_bytes(type, depth(c), columns);                      \
		if (too_many(depth(c), c->out_channels, sizeof(*w), 1))                \
			return ISK_ERR_SIZE;                                               \
		if (bytes < size * matrices(c))                                        \
			return ISK_ERR_SPACE;                                              \
		for (size_t g = 0; g < matrices(c); g++) {                             \
			ISK_C_##T *b = malloc(depth(c) * columns * sizeof(*b) + 1);        \
                                                                               \
			if (!b)                                                            \
				return ISK_ERR_SPACE;                                          \
			for (size_t j = 0; j < columns; j++) {                             \
				size_t i = j;                                                  \
                                                                               \
				EACH_TERM (c) {                                                \
					b[i] = *(const ISK_C_##T *)weight(&weights, c, g * columns + j, u, v, channel, \
					                                  sizeof(*b));             \
					i += columns;                                              \
				}                                                              \
			}                                                                  \
			isk_oracle_gemm_pack_##T(packed, b, size, depth(c), columns, columns, 0); \
			free(b);                                                           \
			packed = (unsigned char *)packed + size;                           \
		}                                                                      \
		return ISK_OK;                                                         \
	}

PACK(conv_pack_f32, f32, ISK_F32)
PACK(conv_pack_bf16, bf16, ISK_BF16)
PACK(conv_pack_s8, s8, ISK_S8)
