/* SPDX-License-Identifier: MIT */
/* The description of a convolution, and functions that ask about it. */
#ifndef ISAKERN_CONV_TYPES_H
#define ISAKERN_CONV_TYPES_H

#include <isakern/matrix_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct isk_conv {
	size_t size;                              /* sizeof(struct isk_conv) */
	size_t images, height, width, channels;   /* size of x */
	size_t out_channels;                      /* channels of y */
	size_t kernel_h, kernel_w;                /* height and width of the kernel; at least 1 */
	size_t stride_h, stride_w;                /* pixels of x from one pixel of y to the next; at least 1 */
	size_t dilation_h, dilation_w;            /* pixels of x from one tap to the next; at least 1 */
	size_t pad_top, pad_left, pad_bottom, pad_right; /* pixels of padding around x */
	size_t groups;                            /* at least 1, divides channels and out_channels */
	size_t ldx, ldy;                          /* elements from one pixel to the next; 0: channels, out_channels */
};

/*
 * Gives the height and width of y, which are 0 if the kernel is larger than the padded image.
 * Returns 0 or a negative isk_status.
 */
int isk_conv_output(const struct isk_conv *conv, size_t *height, size_t *width);

/* Returns the number of bytes of the packed weights, or 0 if the convolution is invalid or the number overflows. */
size_t isk_conv_packed_size(enum isk_type type, const struct isk_conv *conv);

/* The same for the weights of its transpose, which conv_transpose_pack packs. */
size_t isk_conv_transpose_packed_size(enum isk_type type, const struct isk_conv *conv);

#ifdef __cplusplus
}
#endif

#endif
