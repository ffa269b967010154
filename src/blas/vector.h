/* SPDX-License-Identifier: MIT */
/* Vectors without gaps, and the two operations of level 2 on them. */
#ifndef ISK_BLAS_VECTOR_H
#define ISK_BLAS_VECTOR_H

#include "blas.h"
#include "threads.h"

/*
 * Bytes of a matrix that each thread must have. One core reads them in 2 us from its second-level cache, and a thread that
 * still spins begins in .6 us (threads.h). LAPACK calls level 2 so often that its threads seldom sleep.
 */
enum { MATRIX_BYTES_A_THREAD = 64 << 10 };

/* The number of threads for a routine that reads this many elements of a matrix. */
static inline size_t threads_for(int64_t elements)
{
	return isk_threads_for((double)elements * sizeof(elem), MATRIX_BYTES_A_THREAD);
}

/*
 * Calls body(data, j) for each column j < n on `threads` threads, which take several columns at a time, because short ones
 * take less time than to agree on the next one.
 */
void CORE(each_column)(int64_t n, size_t threads, void (*body)(const void *data, size_t j), const void *data);

/* Room for a copy of a vector: few elements lie in it, more in memory from malloc(). */
struct copy {
	elem few[128];
	elem *all; /* the copy; NULL if there is none */
};

/* Room for n elements in a copy, which is that copy then. */
elem *CORE(room_for)(struct copy *copy, int64_t n);

/*
 * The n elements without gaps: x itself if it has none, else a copy, conjugated if asked. The caller ends with drop().
 */
const elem *CORE(gather)(struct copy *copy, const elem *x, int64_t n, int64_t inc, int conjugated);
void CORE(drop)(struct copy *copy);

/* A vector that is read and written: as gather(), and put_back() writes a copy's elements to y and drops the copy. */
elem *CORE(take)(struct copy *copy, elem *y, int64_t n, int64_t inc);
void CORE(put_back)(struct copy *copy, elem *y, int64_t n, int64_t inc);

/* y = alpha * y; an alpha of 0 writes zeros and reads nothing. */
void CORE(times)(elem *y, int64_t n, elem alpha);

/* y = y + alpha * x, as madd(); x conjugated if asked. */
void CORE(add)(elem *y, const elem *x, int64_t n, elem alpha, int conjugated);

/* The sum of a[i] * x[i], a conjugated if asked, in the order that README.md states for dot and dotu. */
elem CORE(inner)(const elem *a, const elem *x, int64_t n, int conjugated);

#endif
