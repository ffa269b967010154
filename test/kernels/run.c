/* SPDX-License-Identifier: MIT */
/* One variant as one cmocka test. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emulator.h"
#include "harness.h"
#include "kernels.h"

static struct timespec began;

void test_failed(void)
{
	fail();
	abort();
}

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
	if (v->emulated) {
		/* Here, because cmocka has just set its own handler. */
		amx_emulator_context = tried;
		amx_emulator_install();
	}
	if (!v->kernel)
		wrong("shape '%s' has no driver in test/kernels", v->info.shape);
	stack_watch();
	v->kernel->drive(v);
	/* The emulator of AMX takes the stack of whom it serves. */
	if (STACK_PROMISED && !v->emulated && stack_taken() > STACK_MOST + STACK_SLACK)
		wrong("%zu bytes of stack are taken by one of the calls", stack_taken());
	if (amx_emulator_configured())
		wrong("tiles are not released");
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
		printf("%s\n", !v->emulated              ? ""
		               : getenv("ISK_TEST_SLOW") ? "; AMX emulated"
		                                         : "; AMX emulated, fewer shapes");
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

struct CMUnitTest variant_test(struct variant *v)
{
	return (struct CMUnitTest){name_of(v), test_variant, start, finish, v};
}
