/* SPDX-License-Identifier: MIT */
/*
 * Every form that libisakern-omp cuts into parts against the kernel's own call: the same result or status and the same
 * bytes, whichever of its sizes is cut, for several numbers of threads, with the output in the place of an input, and
 * with an index out of range. Reductions get arrays of several lengths, with NaNs, and with zeros of both signs.
 *
 *     test_in_parts       in TAP, a line for each shape
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../by_name.h"
#include "in_parts.h"
#include "isakern_omp.h"
#include "job.h"
#include "problem.h"

enum { MOST_THREADS = 3 };

/* Bytes for the arrays of a call: enough for MOST_THREADS threads. */
static const double enough = (double)((MOST_THREADS + 1) * ISK_BYTES_A_THREAD);

static const char *trouble;
static size_t calls;

static int parts; /* calls of isk_neg_f32() since it was last set to 0 */

/* The library's forms call this definition, because the program's comes first. */
void isk_neg_f32(float *y, const float *x, size_t n)
{
	__atomic_add_fetch(&parts, 1, __ATOMIC_RELAXED);
	((__typeof(isk_neg_f32) *)isk_bound("neg_f32"))(y, x, n);
}

static size_t bytes_of(struct job *job, const struct isk_argument *a)
{
	return isk_bytes_of(isk_argument_type(job->kernel, a), elements_of(job->kernel, &job->args, NULL, a));
}

static unsigned char *pointer_of(struct job *job, const struct isk_argument *a)
{
	return *(unsigned char **)isk_argument_at(&job->args, a);
}

/* Makes copies of the outputs. */
static void keep(struct job *job, unsigned char **copies)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];

		free(copies[i]);
		copies[i] = a->role == ISK_OUT && bytes_of(job, a) ? malloc(bytes_of(job, a)) : NULL;
		if (copies[i])
			memcpy(copies[i], pointer_of(job, a), bytes_of(job, a));
	}
}

static void put_back(struct job *job, unsigned char **copies)
{
	for (int i = 0; i < job->kernel->shape->count; i++)
		if (copies[i])
			memcpy(pointer_of(job, &job->kernel->shape->arguments[i]), copies[i],
			       bytes_of(job, &job->kernel->shape->arguments[i]));
}

static int are_equal(struct job *job, unsigned char **copies)
{
	for (int i = 0; i < job->kernel->shape->count; i++)
		if (copies[i] && memcmp(pointer_of(job, &job->kernel->shape->arguments[i]), copies[i],
		                        bytes_of(job, &job->kernel->shape->arguments[i])) != 0)
			return 0;
	return 1;
}

static union isk_result call(struct job *job, isk_function fn)
{
	job->args.result = (union isk_result){0};
	job->kernel->call(fn, &job->args);
	return job->args.result;
}

/* Whether two results are the same number or both NaN. */
static int is_same(enum isk_type type, union isk_result a, union isk_result b)
{
	return (type == ISK_F32 && a.f32 != a.f32 && b.f32 != b.f32) || (type == ISK_F64 && a.f64 != a.f64 && b.f64 != b.f64)
	       || memcmp(&a, &b, sizeof(a)) == 0;
}

/* Compares the form's calls with the kernel's. */
static void compare(struct job *job, isk_function own, isk_function form)
{
	static unsigned char *before[32], *after[32];
	union isk_result result;

	keep(job, before);
	result = call(job, own);
	keep(job, after);
	for (int threads = 2; threads <= MOST_THREADS && !trouble; threads++) {
		put_back(job, before);
		omp_set_num_threads(threads);
		if (!is_same(isk_result_type(job->kernel), call(job, form), result))
			trouble = "another result";
		else if (!are_equal(job, after))
			trouble = "other bytes";
		calls++;
	}
}

/* Values that differ from 0 and suit every shape: windows of one element, and no padding. */
static void set_values(struct job *job)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];
		void *const at = isk_argument_at(&job->args, a);

		if (a->role != ISK_VALUE || a->variable)
			continue;
		if (a->type == ISK_S64)
			*(int64_t *)at = a->along ? 3 : 12345;
		else if (!a->type)
			*(int *)at = strncmp(a->name, "pad", 3) != 0;
	}
}

/* Makes a problem in which the arrays take enough bytes because of this one size. The others are small, no powers of 2. */
static void prepare(struct job *job, const struct isk_kernel *k, int size)
{
	struct problem p = {0};
	double bytes = 0;

	for (size_t n = 67; bytes < enough; n += n / 2) {
		bytes = 0;
		for (int i = 0; i < k->shape->count; i++)
			if (k->shape->arguments[i].role == ISK_SIZE)
				*(size_t *)isk_argument_at(&p.args, &k->shape->arguments[i]) = i == size ? n : 19;
		for (int i = 0; i < k->shape->count; i++)
			for (int e = k->shape->arguments[i].extents - 1; e >= 0; e--)
				if (k->shape->arguments[i].extent[e].stride >= 0)
					*(size_t *)isk_argument_at(&p.args, &k->shape->arguments[k->shape->arguments[i].extent[e].stride]) =
						isk_argument_span(k, &p.args, &k->shape->arguments[i], e + 1) + 4;
		for (int i = 0; i < k->shape->count; i++)
			if (isk_is_array(&k->shape->arguments[i]))
				bytes += (double)isk_bytes_of(isk_argument_type(k, &k->shape->arguments[i]),
				                              isk_argument_span(k, &p.args, &k->shape->arguments[i], 0));
	}
	job_prepare(job, k, &p);
	set_values(job);
}

/* Puts an index out of range. Returns 0 if the kernel has no indices. */
static int spoil(struct job *job)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];

		if (a->below) {
			isk_element_set_bits(isk_argument_type(job->kernel, a), pointer_of(job, a),
			                     elements_of(job->kernel, &job->args, NULL, a) - 1, job_size(job, a->below - 1));
			return 1;
		}
	}
	return 0;
}

/* Sets at most `count` floats of each input array to a number, from a share of its length on. */
static void set_floats(struct job *job, double share, size_t count, double value)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];
		const enum isk_type type = isk_argument_type(job->kernel, a);
		const size_t n = a->role == ISK_IN && isk_element_is_float(type) ? elements_of(job->kernel, &job->args, NULL, a) : 0;
		const size_t first = n ? (size_t)((double)(n - 1) * share) : 0;

		for (size_t j = first; j < n && j - first < count; j++)
			isk_element_set_bits(type, pointer_of(job, a), j, isk_element_round(type, (long double)value));
	}
}

/* Zeros of one sign, then zeros of the other sign. Kernels return the one that comes last in its lane. */
static void compare_zeros(struct job *job, isk_function own, isk_function form, double zero)
{
	for (double share = .25; share < 1 && !trouble; share += .25) {
		set_floats(job, 0, SIZE_MAX, zero);
		set_floats(job, share, SIZE_MAX, -zero);
		compare(job, own, form);
	}
}

/* A reduction whose results are joined. */
static void test_joined(const struct isk_kernel *k, isk_function own, isk_function form)
{
	struct job job;
	size_t *n = NULL;

	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].role == ISK_SIZE) {
			prepare(&job, k, i);
			n = isk_argument_at(&job.args, &k->shape->arguments[i]);
		}
	/* Whole parts of each power of 2, the last one full or not, and other lengths. */
	for (size_t length = *n; length > *n / 2 && !trouble; length -= *n / 16 + 1) {
		const size_t all = *n;

		*n = length;
		compare(&job, own, form);
		*n = length & ~(size_t)8191;
		compare(&job, own, form);
		*n = all;
	}
	for (double share = 0; share <= 1 && !trouble; share += .25) {
		prepare(&job, k, k->shape->arguments[0].extent[0].size);
		set_floats(&job, share, 1, __builtin_inf());
		compare(&job, own, form);
		set_floats(&job, (share + .5) / 2, 1, -__builtin_inf());
		compare(&job, own, form);
		set_floats(&job, share, 1, __builtin_nan(""));
		compare(&job, own, form);
	}
	compare_zeros(&job, own, form, 0.);
	compare_zeros(&job, own, form, -0.);
}

static int is_joined(const struct isk_kernel *k)
{
	return k->shape->returns == ISK_RETURNS_ELEMENT || k->shape->returns == ISK_RETURNS_SIZE;
}

/* library.py compares the forms that there are with the tables. */
static void test(const struct isk_kernel *k, isk_function form)
{
	const isk_function own = isk_bound(k->name);
	struct job job;

	if (is_joined(k))
		test_joined(k, own, form);
	for (int c = 0; c < k->shape->cuts && !trouble; c++) {
		prepare(&job, k, k->shape->cut[c]);
		compare(&job, own, form);
		for (int i = 0; i < k->shape->count && !trouble; i++)
			if (k->shape->arguments[0].may_be >> i & 1) {
				*(unsigned char **)isk_argument_at(&job.args, &k->shape->arguments[0]) =
					pointer_of(&job, &k->shape->arguments[i]);
				compare(&job, own, form);
			}
		if (!trouble && spoil(&job)) {
			compare(&job, own, form);
			if (!trouble && job.args.result.status != ISK_ERR_INDEX)
				trouble = "an index out of range is not refused";
		}
	}
}

/* Whether a call is cut into as many parts as its bytes are worth. */
static void test_parts(void)
{
	enum { SHARE = ISK_BYTES_A_THREAD / 8 };
	static const struct {
		size_t n;
		int parts;
	} cases[] = {{0, 1}, {SHARE, 1}, {2 * SHARE - 1, 1}, {2 * SHARE, 2}, {3 * SHARE, 3}, {5 * SHARE, 4}};
	static float x[5 * SHARE];
	int good = 1;

	omp_set_num_threads(4);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parts = 0;
		isk_parallel_neg_f32(x, x, cases[i].n);
		good &= parts == cases[i].parts;
		if (parts != cases[i].parts)
			printf("# %zu elements: %d parts, expected %d\n", cases[i].n, parts, cases[i].parts);
	}
	printf("%sok 1 - each thread has its least bytes, and there are no more than OpenMP allows\n", good ? "" : "not ");
}

static int is_first_of_shape(size_t i)
{
	size_t first = 0;

	while (isk_kernels[first].shape != isk_kernels[i].shape)
		first++;
	return first == i;
}

int main(void)
{
	int tests = 1, failed = 0;

	test_parts();
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_shape *const shape = isk_kernels[i].shape;
		const char *last = NULL;
		size_t kernels = 0;

		if ((!shape->cuts && !is_joined(&isk_kernels[i])) || !is_first_of_shape(i))
			continue;
		calls = 0;
		trouble = NULL;
		for (size_t j = i; j < isk_kernels_count && !trouble; j++) {
			const isk_function form = isk_kernels[j].shape == shape ? function_of("isk_parallel_", &isk_kernels[j]) : NULL;

			if (form) {
				test(&isk_kernels[j], form);
				last = isk_kernels[j].name;
				kernels++;
			}
		}
		if (!kernels)
			continue;
		failed += trouble != NULL;
		printf("%sok %d - %s: %zu kernels, %zu calls like the single ones\n", trouble ? "not " : "", ++tests, shape->name,
		       kernels, calls);
		if (trouble)
			printf("# %s: %s\n", last, trouble);
		fflush(stdout);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
