/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary of one type of the BLAS. Each source that includes this header is compiled once for each type, of which the
 * build defines the letter (BLAS_TYPE), the C type of its parts (BLAS_REAL), the words of the kernels for them
 * (BLAS_KERNELS, BLAS_BITS), and whether its elements are complex (BLAS_COMPLEX). An editor, for which the build defines nothing, sees d.
 *
 * real elem     a part of an element, and an element; PARTS of them are in one
 * CORE(name)    the function of this type that computes: blas_d_name
 * KERNEL(name)  the function of isakern for parts: isk_name_f64; BITS_KERNEL(name): that for any type of their size;
 *               COMPLEX_KERNEL(name): that for complex numbers of such parts
 *
 * The functions of an element are in of_real.h and of_complex.h:
 *
 * re(x)  conj_of(x)  without_im(x)     the real part, the conjugate, the element with 0 as imaginary part
 * cabs1(x)                             |re| + |im|
 * mul(a, b)                            a * b, each operation rounded
 * madd(a, b, c)                        c + a * b by fused multiply-adds
 * divide(x, d)                         x / d
 *
 * The compiler contracts nothing (-ffp-contract=off), so each operation written here is rounded as it is written.
 */
#ifndef ISK_BLAS_H
#define ISK_BLAS_H

#include <isakern.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BLAS_TYPE
#define BLAS_TYPE    d
#define BLAS_REAL    double
#define BLAS_KERNELS f64
#define BLAS_BITS    b64
#define BLAS_COMPLEX 0
#endif

#define BLAS_PASTE_(a, b, c, d) a##b##c##d
#define BLAS_PASTE(a, b, c, d)  BLAS_PASTE_(a, b, c, d)
#define CORE(name)              BLAS_PASTE(blas_, BLAS_TYPE, _, name)
#define KERNEL(name)            BLAS_PASTE(isk_, name, _, BLAS_KERNELS)
#define COMPLEX_KERNEL(name)    BLAS_PASTE(isk_, name, _c, BLAS_KERNELS)
#define BITS_KERNEL(name)       BLAS_PASTE(isk_, name, _, BLAS_BITS)

/* trans is the sum of those of these that are done to a matrix. */
enum { TRANSPOSED = 1, CONJUGATED = 2, ADJOINT = TRANSPOSED | CONJUGATED };

typedef BLAS_REAL real;

static inline real real_fma(real a, real b, real c)
{
	return sizeof(real) == sizeof(float) ? (real)fmaf((float)a, (float)b, (float)c) : (real)fma((double)a, (double)b, (double)c);
}

static inline real real_abs(real x)
{
	return (real)fabs((double)x);
}

#if BLAS_COMPLEX
#include "of_complex.h"
#else
#include "of_real.h"
#endif

#include "cores.h"

/* The element at which a vector begins: with a negative increment, the last one in memory. */
static inline ptrdiff_t start_of(int64_t n, int64_t inc)
{
	return inc < 0 ? (1 - n) * inc : 0;
}

static inline int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
