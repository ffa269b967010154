/* SPDX-License-Identifier: MIT */
/*
 * The polynomial of ../sine.c. The one of sine.sollya is best if nothing is rounded. This
 * program moves its coefficients at random as long as the worst error of the polynomial
 * computed in f32 decreases: from 2.10 ulp to 1.69.
 *
 *     cc -O2 -mfma -o /tmp/sine sine.c -lm && /tmp/sine
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 2400000, ROUNDS = 1000000, TERMS = 4 };

static float r[COUNT];
static double sine[COUNT];

static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 32) * n >> 32);
}

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static float moved(float x, int32_t by)
{
	const uint32_t bits = bits_of(x) + (uint32_t)by;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Returns the worst error in ulp, or the first error above stop. */
static double worst(const float c[TERMS], double stop)
{
	double most = 0;

	for (int i = 0; i < COUNT && most <= stop; i++) {
		const float w = r[i] * r[i];
		const float p = fmaf(fmaf(fmaf(c[3], w, c[2]), w, c[1]), w, c[0]);
		int exponent;

		frexp(sine[i], &exponent);
		most = fmax(most, ldexp(fabs((double)fmaf(p, w * r[i], r[i]) - sine[i]), 24 - exponent));
	}
	return most;
}

int main(void)
{
	static const uint32_t reach[TERMS] = {3, 40, 2000, 20000};
	float c[TERMS] = {-0x1.55554cp-3f, 0x1.110ed8p-7f, -0x1.9f704cp-13f, 0x1.5dbcd8p-19f};
	double least;

	/* Half of the samples lie near the end of the range, where terms are largest and few numbers have the worst errors. */
	for (int i = 0; i < COUNT; i++) {
		r[i] = i % 2 ? moved(1.575f, -(int32_t)random_below(COUNT / 4))
		             : (float)(1.575 * (random_below(1u << 31) + 0.5) / (1u << 31));
		sine[i] = sin((double)r[i]);
	}
	least = worst(c, HUGE_VAL);
	for (int round = 0; round < ROUNDS; round++) {
		float other[TERMS];
		double error;

		for (int k = 0; k < TERMS; k++)
			other[k] = moved(c[k], (int32_t)random_below(2 * reach[k] + 1) - (int32_t)reach[k]);
		error = worst(other, least);
		if (error < least) {
			least = error;
			memcpy(c, other, sizeof(c));
		}
	}
	printf("%a %a %a %a: %.4f ulp\n", (double)c[0], (double)c[1], (double)c[2], (double)c[3], least);
	return 0;
}
