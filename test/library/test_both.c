/* SPDX-License-Identifier: MIT */
/*
 * A program with two libraries of kernels, isakern and tst, side by side. Prints TAP, and in comments the ISA
 * that each has bound:
 *
 *     bound KERNEL ISA
 *     current ISA ISA
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"
#include "isakern.h"
#include "tst.h"

/* The questions to the second library: the types are isakern's. */
__typeof(isk_bound) tst_bound;
__typeof(isk_candidates) tst_candidates;
__typeof(isk_isa_binary) tst_isa_binary;
__typeof(isk_isa_count) tst_isa_count;
__typeof(isk_isa_cpu) tst_isa_cpu;
__typeof(isk_isa_current) tst_isa_current;
__typeof(isk_isa_name) tst_isa_name;
__typeof(isk_kernel_count) tst_kernel_count;
__typeof(isk_kernel_find) tst_kernel_find;
int tst_kernel_info(size_t i, struct isk_kernel_info *info);
__typeof(isk_reference) tst_reference;
__typeof(isk_strerror) tst_strerror;
__typeof(isk_version) tst_version;

enum { MOST = 71 };

static float a[MOST], b[MOST], y[MOST], z[MOST];
static double c[MOST], u[MOST], v[MOST];
static int tests, failed;

static void check(int right, const char *what)
{
	failed += !right;
	printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static void clear(void)
{
	memset(y, 0x5a, sizeof(y));
	memset(z, 0x5a, sizeof(z));
	memset(u, 0x5a, sizeof(u));
	memset(v, 0x5a, sizeof(v));
}

/* The bits of a kernel against those of its reference, and the bytes behind the output. */
static void kernels(void)
{
	__typeof(tst_opposite_f32) *const opposite_f32 = (__typeof(tst_opposite_f32) *)tst_reference("opposite_f32");
	__typeof(tst_opposite_f64) *const opposite_f64 = (__typeof(tst_opposite_f64) *)tst_reference("opposite_f64");
	__typeof(tst_difference_f32) *const difference_f32 = (__typeof(tst_difference_f32) *)tst_reference("difference_f32");
	__typeof(isk_mul_f32) *const mul_f32 = (__typeof(isk_mul_f32) *)isk_reference("mul_f32");
	int right[4] = {1, 1, 1, 1};

	for (size_t n = 0; n <= MOST; n++) {
		clear();
		tst_opposite_f32(y, a, n);
		opposite_f32(z, a, n);
		right[0] &= memcmp(y, z, sizeof(y)) == 0 && (n == 0 || y[n - 1] == -a[n - 1]);
		tst_opposite_f64(u, c, n);
		opposite_f64(v, c, n);
		right[1] &= memcmp(u, v, sizeof(u)) == 0 && (n == 0 || u[n - 1] == -c[n - 1]);
		tst_difference_f32(y, a, b, n);
		difference_f32(z, a, b, n);
		right[2] &= memcmp(y, z, sizeof(y)) == 0 && (n == 0 || y[n - 1] == a[n - 1] - b[n - 1]);
		isk_mul_f32(y, a, b, n);
		mul_f32(z, a, b, n);
		right[3] &= memcmp(y, z, sizeof(y)) == 0;
	}
	check(right[0], "tst_opposite_f32");
	check(right[1], "tst_opposite_f64");
	check(right[2], "tst_difference_f32");
	check(right[3], "isk_mul_f32 beside them");
}

static void questions(void)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	int same = tst_isa_count() == isk_isa_count();

	for (size_t i = 0; i < tst_isa_count(); i++)
		same &= strcmp(tst_isa_name(i), isk_isa_name(i)) == 0;
	check(same, "both have the same ISAs");
	check(strcmp(tst_isa_cpu(), isk_isa_cpu()) == 0 && strcmp(tst_isa_binary(), isk_isa_binary()) == 0,
	      "and say the same of CPU and binary");
	check(tst_kernel_count() == 3, "tst has its own kernels");
	check(tst_kernel_info((size_t)tst_kernel_find("difference_f32"), &info) == ISK_OK && strcmp(info.name, "difference_f32") == 0 &&
	          strcmp(info.family, "samples") == 0 && strcmp(info.shape, "zip") == 0 &&
	          strcmp(info.summary, "a - b") == 0,
	      "and tells of them");
	check(tst_kernel_find("exp_f32") == ISK_ERR_KERNEL && isk_kernel_find("opposite_f32") == ISK_ERR_KERNEL,
	      "neither has those of the other");
	check(strcmp(tst_strerror(ISK_ERR_KERNEL), isk_strerror(ISK_ERR_KERNEL)) == 0 &&
	          strcmp(tst_version(), isk_version()) == 0,
	      "statuses and version are those of isakern");
}

/* Every variant that can be called, by itself; the bound one is among them. */
static void variants(void)
{
	const int count = tst_candidates("opposite_f32", NULL, 0);
	struct isk_candidate *candidates = calloc((size_t)count, sizeof(*candidates));
	int bound = 0, right = 1;

	if (!candidates)
		exit(99);
	candidates->size = sizeof(*candidates);
	check(tst_candidates("opposite_f32", candidates, (size_t)count) == count, "candidates of opposite_f32");
	for (int i = 0; i < count; i++) {
		if (candidates[i].bound)
			bound += candidates[i].fn == tst_bound("opposite_f32");
		if (candidates[i].state != ISK_USABLE && candidates[i].state < ISK_CAPPED)
			continue;
		clear();
		((__typeof(tst_opposite_f32) *)candidates[i].fn)(y, a, MOST);
		for (size_t j = 0; j < MOST; j++)
			right &= y[j] == -a[j];
	}
	check(bound == 1, "one of them is bound");
	check(right, "all of them compute the same");
	free(candidates);
}

int main(void)
{
	for (int i = 0; i < MOST; i++) {
		a[i] = (float)(i % 13) / 7 - 1;
		b[i] = (float)(i % 11) / 5 - 1;
		c[i] = (double)(i % 17) / 9 - 1;
	}
	kernels();
	questions();
	variants();
	printf("# bound opposite_f32 %s\n", bound_isa(tst_candidates, "opposite_f32"));
	printf("# bound mul_f32 %s\n", bound_isa(isk_candidates, "mul_f32"));
	printf("# current %s %s\n", tst_isa_current(), isk_isa_current());
	printf("1..%d\n", tests);
	return failed != 0;
}
