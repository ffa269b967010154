/* SPDX-License-Identifier: MIT */
/* Runs one variant as one cmocka test. */
#include "run.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"
#include "emulator.h"
#include "harness.h"

static void test(struct variant *v)
{
	trying("the first call");
	if (v->emulated) {
		emulator_context = tried;
		emulator_install();
	}
	if (!v->driver)
		wrong("shape '%s' has a struct, and no driver in test/kernels", v->info.shape);
	stack_watch();
	v->driver->drive(v);
	/* The emulator uses the stack of the emulated code. */
	if (STACK_PROMISED && !v->emulated && stack_taken() > STACK_MOST)
		wrong("%zu bytes of stack are taken by one of the calls", stack_taken());
	if (amx_emulator_configured())
		wrong("tiles are not released");
}

/* Prints the command that repeats the test: the seed, and the other variables that tests read. */
static void print_command(const struct variant *v)
{
	printf("#   again: ISK_TEST_SEED=%llu ", (unsigned long long)test_seed());
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "ISK_TEST_", 9) == 0 && strncmp(*e, "ISK_TEST_SEED=", 14) != 0)
			printf("%.*s='%s' ", (int)strcspn(*e, "="), *e, strchr(*e, '=') + 1);
	printf("%s '%s'\n", program_invocation_name, v->id);
}

static void print_counts(const struct variant *v, double seconds)
{
	printf("# %s: %llu calls, %llu results checked, %.2f s", v->id, (unsigned long long)v->calls,
	       (unsigned long long)v->checks, seconds);
	if (v->bound > 0)
		printf("; worst error %.4g of %g allowed, at %s", v->worst, v->bound,
		       place(v, v->worst_at).s);
	printf("%s%s\n", !v->emulated                                     ? ""
	                 : v->driver->together || getenv("ISK_TEST_SLOW") ? "; emulated"
	                                                                  : "; emulated, fewer shapes",
	       v->cut ? "; ended by ISK_TEST_SECONDS" : "");
}

static void test_variant(void **state)
{
	struct variant *v = *state;
	struct timespec began, now;
	enum outcome outcome;

	clock_gettime(CLOCK_MONOTONIC, &began);
	outcome = run_alone(test, v);
	if (outcome == NOT_RUN)
		return;
	if (outcome != PASSED) {
		printf("# %s: %s\n#   in: %s\n", v->id, found(), tried());
		print_command(v);
		fail();
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	print_counts(v, (double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec));
}

/*
 * cmocka 1.1.5 reports skip() as "not ok # SKIP", which readers of TAP take for a failure. A name that holds
 * the directive is correct TAP.
 */
static const char *name_of(const struct variant *v)
{
	char *name;

	if (v->fn)
		return v->id;
	if (asprintf(&name, "%s # SKIP %s", v->id, v->reason) < 0)
		abort();
	return name;
}

struct CMUnitTest variant_test(struct variant *v)
{
	return (struct CMUnitTest){name_of(v), test_variant, NULL, NULL, v};
}

void tests_link(struct CMUnitTest *tests, size_t count)
{
	struct variant *last = NULL;

	for (size_t i = 0; i < count; i++)
		variant_link(&last, tests[i].initial_state);
}

static const char *id_of(const struct CMUnitTest *test)
{
	return ((const struct variant *)test->initial_state)->id;
}

size_t tests_choose(struct CMUnitTest *tests, size_t count, char **patterns, const char **unmatched)
{
	size_t chosen = 0;

	for (char **p = patterns; *p; p++) {
		size_t i = 0;

		while (i < count && fnmatch(*p, id_of(&tests[i]), 0))
			i++;
		if (i == count)
			*unmatched = *p;
	}
	for (size_t i = 0; i < count; i++) {
		char **p = patterns;

		while (*p && fnmatch(*p, id_of(&tests[i]), 0))
			p++;
		if (*p)
			tests[chosen++] = tests[i];
		else if (tests[i].name != id_of(&tests[i]))
			free((void *)(uintptr_t)tests[i].name);
	}
	return chosen;
}

size_t tests_sample(struct CMUnitTest *tests, size_t count)
{
	const size_t one_of = getenv("ISK_TEST_ONE_OF") ? strtoul(getenv("ISK_TEST_ONE_OF"), NULL, 10) : 0;
	size_t chosen = 0, candidates = 0, always = count;

	if (one_of < 2)
		return count;
	random_start("sample");
	for (size_t i = 0; i < count; i++) {
		const struct variant *v = tests[i].initial_state;

		if (v->fn && !is_reference(v) && random_below(++candidates) == 0)
			always = i;
	}
	for (size_t i = 0; i < count; i++) {
		if (i == always || random_below(one_of) == 0)
			tests[chosen++] = tests[i];
		else if (tests[i].name != id_of(&tests[i]))
			free((void *)(uintptr_t)tests[i].name);
	}
	printf("# a sample: %zu of %zu tests\n", chosen, count);
	return chosen;
}
