/* SPDX-License-Identifier: MIT */
/*
 * Every variant of every kernel of the library, by the driver of its shape. The
 * list is the library's own: isk_kernel_info() and isk_candidates(). Arguments
 * are patterns of what to test: "exp_*", "*avx512".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "kernels.h"
#include "run.h"

/* The plain form of a kernel keeps the contract too. */
static struct variant reference_of(const struct isk_kernel_info *info)
{
	struct variant v = {.kernel = kernel_find(info->name),
	                    .info = *info,
	                    .isa = "reference",
	                    .fn = isk_reference(info->name)};

	snprintf(v.id, sizeof(v.id), "%s/reference", info->name);
	v.exact = strcmp(info->error, "exact") == 0;
	v.bound = v.exact ? 0 : strtod(info->error, NULL);
	return v;
}

int main(int argc, char **argv)
{
	struct variant *variants;
	const size_t count = variants_all(&variants, AMX_EMULATED), kernels = isk_kernel_count();
	struct variant *references = calloc(kernels, sizeof(*references));
	struct CMUnitTest *tests = calloc(count + kernels, sizeof(*tests));
	size_t run = 0, emulated = 0, chosen = count + kernels;
	const char *unmatched = NULL;
	int failed;

	if (!tests || !references)
		return 99;
	for (size_t i = 0; i < count; i++) {
		tests[i] = variant_test(&variants[i]);
		run += variants[i].fn != NULL;
		emulated += variants[i].fn && variants[i].emulated;
	}
	for (size_t i = 0; i < kernels; i++) {
		struct isk_kernel_info info;

		isk_kernel_info(i, &info);
		references[i] = reference_of(&info);
		tests[count + i] = variant_test(&references[i]);
	}
	if (argc > 1)
		chosen = tests_choose(tests, chosen, argv + 1, &unmatched);
	if (unmatched) {
		fprintf(stderr, "test_kernels: '%s' matches none of exp_f32/avx2, exp_f32/reference ...\n", unmatched);
		return 2;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	test_seed();
	failed = _cmocka_run_group_tests("kernels", tests, chosen, NULL, NULL);
	printf("# %zu kernels, %zu variants: %zu can run here, %zu of them on emulated AMX; %zu cannot:", kernels, count,
	       run, emulated, count - run);
	for (size_t i = 0; i < count; i++)
		if (!variants[i].fn)
			printf(" %s", variants[i].id);
	printf("\n");
	return failed != 0;
}
