/* SPDX-License-Identifier: MIT */
/* A solution of A x = b for a symmetric, positive definite A, by the method of conjugate gradients. */
#include <isakern.h>
#include <stdio.h>

enum { N = 3 };

int main(void)
{
	const double a[N][N] = {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}, b[N] = {6, 10, 8};
	double x[N] = {0}, rest[N] = {6, 10, 8}, direction[N] = {6, 10, 8}, image[N];
	double size = isk_dot_f64(b, b, N);

	for (int step = 0; step < N; step++) {
		double length, before = size;

		isk_gemv_f64(image, a[0], direction, N, N, N, 1, 0);
		length = size / isk_dot_f64(direction, image, N);
		isk_axpy_f64(x, direction, N, length);
		isk_axpy_f64(rest, image, N, -length);
		size = isk_dot_f64(rest, rest, N);
		isk_axpby_f64(direction, rest, N, 1, size / before);
	}
	printf("%.3f %.3f %.3f\n", x[0], x[1], x[2]);
	return 0;
}

/*
 * prints
 *
 *     1.000 2.000 3.000
 */
