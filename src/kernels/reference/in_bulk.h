/* SPDX-License-Identifier: MIT */
/*
 * The oracles of functions of arrays of f32, for many inputs at once: in double, in
 * loops that the compiler vectorizes. glibc has vector forms of most functions of its libm
 * (libmvec, within 4 ulp); a loop with another function, or without libmvec, is scalar.
 * Tests of all 2^32 inputs use these first, and the plain forms of reference.h if these
 * answers do not decide.
 *
 * The generated bulks.c includes this and defines a function for each such kernel.
 */
#ifndef ISK_IN_BULK_H
#define ISK_IN_BULK_H

/* If this is defined, the headers of glibc declare which functions have vector forms. */
#define __FAST_MATH__ 1
#include <math.h>
#undef __FAST_MATH__
#include <tgmath.h>

#include "args.h"
#include "clones.h"
#include "results.h"

/* Functions that libm has no vector forms of. Oracles use nextafter() only so near a tie that the plain form decides. */
#undef nextafter
#undef fmax
#undef fmin
#define nextafter(x, toward) (x)
#define fmax(a, b)           ISK_SELECT(isk_select_above, fmaxl, a, b)
#define fmin(a, b)           ISK_SELECT(isk_select_below, fminl, a, b)

#define ISK_SELECT(of_double, of_long_double, a, b)                            \
	_Generic((a) + (b), long double: of_long_double, default: of_double)(      \
		(__typeof((a) + (b)))(a), (__typeof((a) + (b)))(b))

static inline double isk_select_above(double a, double b)
{
	return a > b || isnan(b) ? a : b;
}

static inline double isk_select_below(double a, double b)
{
	return a < b || isnan(b) ? a : b;
}

#define ISK_BULK(kernel, shape, answer)                                        \
	ISK_CLONES static void bulk_##kernel(double *restrict answers, const union isk_args *all) \
	{                                                                          \
		const struct isk_args_##shape *args = &all->shape;                     \
		const size_t n = args->n;                                              \
                                                                               \
		_Pragma("omp simd") for (size_t i = 0; i < n; i++) answers[i] = answer; \
	}

#define ISK_BULK_AT(x, i) (double)((const float *)args->x)[i]
#define ISK_BULK_MAP(kernel, shape, op, type)                                  \
	ISK_BULK(kernel, shape, oracle_##op##_plain(ISK_INPUTS_##shape(ISK_BULK_AT, i) ISK_VALUES_##shape(ISK_GIVEN, )))
#define ISK_BULK_QUANTIZE(kernel, shape, op, from, to)                         \
	ISK_BULK(kernel, shape, oracle_##op##_plain(ISK_BULK_AT(x, i), args->scale, args->zero))
#define ISK_BULK_CLASSIFY(kernel, shape, op, type)                             \
	ISK_BULK(kernel, shape, oracle_##op##_plain(ISK_BULK_AT(x, i)))
#define ISK_BULK_COMPARE_TO(kernel, shape, op, type)                           \
	ISK_BULK(kernel, shape, oracle_##op##_plain(ISK_BULK_AT(x, i), args->alpha))
#define ISK_BULK_CVT(kernel, shape, op, from, to)                              \
	ISK_BULK(kernel, shape, oracle_##op##_plain(ISK_BULK_AT(x, i), isk_most_of(to)))

#endif
