/* SPDX-License-Identifier: MIT */
/*
 * Every variant of every kernel of the library, by the driver of its shape. The
 * list is the library's own: isk_kernel_info() and isk_candidates(). An
 * argument is a pattern of what to test: "exp_*", "*avx512".
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "kernels.h"
#include "run.h"

int main(int argc, char **argv)
{
	struct variant *variants;
	const size_t count = variants_all(&variants);
	struct CMUnitTest *tests = calloc(count, sizeof(*tests));
	size_t run = 0;
	int failed;

	if (!tests)
		return 99;
	for (size_t i = 0; i < count; i++) {
		tests[i] = variant_test(&variants[i]);
		run += variants[i].fn != NULL;
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	test_seed();
	failed = _cmocka_run_group_tests("kernels", tests, count, NULL, NULL);
	printf("# %zu kernels, %zu variants: %zu can run here, %zu cannot", isk_kernel_count(), count, run,
	       count - run);
	for (size_t i = 0; i < count; i++)
		if (!variants[i].fn)
			printf("%s%s", run++ == 0 ? "" : " ", variants[i].id);
	printf("\n");
	return failed != 0;
}
