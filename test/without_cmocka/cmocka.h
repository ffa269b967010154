/* SPDX-License-Identifier: MIT */
/*
 * The part of cmocka that these tests use, for C libraries for which there is no cmocka, as for musl on
 * Debian. A test ends at its first failure; the output is TAP. Signals are left alone.
 */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test_func)(void **state);
	int (*setup_func)(void **state);
	int (*teardown_func)(void **state);
	void *initial_state;
};

enum cm_message_output { CM_OUTPUT_TAP };

void cmocka_set_message_output(enum cm_message_output output);
/* Runs only tests whose names match the pattern, a shell wildcard; NULL: all. */
void cmocka_set_test_filter(const char *pattern);
/* Returns how many tests failed. */
int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                            int (*teardown)(void **state));
void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cmocka_fail_at(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#define cmocka_unit_test(function) {#function, function, NULL, NULL, NULL}
#define fail_msg(...)              cmocka_fail_at(__FILE__, __LINE__, __VA_ARGS__)
#define fail()                     fail_msg("failed")
#define assert_true(c)             ((c) ? (void)0 : fail_msg("not true: %s", #c))
#define assert_null(p)             ((p) ? fail_msg("not NULL: %s", #p) : (void)0)
#define assert_ptr_equal(a, b)     ((const void *)(a) == (const void *)(b) ? (void)0 : fail_msg("%s is not %s", #a, #b))
#define assert_int_equal(a, b)     cmocka_equal((uintmax_t)(a), (uintmax_t)(b), #a, #b, __FILE__, __LINE__)
#define assert_string_equal(a, b)  (strcmp(a, b) ? fail_msg("'%s' is not '%s'", a, b) : (void)0)
#define assert_memory_equal(a, b, bytes) \
	(memcmp(a, b, bytes) ? fail_msg("%s and %s differ", #a, #b) : (void)0)

static inline void cmocka_equal(uintmax_t a, uintmax_t b, const char *one, const char *other, const char *file, int line)
{
	if (a != b)
		cmocka_fail_at(file, line, "%s is %#jx, %s is %#jx", one, a, other, b);
}

#endif
