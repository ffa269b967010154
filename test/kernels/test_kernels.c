/* SPDX-License-Identifier: MIT */
/*
 * Every variant of every kernel of the library, by the driver of its shape. The list comes from the library
 * itself: isk_kernel_info() and isk_candidates().
 *
 *     test_kernels [--shape SHAPE] [PATTERN...]     PATTERN: "exp_*", "*avx512"
 *
 * Under emulation, ISK_TEST_ONE_OF=20 takes one test in 20, by the seed, but at least one of each shape.
 * ISK_TEST_SECONDS=2 ends a test after that time, between two calls. ISK_TEST_MANY=3 makes one in 3 of the
 * calls on many elements; without it, one in 6. ISK_TEST_ONE_TYPE=1 takes one kernel of each operation, by the
 * seed: its other kernels have the same oracle and mostly the same source, for other types.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "harness.h"
#include "kernels.h"
#include "run.h"

static size_t drawn(const char *kernel)
{
	random_start(kernel);
	return random_below((size_t)1 << 31);
}

/* Whether a kernel is in the sample of ISK_TEST_ONE_TYPE. The kernels of a row of kernels.tbl share its summary. */
static int in_sample(const struct isk_kernel_info *kernel)
{
	if (!getenv("ISK_TEST_ONE_TYPE"))
		return 1;
	for (size_t i = 0; i < asked.kernel_count(); i++) {
		struct isk_kernel_info other = {.size = sizeof(other)};

		asked.kernel_info(i, &other);
		if (strcmp(other.shape, kernel->shape) == 0 && strcmp(other.summary, kernel->summary) == 0
		    && drawn(other.name) < drawn(kernel->name))
			return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct variant *variants;
	const size_t all = variants_all(&variants, EMULATED), rows = asked.kernel_count();
	struct variant *references = calloc(rows, sizeof(*references));
	struct CMUnitTest *tests = calloc(all + rows, sizeof(*tests));
	size_t count = 0, kernels = 0, run = 0, emulated = 0, chosen = 0, next = 0;
	const char *shape = NULL, *unmatched = NULL;
	int failed;

	if (!tests || !references)
		return 99;
	if (argc > 2 && strcmp(argv[1], "--shape") == 0) {
		shape = argv[2];
		argc -= 2;
		argv += 2;
	}
	for (size_t i = 0; i < rows; i++) {
		struct isk_kernel_info info = {.size = sizeof(info)};
		int wanted;

		asked.kernel_info(i, &info);
		wanted = (!shape || strcmp(shape, info.shape) == 0) && in_sample(&info);
		for (; next < all && strcmp(variants[next].info.name, info.name) == 0; next++) {
			if (!wanted)
				continue;
			/* Moves the chosen variants to the front. */
			variants[count] = variants[next];
			tests[chosen++] = variant_test(&variants[count]);
			run += variants[count].fn != NULL;
			emulated += variants[count].fn && variants[count].emulated;
			count++;
		}
		if (!wanted)
			continue;
		references[kernels] = reference_of(info.name);
		tests[chosen++] = variant_test(&references[kernels++]);
	}
	if (kernels == 0) {
		fprintf(stderr, "test_kernels: no kernel has the shape '%s'; see the column shape of kernels.tbl\n",
		        shape);
		return 2;
	}
	if (argc > 1)
		chosen = tests_choose(tests, chosen, argv + 1, &unmatched);
	if (unmatched) {
		fprintf(stderr, "test_kernels: '%s' matches none of exp_f32/avx2, exp_f32/reference ...\n", unmatched);
		return 2;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	test_seed();
	chosen = tests_sample(tests, chosen);
	if (chosen == 0) {
		printf("1..0 # SKIP none of the shape %s is in the sample\n", shape ? shape : "wanted");
		return 0;
	}
	tests_link(tests, chosen);
	failed = _cmocka_run_group_tests("kernels", tests, chosen, NULL, NULL);
	printf("# %zu kernels, %zu variants: %zu can run here, %zu of them emulated; %zu cannot:", kernels, count,
	       run, emulated, count - run);
	for (size_t i = 0; i < count; i++)
		if (!variants[i].fn)
			printf(" %s", variants[i].id);
	printf("\n");
	return failed != 0;
}
