/* SPDX-License-Identifier: MIT */
/* Windows that slide over images of one or two dimensions, for convolutions and pools. One dimension is a height of 1.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "graph.h"

enum { HEIGHT, WIDTH, SIDES };

struct windows {
	size_t size[SIDES], kernel[SIDES], stride[SIDES], dilation[SIDES], before[SIDES], after[SIDES], out[SIDES];
};

/* From the attributes of the node and its input 0; kernel, of rank - 2 numbers, may be NULL for the attribute
 * kernel_shape. */
struct windows windows_of(const struct node *n, const size_t *kernel);

/* The same of a ConvTranspose, whose windows are in its output: `out` is that output's size. */
struct windows windows_transposed(const struct node *n, const size_t *kernel);

/* Sets the shape of output 0: images of `channels` channels with a pixel for each window. */
void windows_infer(struct graph *g, struct node *n, const struct windows *w, int type, size_t channels);

/* The convolution by these windows of images of this size. */
struct isk_conv windows_geometry(const struct windows *w, size_t images, const size_t image[SIDES], size_t channels,
                                 size_t out_channels, size_t groups);

/* The convolution of a Conv or ConvInteger, whose weights are input 1. */
struct isk_conv windows_conv(const struct node *n);

#endif
