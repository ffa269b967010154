/* SPDX-License-Identifier: MIT */
/*
 * One triangle of a matrix of n by n, column by column, however it is stored: whole (lda apart), as a band of k diagonals
 * beside the main one, or packed without gaps. So each routine of level 2 is written once for its three forms.
 */
#ifndef ISK_BLAS_TRIANGLE_H
#define ISK_BLAS_TRIANGLE_H

#include "blas.h"

struct triangle {
	int64_t n, k; /* without a band, k is n */
	int64_t lda;  /* 0: packed */
	int lower;
	int is_band;
};

/* A column: where its element of the diagonal and its other elements lie, and of which rows these are. */
struct column {
	int64_t diagonal, others;
	int64_t first, count;
};

static inline struct triangle whole_triangle(int64_t n, int64_t lda, int lower)
{
	return (struct triangle){.n = n, .k = n, .lda = lda, .lower = lower};
}

static inline struct triangle band_triangle(int64_t n, int64_t k, int64_t lda, int lower)
{
	return (struct triangle){.n = n, .k = k, .lda = lda, .lower = lower, .is_band = 1};
}

static inline struct triangle packed_triangle(int64_t n, int lower)
{
	return (struct triangle){.n = n, .k = n, .lower = lower};
}

static inline struct column column_of(const struct triangle *t, int64_t j)
{
	struct column c;

	if (!t->lda)
		c.diagonal = t->lower ? j * (2 * t->n - j + 1) / 2 : j * (j + 1) / 2 + j;
	else if (t->is_band)
		c.diagonal = j * t->lda + (t->lower ? 0 : t->k);
	else
		c.diagonal = j * t->lda + j;
	c.count = lesser(t->k, t->lower ? t->n - 1 - j : j);
	c.first = t->lower ? j + 1 : j - c.count;
	c.others = t->lower ? c.diagonal + 1 : c.diagonal - c.count;
	return c;
}

#endif
