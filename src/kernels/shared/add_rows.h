/* SPDX-License-Identifier: MIT */
/* A vector of sums plus multiples of rows of a matrix. */
#ifndef ISK_ADD_ROWS_H
#define ISK_ADD_ROWS_H

#include "of_type.h"

/* Rows that are added together, so that each sum is read and written once for them; their factors stay in registers. */
enum { ARE_TOGETHER = ISK_REGISTERS > 16 || VL > 4, TOGETHER = ARE_TOGETHER ? 8 : 4 };

/*
 * To sums, each of `rows` rows times alpha and its element of x, one after the other: as many of the n columns as fill
 * vectors. Returns their number.
 */
ISK_INLINE size_t add_rows(elem *sums, const elem *a, size_t lda, const elem *x, size_t n, lane alpha, const size_t rows)
{
	vec factors[TOGETHER];
	size_t j = 0;

#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++)
		factors[r] = splat(alpha * x[r]);
	for (; n - j >= (size_t)COUNT; j += COUNT) {
		vec s = load(sums, j, COUNT);

#pragma GCC unroll 8
		for (size_t r = 0; r < rows; r++)
			s = multiply_add(load(a + r * lda, j, COUNT), factors[r], s);
		store(sums, j, s, COUNT);
	}
	return j;
}

#endif
