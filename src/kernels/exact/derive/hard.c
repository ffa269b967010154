/* SPDX-License-Identifier: MIT */
/*
 * The inputs of correctly rounded functions whose exact results lie next to a tie:
 * the rows of test/kernels/hard.tbl, in order. libm in double finds them among all
 * 2^32 inputs, and MPFR gives their rounded results. Each function takes a minute.
 *
 *     cc -O2 -march=native hard.c -o hard -lmpfr -lm && ./hard [OPERATION...]
 */
#define _GNU_SOURCE
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* silu and gelu of every odd denormal are near a tie, so that one in 65,537 inputs below LEAST is enough. */
#define LEAST 0x1p-120

/* A result is hard if its relative distance from a tie is below NEAR, which is larger than the error of libm. */
#define NEAR 0x1p-49

static double rsqrt(double x)
{
	return 1 / sqrt(x);
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double silu(double x)
{
	return x * sigmoid(x);
}

static double gelu(double x)
{
	return x / 2 * erfc(-x * M_SQRT1_2);
}

/* The difference of |x| and the nearest multiple of 1/2 is exact. */
static double sinpi(double x)
{
	const double quarters = nearbyint(2 * fabs(x)), r = M_PI * (fabs(x) - quarters / 2);
	const double turn = fmod(quarters, 4), size = fmod(turn, 2) == 0 ? sin(r) : cos(r);

	return copysign(1, x) * (turn < 2 ? size : -size);
}

static double cospi(double x)
{
	const double quarters = nearbyint(2 * fabs(x)), r = M_PI * (fabs(x) - quarters / 2);
	const double turn = fmod(quarters, 4), size = fmod(turn, 2) == 0 ? cos(r) : -sin(r);

	return turn < 2 ? size : -size;
}

static int exact_sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
	mpfr_neg(y, x, rounding);
	mpfr_exp(y, y, rounding);
	mpfr_add_ui(y, y, 1, rounding);
	return mpfr_ui_div(y, 1, y, rounding);
}

static int exact_silu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
	exact_sigmoid(y, x, rounding);
	return mpfr_mul(y, y, x, rounding);
}

static int exact_gelu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
	mpfr_set_ui(y, 2, rounding);
	mpfr_sqrt(y, y, rounding);
	mpfr_div(y, x, y, rounding);
	mpfr_neg(y, y, rounding);
	mpfr_erfc(y, y, rounding);
	mpfr_mul(y, y, x, rounding);
	return mpfr_div_ui(y, y, 2, rounding);
}

static int exact_sinpi(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
	mpfr_const_pi(y, rounding);
	mpfr_mul(y, y, x, rounding);
	return mpfr_sin(y, y, rounding);
}

static int exact_cospi(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
	mpfr_const_pi(y, rounding);
	mpfr_mul(y, y, x, rounding);
	return mpfr_cos(y, y, rounding);
}

static const struct operation {
	const char *name;
	double (*in_double)(double x);
	int (*exact)(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding);
} operations[] = {
	{"cr_acos", acos, mpfr_acos},
	{"cr_acosh", acosh, mpfr_acosh},
	{"cr_asin", asin, mpfr_asin},
	{"cr_asinh", asinh, mpfr_asinh},
	{"cr_atan", atan, mpfr_atan},
	{"cr_atanh", atanh, mpfr_atanh},
	{"cr_cbrt", cbrt, mpfr_cbrt},
	{"cr_cos", cos, mpfr_cos},
	{"cr_cosh", cosh, mpfr_cosh},
	{"cr_cospi", cospi, exact_cospi},
	{"cr_erf", erf, mpfr_erf},
	{"cr_erfc", erfc, mpfr_erfc},
	{"cr_exp", exp, mpfr_exp},
	{"cr_exp10", exp10, mpfr_exp10},
	{"cr_exp2", exp2, mpfr_exp2},
	{"cr_expm1", expm1, mpfr_expm1},
	{"cr_gelu", gelu, exact_gelu},
	{"cr_log", log, mpfr_log},
	{"cr_log10", log10, mpfr_log10},
	{"cr_log1p", log1p, mpfr_log1p},
	{"cr_log2", log2, mpfr_log2},
	{"cr_rsqrt", rsqrt, mpfr_rec_sqrt},
	{"cr_sigmoid", sigmoid, exact_sigmoid},
	{"cr_silu", silu, exact_silu},
	{"cr_sin", sin, mpfr_sin},
	{"cr_sinh", sinh, mpfr_sinh},
	{"cr_sinpi", sinpi, exact_sinpi},
	{"cr_tan", tan, mpfr_tan},
	{"cr_tanh", tanh, mpfr_tanh},
};

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void list(const struct operation *o)
{
	mpfr_t x, y;

	mpfr_init2(x, 24);
	mpfr_init2(y, 600);
	for (uint64_t i = 0; i < (uint64_t)1 << 32; i++) {
		const uint32_t bits = (uint32_t)i;
		float input;
		double d;

		memcpy(&input, &bits, sizeof(input));
		d = o->in_double((double)input);
		if (fabs((double)input) < LEAST && bits % 65537 != 0)
			continue;
		if (!isfinite(d) || (float)(d * (1 - NEAR)) == (float)(d * (1 + NEAR)))
			continue;
		mpfr_set_flt(x, input, MPFR_RNDN);
		o->exact(y, x, MPFR_RNDN);
		printf("%s_f32 %08x %08x\n", o->name, bits, bits_of(mpfr_get_flt(y, MPFR_RNDN)));
	}
	mpfr_clear(x);
	mpfr_clear(y);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		int wanted = argc == 1;

		for (int a = 1; a < argc; a++)
			wanted |= strcmp(argv[a], operations[i].name) == 0;
		if (wanted)
			list(&operations[i]);
	}
	return 0;
}
