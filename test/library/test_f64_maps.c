/* SPDX-License-Identifier: MIT */
/*
 * The functions of f64 that isakern-sleef computes itself, against libm's of long double: random inputs of several kinds for
 * every variant that can run here, and the f64 nearest to multiples of pi / 2, which lose most digits, against MPFR.
 * libm's own error counts as none, because long double has 11 more bits.
 *
 *     test_f64_maps COUNT [KERNEL...]
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "isakern/sleef.h"

enum { CHUNK = 4096, MOST_ISAS = 32, HARD = 200000, KINDS = 8 };

typedef long double real;
typedef void map(double *y, const double *x, size_t n);
typedef void zip(double *y, const double *a, const double *b, size_t n);
typedef int function(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding);

static const struct row {
	const char *kernel;
	real (*of_one)(real);
	real (*of_two)(real, real);
	function *of_hard;
} rows[] = {
	{"exp_f64", expl, NULL, NULL},     {"exp2_f64", exp2l, NULL, NULL},   {"expm1_f64", expm1l, NULL, NULL},
	{"log_f64", logl, NULL, NULL},     {"log2_f64", log2l, NULL, NULL},   {"log10_f64", log10l, NULL, NULL},
	{"log1p_f64", log1pl, NULL, NULL}, {"cbrt_f64", cbrtl, NULL, NULL},   {"pow_f64", NULL, powl, NULL},
	{"sin_f64", sinl, NULL, mpfr_sin}, {"cos_f64", cosl, NULL, mpfr_cos}, {"tan_f64", tanl, NULL, mpfr_tan},
	{"asin_f64", asinl, NULL, NULL},   {"acos_f64", acosl, NULL, NULL},   {"atan_f64", atanl, NULL, NULL},
	{"sinh_f64", sinhl, NULL, NULL},   {"cosh_f64", coshl, NULL, NULL},   {"tanh_f64", tanhl, NULL, NULL},
	{"asinh_f64", asinhl, NULL, NULL}, {"acosh_f64", acoshl, NULL, NULL}, {"atanh_f64", atanhl, NULL, NULL},
	{"erf_f64", erfl, NULL, NULL},     {"atan2_f64", NULL, atan2l, NULL},
};

static uint64_t state = 88172645463325252;
static int tests, failed;

static uint64_t drawn(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* From 0 to 1. */
static double part(void)
{
	return (double)(drawn() >> 11) * 0x1p-53;
}

/* Any bits; numbers around 0, around 1, in the range of results of exp; of all sizes up to 2^60 and down to 2^-60. */
static double input(int kind)
{
	static const double ranges[] = {1, 0.1, 3, 20, 750};
	const uint64_t bits = drawn();
	double x;

	if (kind == 0) {
		memcpy(&x, &bits, sizeof(x));
		return x;
	}
	if (kind == 1)
		return 1 + (part() - 0.5) * 0.2;
	if (kind == 2)
		return ldexp(bits & 1 ? 1 + part() : -1 - part(), (int)(bits >> 1 & 127) % 121 - 60);
	return (2 * part() - 1) * ranges[kind - 3];
}

/* The distance of y from the exact result, in units of its last place. */
static double error(double y, real exact)
{
	const double nearest = (double)exact;
	int e;

	if (isnan(y) || isnan(nearest))
		return isnan(y) && isnan(nearest) ? 0 : HUGE_VAL;
	if (isinf(y) || isinf(nearest))
		return y == nearest ? 0 : HUGE_VAL;
	if (exact == 0)
		return y == 0 && !signbit(y) == !signbit(nearest) ? 0 : HUGE_VAL;
	frexp(nearest, &e);
	return (double)fabsl(((real)y - exact) / ldexpl(1, (e < DBL_MIN_EXP ? DBL_MIN_EXP : e) - DBL_MANT_DIG));
}

static void report(const struct row *row, const char *isa, const char *what, double worst, double a, double b)
{
	const int good = worst <= 1;

	failed += !good;
	printf("%sok %d - %s/%s, %s: worst error %.4f of 1 allowed, at %a", good ? "" : "not ", ++tests, row->kernel, isa, what,
	       worst, a);
	if (row->of_two)
		printf(", %a", b);
	puts("");
	fflush(stdout);
}

static void call(const struct row *row, void (*fn)(void), double *y, const double *a, const double *b)
{
	if (row->of_one)
		((map *)fn)(y, a, CHUNK);
	else
		((zip *)fn)(y, a, b, CHUNK);
}

static void try_random(const struct row *row, const struct isk_candidate *variants, int count, uint64_t inputs)
{
	static double a[CHUNK], b[CHUNK], y[MOST_ISAS][CHUNK];
	double worst[MOST_ISAS] = {0}, at[MOST_ISAS][2] = {{0}};

	for (uint64_t done = 0; done < inputs; done += CHUNK) {
		for (size_t i = 0; i < CHUNK; i++) {
			a[i] = input((int)(done / CHUNK % KINDS));
			b[i] = input((int)(done / CHUNK / KINDS % KINDS));
		}
		for (int v = 0; v < count; v++)
			if (variants[v].state == ISK_USABLE)
				call(row, variants[v].fn, y[v], a, b);
		for (size_t i = 0; i < CHUNK; i++) {
			const real exact = row->of_one ? row->of_one((real)a[i]) : row->of_two((real)a[i], (real)b[i]);

			for (int v = 0; v < count; v++) {
				const double e = variants[v].state == ISK_USABLE ? error(y[v][i], exact) : 0;

				if (e > worst[v])
					worst[v] = e, at[v][0] = a[i], at[v][1] = b[i];
			}
		}
	}
	for (int v = 0; v < count; v++)
		if (variants[v].state == ISK_USABLE)
			report(row, variants[v].isa, "random", worst[v], at[v][0], at[v][1]);
		else
			printf("ok %d - %s/%s # SKIP %s\n", ++tests, row->kernel, variants[v].isa, variants[v].reason);
}

/* The f64 nearest to k pi / 2: k up to HARD / 2 in turn, then of all sizes. */
static void try_hard(const struct row *row, const struct isk_candidate *variants, int count)
{
	static double x[CHUNK], y[MOST_ISAS][CHUNK];
	double worst[MOST_ISAS] = {0}, at[MOST_ISAS] = {0};
	mpfr_t half_pi, t, at_x, exact;

	mpfr_inits2(1200, half_pi, t, (mpfr_ptr)NULL);
	mpfr_inits2(64, at_x, exact, (mpfr_ptr)NULL);
	mpfr_const_pi(half_pi, MPFR_RNDN);
	mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
	for (size_t done = 0; done < HARD; done += CHUNK) {
		for (size_t i = 0; i < CHUNK; i++) {
			const double k = done + i < HARD / 2 ? (double)(done + i + 1) : floor(ldexp(1 + part(), (int)(drawn() % 1022)));

			mpfr_mul_d(t, half_pi, k, MPFR_RNDN);
			x[i] = mpfr_get_d(t, MPFR_RNDN);
		}
		for (int v = 0; v < count; v++)
			if (variants[v].state == ISK_USABLE)
				((map *)variants[v].fn)(y[v], x, CHUNK);
		for (size_t i = 0; i < CHUNK; i++) {
			mpfr_set_d(at_x, x[i], MPFR_RNDN);
			row->of_hard(exact, at_x, MPFR_RNDN);
			for (int v = 0; v < count; v++) {
				const double e = variants[v].state == ISK_USABLE ? error(y[v][i], mpfr_get_ld(exact, MPFR_RNDN)) : 0;

				if (e > worst[v])
					worst[v] = e, at[v] = x[i];
			}
		}
	}
	mpfr_clears(half_pi, t, at_x, exact, (mpfr_ptr)NULL);
	for (int v = 0; v < count; v++)
		if (variants[v].state == ISK_USABLE)
			report(row, variants[v].isa, "beside multiples of pi / 2", worst[v], at[v], 0);
}

static int is_named(const char *kernel, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], kernel) == 0)
			return 1;
	return argc <= 2;
}

int main(int argc, char **argv)
{
	const uint64_t inputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;

	if (inputs == 0) {
		fprintf(stderr, "test_f64_maps: COUNT is missing, the number of inputs for each kernel\n");
		return 2;
	}
	if (LDBL_MANT_DIG < 64) {
		puts("1..0 # SKIP long double has no more digits than f64 here");
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		static struct isk_candidate variants[MOST_ISAS];
		int count;

		if (!is_named(rows[i].kernel, argc, argv))
			continue;
		variants[0].size = sizeof(variants[0]);
		count = isk_sleef_candidates(rows[i].kernel, variants, MOST_ISAS);
		if (count <= 0) {
			failed++;
			printf("not ok %d - %s: no such kernel\n", ++tests, rows[i].kernel);
			continue;
		}
		try_random(&rows[i], variants, count, inputs);
		if (rows[i].of_hard)
			try_hard(&rows[i], variants, count);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
