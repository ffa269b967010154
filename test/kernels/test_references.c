/* SPDX-License-Identifier: MIT */
/*
 * References where other tests cannot see them: products whose partial products overflow or vanish, of which
 * the contract promises no error, and rows that no index names, whose bits every kernel keeps.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"
#include "args.h"
#include "elements.h"
#include "isakern.h"

static int tests, failed;

static void ok(int passed, const char *kernel, const char *isa, const char *about)
{
	failed += !passed;
	printf("%sok %d - %s/%s: %s\n", passed ? "" : "not ", ++tests, kernel, isa, about);
}

/*
 * 6 in f32 and in f64, by 10^20 or 10^200 as the type has room for; and 1, by more powers than even a long
 * double has.
 */
static void products(void)
{
	static const float f32[] = {1e20f, 2e18f, 1e-20f, 3e-18f};
	static const double f64[] = {1e200, 2e180, 1e-200, 3e-180};
	static double powers[40000];
	float (*const of_f32)(const float *x, size_t n) = (float (*)(const float *, size_t))isk_reference("prod_f32");
	double (*const of_f64)(const double *x, size_t n) = (double (*)(const double *, size_t))isk_reference("prod_f64");

	for (size_t i = 0; i < 40000; i++)
		powers[i] = i < 20000 ? 0x1p1000 : 0x1p-1000;
	ok(fabs((double)of_f32(f32, 4) - 6) < 1e-5, "prod_f32", "reference", "partial products overflow and vanish");
	ok(fabs(of_f64(f64, 4) - 6) < 1e-13, "prod_f64", "reference", "partial products overflow and vanish");
	ok(of_f64(powers, 40000) == 1, "prod_f64", "reference", "2^(2 * 10^7) on the way");
	ok(isinf(of_f64(powers, 20000)) && of_f64(powers + 20000, 20000) == 0, "prod_f64", "reference", "infinite and 0 at the end");
}

enum { ROWS = 4, COLS = 5, NAMED = 2, ARGUMENTS = 32, BYTES = ROWS * COLS * 8 };

static union isk_args args;
static unsigned char memory[ARGUMENTS][BYTES], before[ARGUMENTS][BYTES];

/* The index that names rows of an output, if any. */
static const struct isk_argument *index_of(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].below)
			return &k->shape->arguments[i];
	return NULL;
}

/* An array that is read and written, with as many rows as indices may name. */
static int is_indexed(const struct isk_kernel *k, const struct isk_argument *a)
{
	return a->role == ISK_OUT && a->inout && a->extents && a->extent[0].size == index_of(k)->below - 1;
}

/* All elements are signalling NaNs with a payload of their own, all indices name one row. */
static void place(const struct isk_kernel *k)
{
	memset(&args, 0, sizeof(args));
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];
		const enum isk_type type = isk_argument_type(k, a);
		void *const at = isk_argument_at(&args, a);

		if (a->role == ISK_SIZE)
			*(size_t *)at = i == index_of(k)->below - 1 ? ROWS : 1;
		if (a->role == ISK_STRIDE)
			*(size_t *)at = COLS;
		if (a->role != ISK_IN && a->role != ISK_OUT)
			continue;
		*(void **)at = memory[i];
		for (size_t j = 0; j < BYTES / isk_element_bytes(type); j++)
			isk_element_set_bits(type, memory[i], j,
			                     a == index_of(k) ? NAMED : isk_element_is_float(type) ? isk_infinity_bits(type) + 1 + j : j);
	}
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_OUT && a->extents == 2)
			*(size_t *)isk_argument_at(&args, &k->shape->arguments[a->extent[1].size]) = COLS;
	}
	memcpy(before, memory, sizeof(memory));
}

static void check(const void *to, const char *isa, isk_function fn)
{
	const struct isk_kernel *k = to;
	int is_same = 1;

	place(k);
	k->call(fn, &args);
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];
		const size_t row = is_indexed(k, a) ? (a->extents == 2 ? COLS : 1) * isk_element_bytes(isk_argument_type(k, a)) : 0;

		is_same &= memcmp(memory[i], before[i], NAMED * row) == 0
		           && memcmp(memory[i] + (NAMED + 1) * row, before[i] + (NAMED + 1) * row, (ROWS - NAMED - 1) * row) == 0;
	}
	ok(args.result.status == ISK_OK && is_same, k->name, isa, "rows that no index names keep their bits");
}

int main(void)
{
	products();
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_kernel *k = &isk_kernels[i];
		int has = 0;

		for (int j = 0; index_of(k) && j < k->shape->count; j++)
			has |= is_indexed(k, &k->shape->arguments[j]);
		if (has)
			each_variant(k->name, &tests, check, k);
	}
	printf("1..%d\n", tests);
	return failed || !tests;
}
