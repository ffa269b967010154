/* SPDX-License-Identifier: MIT */
/*
 * A product of real matrices: large ones by isk_gemm, of a B that is packed here, small ones by isk_matmul. Both give the
 * same bits, and so does a product in parts of its rows or columns. Therefore the sizes at which this source decides
 * and the number of threads are free, and without memory for a packed B isk_matmul does all.
 */
#include "real_product.h"
#include "threads.h"
#include <stdlib.h>

enum {
	MOST_SMALL = 96 * 96 * 96, /* m * n * k below which packing does not pay */
	FEW_ROWS = 12,             /* of A, among which packing B would have to pay */
	COLUMNS = 1024,            /* of B that are packed at a time, */
	COLUMNS_A_THREAD = 256,    /* and for each thread, if these are more */
	UNIT = 64,                 /* rows and columns of a block are multiples of it */
	BLOCKS = 4,                /* at least, for each thread, so that all end at about the same time */
	ROWS = 256,                /* of a block, if there are enough */
};

#define TYPE (sizeof(real) == sizeof(float) ? ISK_F32 : ISK_F64)

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A share of `total`, of `shares` equal ones, as a multiple of UNIT. */
static size_t share_of(size_t total, size_t shares)
{
	return (total + shares * UNIT - 1) / (shares * UNIT) * UNIT;
}

/* The columns of B between `from` and `to`, in parts that are packed each by itself, and blocks of some rows and one part. */
struct turn {
	const struct real_product *p;
	size_t from, to, width, parts, rows;
	char *room; /* for the packed parts, `bytes` each; NULL: none are packed */
	size_t bytes;
};

static struct columns part_of_turn(const struct turn *t, size_t i)
{
	const size_t at = lesser_size(t->from + i * t->width, t->to);

	return (struct columns){at, lesser_size(t->width, t->to - at), t->room ? t->room + i * t->bytes : NULL};
}

static void pack_part(const void *data, size_t i)
{
	const struct turn *t = data;
	const struct real_product *p = t->p;
	const struct columns columns = part_of_turn(t, i);

	KERNEL(gemm_pack)(columns.packed, p->b + columns.at * (p->transposed & ISK_TRANSPOSED_B ? p->ldb : 1), t->bytes, p->k,
	                  columns.count, p->ldb, (p->transposed & ISK_TRANSPOSED_B) != 0);
}

static void compute_block(const void *data, size_t i)
{
	const struct turn *t = data;
	const struct columns columns = part_of_turn(t, i % t->parts);
	const size_t row = i / t->parts * t->rows;

	if (columns.count)
		CORE(block)(t->p, row, lesser_size(t->p->m, row + t->rows), &columns);
}

/* Turns of columns of B. In each the threads pack the parts, and then they take blocks. */
static void in_turns(const struct real_product *p, size_t threads)
{
	const int is_packed = p->m > FEW_ROWS && p->n > FEW_ROWS;
	const size_t most = larger_size(COLUMNS, threads * COLUMNS_A_THREAD), count = is_packed ? lesser_size(p->n, most) : p->n;
	struct turn t = {.p = p, .width = threads == 1 ? count : share_of(count, threads)};

	t.parts = (count + t.width - 1) / t.width;
	t.rows = threads == 1 ? p->m : lesser_size(ROWS, share_of(p->m, (BLOCKS * threads + t.parts - 1) / t.parts));
	t.bytes = (isk_packed_size(TYPE, p->k, t.width) + UNIT - 1) / UNIT * UNIT;
	t.room = is_packed ? aligned_alloc(UNIT, t.parts * t.bytes) : NULL;
	for (t.from = 0; t.from < p->n; t.from += count) {
		t.to = lesser_size(p->n, t.from + count);
		if (t.room)
			isk_each(t.parts, threads, pack_part, &t);
		isk_each(t.parts * ((p->m + t.rows - 1) / t.rows), threads, compute_block, &t);
	}
	free(t.room);
}

void CORE(real_product)(const struct real_product *p)
{
	const double work = (double)p->m * (double)p->n * (double)p->k;

	if (work <= MOST_SMALL)
		CORE(block)(p, 0, p->m, &(struct columns){0, p->n, NULL});
	else
		in_turns(p, isk_threads_for(work, ISK_STEPS_A_THREAD));
}
