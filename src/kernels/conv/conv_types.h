/* SPDX-License-Identifier: MIT */
/* What a convolution is, and what may be asked about it. */
#ifndef ISAKERN_CONV_TYPES_H
#define ISAKERN_CONV_TYPES_H

#include <isakern/matrix_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct isk_conv {
	size_t size; /* sizeof(struct isk_conv) */
	size_t images, height, width, channels, out_channels;
	size_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w; /* at least 1 */
	size_t pad_top, pad_left, pad_bottom, pad_right;
	size_t groups; /* at least 1, divides channels and out_channels */
	size_t ldx, ldy; /* 0: channels, out_channels */
};

/* Height and width of y; 0 where the kernel is larger than the padded image. */
int isk_conv_output(const struct isk_conv *conv, size_t *height, size_t *width);

/* Bytes that the packed weights take, or 0 if there is no such convolution. */
size_t isk_conv_packed_size(enum isk_type type, const struct isk_conv *conv);

#ifdef __cplusplus
}
#endif

#endif
