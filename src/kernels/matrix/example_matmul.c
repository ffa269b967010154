/* SPDX-License-Identifier: MIT */
/* Products of matrices that are not packed: one by the transpose of another, then two by the same one. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float a[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, b[2][2] = {{0, 1}, {2, 0}};
	float c[2][2][2];
	int status = isk_matmul_f32(c[0][0], a[0][0], b[0], 2, 2, 2, 2, 2, 2, ISK_TRANSPOSED_B, NULL);

	if (status == ISK_OK) {
		printf("%g %g, %g %g\n", (double)c[0][0][0], (double)c[0][0][1], (double)c[0][1][0], (double)c[0][1][1]);
		status = isk_matmul_batch_f32(c[0][0], a[0][0], b[0], 2, 2, 2, 2, 2, 2, 2, 4, 4, 0, 0, NULL);
	}
	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < 2; i++)
		printf("%g %g, %g %g\n", (double)c[i][0][0], (double)c[i][0][1], (double)c[i][1][0], (double)c[i][1][1]);
	return 0;
}

/*
 * prints
 *
 *     2 2, 4 6
 *     4 1, 8 3
 *     12 5, 16 7
 */
