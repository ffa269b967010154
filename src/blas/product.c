/* SPDX-License-Identifier: MIT */
/*
 * A matrix by columns is its transpose by rows, so C' = B' * A'. The rows and columns of C' are cut into blocks for the threads.
 * Each element is one sum, which no block divides, so that neither the sizes here nor the number of threads change any bits.
 */
#include "rectangle.h"
#include "room.h"
#include "threads.h"

enum {
	COLUMNS = 1024,         /* that are packed at a time, */
	COLUMNS_A_THREAD = 256, /* and for each thread, if these are more */
	UNIT = 64,              /* rows and columns of a block are multiples of it, */
	SMALL_UNIT = 32,        /* or of this, if B is not packed */
	BLOCKS = 4,             /* at least, for each thread, so that all end at about the same time */
	ROWS = 256,             /* of a block, if there are enough */
};

/* The columns of B between `from` and `to`, in parts that are packed each by itself, and blocks of some rows and one part. */
struct turn {
	const struct by_rows *p;
	size_t from, to, parts, rows, unit;
	char *room; /* for the packed parts, `bytes` each; NULL: none are packed */
	size_t bytes;
};

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static struct span part_of_turn(const struct turn *t, size_t i)
{
	const struct range part = share(t->to - t->from, t->unit, i, t->parts);

	return (struct span){t->from + part.at, t->from + part.at + part.count};
}

static void pack_part(const void *data, size_t i)
{
	const struct turn *t = data;
	const struct span s = part_of_turn(t, i);

	CORE(pack)(t->p, t->room + i * t->bytes, t->bytes, s.from, s.to - s.from);
}

static void compute_block(const void *data, size_t i)
{
	const struct turn *t = data;
	const size_t part = i % t->parts, row = i / t->parts * t->rows;
	const struct span s = part_of_turn(t, part);

	if (s.from < s.to)
		CORE(block)(t->p, row, lesser_size(t->p->m, row + t->rows),
		            &(struct columns){s.from, t->room ? t->room + part * t->bytes : NULL}, s);
}

/* Turns of columns of B. In each the threads pack the parts, and then they take blocks. */
static void in_turns(const struct by_rows *p, int is_packed, size_t threads)
{
	const size_t most = larger_size(COLUMNS, threads * COLUMNS_A_THREAD), count = is_packed ? lesser_size(p->n, most) : p->n;
	/* Each block of rows would copy an unpacked B again. */
	const size_t blocks = is_packed || p->m > ROWS ? threads : BLOCKS * threads, unit = is_packed ? UNIT : SMALL_UNIT;
	const size_t width = share(count, unit, 0, blocks).count;
	struct turn t = {.p = p, .parts = (count + width - 1) / width, .unit = unit, .bytes = CORE(packed_bytes)(p, width)};

	t.rows = threads == 1 ? p->m : lesser_size(ROWS, share(p->m, unit, 0, (BLOCKS * threads + t.parts - 1) / t.parts).count);
	t.bytes = (t.bytes + UNIT - 1) / UNIT * UNIT;
	t.room = is_packed ? blas_take_room(t.parts * t.bytes) : NULL;
	for (t.from = 0; t.from < p->n; t.from += count) {
		t.to = lesser_size(p->n, t.from + count);
		if (t.room)
			isk_each(t.parts, threads, pack_part, &t);
		isk_each(t.parts * ((p->m + t.rows - 1) / t.rows), threads, compute_block, &t);
	}
	blas_give_room(t.room);
}

/* C = beta * C for a beta that is not real. */
static void scale(struct target c, int64_t m, int64_t n, elem beta)
{
	for (int64_t j = 0; j < n; j++) {
		const int64_t from = c.part == FROM_DIAGONAL ? j : 0, to = c.part == TO_DIAGONAL ? j + 1 : m;

		CORE(scal)(to - from, beta, c.c + j * c.ld + from, 1);
	}
}

void CORE(product)(struct target c, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta)
{
	const double steps = (double)m * (double)n * (double)k * PARTS * PARTS;
	struct by_rows p = {.c = c.c, .a = b, .b = a, .m = (size_t)n, .n = (size_t)m, .k = alpha == 0 ? 0 : (size_t)k,
	                    .ldc = (size_t)c.ld, .alpha = alpha, .beta = re(beta), .part = c.part, .hermitian = c.hermitian};
	size_t threads;
	int is_packed;

	if (beta != re(beta)) {
		scale(c, m, n, beta);
		p.beta = 1;
	}
	threads = isk_threads_for(steps, ISK_STEPS_A_THREAD);
	is_packed = CORE(packed_bytes)(&p, 1) > 0;
	if (is_packed || threads > 1)
		in_turns(&p, is_packed, threads);
	else
		CORE(block)(&p, 0, p.m, &(struct columns){0, NULL}, (struct span){0, p.n});
}
