/* SPDX-License-Identifier: MIT */
/* Powers of e, correctly rounded, so that they are the same on every CPU. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[3] = {0, 1, -1};
	float y[3];

	isk_cr_exp_f32(y, x, 3);
	printf("%a %a %a\n", (double)y[0], (double)y[1], (double)y[2]);
	return 0;
}

/*
 * prints
 *
 *     0x1p+0 0x1.5bf0a8p+1 0x1.78b564p-2
 */
