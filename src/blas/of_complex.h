/* SPDX-License-Identifier: MIT */
/* The functions of an element that is a complex number. blas.h describes them. */
#ifndef ISK_BLAS_OF_COMPLEX_H
#define ISK_BLAS_OF_COMPLEX_H

typedef BLAS_REAL _Complex elem;
enum { PARTS = 2 };

static inline real re(elem x)
{
	return __real__ x;
}

static inline real im(elem x)
{
	return __imag__ x;
}

static inline elem complex_of(real r, real i)
{
	elem x;

	__real__ x = r;
	__imag__ x = i;
	return x;
}

static inline elem conj_of(elem x)
{
	return complex_of(re(x), -im(x));
}

static inline elem without_im(elem x)
{
	return complex_of(re(x), 0);
}

static inline real cabs1(elem x)
{
	return real_abs(re(x)) + real_abs(im(x));
}

static inline elem mul(elem a, elem b)
{
	return complex_of(re(a) * re(b) - im(a) * im(b), re(a) * im(b) + im(a) * re(b));
}

/* The products of a's real part come first, as in the products of matrices. */
static inline elem madd(elem a, elem b, elem c)
{
	return complex_of(real_fma(-im(a), im(b), real_fma(re(a), re(b), re(c))),
	                  real_fma(im(a), re(b), real_fma(re(a), im(b), im(c))));
}

/* By the quotient of the parts of d, the smaller by the larger, so that no square of a part overflows. */
static inline elem divide(elem x, elem d)
{
	real by, ratio;

	if (real_abs(re(d)) >= real_abs(im(d))) {
		ratio = im(d) / re(d);
		by = re(d) + im(d) * ratio;
		return complex_of((re(x) + im(x) * ratio) / by, (im(x) - re(x) * ratio) / by);
	}
	ratio = re(d) / im(d);
	by = re(d) * ratio + im(d);
	return complex_of((re(x) * ratio + im(x)) / by, (im(x) * ratio - re(x)) / by);
}

#endif
