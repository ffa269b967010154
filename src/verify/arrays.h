/* SPDX-License-Identifier: MIT */
/* Buffers, extents and far-apart matrices, shared by the drivers of matrices. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "kernels.h"

#define ROOM ((size_t)4 << 20)

/* A buffer of ROOM bytes, allocated at the first use. */
unsigned char *room(unsigned char **p);

/* Elements from the first to the last one of a matrix whose rows are ld apart. */
size_t span(size_t rows, size_t cols, size_t ld);

/* Fills x with n floats from -size to size. */
void fill_floats(enum isk_type type, void *x, size_t n, double size);

/* The types of A, B and C. A kernel with a single type has the same for all. */
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

/* Whether A has integers; whether C has 8 bits. */
int integers(const struct isk_kernel *k);
int quantized(const struct isk_kernel *k);

/* Draws a zero point of an 8-bit type. */
int32_t draw_zero(enum isk_type type);

/* Ends the test unless the status of a call is the one wanted and the oracle's. */
void check_status(int got, int wanted, int of_oracle);

/* The kernel of the given shape that packs B, or the weights, for this one. */
const struct isk_kernel *packer(const struct isk_kernel *k, const char *shape);

/* Draws a convolution, as small as one with all its parts can be. It uses integers only, so it is the same everywhere. */
void conv_draw(struct isk_conv *c);

/*
 * A stride that 32 bits cannot count, and rows that are `stride` bytes apart, of which only the pages with rows can be touched.
 * far_rows() says why and returns NULL if the process may not have the address space, or an emulator would take minutes for it.
 */
#define FAR (((size_t)1 << 32) + 6)

unsigned char *far_rows(size_t rows, size_t row_bytes, size_t stride);
void far_free(unsigned char *at, size_t rows, size_t row_bytes, size_t stride);
/* Copies rows between two strides. */
void copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t rows,
               size_t row_bytes);

#endif
