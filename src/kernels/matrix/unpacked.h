/* SPDX-License-Identifier: MIT */
/* The arguments of a product of unpacked matrices, between matmul.c and the sources that make products of it. */
#ifndef ISK_UNPACKED_H
#define ISK_UNPACKED_H

#include "of_type.h"
#include "tile.h"

/* The 32-bit words of a number, and the most columns of a tile. */
#define WORDS   (sizeof(lane) / 4)
#define COLUMNS (CHUNK / WORDS)

struct matmul;

/*
 * Writes `deep` rows of B, from row `at` on, to rows of COLUMNS numbers: `width` columns from column `col` on, and any
 * numbers behind them up to a whole vector.
 */
typedef void copy_b_fn(lane *to, const struct matmul *p, size_t at, size_t col, size_t deep, size_t width);

struct matmul {
	lane *c;
	const lane *a, *b;
	size_t m, n, k, ldc, lda, ldb;
	unsigned transposed;
	const struct isk_post *post;
	copy_b_fn *copy;  /* makes a B that has no rows in memory; NULL: B is b */
	const void *made; /* what copy() makes B from */
};

/* Computes a product whose arguments are in order, with m and n above 0, by copies of parts of B. */
typedef void multiply_copied_fn(const struct matmul *p);

/*
 * Computes a product without post-operations of up to COLUMNS columns, of which A and B are read in place. transposed may have
 * MORE: the sums continue from the values in C.
 */
typedef void multiply_in_place_fn(const struct matmul *p);

#endif
