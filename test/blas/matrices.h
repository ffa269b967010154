/* SPDX-License-Identifier: MIT */
/*
 * Matrices of one type for tests of the BLAS, and what they stand for: op(A) of a general, symmetric, Hermitian or
 * triangular A as a whole matrix in double. LETTER is the type: s, d, c or z.
 */
#ifndef ISK_TEST_BLAS_MATRICES_H
#define ISK_TEST_BLAS_MATRICES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if IS_COMPLEX
typedef REAL _Complex elem;
typedef double _Complex wide;
#else
typedef REAL elem;
typedef double wide;
#endif

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c)  PASTE_(a, b, c)
#define F(name)         PASTE(LETTER, name, _)
#define F64(name)       PASTE(LETTER, name, _64_)
#define C(name)         PASTE(cblas_, LETTER, name)

enum { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };
enum { PAD = 3, UNTOUCHED = 77 };

/* rows by cols as it is stored, PAD more elements from one column to the next than needed. */
struct matrix {
	elem *a;
	int rows, cols, ld;
	int kind;
	char uplo, trans, diag; /* of op(A) */
};

static inline double re_of(wide x)
{
	return (double)x;
}

static inline double im_of(wide x)
{
#if IS_COMPLEX
	return __imag__ x;
#else
	(void)x;
	return 0;
#endif
}

static inline wide conj_of(wide x)
{
#if IS_COMPLEX
	__imag__ x = -__imag__ x;
#endif
	return x;
}

static inline wide real_part(wide x)
{
	return re_of(x);
}

/* Without the care for infinities that makes the compiler's product of complex numbers slow. */
static inline wide times(wide a, wide b)
{
#if IS_COMPLEX
	wide x = 0;

	__real__ x = __real__ a * __real__ b - __imag__ a * __imag__ b;
	__imag__ x = __real__ a * __imag__ b + __imag__ a * __real__ b;
	return x;
#else
	return a * b;
#endif
}

static inline double size_of(wide x)
{
	return fabs(re_of(x)) + fabs(im_of(x));
}

static inline elem number(double r, double i)
{
	elem x = (REAL)r;

#if IS_COMPLEX
	__imag__ x = (REAL)i;
#else
	(void)i;
#endif
	return x;
}

/* The same numbers in [-1, 1) in each run. */
static inline double random_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(int32_t)(state >> 32) / 0x1p31;
}

static inline elem *random_elements(size_t n)
{
	elem *a = malloc((n + 1) * sizeof(elem));

	for (size_t i = 0; i < n; i++) {
		const double r = random_number();

		a[i] = number(r, random_number());
	}
	return a;
}

/* Whether A's element is stored, and not implied by the other triangle or by diag. */
static inline int is_stored(const struct matrix *x, int i, int j)
{
	if (x->kind == GENERAL || i == j)
		return !(x->kind == TRIANGULAR && i == j && x->diag == 'U');
	return x->uplo == 'U' ? i < j : i > j;
}

/* All that must not be read is NaN. */
static inline struct matrix matrix_of(int rows, int cols, int kind, char uplo, char trans, char diag)
{
	struct matrix x = {NULL, rows, cols, rows + PAD, kind, uplo, trans, diag};

	x.a = random_elements((size_t)x.ld * (size_t)cols);
	for (int j = 0; j < cols; j++)
		for (int i = 0; i < x.ld; i++) {
			elem *e = &x.a[j * x.ld + i];

			if (i >= rows || !is_stored(&x, i, j))
				*e = number(nan(""), nan(""));
			else if (kind == TRIANGULAR)
				*e = i == j ? number(2, .5) : *e * (REAL)(1. / rows);
			else if (kind == HERMITIAN && i == j)
				*e = number(re_of(*e), nan(""));
		}
	return x;
}

/* A general matrix of m by n after trans. */
static inline struct matrix general(int m, int n, char trans)
{
	return trans == 'N' ? matrix_of(m, n, GENERAL, 0, trans, 0) : matrix_of(n, m, GENERAL, 0, trans, 0);
}

static inline wide element(const struct matrix *x, int i, int j)
{
	const elem *a = x->a;

	if (is_stored(x, i, j))
		return x->kind == HERMITIAN && i == j ? real_part(a[j * x->ld + i]) : (wide)a[j * x->ld + i];
	if (x->kind == TRIANGULAR)
		return i == j;
	return x->kind == HERMITIAN ? conj_of(a[i * x->ld + j]) : (wide)a[i * x->ld + j];
}

/* op(A) by columns without gaps. */
static inline wide *whole(const struct matrix *x)
{
	const int rows = x->trans == 'N' ? x->rows : x->cols, cols = x->trans == 'N' ? x->cols : x->rows;
	wide *to = malloc((size_t)rows * (size_t)cols * sizeof(wide));

	for (int j = 0; j < cols; j++)
		for (int i = 0; i < rows; i++) {
			const wide e = x->trans == 'N' ? element(x, i, j) : element(x, j, i);

			to[j * rows + i] = x->trans == 'C' ? conj_of(e) : e;
		}
	return to;
}

#endif
