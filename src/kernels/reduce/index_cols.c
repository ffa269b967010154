/* SPDX-License-Identifier: MIT */
/*
 * The positions of the extremes of each column, and the number of its elements that are not 0. Row numbers and counts
 * are lanes of the type in which elements are computed, for ROWS rows at a time, because such a lane holds only small
 * integers exactly. The result of those rows is then merged into y.
 */
#include "index_cols_kernels.h"
#include "of_type.h"

enum { ROWS = 1024 };

/* For each column, the position of the greatest or of the least element, or the number of elements that are not 0. */
enum found { GREATEST, LEAST, NOT_ZERO };

struct bests {
	vec best[4]; /* the best element of each column so far */
	vec at[4];   /* the number of its row among the ROWS rows that are read, or 2 * ROWS if it is in an earlier row */
	vec nan[4];  /* the number of the first row that has a NaN among them, or 2 * ROWS */
};

/* A NaN beats every number. Once a column has one, its best is NaN, which nothing beats. */
ISK_INLINE void merge_positions(int64_t *y, struct bests *b, size_t from, size_t now)
{
	for (size_t i = 0; i < now; i++) {
		const size_t v = i / COUNT, l = i % COUNT;

		if (b->best[v][l] != b->best[v][l])
			continue;
		if (b->nan[v][l] < ROWS) {
			y[i] = (int64_t)from + (int64_t)b->nan[v][l];
			b->best[v][l] = (lane)__builtin_nanf("");
		} else if (b->at[v][l] < ROWS) {
			y[i] = (int64_t)from + (int64_t)b->at[v][l];
		}
	}
}

/* The positions of the extremes of the `now` columns of 1 or 4 vectors. */
ISK_INLINE void positions(int64_t *y, const elem *x, size_t rows, size_t ldx, size_t now, const size_t vectors,
                          const enum found found)
{
	const vec nowhere = splat(2 * ROWS);
	struct bests b;

	for (size_t v = 0; v < vectors; v++)
		b.best[v] = splat(found == GREATEST ? -INFINITE : INFINITE);
	for (size_t i = 0; i < now; i++)
		y[i] = 0;
	for (size_t from = 0; from < rows; from += ROWS) {
		vec row = splat(0);

		for (size_t v = 0; v < vectors; v++)
			b.at[v] = b.nan[v] = nowhere;
		for (size_t r = from; r < rows && r - from < ROWS; r++, x += ldx, row += 1)
#pragma GCC unroll 4
			for (size_t v = 0; v < vectors; v++) {
				const vec e = load(x, v * COUNT, now - v * COUNT);
				const truths better = found == GREATEST ? less(b.best[v], e) : less(e, b.best[v]);

				b.best[v] = choose(better, e, b.best[v]);
				b.at[v] = choose(better, row, b.at[v]);
				b.nan[v] = minimum(choose(unordered(e, e), row, nowhere), b.nan[v]);
			}
		merge_positions(y, &b, from, now);
	}
}

/* Counts the elements of `now` columns that are not 0. */
ISK_INLINE void counts(int64_t *y, const elem *x, size_t rows, size_t ldx, size_t now, const size_t vectors)
{
	for (size_t i = 0; i < now; i++)
		y[i] = 0;
	for (size_t from = 0; from < rows; from += ROWS) {
		vec count[4];

		for (size_t v = 0; v < vectors; v++)
			count[v] = splat(0);
		for (size_t r = from; r < rows && r - from < ROWS; r++, x += ldx)
#pragma GCC unroll 4
			for (size_t v = 0; v < vectors; v++) {
				const vec e = load(x, v * COUNT, now - v * COUNT);

				count[v] += (vec)((__typeof(e != 0))splat(1) & (e != 0));
			}
		for (size_t i = 0; i < now; i++)
			y[i] += (int64_t)count[i / COUNT][i % COUNT];
	}
}

ISK_INLINE void find_some(int64_t *y, const elem *x, size_t rows, size_t ldx, size_t now, const size_t vectors,
                          const enum found found)
{
	if (found == NOT_ZERO)
		counts(y, x, rows, ldx, now, vectors);
	else
		positions(y, x, rows, ldx, now, vectors, found);
}

/* Takes four vectors of columns at a time, and the remaining ones singly. */
ISK_INLINE void find_all(int64_t *y, const elem *x, size_t rows, size_t cols, size_t ldx, const enum found found)
{
	for (; cols >= 4 * COUNT; cols -= 4 * COUNT, x += 4 * COUNT, y += 4 * COUNT)
		find_some(y, x, rows, ldx, 4 * COUNT, 4, found);
	for (; cols >= COUNT; cols -= COUNT, x += COUNT, y += COUNT)
		find_some(y, x, rows, ldx, COUNT, 1, found);
	if (cols)
		find_some(y, x, rows, ldx, cols, 1, found);
}

void KERNEL(argmax_cols)(int64_t *y, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	find_all(y, x, rows, cols, ldx, GREATEST);
}

void KERNEL(argmin_cols)(int64_t *y, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	find_all(y, x, rows, cols, ldx, LEAST);
}

void KERNEL(count_nonzero_cols)(int64_t *y, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	find_all(y, x, rows, cols, ldx, NOT_ZERO);
}
