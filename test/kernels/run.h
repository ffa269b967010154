/* SPDX-License-Identifier: MIT */
#ifndef RUN_H
#define RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct variant;

/* The test of a variant; a skipped test if the variant cannot run here. */
struct CMUnitTest variant_test(struct variant *v);

/* Has the variants of each kernel among the tests tried on the same calls. */
void tests_link(struct CMUnitTest *tests, size_t count);

/*
 * Keeps the tests whose variants match any pattern, and returns how many. NULL ends the patterns. *unmatched
 * is set to a pattern that matches nothing.
 */
size_t tests_choose(struct CMUnitTest *tests, size_t count, char **patterns, const char **unmatched);

/*
 * If ISK_TEST_ONE_OF is N, keeps one test in N, among them at least one of a variant that can run,
 * if there is any, and says so. Returns how many remain.
 */
size_t tests_sample(struct CMUnitTest *tests, size_t count);

#endif
