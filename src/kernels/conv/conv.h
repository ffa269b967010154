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
#include "check.h"
#include "gemm.h"
#include "micro.h"

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

typedef void conv_direct_fn(const struct call *call, enum operand kind, micro_fn *micro, size_t unit);
typedef void depthwise_fn(const struct call *call);

ISK_EXTERN copy_fn ISK_PART(patch, copy_patches);
ISK_EXTERN conv_direct_fn ISK_PART(direct, conv_direct);

/* One output pixel after the other is one row of A after the other, without any copying. */
static inline int is_plain_matrix(const struct isk_conv *c)
{
	return c->kernel_h == 1 && c->kernel_w == 1 && c->stride_h == 1 && c->stride_w == 1 && c->groups == 1
	       && !c->pad_top && !c->pad_left && !c->pad_bottom && !c->pad_right;
}

/* What the product of a group is made of. */
struct group {
	const struct call *call;
	const void *x; /* the first channel of the group */
	const unsigned char *panels;
	void *y;
	struct isk_post post;
};

static inline struct group group_of(const struct call *call, size_t g)
{
	const struct isk_conv *c = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const size_t col = g * s->columns, first = g * (c->channels / c->groups);
	struct group group = {
		.call = call,
		.x = (const unsigned char *)call->x + first * isk_element_bytes(call->x_type),
		.panels = call->packed + g * isk_packed_bytes(call->w_type, s->k, s->columns, 0) + ISK_PACKED_LINE,
		.y = (unsigned char *)call->y + col * isk_element_bytes(call->y_type),
		.post = *call->post,
	};

	if (group.post.scales > 1)
		group.post.scale += col;
	if (group.post.bias)
		group.post.bias += col;
	if (group.post.b_zeros > 1)
		group.post.b_zero += col;
	if (group.post.binary)
		group.post.other = (const unsigned char *)group.post.other + col * isk_element_bytes(call->y_type);
	return group;
}

/* The product of patches of a group and its weights; what multiplies them is for the caller to say. */
static inline struct product product_of(const struct group *group)
{
	const struct call *call = group->call;
	const struct isk_conv_sizes *s = call->s;
	const size_t panel = isk_packed_depth(call->w_type, s->k) * ISK_PACKED_LINE;

	return (struct product){
		.c = group->y,
		.panels = group->panels,
		.panel = panel,
		.sums = (const int32_t *)(const void *)(group->panels + isk_packed_panels(s->columns) * panel),
		.m = call->conv->images * s->out_height * s->out_width,
		.n = s->columns,
		.k = s->k,
		.ldc = s->ldy,
		.post = &group->post,
		.a_type = call->x_type,
		.c_type = call->y_type,
		.words = 1,
		.epilogue = call->epilogue,
		.copy = ISK_PART(patch, copy_patches),
		.image = group,
	};
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

/* Whether all taps begin with a whole word, which holds unit elements of x. */
static inline int fits_in_place(const struct call *call, size_t unit)
{
	return call->conv->channels / call->conv->groups % unit == 0 && call->s->ldx % unit == 0
	       && (uintptr_t)call->x % 4 == 0;
}

/* Steps of AMX: whole ones of a tap, and of nothing but what is in the image. */
static inline int fits_amx(const struct call *call)
{
	return call->conv->channels / call->conv->groups * isk_element_bytes(call->x_type) % 64 == 0 && !call->post->a_zero
	       && !call->post->b_zeros;
}

/* One product of patches for each group, as p says but for its operands; p->wide is none of them. */
static inline void multiply_patches(const struct call *call, const struct product *how)
{
	for (size_t g = 0; g < call->conv->groups; g++) {
		const struct group group = group_of(call, g);
		struct product p = product_of(&group);

		p.kind = how->kind;
		p.words = how->words;
		p.a_zero = call->post->a_zero;
		p.pack = how->pack;
		p.micro = how->micro;
		p.row_sums = how->row_sums;
		ISK_PART(driver, drive)(&p);
	}
}

/*
 * The kernel for these types: gemm is that of the same types, depthwise and
 * convolve are functions of a call that is checked and has outputs.
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
			convolve(&call);                                                   \
		return ISK_OK;                                                         \
	}

#endif
