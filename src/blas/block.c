/* SPDX-License-Identifier: MIT */
/* A block of C: some rows and columns. If C is a triangle, a block on its diagonal is cut in halves. */
#include "rectangle.h"
#include "room.h"
#include "xerbla.h"
#include <string.h>

enum {
	TURNED = 256,  /* rows of a transposed A that are copied at a time */
	SMALLEST = 64, /* rows of a block on the diagonal that is computed as a square; columns of a packed matrix begin at multiples, */
	SMALLER = 32,  /* and of an unpacked matrix at multiples of this */
};

/* The column of row i's diagonal, or the end of s that is nearest to it. */
static size_t diagonal_of(size_t i, struct span s)
{
	return i < s.from ? s.from : lesser_size(i, s.to);
}

/* Copies what is computed of `count` rows from row i on; the diagonal of a Hermitian matrix without imaginary parts. */
static void copy_computed(const struct by_rows *p, elem *to, size_t ldto, const elem *from, size_t ldfrom, size_t i,
                          size_t count, struct span s)
{
	for (size_t row = i; row < i + count; row++, to += ldto, from += ldfrom) {
		const size_t diagonal = diagonal_of(row, s), behind = diagonal_of(row + 1, s);
		const size_t first = p->part == FROM_DIAGONAL ? diagonal : s.from, end = p->part == FROM_DIAGONAL ? s.to : behind;

		for (size_t j = first; j < end; j++)
			to[j - s.from] = from[j - s.from];
		if (p->hermitian && diagonal < behind)
			to[diagonal - s.from] = without_im(to[diagonal - s.from]);
	}
}

/* Rows and columns that have elements on both sides of the diagonal, in a copy, so that the other triangle stays. */
static void on_diagonal(const struct by_rows *p, struct operand a, size_t i, size_t count, const struct columns *columns,
                        struct span s)
{
	elem square[SMALLEST * SMALLEST], *c = p->c + i * p->ldc + s.from;
	const size_t width = s.to - s.from;

	if (p->beta != 0) {
		memset(square, 0, count * width * sizeof(elem));
		copy_computed(p, square, width, c, p->ldc, i, count, s);
	}
	CORE(rectangle)(p, a, count, columns, s, square, width);
	copy_computed(p, c, p->ldc, square, width, i, count, s);
}

/* Rows `from` to `to` of a triangle: a rectangle, and a square on the diagonal. a is row `from`. */
static void of_triangle(const struct by_rows *p, struct operand a, size_t from, size_t to, const struct columns *columns,
                        struct span s)
{
	const struct span square = {diagonal_of(from, s), diagonal_of(to, s)};
	const struct span rest = p->part == FROM_DIAGONAL ? (struct span){square.to, s.to} : (struct span){s.from, square.from};
	const size_t smallest = columns->packed ? SMALLEST : SMALLER;
	const size_t half = ((to - from) / 2 + smallest - 1) / smallest * smallest;

	if (rest.from < rest.to)
		CORE(rectangle)(p, a, to - from, columns, rest, p->c + from * p->ldc + rest.from, p->ldc);
	if (square.from == square.to)
		return;
	if (to - from <= smallest) {
		on_diagonal(p, a, from, to - from, columns, square);
	} else {
		of_triangle(p, a, from, from + half, columns, square);
		of_triangle(p, part_of(a, 0, (int64_t)half), from + half, to, columns, square);
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
