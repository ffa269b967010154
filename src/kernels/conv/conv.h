/* SPDX-License-Identifier: MIT */
/*
 * The code that all convolutions share, and the products that compute those
 * that are not depthwise. Each group is the product of a matrix of output pixels by taps and
 * channels, and of the weights of the group. That matrix never exists as a whole: tiles read
 * the taps in the image (direct.c), or packing gathers its rows from the image (patch.c).
 */
#ifndef ISK_CONV_H
#define ISK_CONV_H

#include "gemm.h"
#include "transpose.h"

/* Computes the product of patches and weights of a group. */
typedef void convolve_fn(struct product *p);

/* Checks the arguments of a kernel. Fills in s, and the sizes and zero point of p, which stands for all groups. */
typedef int check_conv_fn(struct product *p, struct isk_conv_sizes *s, const void *packed, const struct isk_conv *conv,
                          enum isk_type w_type);

/* The same for the transpose of a convolution. */
typedef int check_transpose_fn(struct product *p, struct isk_transpose *t, const void *packed, const struct isk_conv *conv,
                               enum isk_type w_type);

/* Computes the transpose of a convolution, which check_transpose() has measured, by convolutions of stride 1. */
typedef void each_phase_fn(const struct product *all, const struct isk_transpose *t, const void *packed, drive_fn *depthwise,
                           convolve_fn *convolve);

/*
 * Sets p, which may be all if there is one group, to the product of patches and weights of a group of all. post has room
 * for the post of a group that is not the first. packed holds the group's weights; those of the next group are returned.
 */
typedef const void *take_group_fn(struct product *p, struct isk_post *post, const struct product *all, const void *packed,
                                  size_t group);

ISK_EXTERN check_conv_fn ISK_PART(groups, check_conv);
ISK_EXTERN check_transpose_fn ISK_PART(groups, check_transpose);
ISK_EXTERN each_phase_fn ISK_PART(phases, each_phase);
ISK_EXTERN take_group_fn ISK_PART(groups, take_group);
ISK_EXTERN copy_fn ISK_PART(patch, copy_patches);
ISK_EXTERN drive_fn ISK_PART(direct, conv_direct);

/* The sizes of the convolution that p computes; its image is at p->a. */
ISK_INLINE const struct isk_conv_sizes *sizes_of(const struct product *p)
{
	return p->image;
}

/* The product that a kernel computes. Its sizes are those that check_conv() finds for s. */
ISK_INLINE struct product product_of_image(void *y, const void *x, const struct isk_post *post,
                                           const struct isk_conv_sizes *s, epilogue_fn *epilogue, enum isk_type a_type,
                                           enum isk_type c_type)
{
	return (struct product){
		.c = y, .a = x, .post = post ? post : &isk_no_post, .a_type = a_type, .c_type = c_type,
		.copy = ISK_PART(patch, copy_patches), .image = s, .epilogue = epilogue,
	};
}

/* Whether there are outputs. An image without pixels may have any number of lines. */
static inline int has_outputs(const struct product *p)
{
	return p->m && p->n;
}

/* Whether successive output pixels are successive rows of A, so that the image itself is the matrix. */
static inline int is_plain_matrix(const struct isk_conv_sizes *s)
{
	return s->matrices == 1 && !s->multiplier && places_are_pixels(&s->down) && places_are_pixels(&s->along);
}

/*
 * Whether the image can be read in place: each tap begins with a whole 32-bit word, AMX gets
 * whole steps, and the padding is 0, so that its taps can be skipped.
 */
static inline int fits_in_place(const struct product *p, enum operand kind)
{
	const struct isk_conv_sizes *s = sizes_of(p);
	const size_t unit = line_k(kind), step = is_amx(kind) ? 16 * unit : unit;

	return s->in_group % step == 0 && s->ldx % unit == 0 && (uintptr_t)p->a % 4 == 0 && !p->a_zero
	       && !p->post->b_zeros;
}

/* Multiplies patches, which packing gathers as rows of A, or the image in place if pack is NULL. */
static inline void multiply_group(struct product *p, enum operand kind, pack_fn *pack, micro_fn *micro)
{
	p->kind = kind;
	p->words = line_words(kind, VI_DOT_STEPS);
	p->pack = pack;
	p->micro = micro;
	if (pack)
		ISK_PART(driver, drive)(p);
	else
		ISK_PART(direct, conv_direct)(p);
}

/*
 * Computes the product of each group; a depthwise convolution is a single call. Not inlined, because a kernel that calls
 * gemm would have its stack as well.
 */
static __attribute__((noinline, unused)) int each_group(struct product *all, const void *packed, drive_fn *depthwise,
                                                        convolve_fn *convolve)
{
	const struct isk_conv_sizes *s = sizes_of(all);
	struct product one, *p = s->matrices == 1 ? all : &one;
	struct isk_post post;

	for (size_t g = 0; has_outputs(all) && g < s->matrices; g++) {
		packed = ISK_PART(groups, take_group)(p, &post, all, packed, g);
		if (s->multiplier)
			depthwise(p);
		else
			convolve(p);
	}
	return ISK_OK;
}

/*
 * Defines the kernel for these types. gemm is the gemm kernel of the same types; depthwise
 * and convolve compute the product of a group that is checked and has outputs.
 */
#define CONV(kernel, A, B, C, gemm, depthwise, convolve)                       \
	int ISK_FN(kernel)(ISK_C_##C *y, const ISK_C_##A *x, const void *packed, const struct isk_conv *conv, \
	                   const struct isk_post *post)                            \
	{                                                                          \
		struct isk_conv_sizes s;                                               \
		struct product p = product_of_image(y, x, post, &s, ISK_EPILOGUE_##C, ISK_ENUM_##A, ISK_ENUM_##C); \
		const int status = ISK_PART(groups, check_conv)(&p, &s, packed, conv, ISK_ENUM_##B); \
                                                                               \
		if (!status && has_outputs(&p) && is_plain_matrix(&s))                 \
			return ISK_FN(gemm)(y, x, packed, p.m, p.n, p.k, p.ldc, s.ldx, post); \
		return status ? status : each_group(&p, packed, depthwise, convolve);  \
	}

/* Defines the transpose of a convolution of these types. depthwise and convolve compute the product of a phase of a group. */
#define CONV_TRANSPOSE(kernel, A, B, C, depthwise, convolve)                   \
	int ISK_FN(kernel)(ISK_C_##C *y, const ISK_C_##A *x, const void *packed, const struct isk_conv *conv, \
	                   const struct isk_post *post)                            \
	{                                                                          \
		struct isk_transpose t;                                                \
		struct product p = product_of_image(y, x, post, &t.s, ISK_EPILOGUE_##C, ISK_ENUM_##A, ISK_ENUM_##C); \
		const int status = ISK_PART(groups, check_transpose)(&p, &t, packed, conv, ISK_ENUM_##B); \
                                                                               \
		if (!status && has_outputs(&p))                                        \
			ISK_PART(phases, each_phase)(&p, &t, packed, depthwise, convolve); \
		return status;                                                         \
	}

#endif
