/* SPDX-License-Identifier: MIT */
/* The functions of an element that is a real number. blas.h describes them. */
#ifndef ISK_BLAS_OF_REAL_H
#define ISK_BLAS_OF_REAL_H

typedef real elem;
enum { PARTS = 1 };

static inline real re(elem x)
{
	return x;
}

static inline elem conj_of(elem x)
{
	return x;
}

static inline elem without_im(elem x)
{
	return x;
}

static inline real cabs1(elem x)
{
	return real_abs(x);
}

static inline elem mul(elem a, elem b)
{
	return a * b;
}

static inline elem madd(elem a, elem b, elem c)
{
	return real_fma(a, b, c);
}

static inline elem divide(elem x, elem d)
{
	return x / d;
}

#endif
