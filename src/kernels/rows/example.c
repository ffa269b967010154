/* SPDX-License-Identifier: MIT */
/* Normalises two rows of three without weight and bias, then turns each into probabilities, in place. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[2][3] = {{0, 0, 0}, {1, 2, 3}};
	float y[2][3];

	isk_layernorm_f32(y[0], x[0], NULL, NULL, 2, 3, 3, 3, 1e-5f);
	isk_softmax_f32(y[0], y[0], 2, 3, 3, 3);
	for (int i = 0; i < 2; i++)
		printf("%.3f %.3f %.3f\n", (double)y[i][0], (double)y[i][1], (double)y[i][2]);
	return 0;
}

/*
 * prints
 *
 *     0.333 0.333 0.333
 *     0.063 0.213 0.725
 */
