/* SPDX-License-Identifier: MIT */
/* The gradients of weights and biases: sums over columns. A source that includes it has included of_type.h and sum_tree.h. */
#ifndef ISK_COLUMN_GRADIENTS_H
#define ISK_COLUMN_GRADIENTS_H

/* Sums over columns, one a lane: a vector of dweight and one of dbias. */
struct column_sums {
	vec weight, bias;
};

ISK_INLINE struct column_sums plus(struct column_sums a, struct column_sums b)
{
	return (struct column_sums){a.weight + b.weight, a.bias + b.bias};
}

/* The terms of the sums; mean and rstd have an element for each row or, if by_column, for each column. A NULL mean counts as 0. */
struct column_terms {
	const elem *dy, *x, *mean, *rstd;
	size_t lddy, ldx;
	int by_column;
};

/* The sums of rows r to stop - 1 of n columns from column i on. */
ISK_INLINE struct column_sums sum_rows(const struct column_terms *t, size_t r, size_t stop, size_t i, size_t n)
{
	struct column_sums s = {splat(0), splat(0)};

	for (; r < stop; r++) {
		const vec g = load(t->dy, r * t->lddy + i, n);
		const vec centre = t->by_column ? load(t->mean, i, n) : splat(t->mean ? load_one(t->mean, r) : 0);
		const vec factor = t->by_column ? load(t->rstd, i, n) : splat(load_one(t->rstd, r));
		const vec h = (load(t->x, r * t->ldx + i, n) - centre) * factor;

		s.weight = multiply_add(g, h, s.weight);
		s.bias += g;
	}
	return s;
}

/* The same for all rows: blocks of ROUNDS rows, which are added as the cascade of sum_tree.h adds blocks. */
ISK_APART static struct column_sums sum_columns(const struct column_terms *t, size_t rows, size_t i, size_t n)
{
	struct column_sums level[64], s;
	size_t r = 0, blocks = 0;
	int depth = 0;

	for (; rows - r > ROUNDS; r += ROUNDS) {
		s = sum_rows(t, r, r + ROUNDS, i, n);
		for (size_t bit = blocks++; bit & 1; bit >>= 1)
			s = plus(level[--depth], s);
		level[depth++] = s;
	}
	s = sum_rows(t, r, rows, i, n);
	while (depth)
		s = plus(level[--depth], s);
	return s;
}

#endif
