/* SPDX-License-Identifier: MIT */
/* Random numbers are the same if they are made in parts. Also: their means, 32 random bits, and dropout by a mask. */
#include <isakern.h>
#include <stdio.h>
#include <string.h>

#define N 100000

int main(void)
{
	static float x[N], parts[N];
	const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	uint32_t word;
	unsigned char mask[8];
	float left[8];

	isk_normal_f32(x, N, 42, 0);
	isk_normal_f32(parts, 777, 42, 0);
	isk_normal_f32(parts + 777, N - 777, 42, 777);
	printf("%s, mean square %.2f\n", memcmp(x, parts, sizeof(x)) ? "different" : "the same",
	       (double)isk_dot_f32(x, x, N) / N);

	isk_uniform_f32(x, N, 42, 0);
	printf("mean %.2f\n", (double)isk_sum_f32(x, N) / N);

	isk_random_b32(&word, 1, 0, 0);
	printf("%08x\n", (unsigned)word);

	isk_dropout_mask(mask, 8, 0.5f, 42, 0);
	isk_dropout_f32(left, ones, mask, 8, 2);
	for (int i = 0; i < 8; i++)
		if (left[i] != (mask[i] ? 2 : 0))
			return 1;
	return 0;
}

/*
 * prints
 *
 *     the same, mean square 1.00
 *     mean 0.50
 *     6627e8d5
 */
