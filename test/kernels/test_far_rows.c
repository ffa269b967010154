/* SPDX-License-Identifier: MIT */
/*
 * Tables of more than 2^32 rows, of which the indices name a few, for every kernel that takes indices of rows. Such a table
 * is reserved, but only the pages of these rows are memory. A variant must give the bits that it gives for a table of these
 * rows alone, and refuse an index behind the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../candidates.h"
#include "args.h"
#include "elements.h"

#define PAGE ((size_t)4096)
#define ROWS (((size_t)1 << 32) + 6)
enum { NAMED = 5, BAGS = 2, COLS = 17, LINE = COLS + 1, MOST = 12, BYTES = NAMED * LINE * 8, UNWRITTEN = 0x5a };

/* The named rows. Those for indices of 64 bits lie on both sides of each limit of 32 bits. */
static const int64_t rows_s64[NAMED] = {((int64_t)1 << 32) + 5, 0, (int64_t)1 << 31, (int64_t)1 << 32, ((int64_t)1 << 32) - 1};
static const int64_t rows_s32[NAMED] = {INT32_MAX, 0, 65536, 5, INT32_MAX - 1};
static const int64_t ends[BAGS] = {2, NAMED};

/* The arguments of the call with the whole table, and of that with the named rows alone. */
static union isk_args far, near;
static unsigned char far_memory[MOST][BYTES], near_memory[MOST][BYTES];
static int tests, failed;

static const struct isk_argument *argument(const struct isk_kernel *k, int i)
{
	return &k->shape->arguments[i];
}

static void **pointer(union isk_args *args, const struct isk_argument *a)
{
	return isk_argument_at(args, a);
}

/* The number of the argument with the indices; -1 if there is none, or if they name no rows, as labels name columns. */
static int indices_of(const struct isk_kernel *k)
{
	int found = -1, size = -1;

	for (int i = 0; i < k->shape->count; i++)
		if (argument(k, i)->below) {
			found = i;
			size = argument(k, i)->below - 1;
		}
	for (int i = 0; i < k->shape->count; i++)
		if (argument(k, i)->extents == 2 && argument(k, i)->extent[1].size == size)
			return -1;
	return found;
}

/* Whether the array has as many rows as the table. */
static int is_table(const struct isk_kernel *k, const struct isk_argument *a)
{
	return a->extents && a->extent[0].size == argument(k, indices_of(k))->below - 1;
}

/* The bytes of a row of an array, with its gap. */
static size_t step_of(const struct isk_kernel *k, const struct isk_argument *a)
{
	return isk_bytes_of(isk_argument_type(k, a), a->extents == 2 ? LINE : 1);
}

static const int64_t *named(const struct isk_kernel *k)
{
	return isk_argument_type(k, argument(k, indices_of(k))) == ISK_S64 ? rows_s64 : rows_s32;
}

/* A table whose named rows are memory, with the values of those in near_memory; NULL if there is no address space for it. */
static unsigned char *table(const struct isk_kernel *k, int i)
{
	const size_t step = step_of(k, argument(k, i));
	unsigned char *at = mmap(NULL, ROWS * step + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	for (int r = 0; r < NAMED; r++) {
		const size_t offset = (size_t)named(k)[r] * step, page = offset / PAGE * PAGE;

		if (mprotect(at + page, offset + step - page, PROT_READ | PROT_WRITE)) {
			munmap(at, ROWS * step + PAGE);
			return NULL;
		}
		memcpy(at + offset, near_memory[i] + (size_t)r * step, step);
	}
	return at;
}

static void set_sizes(const struct isk_kernel *k, union isk_args *args, size_t rows)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = argument(k, i);

		if (a->role == ISK_SIZE)
			*(size_t *)isk_argument_at(args, a) = i == argument(k, indices_of(k))->below - 1 ? rows
			                                     : strcmp(a->name, "cols") == 0              ? COLS
			                                     : strcmp(a->name, "bags") == 0              ? BAGS
			                                                                                 : NAMED;
		if (a->role == ISK_STRIDE)
			*(size_t *)isk_argument_at(args, a) = LINE;
	}
}

static void tables_free(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (is_table(k, argument(k, i)) && *pointer(&far, argument(k, i)))
			munmap(*pointer(&far, argument(k, i)), ROWS * step_of(k, argument(k, i)) + PAGE);
}

/* Sets up both calls. Returns 0 if there is no address space. */
static int place(const struct isk_kernel *k)
{
	memset(&far, 0, sizeof(far));
	memset(&near, 0, sizeof(near));
	set_sizes(k, &near, NAMED);
	set_sizes(k, &far, ROWS);
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = argument(k, i);
		const enum isk_type type = isk_argument_type(k, a);

		if (!a->extents)
			continue;
		memset(near_memory[i], UNWRITTEN, BYTES);
		for (size_t e = 0; (a->role == ISK_IN || a->inout) && e < (a->extents == 2 ? NAMED * LINE : NAMED); e++)
			isk_element_set(type, near_memory[i], e, (long double)((e * 7 + (size_t)i) % 13) - 5);
		memcpy(far_memory[i], near_memory[i], BYTES);
		for (size_t e = 0; i == indices_of(k) && e < NAMED; e++) {
			isk_element_set_bits(type, near_memory[i], e, e);
			isk_element_set_bits(type, far_memory[i], e, (uint64_t)named(k)[e]);
		}
		if (a->ascending) {
			memcpy(near_memory[i], ends, sizeof(ends));
			memcpy(far_memory[i], ends, sizeof(ends));
		}
		*pointer(&near, a) = near_memory[i];
		*pointer(&far, a) = is_table(k, a) ? table(k, i) : far_memory[i];
		if (!*pointer(&far, a)) {
			tables_free(k);
			return 0;
		}
	}
	return 1;
}

/* Whether both calls have written the same. */
static int is_same(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = argument(k, i);
		const unsigned char *at = a->role == ISK_OUT ? *pointer(&far, a) : NULL;

		for (size_t r = 0; at && r < NAMED; r++)
			if (memcmp(at + (is_table(k, a) ? (size_t)named(k)[r] : r) * step_of(k, a), near_memory[i] + r * step_of(k, a),
			           step_of(k, a)) != 0)
				return 0;
	}
	return 1;
}

/* A line about the first fault; NULL if there is none. */
static const char *judge(const struct isk_kernel *k, isk_function fn)
{
	const int i = indices_of(k);
	const enum isk_type type = isk_argument_type(k, argument(k, i));

	k->call(fn, &near);
	k->call(fn, &far);
	if (near.result.status != ISK_OK || far.result.status != ISK_OK)
		return "the call is refused";
	if (!is_same(k))
		return "the result differs from that of the named rows alone";
	isk_element_set_bits(type, far_memory[i], NAMED - 1, type == ISK_S64 ? ROWS : UINT32_MAX);
	k->call(fn, &far);
	if (far.result.status != ISK_ERR_INDEX)
		return "an index out of range is taken";
	return is_same(k) ? NULL : "the refused call has written";
}

static void check(const void *to, const char *isa, isk_function fn)
{
	const struct isk_kernel *k = to;
	const int all = strcmp(isa, "reference") == 0 && is_table(k, argument(k, 0));
	const char *why;

	if (all || !place(k)) {
		printf("ok %d - %s/%s # SKIP %s\n", ++tests, k->name, isa,
		       all ? "it goes through all rows of its output" : "no address space for 2^32 rows");
		return;
	}
	why = judge(k, fn);
	tables_free(k);
	failed |= why != NULL;
	printf("%sok %d - %s/%s%s%s\n", why ? "not " : "", ++tests, k->name, isa, why ? ": " : "", why ? why : "");
}

int main(void)
{
	/* Meson sets this variable in the tests of a cross build. */
	if (getenv("MESON_EXE_WRAPPER")) {
		printf("1..0 # SKIP qemu-user keeps a record of each reserved page, for 2^32 rows more than the memory holds\n");
		return 0;
	}
	for (size_t i = 0; i < isk_kernels_count; i++)
		if (indices_of(&isk_kernels[i]) >= 0)
			each_variant(isk_kernels[i].name, &tests, check, &isk_kernels[i]);
	printf("1..%d\n", tests);
	return failed || !tests;
}
