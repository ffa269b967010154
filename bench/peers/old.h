/* SPDX-License-Identifier: MIT */
/*
 * The interface of isakern before it had products of f64 that has changed since, for libraries of --old. Both
 * libraries must be called according to their own headers, and a program can include only one of the two.
 */
#ifndef OLD_H
#define OLD_H

#include <stddef.h>
#include <stdint.h>

struct old_post {
	size_t size;
	size_t first_column;
	int32_t a_zero;
	const int32_t *b_zero;
	size_t b_zeros;
	const float *scale;
	size_t scales;
	const float *bias;
	int act;
	float act_a, act_b;
	int binary;
	const void *other;
	size_t ldother;
	float other_scale;
	float out_scale;
	int32_t out_zero;
	const float *row_scale;
	const int32_t *row_zero;
};

#endif
