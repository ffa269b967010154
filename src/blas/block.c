/* SPDX-License-Identifier: MIT */
/* A block of C: some rows and columns. If C is a triangle, a block on its diagonal is cut into strips of rows. */
#include "rectangle.h"
#include "room.h"
#include "xerbla.h"
#include <string.h>

enum {
	TURNED = 256,      /* rows of a transposed A that are copied at a time */
	SQUARE = 48,       /* rows of a strip, which ends with a square on the diagonal, */
	SMALL_SQUARE = 32, /* if B is packed or not; */
	STEP = 16,         /* rows of the square whose sums are computed at a time; columns of a packed matrix begin at multiples */
};

/* The column of row i's diagonal, or the end of s that is nearest to it. */
static size_t diagonal_of(size_t i, struct span s)
{
	return i < s.from ? s.from : lesser_size(i, s.to);
}

/*
 * Rows and columns that have elements on both sides of the diagonal: their sums are computed outside C, so that the other
 * triangle stays. The diagonal of a Hermitian matrix becomes real.
 */
static void on_diagonal(const struct by_rows *p, struct operand a, size_t i, size_t count, const struct columns *columns,
                        struct span s)
{
	elem square[SQUARE * SQUARE], *sums = square, *c = p->c + i * p->ldc;
	const size_t width = s.to - s.from;

	for (size_t row = 0; row < count; row += STEP) {
		const size_t from = i + row, to = lesser_size(i + count, from + STEP);
		const struct span part = p->part == FROM_DIAGONAL ? (struct span){diagonal_of(from, s), s.to}
		                                                  : (struct span){s.from, diagonal_of(to, s)};

		if (part.from < part.to)
			CORE(sums)(p, part_of(a, 0, (int64_t)row), to - from, columns, part, square + row * width + part.from - s.from,
			           width);
	}
	for (size_t row = i; row < i + count; row++, sums += width, c += p->ldc) {
		const size_t diagonal = diagonal_of(row, s), behind = diagonal_of(row + 1, s);
		const size_t first = p->part == FROM_DIAGONAL ? diagonal : s.from, end = p->part == FROM_DIAGONAL ? s.to : behind;

		CORE(add_sums)(p, c + first, sums + first - s.from, end - first);
		if (p->hermitian && diagonal < behind)
			c[diagonal] = without_im(c[diagonal]);
	}
}

/* Rows `from` to `to` of a triangle, some at a time: a rectangle, and a square on the diagonal. a is row `from`. */
static void of_triangle(const struct by_rows *p, struct operand a, size_t from, size_t to, const struct columns *columns,
                        struct span s)
{
	const size_t most = columns->packed ? SQUARE : SMALL_SQUARE;

	for (size_t i = from, end; i < to; i = end) {
		const struct operand rows = part_of(a, 0, (int64_t)(i - from));
		struct span square, rest;

		end = lesser_size(to, i + most);
		square = (struct span){diagonal_of(i, s), diagonal_of(end, s)};
		rest = p->part == FROM_DIAGONAL ? (struct span){square.to, s.to} : (struct span){s.from, square.from};
		if (rest.from < rest.to)
			CORE(rectangle)(p, rows, end - i, columns, rest, p->c + i * p->ldc + rest.from, p->ldc);
		if (square.from < square.to)
			on_diagonal(p, rows, i, end - i, columns, square);
	}
}

static void rows_of(const struct by_rows *p, struct operand a, size_t from, size_t to, const struct columns *columns,
                    struct span s)
{
	if (p->part == WHOLE)
		CORE(rectangle)(p, a, to - from, columns, s, p->c + from * p->ldc + s.from, p->ldc);
	else
		of_triangle(p, a, from, to, columns, s);
}

void CORE(block)(const struct by_rows *p, size_t from, size_t to, const struct columns *columns, struct span s)
{
	const int64_t k = (int64_t)p->k;
	elem *turned;

	if (!(p->a.trans & TRANSPOSED) || !k || CORE(takes_transposed)(columns)) {
		rows_of(p, part_of(p->a, 0, (int64_t)from), from, to, columns, s);
		return;
	}
	turned = blas_take_room(lesser_size(TURNED, to - from) * p->k * sizeof(elem));
	if (!turned)
		blas_no_memory();
	for (size_t i = from, count; i < to; i += count) {
		count = lesser_size(to - i, TURNED);
		CORE(transpose)(turned, p->a.a + i, (int64_t)count, k, k, p->a.ld);
		rows_of(p, (struct operand){turned, k, p->a.trans & CONJUGATED}, i, i + count, columns, s);
	}
	blas_give_room(turned);
}
