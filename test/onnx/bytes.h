/* SPDX-License-Identifier: MIT */
/* 8-bit tensors of the signedness that a kernel takes and gives. */
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

#include "isakern.h"
#include "node.h"

struct bytes {
	uint8_t *data; /* u8 or s8 */
	int32_t *zero; /* `zeros` zero points; at least one */
	size_t zeros;
};

/*
 * A copy of t with its zero points, which may be NULL for 0. If t is u8 and s8 is wanted, or the reverse,
 * both move by 128, so that every difference between an element and its zero point is unchanged.
 */
struct bytes bytes_of(const struct tensor *t, const struct tensor *zero, int is_signed);
void bytes_free(struct bytes *b);

/* The way from the kernel of op to an 8-bit output with these scales and zero point. */
struct requantize {
	struct isk_post post; /* its scales, out_scale and out_zero */
	void *c;              /* count elements, written by the kernel */
	size_t count;
	const struct tensor *y_scale, *y_zero;
	float *scale;
};

const char *requantize_begin(struct requantize *r, const struct op *op, const struct tensor *a_scale,
                             const struct tensor *b_scale, const struct tensor *y_scale,
                             const struct tensor *y_zero, size_t columns, size_t count);
void requantize_end(const struct requantize *r, const struct op *op, struct tensor *y);
void requantize_free(struct requantize *r);

#endif
