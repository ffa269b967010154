/* SPDX-License-Identifier: MIT */
#ifndef RUN_H
#define RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct variant;

/* The test of this variant; of one that cannot run here, a skipped one. */
struct CMUnitTest variant_test(struct variant *v);

/*
 * Leaves of such tests those whose variants any pattern matches, and returns how many. NULL ends the patterns; one
 * that matches nothing is told in *unmatched.
 */
size_t tests_choose(struct CMUnitTest *tests, size_t count, char **patterns, const char **unmatched);

/*
 * Leaves one of ISK_TEST_ONE_OF of the tests, where that is set, and always one of a variant that can run, if there is
 * any; says so, and returns how many.
 */
size_t tests_sample(struct CMUnitTest *tests, size_t count);

#endif
