/* SPDX-License-Identifier: MIT */
/* Compares two vectors by product, distance and angle, and finds the largest element of one. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float a[3] = {1, 2, 2}, b[3] = {2, 1, 2};

	printf("%g %g %.3f\n", (double)isk_dot_f32(a, b, 3), (double)isk_l2sq_f32(a, b, 3),
	       (double)isk_cosine_f32(a, b, 3));
	printf("%g, at %zu\n", (double)isk_max_f32(a, 3), isk_argmax_f32(a, 3));
	return 0;
}

/*
 * prints
 *
 *     8 2 0.889
 *     2, at 1
 */
