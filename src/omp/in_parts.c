/* SPDX-License-Identifier: MIT */
/*
 * Each thread calls the kernel for a part of the arrays: its pointers point further into
 * them, and one size is smaller. The kernel computes an element, a row or a column from
 * the same element, row or column of its arrays alone, so the cuts change no bit.
 *
 * A call that the kernel refuses writes nothing. If the array of indices is cut, an
 * index out of range is in one part, and the kernel would accept the others. So indices
 * are checked first, and the kernel gets a call with a wrong one as a whole. Whatever
 * else a kernel refuses, it refuses in every part.
 */
#include "in_parts.h"

#include "crew.h"
#include "elements.h"

/* The extent of an array that is the size; -1: none. */
static int extent_of(const struct isk_argument *a, int size)
{
	for (int e = 0; e < a->extents; e++)
		if (a->extent[e].size == size)
			return e;
	return -1;
}

/* The elements from one index of an extent to the next. */
static size_t step_of(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, int extent)
{
	const int stride = a->extent[extent].stride;

	return stride < 0 ? isk_argument_span(k, args, a, extent + 1) : isk_size_at(k, args, stride);
}

/* The smallest part along a size: one row, or some elements if the size counts neighbours in the largest arrays. */
static size_t unit_of(const struct isk_kernel *k, int size)
{
	const struct isk_argument *const all = k->shape->arguments;
	int most = 0, is_inner = 0;

	for (int i = 0; i < k->shape->count; i++)
		most = all[i].extents > most ? all[i].extents : most;
	for (int i = 0; i < k->shape->count; i++)
		is_inner |= all[i].extents == most && extent_of(&all[i], size) == most - 1;
	return is_inner ? ISK_ELEMENTS_TOGETHER : 1;
}

/* Whether all integers of an array are below a number. */
static int are_below(enum isk_type type, const void *x, size_t count, uint64_t limit)
{
	int beyond = 0;

	if (type == ISK_S32)
		for (size_t i = 0; i < count; i++)
			beyond |= (uint64_t)((const int32_t *)x)[i] >= limit;
	else
		for (size_t i = 0; i < count; i++)
			beyond |= (uint64_t)((const int64_t *)x)[i] >= limit;
	return !beyond;
}

/* Whether every index of the arrays that are cut is in range. */
static int indices_are_in_range(const struct isk_kernel *k, union isk_args *args, int size)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *const a = &k->shape->arguments[i];

		if (a->below && extent_of(a, size) >= 0
		    && !are_below(isk_argument_type(k, a), isk_pointer_of(args, a), isk_size_at(k, args, size),
		                  isk_size_at(k, args, a->below - 1)))
			return 0;
	}
	return 1;
}

void isk_part_of(union isk_args *args, const struct isk_kernel *k, union isk_args *whole, int size, struct range range)
{
	*args = *whole;
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *const a = &k->shape->arguments[i];
		const int extent = extent_of(a, size);
		const char **const pointer = isk_argument_at(args, a);

		if (extent >= 0 && *pointer)
			*pointer += isk_bytes_of(isk_argument_type(k, a), range.at * step_of(k, whole, a, extent));
		if (a->along == size + 1)
			*(uint64_t *)isk_argument_at(args, a) += range.at;
	}
	*(size_t *)isk_argument_at(args, &k->shape->arguments[size]) = range.count;
}

/* A call in parts. */
struct parts {
	const struct isk_kernel *k;
	isk_function fn;
	union isk_args *whole;
	int size;
	size_t unit, count;
};

static int call_part(const void *data, size_t i)
{
	const struct parts *p = data;
	union isk_args args;

	isk_part_of(&args, p->k, p->whole, p->size, share(isk_size_at(p->k, p->whole, p->size), p->unit, i, p->count));
	return isk_call_once(p->k, p->fn, &args).status;
}

/* A size that is cut, and its units. */
struct cut {
	int size;
	size_t unit, units;
};

/* The first cut that gives each thread a unit, or else the one with the most units. */
static struct cut best_cut(const struct isk_kernel *k, union isk_args *args, size_t threads)
{
	struct cut best = {0};

	for (int i = 0; i < k->shape->cuts && best.units < threads; i++) {
		const int size = k->shape->cut[i];
		const size_t unit = unit_of(k, size), n = isk_size_at(k, args, size), units = n / unit + (n % unit != 0);

		if (units > best.units)
			best = (struct cut){size, unit, units};
	}
	return best;
}

int isk_in_parts(const struct isk_kernel *k, isk_function fn, union isk_args *args, size_t bytes)
{
	const size_t most = isk_shares_for((double)bytes, ISK_BYTES_A_THREAD);
	const struct cut cut = best_cut(k, args, most);
	const size_t threads = cut.units < most ? cut.units : most;

	if (threads < 2 || !indices_are_in_range(k, args, cut.size))
		return isk_call_once(k, fn, args).status;
	return isk_share_out(threads, threads, call_part, &(struct parts){k, fn, args, cut.size, cut.unit, threads});
}
