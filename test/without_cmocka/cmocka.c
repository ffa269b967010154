/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *filter;
static jmp_buf out_of_test;

void cmocka_set_message_output(enum cm_message_output output)
{
	(void)output;
}

void cmocka_set_test_filter(const char *pattern)
{
	filter = pattern;
}

void print_message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

void cmocka_fail_at(const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	longjmp(out_of_test, 1);
}

static int is_chosen(const struct CMUnitTest *test)
{
	return !filter || fnmatch(filter, test->name, 0) == 0;
}

static int passes(const struct CMUnitTest *test)
{
	void *state = test->initial_state;

	if (setjmp(out_of_test))
		return 0;
	test->test_func(&state);
	return 1;
}

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                            int (*teardown)(void **state))
{
	size_t chosen = 0, number = 0;
	int failed = 0;

	(void)group;
	/* No test here has a setup or a teardown. */
	for (size_t i = 0; i < count; i++)
		if (setup || teardown || tests[i].setup_func || tests[i].teardown_func)
			abort();
		else
			chosen += (size_t)is_chosen(&tests[i]);
	printf("1..%zu\n", chosen);
	for (size_t i = 0; i < count; i++) {
		int passed;

		if (!is_chosen(&tests[i]))
			continue;
		passed = passes(&tests[i]);
		printf("%sok %zu - %s\n", passed ? "" : "not ", ++number, tests[i].name);
		fflush(stdout);
		failed += !passed;
	}
	return failed;
}
