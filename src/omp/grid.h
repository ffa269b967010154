/* SPDX-License-Identifier: MIT */
/* How a product is cut into shares: a grid of products, rows and columns, whose largest share has the least work. */
#ifndef ISK_GRID_H
#define ISK_GRID_H

#include "threads.h"

/*
 * Work is counted in multiply-adds. Reading an element of A or B counts as COST_A or COST_B of them: about as many as a
 * core computes while a cache line comes from the third-level cache. They differ because B is packed and A is not.
 */
#define ISK_COST_A 32
#define ISK_COST_B 16

/* Columns are split in multiples of 4 panels of a packed matrix, because kernels take 2 or 4 panels at once. */
#define ISK_COLUMNS 64

/* The sizes of a product, or of a share of it: `batch` products of m by k with k by n. */
struct isk_sizes {
	size_t batch, m, n, k;
};

/* The number of shares in each direction. */
struct isk_grid {
	size_t batch, rows, cols;
};

static inline double isk_work_of(struct isk_sizes s)
{
	return (double)s.batch * (double)s.k * ((double)s.m * (double)s.n + ISK_COST_A * (double)s.m + ISK_COST_B * (double)s.n);
}

/* The sizes of the largest share, which is the first. */
static inline struct isk_sizes isk_first_share(struct isk_sizes s, struct isk_grid grid)
{
	return (struct isk_sizes){share(s.batch, 1, 0, grid.batch).count, share(s.m, 1, 0, grid.rows).count,
	                          share(s.n, ISK_COLUMNS, 0, grid.cols).count, s.k};
}

/* The grid of at most `threads` shares whose largest share has the least work. */
static inline struct isk_grid isk_best_grid(struct isk_sizes s, size_t threads)
{
	struct isk_grid best = {1, 1, 1};
	double least = isk_work_of(s);

	for (size_t b = 1; b <= threads && b <= s.batch; b++)
		for (size_t r = 1; r <= threads / b && r <= s.m; r++) {
			const struct isk_grid grid = {b, r, threads / (b * r)};
			const double work = isk_work_of(isk_first_share(s, grid));

			if (work < least) {
				least = work;
				best = grid;
			}
		}
	return best;
}

#endif
