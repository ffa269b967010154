/* SPDX-License-Identifier: MIT */
/* Two rows of three, each to probabilities, in place. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[2][3] = {{0, 0, 0}, {1, 2, 3}};

	isk_softmax_f32(x[0], x[0], 2, 3, 3, 3);
	for (int i = 0; i < 2; i++)
		printf("%.3f %.3f %.3f\n", (double)x[i][0], (double)x[i][1], (double)x[i][2]);
	return 0;
}
