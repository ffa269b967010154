/* SPDX-License-Identifier: MIT */
/*
 * Times a call of an indirect function, and one through the pointers of -Ddispatch=pointer, against a call
 * into a plain shared library with the same source and flags. Kernels are held at baseline, the body that the
 * plain library has.
 */
#include <err.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loops.h"
#include "stats.h"

enum { ROUNDS = 101, TIMES = 50000, FORMS = 6 };

static double sample(loop calls, float *y, const float *x)
{
	const double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	calls(TIMES, y, x);
	return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin) / TIMES;
}

/* The place of a body within its cache line changes a call by up to a cycle. */
static unsigned int place(void (*body)(void))
{
	return (unsigned int)((uintptr_t)body % 64);
}

static void compare(const char *kernel, const char *what, void (*plain)(void), const loop loops[FORMS])
{
	static const char *const names[FORMS] = {"plain, PLT",      "ifunc, PLT",      "pointer, PLT",
	                                         "plain, -fno-plt", "ifunc, -fno-plt", "pointer, -fno-plt"};
	static double samples[FORMS][ROUNDS];
	float x[4] = {-1, 0, 1, 2}, y[4];
	double base;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < FORMS; i++) {
			const int form = (i + round) % FORMS;

			samples[form][round] = sample(loops[form], y, x);
		}
	printf("\n%s: %s; bodies at %u (plain) and %u (ifunc) of a cache line\n", kernel, what, place(plain),
	       place(isk_bound(kernel)));
	base = median(samples[0], ROUNDS);
	for (int form = 0; form < FORMS; form++) {
		const double ns = median(samples[form], ROUNDS);

		printf("  %-17s %6.3f ns   %.3f of plain, PLT   (least %.3f)\n", names[form], ns, ns / base,
		       samples[form][0]);
	}
}

int main(int argc, char **argv)
{
	const loop query[FORMS] = {loops_plt.plain_query,    loops_plt.ifunc_query,    loops_plt.pointer_query,
	                           loops_no_plt.plain_query, loops_no_plt.ifunc_query, loops_no_plt.pointer_query};
	const loop relu[FORMS] = {loops_plt.plain_relu,    loops_plt.ifunc_relu,    loops_plt.pointer_relu,
	                          loops_no_plt.plain_relu, loops_no_plt.ifunc_relu, loops_no_plt.pointer_relu};

	(void)argc;
	if (strcmp(isk_isa_current(), "baseline") != 0) {
		/* Functions are bound by now, so only another process can bind them otherwise. */
		setenv("ISAKERN_MAX_ISA", "baseline", 1);
		execv("/proc/self/exe", argv);
		err(1, "/proc/self/exe");
	}
	printf("glibc %s; medians of %d samples of %d calls, in turns\n", gnu_get_libc_version(), ROUNDS, TIMES);
	compare("get_vec_length", "returns a constant", (void (*)(void))isk_get_vec_length__plain, query);
	compare("relu_f32", "4 elements", (void (*)(void))isk_relu_f32__plain, relu);
	return 0;
}
