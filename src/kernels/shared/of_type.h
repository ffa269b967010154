/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary of one element type. A source that includes this header is compiled once for each ISA and each type that
 * its rows in kernels.tbl list: the build defines ISK_T, such as bf16, and ISK_TYPES, the end of the kernels' names. An
 * editor, for which the build defines nothing, sees the first type of the first row.
 *
 * elem                    an element in memory
 * lane, vec, truths       the number that computes with an element, a vector of COUNT lanes, a truth for each lane
 * TYPE                    the type as a value of enum isk_type
 * KERNEL(op)              the name of the kernel: isk_op_bf16__avx2
 * load(p, i, n)           elements i to i + n - 1 of p, and 0 in the lanes beyond n
 * store(p, i, v, n)       the first n lanes of v, rounded to elem, to p from element i on
 * load_one store_one      the same for one element and a number
 * load_lanes store_lanes  load() and store() of numbers, which are wider than elements of 16 bits
 * splat(x)                x in all lanes
 * first_lanes(v, n, x)    v in the first n lanes, x in the lanes beyond n
 * multiply_add(a, b, c)   a * b + c, rounded once if the ISA has fused multiply-add
 * minimum(a, b)           a < b ? a : b in each lane, thus b where a lane is NaN
 * maximum(a, b)           a > b ? a : b
 * magnitude(v)            |v| in each lane
 * choose(m, a, b)         m ? a : b in each lane
 * less unordered(a, b)    a < b, and whether a or b is NaN, in each lane
 * any(m)                  whether one of the truths is true
 * INFINITE                infinity as a number
 *
 * load() and store() touch the first n elements alone; if n >= COUNT, they touch COUNT elements.
 */
#ifndef ISK_OF_TYPE_H
#define ISK_OF_TYPE_H

#include "kernel.h"

#ifndef ISK_T
#error "of_type.h: the source itself includes it; if this one does, configure the build again (meson setup --reconfigure)"
#endif

/* The masks of the vectors that element_types.h names by the letters f and d. */
#define ISK_MASK_f vm
#define ISK_MASK_d vmd

#define ISK_LANE       ISK_PASTE2(ISK_LANE_, ISK_T)
#define ISK_WORD(name) ISK_PASTE2(ISK_PASTE2(v, ISK_LANE), _##name)
#define ISK_MASK(name) ISK_PASTE2(ISK_PASTE2(ISK_MASK_, ISK_LANE), _##name)

typedef ISK_PASTE2(ISK_C_, ISK_T) elem;
typedef ISK_PASTE2(v, ISK_LANE) vec;
typedef ISK_PASTE2(ISK_MASK_, ISK_LANE) truths;
typedef __typeof((vec){0}[0]) lane;
enum { COUNT = sizeof(vec) / sizeof(lane) };

#define TYPE       ISK_PASTE2(ISK_ENUM_, ISK_T)
#define INFINITE   ((lane)__builtin_inff())
#define KERNEL(op) ISK_PASTE4(ISK_PREFIX, _##op##_, ISK_TYPES, ISK_PASTE2(__, ISK_ISA))

ISK_INLINE vec splat(lane x)
{
	return ISK_WORD(set1)(x);
}

ISK_INLINE vec load(const elem *p, size_t i, size_t n)
{
	return ISK_WORD(load_as)(p, i, n, TYPE);
}

ISK_INLINE void store(elem *p, size_t i, vec v, size_t n)
{
	ISK_WORD(store_as)(p, i, v, n, TYPE);
}

ISK_INLINE vec load_lanes(const lane *p, size_t i, size_t n)
{
	return n >= COUNT ? ISK_WORD(load)(p + i) : ISK_WORD(load_n)(p + i, n);
}

ISK_INLINE void store_lanes(lane *p, size_t i, vec v, size_t n)
{
	if (n >= COUNT)
		ISK_WORD(store)(p + i, v);
	else
		ISK_WORD(store_n)(p + i, v, n);
}

ISK_INLINE lane load_one(const elem *p, size_t i)
{
	return load(p, i, 1)[0];
}

ISK_INLINE void store_one(elem *p, size_t i, lane x)
{
	store(p, i, splat(x), 1);
}

ISK_INLINE vec first_lanes(vec v, size_t n, lane x)
{
	return n >= COUNT ? v : ISK_WORD(sel)(ISK_MASK(first)(n), v, splat(x));
}

ISK_INLINE vec multiply_add(vec a, vec b, vec c)
{
	return ISK_WORD(fma)(a, b, c);
}

ISK_INLINE vec minimum(vec a, vec b)
{
	return ISK_WORD(min)(a, b);
}

ISK_INLINE vec maximum(vec a, vec b)
{
	return ISK_WORD(max)(a, b);
}

ISK_INLINE vec magnitude(vec v)
{
	return ISK_WORD(abs)(v);
}

ISK_INLINE vec choose(truths m, vec a, vec b)
{
	return ISK_WORD(sel)(m, a, b);
}

ISK_INLINE truths less(vec a, vec b)
{
	return ISK_WORD(lt)(a, b);
}

ISK_INLINE truths unordered(vec a, vec b)
{
	return ISK_WORD(unordered)(a, b);
}

ISK_INLINE int any(truths m)
{
	return ISK_MASK(any)(m);
}

#endif
