/* SPDX-License-Identifier: MIT */
/* Powers, angles, lengths and remainders of pairs of numbers. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float a[4] = {3, -5, 2, -1}, b[4] = {4, 3, 0.5f, -2};
	float power[4], angle[4], length[4], rest[4];

	isk_pow_f32(power, a, b, 4);
	isk_atan2_f32(angle, a, b, 4);
	isk_hypot_f32(length, a, b, 4);
	isk_fmod_f32(rest, a, b, 4);
	for (int i = 0; i < 4; i++)
		printf("%g %.4f %.4f %g\n", (double)power[i], (double)angle[i], (double)length[i], (double)rest[i]);
	return 0;
}

/*
 * prints
 *
 *     81 0.6435 5.0000 3
 *     -125 -1.0304 5.8310 -2
 *     1.41421 1.3258 2.0616 0
 *     1 -2.6779 2.2361 -1
 */
