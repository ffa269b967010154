/* SPDX-License-Identifier: MIT */
/*
 * A second definition of every kernel: the oracle of its operation, in double precision and
 * with libm, in the form of its shape, rounded once. f64 is computed in long double. Tests
 * compare all variants with these references, because variants are compiled from one source,
 * so that their agreement proves nothing.
 *
 * The generated forms.c includes this and defines the form of each kernel. With ISK_EXACT it has a
 * table of them, for tests, which need results before rounding, and for libisakern-ref.so.
 */
#ifndef ISK_REFERENCE_H
#define ISK_REFERENCE_H

#include <float.h>
#include <tgmath.h>

#include "args.h"
#include "elements.h"
#include "maps.h"
#include "paste.h"
#include "results.h"

#define ISK_UNUSED __attribute__((unused))
/* Forbids inlining. All kernels call these functions, and a copy in each would double their size. */
#define ISK_SHARED __attribute__((unused, noinline))

/* An array of elements, step elements from one to the next. */
struct isk_array {
	const void *x;
	enum isk_type type;
	size_t step;
};

/* The C type, in a struct of arguments, of a value of one of the kernel's types. */
#define ISK_SCALAR(...) double

/* The largest number of a float of at most 8 bits, at which conversions saturate; infinity for other types. */
static inline double isk_most_of(enum isk_type type)
{
	return isk_element_is_float(type) && isk_element_width(type) <= 8
	           ? isk_element_value(type, isk_infinity_bits(type) - 1)
	           : HUGE_VAL;
}

#include "integer_forms.h"

#define REAL     double
#define R(name)  name##_plain
#define ISK_WIDE 0
#include "forms.h"
#undef REAL
#undef R
#undef ISK_WIDE

#define REAL     long double
#define R(name)  name##_wide
#define ISK_WIDE 1
#include "forms.h"
#undef REAL
#undef R
#undef ISK_WIDE

#include "rounded.h"

/* Defines the form of a kernel: the form of its shape, with its types and the oracle of its operation. */
#define ISK_FORM(kernel, shape, op, real, ...)                             \
	static void form_##kernel(struct isk_sink *s, union isk_args *args)        \
	{                                                                          \
		static const enum isk_type types[] = {__VA_ARGS__};                    \
                                                                               \
		form_##shape##_##real(s, types, &args->shape, oracle_##op##_##real);                 \
	}

#ifdef ISK_EXACT
#define ISK_FORMS(...) isk_form *const isk_forms[] = {__VA_ARGS__};
#else
#define ISK_FORMS(...)
#endif

#endif
