/* SPDX-License-Identifier: MIT */
/*
 * What all convolutions share: their checks, and how one that is not depthwise
 * becomes a product, for each group, of a matrix of output pixels by taps and
 * channels and of the weights of the group. That matrix never exists: the taps are
 * found in the image (direct.c), or its rows are gathered from there as rows of any
 * A are packed (patch.c).
 */
#ifndef ISK_CONV_H
#define ISK_CONV_H

#include "axis.h"
#include "gemm.h"

/* The arguments of a kernel, once they are checked. */
struct call {
	void *y;
	const void *x;
	const unsigned char *packed;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
	const struct isk_post *post;
	enum isk_type x_type, w_type, y_type;
	epilogue_fn *epilogue;
};

typedef void depthwise_fn(const struct call *call);

ISK_EXTERN copy_fn ISK_PART(patch, copy_patches);
ISK_EXTERN drive_fn ISK_PART(direct, conv_direct);

/* One output pixel after the other is one row of A after the other, without any copying. */
static inline int is_plain_matrix(const struct isk_conv *c)
{
	return c->kernel_h == 1 && c->kernel_w == 1 && c->stride_h == 1 && c->stride_w == 1 && c->groups == 1
	       && !c->pad_top && !c->pad_left && !c->pad_bottom && !c->pad_right;
}

/* Fills in the sizes, which are those that call points to. */
static inline int check_conv(const struct call *call, struct isk_conv_sizes *s)
{
	const struct isk_conv *conv = call->conv;
	const struct isk_post *post = call->post;
	const unsigned char *matrix = call->packed;
	int status = isk_conv_measure(conv, isk_element_bytes(call->x_type), isk_element_bytes(call->y_type), s);
	size_t pixels, space;

	if (status)
		return status;
	pixels = conv->images * s->out_height * s->out_width;
	space = isk_packed_bytes(call->w_type, s->k, s->columns, 0);
	if (post->size != sizeof(*post) || post->first_column || post->row_scale || post->row_zero)
		return ISK_ERR_POST;
	if (!matrix || (!call->y && pixels && conv->out_channels)
	    || (!call->x && pixels && conv->out_channels && conv->height && conv->width && conv->channels))
		return ISK_ERR_NULL;
	if (!isk_conv_packed_bytes(call->w_type, s))
		return ISK_ERR_SIZE;
	for (size_t g = 0; g < s->matrices; g++, matrix += space) {
		const struct isk_packed *header = (const struct isk_packed *)(const void *)matrix;

		status = isk_packed_check_header(header, call->w_type);
		if (status)
			return status;
		if (header->scale_k)
			return ISK_ERR_TYPE;
		if (header->k != s->k || header->n != s->columns)
			return ISK_ERR_SHAPE;
	}
	return check_post(post, pixels, conv->out_channels, call->x_type, call->y_type);
}

/*
 * Whether the image can be read in place: taps begin with a whole word, AMX takes
 * whole steps of them, and the padding, being 0, can be left out.
 */
static inline int fits_in_place(const struct product *p, enum operand kind)
{
	const struct call *call = p->image;
	const size_t unit = line_k(kind), step = is_amx(kind) ? 16 * unit : unit;

	return call->s->in_group % step == 0 && call->s->ldx % unit == 0 && (uintptr_t)call->x % 4 == 0 && !p->a_zero
	       && !p->post->b_zeros;
}

/* Multiplies patches, gathered as rows of A are packed. */
static inline void multiply_patches(struct product *p, enum operand kind, pack_fn *pack, micro_fn *micro)
{
	p->kind = kind;
	p->words = line_words(kind, VI_DOT_STEPS);
	p->pack = pack;
	p->micro = micro;
	ISK_PART(driver, drive)(p);
}

/* Multiplies the image in place. */
static inline void multiply_in_place(struct product *p, enum operand kind, micro_fn *micro)
{
	p->kind = kind;
	p->micro = micro;
	ISK_PART(direct, conv_direct)(p);
}

/* For each group the product of its patches, which begin at p->a in the image of a call, and its weights. */
static inline void each_group(const struct call *call, void (*convolve)(struct product *p))
{
	const struct isk_conv *c = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const size_t y_bytes = isk_element_bytes(call->y_type), x_bytes = isk_element_bytes(call->x_type);

	for (size_t g = 0; g < c->groups; g++) {
		const size_t col = g * s->columns;
		struct isk_post moved;
		struct product p = {
			.c = (unsigned char *)call->y + col * y_bytes,
			.a = (const unsigned char *)call->x + g * s->in_group * x_bytes,
			.m = c->images * s->out_height * s->out_width,
			.n = s->columns,
			.k = s->k,
			.ldc = s->ldy,
			.post = call->post,
			.a_type = call->x_type,
			.c_type = call->y_type,
			.a_zero = call->post->a_zero,
			.copy = ISK_PART(patch, copy_patches),
			.image = call,
			.epilogue = call->epilogue,
		};

		if (g) {
			moved = *call->post;
			moved.scale += moved.scales > 1 ? col : 0;
			moved.bias += moved.bias ? col : 0;
			moved.b_zero += moved.b_zeros > 1 ? col : 0;
			moved.other = moved.binary ? (const unsigned char *)moved.other + col * y_bytes : NULL;
			p.post = &moved;
		}
		find_in_packed(&p, call->packed + g * isk_packed_bytes(call->w_type, s->k, s->columns, 0));
		convolve(&p);
	}
}

/*
 * The kernel for these types: gemm is that of the same types, depthwise a function
 * of a call that is checked and has outputs, convolve one of the product of a group.
 */
#define CONV(kernel, A, B, C, gemm, depthwise, convolve)                       \
	int ISK_FN(kernel)(ISK_C_##C *y, const ISK_C_##A *x, const void *packed, const struct isk_conv *conv, \
	                   const struct isk_post *post)                            \
	{                                                                          \
		struct isk_conv_sizes s;                                               \
		const struct call call = {                                             \
			.y = y, .x = x, .packed = packed, .conv = conv, .s = &s, .post = post ? post : &isk_no_post, \
			.x_type = ISK_ENUM_##A, .w_type = ISK_ENUM_##B, .y_type = ISK_ENUM_##C, .epilogue = ISK_EPILOGUE_##C, \
		};                                                                     \
		const int status = check_conv(&call, &s);                              \
                                                                               \
		/* Of no pixels there may be any number of lines. */                   \
		if (status || !conv->images || !s.out_height || !s.out_width || !conv->out_channels) \
			return status;                                                     \
		if (is_plain_matrix(conv))                                             \
			return ISK_FN(gemm)(y, x, packed, conv->images * conv->height * conv->width, conv->out_channels, \
			                    conv->channels, s.ldy, s.ldx, post);           \
		if (s.multiplier)                                                      \
			depthwise(&call);                                                  \
		else                                                                   \
			each_group(&call, convolve);                                       \
		return ISK_OK;                                                         \
	}

#endif
