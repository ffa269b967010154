/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose result is one number. Each thread calls the kernel for a part of the arrays, and the results are joined;
 * sums of floats take partial sums of many parts, because their bits depend on the tree of additions.
 */
#include "isakern_omp.h"

#include "crew.h"
#include "elements.h"
#include "in_parts.h"
#include "partial.h"

/* More threads than this are not used: their results are on the stack. */
enum { MOST_THREADS = 256 };

/*
 * The parts of a sum: at least EACH for a thread, so that the longest share is at most 1 / EACH longer than the shortest,
 * as long as MOST are enough for that. They take 96 KiB of the stack.
 */
enum { EACH = 16, MOST = 512 };

static int size_of(const struct isk_kernel *k)
{
	int i = 0;

	while (k->shape->arguments[i].role != ISK_SIZE)
		i++;
	return i;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The partial sums of a range of elements. */
static void add_range(struct isk_partial *parts, const struct isk_kernel *k, union isk_args *whole, struct range range,
                      size_t length)
{
	const void *array[2] = {NULL, NULL};
	union isk_args args;
	size_t incx = 1;
	int arrays = 0;

	isk_part_of(&args, k, whole, size_of(k), range);
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *const a = &k->shape->arguments[i];

		if (a->role == ISK_IN)
			array[arrays++] = isk_pointer_of(&args, a);
		else if (a->role == ISK_STRIDE)
			incx = isk_size_at(k, &args, i);
	}
	isk_partial_sums(parts, k->name, array[0], array[1], range.count, incx, length);
}

/* A sum in shares, which are whole partial sums. */
struct sum_shares {
	struct isk_partial *parts;
	const struct isk_kernel *k;
	union isk_args *args;
	size_t n, length, count;
};

static int add_share(const void *data, size_t i)
{
	const struct sum_shares *s = data;
	const struct range range = share(s->n, s->length, i, s->count);

	add_range(s->parts + range.at / s->length, s->k, s->args, range, s->length);
	return 0;
}

static union isk_result sum(const struct isk_kernel *k, union isk_args *args, size_t n, size_t threads)
{
	struct isk_partial parts[MOST];
	size_t length = ISK_LEAST_LENGTH, count;
	union isk_result result = {0};
	double total = 0;

	while (n / length >= smaller(2 * EACH * threads, MOST))
		length *= 2;
	count = n / length + (n % length != 0);
	isk_share_out(threads, threads, add_share, &(struct sum_shares){parts, k, args, n, length, threads});
	isk_partial_result(&total, k->name, parts, count, n);
	if (isk_result_type(k) == ISK_F64)
		result.f64 = total;
	else
		result.f32 = (float)total;
	return result;
}

/* Whether b is better than a, or NaN, which is better than everything. */
static int is_better(double a, double b, int is_max)
{
	return (is_max ? b > a : b < a) || b != b;
}

/* Whether result b replaces a, the greatest or least one before it. */
static int replaces(union isk_result a, union isk_result b, enum isk_type type, int is_max)
{
	switch (type) {
	case ISK_F32:
		return is_better((double)a.f32, (double)b.f32, is_max);
	case ISK_F64:
		return is_better(a.f64, b.f64, is_max);
	case ISK_S32:
		return is_max ? b.s32 > a.s32 : b.s32 < a.s32;
	default:
		return is_max ? b.s64 > a.s64 : b.s64 < a.s64;
	}
}

/* Joins the results of `count` parts. Integers of 32 bits are the low half of those of 64. */
static union isk_result join_results(const union isk_result *results, size_t count, enum isk_type type, enum isk_join join)
{
	union isk_result all = results[0];

	for (size_t i = 1; i < count; i++)
		if (join == ISK_JOIN_ADD)
			all.s64 = (int64_t)((uint64_t)all.s64 + (uint64_t)results[i].s64);
		else if (join == ISK_JOIN_XOR)
			all.s64 ^= results[i].s64;
		else if (replaces(all, results[i], type, join == ISK_JOIN_MAX))
			all = results[i];
	return all;
}

/* The element at a position of the array. */
static double value_at(const struct isk_kernel *k, union isk_args *args, size_t at)
{
	const struct isk_argument *const x = &k->shape->arguments[0];
	const enum isk_type type = isk_argument_type(k, x);
	union isk_args part;

	isk_part_of(&part, k, args, size_of(k), (struct range){at, 1});
	return isk_element_value(type, isk_element_bits(type, isk_pointer_of(&part, x), 0));
}

/* The first position of the best element, from those of `count` parts in the whole array. */
static union isk_result join_positions(const struct isk_kernel *k, union isk_args *args, const union isk_result *results,
                                       size_t count, int is_max)
{
	union isk_result first = results[0];
	double best = value_at(k, args, first.size);

	for (size_t i = 1; i < count && best == best; i++) {
		const double value = value_at(k, args, results[i].size);

		if (is_better(best, value, is_max)) {
			best = value;
			first = results[i];
		}
	}
	return first;
}

/* Both zeros are equal, and the tree of the kernel determines which one is the greatest or least. */
static int is_float_zero(union isk_result r, enum isk_type type)
{
	return (type == ISK_F32 && r.f32 == 0) || (type == ISK_F64 && r.f64 == 0);
}

/* A call whose shares each have a result. finds: it is a position. */
struct result_shares {
	union isk_result *results;
	const struct isk_kernel *k;
	isk_function fn;
	union isk_args *args;
	size_t n, count;
	int finds;
};

static int result_share(const void *data, size_t i)
{
	const struct result_shares *s = data;
	const struct range range = share(s->n, ISK_ELEMENTS_TOGETHER, i, s->count);
	union isk_args part;

	isk_part_of(&part, s->k, s->args, size_of(s->k), range);
	s->results[i] = isk_call_once(s->k, s->fn, &part);
	if (s->finds)
		s->results[i].size += range.at;
	return 0;
}

union isk_result isk_joined(const struct isk_kernel *k, isk_function fn, union isk_args *args, size_t bytes,
                            enum isk_join join)
{
	const size_t threads = smaller(isk_shares_for((double)bytes, ISK_BYTES_A_THREAD), MOST_THREADS);
	const int finds = join == ISK_JOIN_ARGMAX || join == ISK_JOIN_ARGMIN;
	const size_t n = isk_size_at(k, args, size_of(k));
	union isk_result results[MOST_THREADS];

	if (threads < 2)
		return isk_call_once(k, fn, args);
	if (join == ISK_JOIN_SUM)
		return sum(k, args, n, threads);
	isk_share_out(threads, threads, result_share, &(struct result_shares){results, k, fn, args, n, threads, finds});
	if (finds)
		return join_positions(k, args, results, threads, join == ISK_JOIN_ARGMAX);
	results[0] = join_results(results, threads, isk_result_type(k), join);
	return is_float_zero(results[0], isk_result_type(k)) ? isk_call_once(k, fn, args) : results[0];
}
