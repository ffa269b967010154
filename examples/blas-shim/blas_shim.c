/* SPDX-License-Identifier: MIT */
/*
 * libisakern-blas.so: single precision of the BLAS on isakern, to be preloaded into a program that has it
 * from another library:
 *
 *     LD_PRELOAD=libisakern-blas.so program
 *
 * It takes over sgemm, sgemv, sdot, saxpy, sscal, snrm2, sasum and isamax, in their Fortran and C forms. All
 * other routines stay with the other library. A matrix stored by columns is the transpose of one stored by
 * rows, so C = A * B is computed as C' = B' * A', by isk_matmul_f32. With ISAKERN_BLAS_COUNT in the
 * environment the library prints the number of calls of each routine on standard error at exit.
 *
 * A wrong argument goes to xerbla_, as in the reference BLAS. The program may have its own; that of this
 * library prints a line and ends the program.
 */
#include <isakern.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Constants of cblas.h. */
enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113 };

enum routine { SGEMM, SGEMV, SDOT, SAXPY, SSCAL, SNRM2, SASUM, ISAMAX, ROUTINES };

static atomic_ulong calls[ROUTINES];

static void count(enum routine routine)
{
	atomic_fetch_add_explicit(&calls[routine], 1, memory_order_relaxed);
}

__attribute__((destructor)) static void tell(void)
{
	static const char names[ROUTINES][8] = {"sgemm", "sgemv", "sdot",  "saxpy",
	                                        "sscal", "snrm2", "sasum", "isamax"};

	if (!getenv("ISAKERN_BLAS_COUNT"))
		return;
	fprintf(stderr, "libisakern-blas at %s:", isk_isa_current());
	for (int i = 0; i < ROUTINES; i++)
		fprintf(stderr, " %s %lu", names[i], atomic_load(&calls[i]));
	fprintf(stderr, "\n");
}

EXPORT void xerbla_(const char *routine, const int *info, size_t length)
{
	fprintf(stderr, " ** On entry to %.*s parameter number %d had an illegal value\n", (int)length, routine,
	        *info);
	exit(1);
}

EXPORT void cblas_xerbla(int info, const char *routine, const char *form, ...)
{
	va_list arguments;

	va_start(arguments, form);
	if (info)
		fprintf(stderr, "Parameter %d to routine %s was incorrect\n", info, routine);
	vfprintf(stderr, form, arguments);
	va_end(arguments);
	exit(1);
}

static void refuse(const char *routine, int info)
{
	xerbla_(routine, &info, strlen(routine));
}

/* All other errors have been refused before, so this is lack of memory, or a size that no matrix in memory has. */
static void fail(const char *what)
{
	fprintf(stderr, "libisakern-blas: %s\n", what);
	abort();
}

/* 0 for N, 1 for T and C, in either case, else -1. */
static int transposed(char letter)
{
	letter &= ~0x20;
	return letter == 'N' ? 0 : letter == 'T' || letter == 'C' ? 1 : -1;
}

/* The letter of a C constant; 0 if there is none. */
static char letter_of(int constant)
{
	return constant == NO_TRANS ? 'N' : constant == TRANS ? 'T' : constant == CONJ_TRANS ? 'C' : 0;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Scales m vectors of n elements. With a factor of 0 the elements are not read, so that a NaN becomes 0. */
static void scale(float *x, int m, int n, int ldx, float factor)
{
	for (int i = 0; i < m; i++, x += ldx)
		for (int j = 0; j < n; j++)
			x[j] = factor == 0 ? 0 : factor * x[j];
}

/* C (m by n, by rows) = alpha * A * B + beta * C */
static void multiply(float *c, const float *a, const float *b, int m, int n, int k, int ldc, int lda, int ldb,
                     unsigned transposed, float alpha, float beta)
{
	const struct isk_post post = {.size = sizeof(post), .scale = &alpha, .scales = alpha != 1, .other = c,
	                              .binary = beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE,
	                              .ldother = (size_t)ldc, .other_scale = (double)beta};
	const int plain = !post.scales && !post.binary;
	const int status = isk_matmul_f32(c, a, b, (size_t)m, (size_t)n, (size_t)k, (size_t)ldc, (size_t)lda,
	                                  (size_t)ldb, transposed, plain ? NULL : &post);

	if (status)
		fail(isk_strerror(status));
}

EXPORT void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
                   const float *beta, float *c, const int *ldc)
{
	const int ta = transposed(*transa), tb = transposed(*transb);
	int info = 0;

	count(SGEMM);
	if (ta < 0)
		info = 1;
	else if (tb < 0)
		info = 2;
	else if (*m < 0)
		info = 3;
	else if (*n < 0)
		info = 4;
	else if (*k < 0)
		info = 5;
	else if (*lda < larger(1, ta ? *k : *m))
		info = 8;
	else if (*ldb < larger(1, tb ? *n : *k))
		info = 10;
	else if (*ldc < larger(1, *m))
		info = 13;
	if (info) {
		refuse("SGEMM ", info);
		return;
	}
	if (!*m || !*n)
		return;
	if (*alpha == 0 || !*k) {
		if (*beta != 1)
			scale(c, *n, *m, *ldc, *beta);
		return;
	}
	multiply(c, b, a, *n, *m, *k, *ldc, *ldb, *lda,
	         (tb ? ISK_TRANSPOSED_A : 0u) | (ta ? ISK_TRANSPOSED_B : 0u), *alpha, *beta);
}

EXPORT void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a,
                        int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
	const char ta = letter_of(transa), tb = letter_of(transb);

	if (order != ROW_MAJOR && order != COLUMN_MAJOR)
		cblas_xerbla(1, "cblas_sgemm", "Illegal Order setting, %d\n", order);
	else if (!ta)
		cblas_xerbla(2, "cblas_sgemm", "Illegal TransA setting, %d\n", transa);
	else if (!tb)
		cblas_xerbla(3, "cblas_sgemm", "Illegal TransB setting, %d\n", transb);
	else if (order == COLUMN_MAJOR)
		sgemm_(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
	else
		sgemm_(&tb, &ta, &n, &m, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc);
}

/* The address of a vector's first element, which with a negative increment is at its far end. */
static const float *first(const float *x, int n, int inc)
{
	return inc < 0 ? x + (ptrdiff_t)(1 - n) * inc : x;
}

/* The elements without gaps: in place, or copied to memory that the caller frees. */
static float *gather(const float *x, int n, int inc)
{
	float *copy;

	if (inc == 1)
		return (float *)(uintptr_t)x;
	copy = malloc((size_t)n * sizeof(*copy));
	if (!copy)
		fail("no memory");
	x = first(x, n, inc);
	for (int i = 0; i < n; i++, x += inc)
		copy[i] = *x;
	return copy;
}

EXPORT void sgemv_(const char *trans, const int *m, const int *n, const float *alpha, const float *a,
                   const int *lda, const float *x, const int *incx, const float *beta, float *y,
                   const int *incy)
{
	const int t = transposed(*trans), wide = t > 0 ? *n : *m, deep = t > 0 ? *m : *n;
	int info = 0;
	float *from, *to, *at;

	count(SGEMV);
	if (t < 0)
		info = 1;
	else if (*m < 0)
		info = 2;
	else if (*n < 0)
		info = 3;
	else if (*lda < larger(1, *m))
		info = 6;
	else if (*incx == 0)
		info = 8;
	else if (*incy == 0)
		info = 11;
	if (info) {
		refuse("SGEMV ", info);
		return;
	}
	if (!*m || !*n || (*alpha == 0 && *beta == 1))
		return;
	at = (float *)(uintptr_t)first(y, wide, *incy);
	if (*alpha == 0) {
		scale(at, wide, 1, *incy, *beta);
		return;
	}
	from = gather(x, deep, *incx);
	to = gather(y, wide, *incy);
	multiply(to, from, a, 1, wide, deep, wide, deep, *lda, t ? ISK_TRANSPOSED_B : 0, *alpha, *beta);
	if (from != x)
		free(from);
	if (to != y) {
		for (int i = 0; i < wide; i++, at += *incy)
			*at = to[i];
		free(to);
	}
}

EXPORT void cblas_sgemv(int order, int trans, int m, int n, float alpha, const float *a, int lda,
                        const float *x, int incx, float beta, float *y, int incy)
{
	const char t = letter_of(trans), other = t == 'N' ? 'T' : 'N';

	if (order != ROW_MAJOR && order != COLUMN_MAJOR)
		cblas_xerbla(1, "cblas_sgemv", "Illegal Order setting, %d\n", order);
	else if (!t)
		cblas_xerbla(2, "cblas_sgemv", "Illegal TransA setting, %d\n", trans);
	else if (order == COLUMN_MAJOR)
		sgemv_(&t, &m, &n, &alpha, a, &lda, x, &incx, &beta, y, &incy);
	else
		sgemv_(&other, &n, &m, &alpha, a, &lda, x, &incx, &beta, y, &incy);
}

EXPORT float cblas_sdot(int n, const float *x, int incx, const float *y, int incy)
{
	double sum = 0;

	count(SDOT);
	if (n <= 0)
		return 0;
	if (incx == 1 && incy == 1)
		return isk_dot_f32(x, y, (size_t)n);
	x = first(x, n, incx);
	y = first(y, n, incy);
	for (int i = 0; i < n; i++, x += incx, y += incy)
		sum += (double)*x * (double)*y;
	return (float)sum;
}

EXPORT float sdot_(const int *n, const float *x, const int *incx, const float *y, const int *incy)
{
	return cblas_sdot(*n, x, *incx, y, *incy);
}

EXPORT void cblas_saxpy(int n, float alpha, const float *x, int incx, float *y, int incy)
{
	count(SAXPY);
	if (n <= 0 || alpha == 0)
		return;
	x = first(x, n, incx);
	y = (float *)(uintptr_t)first(y, n, incy);
	for (int i = 0; i < n; i++, x += incx, y += incy)
		*y += alpha * *x;
}

EXPORT void saxpy_(const int *n, const float *alpha, const float *x, const int *incx, float *y,
                   const int *incy)
{
	cblas_saxpy(*n, *alpha, x, *incx, y, *incy);
}

EXPORT void cblas_sscal(int n, float alpha, float *x, int incx)
{
	count(SSCAL);
	for (int i = 0; i < n && incx > 0; i++, x += incx)
		*x *= alpha;
}

EXPORT void sscal_(const int *n, const float *alpha, float *x, const int *incx)
{
	cblas_sscal(*n, *alpha, x, *incx);
}

/* In double precision no square of a float overflows or vanishes, nor does a sum of 2^31 of them. */
EXPORT float cblas_snrm2(int n, const float *x, int incx)
{
	double sum = 0;

	count(SNRM2);
	if (n <= 0)
		return 0;
	x = first(x, n, incx);
	for (int i = 0; i < n; i++, x += incx)
		sum += (double)*x * (double)*x;
	return (float)sqrt(sum);
}

EXPORT float snrm2_(const int *n, const float *x, const int *incx)
{
	return cblas_snrm2(*n, x, *incx);
}

EXPORT float cblas_sasum(int n, const float *x, int incx)
{
	double sum = 0;

	count(SASUM);
	for (int i = 0; i < n && incx > 0; i++, x += incx)
		sum += fabs((double)*x);
	return (float)sum;
}

EXPORT float sasum_(const int *n, const float *x, const int *incx)
{
	return cblas_sasum(*n, x, *incx);
}

/* Counted from 1; 0 if n is 0. */
EXPORT int isamax_(const int *n, const float *x, const int *incx)
{
	int best = 1;
	float most;

	count(ISAMAX);
	if (*n < 1 || *incx <= 0)
		return 0;
	most = fabsf(*x);
	for (int i = 1; i < *n; i++) {
		x += *incx;
		if (fabsf(*x) > most) {
			most = fabsf(*x);
			best = i + 1;
		}
	}
	return best;
}

EXPORT size_t cblas_isamax(int n, const float *x, int incx)
{
	const int i = isamax_(&n, x, &incx);

	return i ? (size_t)i - 1 : 0;
}
