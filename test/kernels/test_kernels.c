/* SPDX-License-Identifier: MIT */
/*
 * Every variant of every kernel of the library, by the driver of its shape. The
 * list is the library's own: isk_kernel_info() and isk_candidates(). An
 * argument is a pattern of what to test: "exp_*", "*avx512".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "harness.h"
#include "kernels.h"

static struct timespec began;

static int start(void **state)
{
	struct variant *v = *state;

	clock_gettime(CLOCK_MONOTONIC, &began);
	random_start(v->info.name);
	tried_all();
	return 0;
}

static void test_variant(void **state)
{
	struct variant *v = *state;

	if (!v->fn)
		return;
	trying("the first call");
	if (!v->kernel)
		wrong("shape '%s' has no driver in test/kernels", v->info.shape);
	v->kernel->drive(v);
	tried_all();
}

/* After a failure, be it a signal: what was being tried. */
static int finish(void **state)
{
	struct variant *v = *state;
	struct timespec now;

	if (*tried()) {
		printf("# %s: %s\n#   at %s; ISK_TEST_SEED=%llu\n", v->id, *found() ? found() : "a signal", tried(),
		       (unsigned long long)test_seed());
	} else if (v->fn) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		printf("# %s: %llu calls, %llu results checked, %.2f s", v->id, (unsigned long long)v->calls,
		       (unsigned long long)v->checks,
		       (double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec));
		if (v->bound > 0)
			printf("; worst error %.4g of %g allowed, at %#llx, %#llx", v->worst, v->bound,
			       (unsigned long long)v->worst_at[0], (unsigned long long)v->worst_at[1]);
		printf("\n");
	}
	return 0;
}

/* cmocka 1.1.5 reports skip() as "not ok # SKIP", which is a failure to a TAP reader. A name with
 * the directive in it is what TAP means. */
static const char *name_of(const struct variant *v)
{
	char *name;

	if (v->fn)
		return v->id;
	if (asprintf(&name, "%s # SKIP %s", v->id, v->reason) < 0)
		abort();
	return name;
}

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
		tests[i] = (struct CMUnitTest){name_of(&variants[i]), test_variant, start, finish, &variants[i]};
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
