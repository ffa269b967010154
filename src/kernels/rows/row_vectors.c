/* SPDX-License-Identifier: MIT */
/*
 * Sums and products of every row with one vector, slopes of its negative elements, and trained batch normalisation, which is a linear function of every
 * row or plane. An element takes one operation, or an fma.
 */
#include "row_vectors_kernels.h"
#include "of_type.h"

void KERNEL(add_row)(elem *y, const elem *x, const elem *b, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		for (size_t i = 0; i < cols; i += COUNT)
			store(y, i, load(x, i, cols - i) + load(b, i, cols - i), cols - i);
}

void KERNEL(mul_row)(elem *y, const elem *x, const elem *b, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		for (size_t i = 0; i < cols; i += COUNT)
			store(y, i, load(x, i, cols - i) * load(b, i, cols - i), cols - i);
}

void KERNEL(prelu)(elem *y, const elem *x, const elem *b, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		for (size_t i = 0; i < cols; i += COUNT) {
			const vec v = load(x, i, cols - i);

			store(y, i, choose(less(splat(0), v), v, v * load(b, i, cols - i)), cols - i);
		}
}

void KERNEL(batchnorm_nhwc)(elem *y, const elem *x, const elem *scale, const elem *shift, size_t rows, size_t cols,
                            size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		for (size_t i = 0; i < cols; i += COUNT) {
			const size_t left = cols - i;
			const vec v = load(x, i, left), by = load(scale, i, left);

			store(y, i, shift ? multiply_add(v, by, load(shift, i, left)) : v * by, left);
		}
}

void KERNEL(batchnorm_nchw)(elem *y, const elem *x, const elem *scale, const elem *shift, size_t images, size_t channels,
                            size_t pixels)
{
	for (; images && channels && pixels; images--)
		for (size_t c = 0; c < channels; c++, y += pixels, x += pixels) {
			const vec by = splat(load_one(scale, c)), plus = splat(shift ? load_one(shift, c) : 0);

			for (size_t i = 0; i < pixels; i += COUNT) {
				const vec v = load(x, i, pixels - i);

				store(y, i, shift ? multiply_add(v, by, plus) : v * by, pixels - i);
			}
		}
}
