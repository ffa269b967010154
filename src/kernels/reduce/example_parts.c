/* SPDX-License-Identifier: MIT */
/* A sum whose parts could be in different threads, processes or machines. */
#include <isakern.h>
#include <stdio.h>

enum { N = 100000, LENGTH = 16384, PARTS = (N + LENGTH - 1) / LENGTH };

int main(void)
{
	static float x[N];
	struct isk_partial parts[PARTS];
	double sum;

	for (int i = 0; i < N; i++)
		x[i] = 1 / (float)(i + 1);
	/* Each of these calls could be somewhere else, and send its isk_partial. */
	for (size_t i = 0; i < PARTS; i++) {
		const size_t at = i * LENGTH, length = N - at < LENGTH ? N - at : LENGTH;

		isk_partial_sums(&parts[i], "sum_f32", x + at, NULL, length, 1, LENGTH);
	}
	isk_partial_result(&sum, "sum_f32", parts, PARTS, N);
	printf("%.9g in %d parts, %.9g in one\n", sum, PARTS, (double)isk_sum_f32(x, N));
	return 0;
}

/*
 * prints
 *
 *     12.0901461 in 7 parts, 12.0901461 in one
 */
