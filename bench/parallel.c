/* SPDX-License-Identifier: MIT */
/*
 * Times the forms of libisakern-omp against the kernels' own calls, in turn.
 *
 *     parallel [-j THREADS] [PATTERN...]     the kernels that a shell pattern matches; by default, one of each kind
 *     parallel --plan MxNxK...               how products of f32 are cut for 1 to 64 threads; measures nothing
 *
 * Each line is a kernel and a size; the columns are the bytes that a call reads and writes, the least time
 * of the kernel, and how many times as fast the form is. Times are those of a clock on the wall, because measure.h counts
 * the time of one thread.
 */
#include <dlfcn.h>
#include <err.h>
#include <fnmatch.h>
#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grid.h"
#include "isakern_omp.h"
#include "job.h"
#include "machine.h"
#include "output.h"
#include "problem.h"
#include "stats.h"

enum { ROUNDS = 31 };

/* The form is looked up by name; this keeps the linker from leaving the library out. */
__attribute__((used)) static __typeof(isk_parallel_exp_f32) *const needed = isk_parallel_exp_f32;

static const char *const kinds[] = {"relu_f32", "exp_f32", "cr_exp_f32", "add_f32", "cvt_f32_bf16", "fill_f32", "softmax_f32",
                                    "layernorm_f32", "sum_rows_f32", "sum_cols_f32", "transpose_f32", "adam_f32",
                                    "lt_f32", "uniform_f32", "gemm_f32", "sum_f32", "dot_f32", "max_f32", "argmax_f32", "popcount_b8"};

/* Calls in a sample, which takes some 200 us. */
static size_t calls_of(struct job *job, isk_function fn)
{
	size_t calls = 1;

	for (;; calls *= 2) {
		const double begin = clock_ns(CLOCK_MONOTONIC);

		job_repeat(job, fn, calls);
		if (clock_ns(CLOCK_MONOTONIC) - begin > 2e5)
			return calls;
	}
}

static void time_problem(const struct isk_kernel *k, const struct problem *p, isk_function form)
{
	const isk_function functions[2] = {isk_bound(k->name), form};
	double least[2] = {1e300, 1e300};
	struct job job;
	size_t calls;

	job_prepare(&job, k, p);
	calls = calls_of(&job, functions[0]);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < 2; i++) {
			const double begin = clock_ns(CLOCK_MONOTONIC);
			double ns;

			job_repeat(&job, functions[i], calls);
			ns = (clock_ns(CLOCK_MONOTONIC) - begin) / (double)calls;
			least[i] = ns < least[i] ? ns : least[i];
		}
	printf("%-24s %-16s %10.0f KiB %12.1f ns %6.2f\n", k->name, p->label, p->bytes / 1024, least[0], least[0] / least[1]);
	output_flush();
}

static void time_kernel(const struct isk_kernel *k)
{
	struct problem p;
	char symbol[96];
	isk_function form;

	snprintf(symbol, sizeof(symbol), "isk_parallel_%s", k->name);
	*(void **)&form = dlsym(RTLD_DEFAULT, symbol);
	for (size_t i = 0; form && problem_of(k, i, 256e6, &p); i++)
		time_problem(k, &p, form);
}

/* Prints how a product is cut for each number of threads, and what a thread reads and writes at least. */
static void print_plan(const char *text)
{
	struct isk_sizes s = {.batch = 1};
	int end = 0;

	if (sscanf(text, "%5zux%5zux%5zu%n", &s.m, &s.n, &s.k, &end) != 3 || text[end] || !s.m || !s.n || !s.k)
		errx(2, "--plan takes sizes of 1 to 99999, such as 1024x1024x1024, not '%s'", text);
	printf("%s: m x n x k, f32, B packed\n"
	       "A thread reads its share of A and of B and writes its share of C at least once; others read the same A or B.\n\n"
	       "%7s %10s %12s %8s %8s %8s %10s %10s %10s\n", text, "threads", "rows*cols", "largest", "A, MiB", "B, MiB", "C, MiB",
	       "with its A", "with its B", "of an even");
	for (size_t threads = 1; threads <= 64; threads *= 2) {
		const struct isk_grid grid = isk_best_grid(s, threads);
		const struct isk_sizes share = isk_first_share(s, grid);
		const double mib = sizeof(float) / 1048576.0;
		char cut[24], sizes[24];

		snprintf(cut, sizeof(cut), "%zux%zu", grid.rows, grid.cols);
		snprintf(sizes, sizeof(sizes), "%zux%zu", share.m, share.n);
		printf("%7zu %10s %12s %8.2f %8.2f %8.2f %10zu %10zu %10.2f\n", threads, cut, sizes, mib * (double)(share.m * share.k),
		       mib * (double)(share.n * share.k), mib * (double)(share.m * share.n), grid.cols, grid.rows,
		       (double)(share.m * share.n * threads) / (double)(s.m * s.n));
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"plan", no_argument, NULL, 'p'}, {NULL, 0, NULL, 0}};
	const char *const *patterns = kinds;
	size_t count = sizeof(kinds) / sizeof(kinds[0]), found = 0;
	int option, is_plan = 0;

	output_start();
	while ((option = getopt_long(argc, argv, "j:", options, NULL)) != -1) {
		const int threads = option == 'j' ? atoi(optarg) : 0;

		is_plan |= option == 'p';
		if (threads < 1 && option != 'p')
			errx(2, "usage: parallel [-j THREADS] [PATTERN...] or parallel --plan MxNxK...; THREADS is 1 or more");
		if (threads)
			omp_set_num_threads(threads);
	}
	if (is_plan) {
		if (optind == argc)
			errx(2, "--plan takes sizes, such as 1024x1024x1024");
		for (int i = optind; i < argc; i++)
			print_plan(argv[i]);
		return 0;
	}
	if (optind < argc) {
		patterns = (const char *const *)argv + optind;
		count = (size_t)(argc - optind);
	}
	for (size_t i = 0; i < isk_kernels_count; i++)
		for (size_t j = 0; j < count; j++)
			if (fnmatch(patterns[j], isk_kernels[i].name, 0) == 0) {
				if (!found++)
					printf("%s, %d threads of OpenMP\n\n%-24s %-16s %14s %15s %6s\n", machine_cpu(),
					       omp_get_max_threads(), "kernel", "size", "bytes", "own call", "times");
				time_kernel(&isk_kernels[i]);
				break;
			}
	if (!found)
		errx(2, "no kernel matches '%s'", patterns[0]);
	return 0;
}
