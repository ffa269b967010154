/* SPDX-License-Identifier: MIT */
/*
 * Dot products: of two vectors, and which of some rows is most like a vector.
 *
 *     cc dot.c $(pkg-config --cflags --libs isakern)
 */
#include <isakern.h>
#include <stdio.h>

enum { ROWS = 4, COLS = 3 };

int main(void)
{
	const float rows[ROWS][COLS] = {{1, 0, 0}, {0, 2, 0}, {3, 3, 3}, {0, 1, 1}}, query[COLS] = {0, 1, 1};
	const int8_t small[COLS] = {127, -128, 127}, other[COLS] = {127, 127, -128};
	float likeness[ROWS];

	printf("dot product %g\n", (double)isk_dot_f32(rows[2], query, COLS));
	/* Products of integers are exact. */
	printf("of integers %d\n", isk_dot_s8s8_s32(small, other, COLS));
	for (size_t i = 0; i < ROWS; i++)
		likeness[i] = isk_cosine_f32(rows[i], query, COLS);
	printf("row %zu is the nearest\n", isk_argmax_f32(likeness, ROWS));
	return 0;
}

/*
 * prints
 *
 *     dot product 6
 *     of integers -16383
 *     row 3 is the nearest
 */
