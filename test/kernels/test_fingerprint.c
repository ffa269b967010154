/* SPDX-License-Identifier: MIT */
/*
 * All variants that promise their bits must have the fingerprints recorded in tools/fingerprints, at each ISA
 * that runs here or is emulated. The checksums are tested as well: a changed bit must show. With
 * ISK_TEST_ONE_OF set, as under emulation, each kernel is tried at one ISA, another one in each run.
 *
 *     test_fingerprint                 all cases of all kernels
 *     test_fingerprint --inputs EVERY  all 2^32 inputs of functions of one f32: one of EVERY ranges of 2^26
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asked.h"
#include "cases.h"
#include "checksum.h"
#include "emulator.h"
#include "harness.h"
#include "inputs.h"
#include "kernels.h"
#include "promise.h"
#include "record.h"
#include "outputs.h"

static int tests, failures;

static void test(int passed, const char *what)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++tests, what);
	failures += !passed;
}

/* With --inputs, one range in `every` is tried; 0: the cases are tried. */
static size_t every;

static int inputs_are_recorded(const struct variant *v, size_t number, const struct record *record)
{
	uint64_t blocks[RANGE_BLOCKS], whole;
	const char *rest;
	char name[96];

	snprintf(name, sizeof(name), "%s#all", v->info.name);
	if (!record_find(record, name, &whole, &rest)) {
		printf("# %s: not recorded: ninja -C build fingerprints-inputs\n", name);
		return 0;
	}
	/* Kernels begin with different ranges, so that together they cover all ranges. */
	for (size_t range = number % every; range < INPUT_RANGES; range += every) {
		const uint32_t got = inputs_range(v->kernel, v->fn, range, blocks);
		unsigned wanted;

		if (strlen(rest) < 9 * range + 8 || sscanf(rest + 9 * range, "%8x", &wanted) != 1 || got != wanted) {
			printf("# %s: other results from input 0x%08x on\n", v->id, (unsigned)input_of_range(range));
			return 0;
		}
	}
	return 1;
}

static int cases_are_recorded(const struct variant *v, const struct record *record)
{
	uint64_t got, wanted;
	const char *rest;

	if (!kernel_described(v->info.name)) {
		printf("# %s: has a struct that tools/job.c does not know\n", v->id);
		return 0;
	}
	got = fingerprint_of(v->kernel, v->fn, NULL, NULL);
	if (!record_find(record, v->info.name, &wanted, &rest)) {
		printf("# %s: %016" PRIx64 " is not recorded: ninja -C build fingerprints\n", v->id, got);
		return 0;
	}
	if (got != wanted)
		printf("# %s: %016" PRIx64 ", recorded is %016" PRIx64 "; see CONTRIBUTING.md\n", v->id, got, wanted);
	return got == wanted;
}

/* All variants of an ISA. */
static void test_isa(const char *isa, struct variant *variants, size_t count, const struct record *record)
{
	size_t promised = 0, equal = 0, emulated = 0, left_out = 0, not_run = 0;
	const char *reason = "no kernel has a variant of it, or none is in the sample";
	char what[400];

	for (size_t i = 0; i < count; i++) {
		const struct variant *v = &variants[i];

		if (strcmp(v->isa, isa) != 0 || (every && !inputs_are_all(v->kernel)))
			continue;
		if (!v->fn) {
			not_run++;
			reason = v->reason;
		} else if (!bits_promised(&v->info, isa)) {
			left_out++;
		} else {
			if (v->emulated)
				emulator_install();
			promised++;
			emulated += (size_t)v->emulated;
			equal += (size_t)(every ? inputs_are_recorded(v, i, record) : cases_are_recorded(v, record));
		}
	}
	if (promised)
		snprintf(what, sizeof(what),
		         "%s: %zu of %zu fingerprints are those recorded, %zu of them emulated; %zu promise no bits", isa, equal,
		         promised, emulated, left_out);
	else
		snprintf(what, sizeof(what), "%s # SKIP %zu variants cannot run: %s", isa, not_run, reason);
	test(equal == promised, what);
}

static int is_tried(const struct variant *v)
{
	return v->fn && bits_promised(&v->info, v->isa);
}

/*
 * Keeps one tried variant of each kernel, chosen by the clock because the cases need the seed 0. Returns how
 * many remain.
 */
static size_t sample(struct variant *variants, size_t count)
{
	size_t chosen = 0, drawn = (size_t)time(NULL);

	for (size_t i = 0, end; i < count; i = end) {
		size_t tried = 0, nth = 0;

		for (end = i; end < count && variants[end].kernel == variants[i].kernel; end++)
			tried += (size_t)is_tried(&variants[end]);
		for (size_t v = i; v < end; v++)
			if (!is_tried(&variants[v]) || nth++ == drawn % tried)
				variants[chosen++] = variants[v];
		drawn++;
	}
	printf("# a sample: %zu of %zu variants\n", chosen, count);
	return chosen;
}

/* A kernel that is right apart from one element. */
static void flip_last(float *y, const float *x, size_t n)
{
	isk_exp_f32(y, x, n);
	if (n == 1000)
		y[999] = f32_of(bits_of(y[999]) ^ 1);
}

static void negate_nans(float *y, const float *x, size_t n)
{
	isk_exp_f32(y, x, n);
	for (size_t i = 0; i < n; i++)
		if (bits_of(y[i]) << 1 > 0xff000000u)
			y[i] = f32_of(bits_of(y[i]) ^ 0x80001234);
}

static int refuse(float *y, const float *x, const int32_t *index, size_t n, size_t rows)
{
	const int status = isk_gather_b32_s32(y, x, index, n, rows);

	return status ? ISK_ERR_NULL : status;
}

static void remember(void *to, struct job *job, size_t number, uint64_t checksum)
{
	(void)job;
	((uint64_t *)to)[number] = checksum;
}

/* The number of cases that differ if this function takes the kernel's place. */
static size_t cases_that_differ(const char *name, isk_function wrong_one)
{
	const struct isk_kernel *k = kernel_described(name);
	const size_t count = cases_of(k);
	uint64_t *right = calloc(count, sizeof(*right)), *wrong_ones = calloc(count, sizeof(*wrong_ones)), whole[2];
	size_t differ = 0;

	if (!right || !wrong_ones)
		abort();
	whole[0] = fingerprint_of(k, asked.bound(name), remember, right);
	whole[1] = fingerprint_of(k, wrong_one, remember, wrong_ones);
	for (size_t i = 0; i < count; i++)
		differ += right[i] != wrong_ones[i];
	if (!differ != (whole[0] == whole[1]))
		errx(EXIT_FAILURE, "%zu cases of %s differ, and their checksum does the contrary", differ, name);
	free(right);
	free(wrong_ones);
	return differ;
}

static void test_checksums(void)
{
	const char *text = "Nobody inspects the spammish repetition";
	uint64_t blocks[2][RANGE_BLOCKS];

	test(checksum_of("", 0) == 0xef46db3751d8e999 && checksum_of("abc", 3) == 0x44bc2cf5ad770999
	         && checksum_of(text, strlen(text)) == 0xfbcea83c8a378bf1,
	     "checksums are those of other implementations of XXH64");
	test(cases_that_differ("exp_f32", (isk_function)flip_last) == 6,
	     "one bit of one element shows, in the cases of that size");
	test(cases_that_differ("exp_f32", (isk_function)negate_nans) == 0, "sign and payload of NaNs do not");
	test(cases_that_differ("gather_b32_s32", (isk_function)refuse) > 5, "another status shows");
	inputs_range(kernel_described("exp_f32"), asked.bound("exp_f32"), 15, blocks[0]);
	inputs_range(kernel_described("exp_f32"), asked.bound("expm1_f32"), 15, blocks[1]);
	test(blocks[0][0] != blocks[1][0] && blocks[0][1] != blocks[0][0], "blocks of inputs have checksums of their own");
}

int main(int argc, char **argv)
{
	struct variant *variants;
	size_t count = variants_all(&variants, EMULATED);
	struct record *record = record_committed(asked.described->own);

	if (argc > 2 && strcmp(argv[1], "--inputs") == 0)
		every = strtoul(argv[2], NULL, 10);
	if (!record || (argc > 1 && !every)) {
		fprintf(stderr, "test_fingerprint: %s\n", record ? "--inputs EVERY is all it takes" : "nothing is recorded");
		return 2;
	}
	if (!every && getenv("ISK_TEST_ONE_OF"))
		count = sample(variants, count);
	cases_start();
	for (size_t i = 0; i < asked.isa_count(); i++)
		test_isa(asked.isa_name(i), variants, count, record);
	if (!every && asked.kernel_find("exp_f32") >= 0)
		test_checksums();
	printf("1..%d\n", tests);
	record_free(record);
	free(variants);
	return failures != 0;
}
