/* SPDX-License-Identifier: MIT */
/* What the drivers of matrices share: buffers, extents, and matrices whose rows lie far apart. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "kernels.h"

#define ROOM ((size_t)4 << 20)

/* A buffer of ROOM bytes, allocated the first time. */
unsigned char *room(unsigned char **p);

/* Elements from the first to the last one of rows that are ld apart. */
size_t span(size_t rows, size_t cols, size_t ld);

/* The types of A, B and C, where a kernel has one for all. */
static inline enum isk_type type_a(const struct isk_kernel *k)
{
	return k->types[0];
}

static inline enum isk_type type_b(const struct isk_kernel *k)
{
	return k->types[1] ? k->types[1] : k->types[0];
}

static inline enum isk_type type_c(const struct isk_kernel *k)
{
	return k->types[2] ? k->types[2] : k->types[0];
}

/* Whether A is of integers; whether C is of 8 bits. */
int integers(const struct isk_kernel *k);
int quantized(const struct isk_kernel *k);

/* The kernel of a shape that packs B, or the weights, of this one. */
const struct isk_kernel *packer(const struct isk_kernel *k, const char *shape);

/* A convolution at random, as small as one can be and still have every part of it: by whole numbers alone. */
void conv_draw(struct isk_conv *c);

/*
 * A stride of more elements than 32 bits can count, and rows so many bytes apart,
 * of which the pages that hold them, and no others, can be touched. NULL where
 * the process may not have so much address space.
 */
#define FAR (((size_t)1 << 32) + 6)

unsigned char *far_rows(size_t rows, size_t row_bytes, size_t stride);
void far_free(unsigned char *at, size_t rows, size_t row_bytes, size_t stride);
/* Between rows here and rows there. */
void copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t rows,
               size_t row_bytes);

#endif
