// SPDX-License-Identifier: MIT
/*
 * The constants of ../half.h: for each function, constants near those of the f32 kernel (of a shorter polynomial) for which
 * the result in f32, rounded to f16, is the correctly rounded one for every f16, and the inputs for which none were found.
 * Constants are moved at random; a step stays if no more inputs than before are rounded the wrong way.
 *
 *     gcc -O3 -mfma -mf16c -ffp-contract=off half.c -lm && ./a.out FUNCTION [SEED]    takes minutes
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, STEPS = 150000 };

typedef float form(float x, const float *c);

struct input {
	float x;
	uint16_t result;
};

static struct input inputs[1 << 16];
static int count;

static uint64_t state = 88172645463325252;

static uint64_t drawn(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint16_t half_bits(double y)
{
	const _Float16 half = (_Float16)y;
	uint16_t bits;

	memcpy(&bits, &half, sizeof(bits));
	return bits;
}

/* The same of an f32, in one instruction. */
static uint16_t half_of_float(float y)
{
	const _Float16 half = (_Float16)y;
	uint16_t bits;

	memcpy(&bits, &half, sizeof(bits));
	return bits;
}

/* x = 2^e m, and log(x) = e log(2) - log(c) + log(1 + r) with r = c m - 1 */
struct reduced {
	float e, r;
	int part;
};

static struct reduced reduced(float x, const float inverse[8])
{
	const int32_t from = (int32_t)(bits_of(x) - 0x3f380000);
	const int part = from >> 20 & 7;
	const float m = float_of(bits_of(x) - ((uint32_t)from & 0xff800000));

	return (struct reduced){(float)(from >> 23), fmaf(m, inverse[part], -1), part};
}

static const float ln_inverse[8] = {
	0x1.5564fap+0f, 0x1.3b20d8p+0f, 0x1.248eeep+0f, 0x1.11031cp+0f,
	0x1p+0f, 0x1.c711d4p-1f, 0x1.99a968p-1f, 0x1.746c6cp-1f,
};
static const float log2_inverse[8] = {
	0x1.5572eep+0f, 0x1.3b076ep+0f, 0x1.24addcp+0f, 0x1.1107e2p+0f,
	0x1p+0f, 0x1.c6fefcp-1f, 0x1.999da4p-1f, 0x1.745826p-1f,
};
static const float log10_inverse[8] = {
	0x1.55424ap+0f, 0x1.3b026ep+0f, 0x1.249496p+0f, 0x1.112638p+0f,
	0x1p+0f, 0x1.c7361ep-1f, 0x1.99987p-1f, 0x1.745beep-1f,
};

/* Constants: -log(c), then the coefficients. */
static float ln_of(float x, const float *c)
{
	const struct reduced l = reduced(x, ln_inverse);

	return fmaf(l.e, 0x1.62e43p-1f, c[l.part]) + fmaf(fmaf(c[8], l.r, c[9]), l.r * l.r, l.r);
}

static float log2_of(float x, const float *c)
{
	const struct reduced l = reduced(x, log2_inverse);

	return fmaf(fmaf(fmaf(c[8], l.r, c[9]), l.r, c[10]), l.r, l.e + c[l.part]);
}

static float log10_of(float x, const float *c)
{
	const struct reduced l = reduced(x, log10_inverse);

	return fmaf(fmaf(fmaf(c[8], l.r, c[9]), l.r, c[10]), l.r, fmaf(l.e, 0x1.344136p-2f, c[l.part]));
}

/* Constants: the powers of 2^(1/8), then the coefficients. */
static float exp_of(float x, const float *c)
{
	const float round = 0x1.8p20f, sum = fmaf(x, 0x1.715476p+0f, round), n = sum - round;
	const float r = fmaf(-n, 0x1.0bfbe8p-15f, fmaf(-n, 0x1.62ep-1f, x)), power = c[bits_of(sum) & 7];

	return ldexpf(fmaf(power * r, fmaf(fmaf(c[8], r, c[9]), r, 1), power), (int)floorf(n));
}

static float exp2_of(float x, const float *c)
{
	const float round = 0x1.8p20f, sum = x + round, n = sum - round, r = x - n, power = c[bits_of(sum) & 7];

	return ldexpf(fmaf(power * r, fmaf(fmaf(c[8], r, c[9]), r, c[10]), power), (int)floorf(n));
}

/* r = a - n log(2) */
static float rest(float a, float *n)
{
	*n = fmaf(a, 0x1.715476p+0f, 0x1.8p23f) - 0x1.8p23f;
	return fmaf(-*n, 0x1.7f7d1cp-20f, fmaf(-*n, 0x1.62e4p-1f, a));
}

static float expm1_of(float x, const float *c)
{
	float n, r = rest(x, &n);
	const float q = fmaf(fmaf(c[0], r, c[1]), r * r, fmaf(c[2], r, c[3]));

	return ldexpf(fmaf(q, r * r, r) + (1 - ldexpf(1, (int)-n)), (int)n);
}

/* cosh(x) for x >= 0, sinh(x) for x < 0 */
static float cosh_or_sinh(float x, const float *c)
{
	float n, r = rest(fabsf(x), &n);
	const float w = r * r, high = ldexpf(1, (int)n - 2), low = ldexpf(1, (int)-n - 2);
	const float sine = fmaf(fmaf(fmaf(c[0], w, c[1]), w, c[2]), w * r, r + r), cosine = fmaf(c[3], w, c[4]) * w;

	return x < 0 ? -fmaf(high - low, 2, fmaf(high + low, sine, (high - low) * cosine))
	             : fmaf(high, 2, fmaf(high - low, sine, fmaf(high + low, cosine, low + low)));
}

static double exact_cosh_or_sinh(double x)
{
	return x < 0 ? sinh(x) : cosh(x);
}

/* Constants: the bits of z, then the coefficients. */
static float cbrt_of(float a, const float *c)
{
	const float z = float_of((uint32_t)lrintf(fmaf((float)bits_of(a), -1.0f / 3, c[0])));
	const float y = a * z * z, h = fmaf(-y, z, 1);
	float p = c[1];

	for (int i = 2; i < 6; i++)
		p = fmaf(p, h, c[i]);
	return fmaf(p, y * h, y);
}

static const struct problem {
	const char *name;
	form *f;
	double (*exact)(double);
	double from, to;   /* beyond them the results are infinite, 0, NaN or -1 */
	int constants;
	float start[MOST]; /* the first constants */
	int reach[MOST];   /* how far a constant is moved at most in a step, in units of its last place */
} problems[] = {
	{"ln", ln_of, log, 0x1p-24, 65504, 10,
	 {-0x1.26c50ep-2f, -0x1.a9944ep-3f, -0x1.11616ap-3f, -0x1.07882ap-4f, 0, 0x1.e2d004p-4f, 0x1.c8b076p-3f, 0x1.45ee94p-2f,
	  0x1.5555d6p-2f, -0x1.000fe4p-1f},
	 {4, 4, 4, 4, 0, 4, 4, 4, 100000, 4000}},
	{"log2", log2_of, log2, 0x1p-24, 65504, 11,
	 {-0x1.a97faap-2f, -0x1.32866ep-2f, -0x1.8b9feap-3f, -0x1.7c9988p-4f, 0, 0x1.5cc0ecp-3f, 0x1.4998f2p-2f, 0x1.d688dap-2f,
	  0x1.ec4d3p-2f, -0x1.714d1p-1f, 0x1.715462p+0f},
	 {4, 4, 4, 4, 0, 4, 4, 4, 100000, 4000, 400}},
	{"log10", log10_of, log10, 0x1p-24, 65504, 11,
	 {-0x1.ff5c8p-4f, -0x1.70fb94p-4f, -0x1.db2de6p-5f, -0x1.cd6014p-6f, 0, 0x1.a241f2p-5f, 0x1.8cf69p-4f, 0x1.1b4138p-3f,
	  0x1.287534p-3f, -0x1.bcb786p-3f, 0x1.bcb7b2p-2f},
	 {4, 4, 4, 4, 0, 4, 4, 4, 100000, 4000, 400}},
	{"exp", exp_of, exp, -17.5, 11.125, 10,
	 {1, 0x1.172b84p+0f, 0x1.306fep+0f, 0x1.4bfdaep+0f, 0x1.6a09e6p+0f, 0x1.8ace54p+0f, 0x1.ae89fap+0f, 0x1.d5818ep+0f,
	  0x1.55565cp-3f, 0x1.000876p-1f},
	 {4, 4, 4, 4, 4, 4, 4, 4, 3000, 60}},
	{"exp2", exp2_of, exp2, -25.25, 16, 11,
	 {1, 0x1.172b84p+0f, 0x1.306fep+0f, 0x1.4bfdaep+0f, 0x1.6a09e6p+0f, 0x1.8ace54p+0f, 0x1.ae89fap+0f, 0x1.d5818ep+0f,
	  0x1.c6af9ep-5f, 0x1.ebfbdep-3f, 0x1.62e43p-1f},
	 {4, 4, 4, 4, 4, 4, 4, 4, 30000, 1000, 40}},
	{"expm1", expm1_of, expm1, -17.5, 11.125, 4,
	 {0x1.123a2p-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f}, {100000, 5000, 300, 20}},
	{"cosh", cosh_or_sinh, exact_cosh_or_sinh, -11.8, 11.8, 5,
	 {0x1.a293a4p-12f, 0x1.110fep-6f, 0x1.555556p-2f, 0x1.5554e2p-4f, 1}, {30000, 2000, 100, 5000, 30}},
	{"cbrt", cbrt_of, cbrt, 0x1p-24, 65504, 6,
	 {0x54a1f580, 0x1.b745e6p-2f, 0x1.d58bbap-2f, 0x1.f9a654p-2f, 0x1.1c6f48p-1f, 0x1.555556p-1f}, {1000, 2000, 300, 40, 8, 2}},
};

static void fill(const struct problem *p)
{
	count = 0;
	for (uint32_t bits = 0; bits < 1 << 16; bits++) {
		const uint16_t half_word = (uint16_t)bits;
		_Float16 half;
		float x;

		memcpy(&half, &half_word, sizeof(half));
		x = half;
		if (x != 0 && x >= p->from && x <= p->to)
			inputs[count++] = (struct input){x, half_bits(p->exact(x))};
	}
}

static bool is_right(const struct problem *p, const float *c, int i)
{
	return half_of_float(p->f(inputs[i].x, c)) == inputs[i].result;
}

/* The number of wrong results, or a number above `most`. Inputs with wrong results move up, so that they are tried early. */
static int wrong(const struct problem *p, const float *c, int most)
{
	int found = 0;

	for (int i = 0; i < count && found <= most; i++) {
		const struct input input = inputs[i];

		if (is_right(p, c, i))
			continue;
		found++;
		inputs[i] = inputs[i / 2];
		inputs[i / 2] = input;
	}
	return found;
}

static void solve(const struct problem *p)
{
	float best[MOST], c[MOST];
	int least;

	fill(p);
	memcpy(best, p->start, sizeof(best));
	least = wrong(p, best, count);
	for (int step = 0; step < STEPS && least; step++) {
		static const int divisors[3] = {1, 8, 64};
		const int divisor = divisors[drawn() % 3];
		int found;

		memcpy(c, best, sizeof(c));
		for (int i = 0; i < p->constants; i++) {
			const int reach = p->reach[i] < divisor ? p->reach[i] > 0 : p->reach[i] / divisor;

			if (drawn() % 2)
				c[i] = float_of(bits_of(c[i]) + (uint32_t)(drawn() % (uint64_t)(2 * reach + 1)) - (uint32_t)reach);
		}
		found = wrong(p, c, least);
		if (found <= least) {
			least = found;
			memcpy(best, c, sizeof(best));
		}
	}
	printf("%s:", p->name);
	for (int i = 0; i < p->constants; i++)
		printf(" %a", best[i]);
	for (int i = 0; i < count; i++) {
		_Float16 half;

		memcpy(&half, &inputs[i].result, sizeof(half));
		if (!is_right(p, best, i))
			printf(" {%#x, %a}", bits_of(inputs[i].x), (float)half);
	}
	puts("");
}

int main(int argc, char **argv)
{
	if (argc > 2)
		state = strtoull(argv[2], NULL, 10);
	for (size_t i = 0; argc > 1 && i < sizeof(problems) / sizeof(*problems); i++) {
		if (!strcmp(argv[1], problems[i].name))
			solve(&problems[i]);
	}
	return 0;
}
