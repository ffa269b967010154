/* SPDX-License-Identifier: MIT */
/*
 * Reductions of two arrays: dot product, squared distance and cosine, in the tree of sum_tree.h; the distances L1 and Linf;
 * and the sum of squares, which is the dot product of an array with itself. The cosine reads both arrays only once. dot,
 * l2sq and cosine of 16-bit elements are those of f32 for the widened elements. Worst found: dot and sumsq 0.36 (f64,
 * n = 2), l2sq 0.77 (n = 1), l1 0.43 (f32, n = 2), linf 0.5 ulp, because it rounds once.
 */
#include "distances_kernels.h"
#include "of_type.h"
#include "blocks.h"

PART_OF(any_l1, P_L1)
PART_OF(any_linf, P_FARTHEST)

/* With a centre of 1, P_SCALED is the sum of squares. */
PART_OF(any_squares, P_SCALED)

/* The dot product, squared distance and cosine of elements of 16 bits. Those of f32 and f64 have longer code. */
LINES_OF(lines_of_dot, P_DOT)
LINES_OF(lines_of_l2sq, P_L2SQ)
LINES_OF(lines_of_cosine, P_COSINE)

ISK_INLINE lane finished(const lane sum[MAX_SUMS], const enum term term)
{
	return term == COSINE ? cosine_of(sum) : sum[0];
}

ISK_INLINE lane of_blocks(const elem *a, const elem *b, size_t n, const enum term term)
{
	lane sum[MAX_SUMS];

	reduce(sum, a, b, n, 0, term);
	return finished(sum, term);
}

typedef lane reduction(const elem *a, const elem *b, size_t n);

ISK_INLINE lane of_block(const elem *a, const elem *b, size_t n, reduction *longer, const enum term term)
{
	lane sum[MAX_SUMS];

	if (n > block_of(term))
		return longer(a, b, n);
	reduce_short(sum, a, b, n, term);
	return finished(sum, term);
}

/*
 * Moves the code of a function that begins with a cache line by one instruction that does nothing, so that the fold, to
 * which the paths of 2 to 4 lines jump, lies in one cache line and the path of 1 line still in two. Time of f32 with it
 * (Zen 5, avx512, gcc 12): l2sq of 33 to 48 elements and dot of 33 to 64 0.90, others 1.00.
 */
ISK_INLINE void move_code(void)
{
#ifdef ISK_LONG_NOP
	ISK_LONG_NOP;
#endif
}

/* Arrays of f32 and f64 have code of their own for few elements. */
ISK_INLINE lane of_two_arrays(const elem *a, const elem *b, size_t n, reduction *longer, to_lines *lines,
                              const enum term term, const enum part part)
{
	lane sum[MAX_SUMS];

	if (sizeof(elem) == sizeof(lane) && term != COSINE)
		move_code();
	if (sizeof(elem) < sizeof(lane))
		part_all(sum, lines, a, b, n, 1, 1, part);
	else if (is_few(n, term))
		reduce_few(sum, a, b, n, term);
	else
		return longer(a, b, n);
	return finished(sum, term);
}

ISK_LONG static lane long_dot(const elem *a, const elem *b, size_t n)
{
	return of_blocks(a, b, n, DOT);
}

ISK_APART static lane block_dot(const elem *a, const elem *b, size_t n)
{
	return of_block(a, b, n, long_dot, DOT);
}

/* Without this attribute, gcc moves the code for few elements out of dot, so that sumsq shares it, and dot has to jump. */
ISK_APART ISK_FROM_LINE lane KERNEL(dot)(const elem *a, const elem *b, size_t n)
{
	return of_two_arrays(a, b, n, block_dot, lines_of_dot, DOT, P_DOT);
}

ISK_LONG static lane long_l2sq(const elem *a, const elem *b, size_t n)
{
	return of_blocks(a, b, n, L2SQ);
}

ISK_APART static lane block_l2sq(const elem *a, const elem *b, size_t n)
{
	return of_block(a, b, n, long_l2sq, L2SQ);
}

ISK_FROM_LINE lane KERNEL(l2sq)(const elem *a, const elem *b, size_t n)
{
	return of_two_arrays(a, b, n, block_l2sq, lines_of_l2sq, L2SQ, P_L2SQ);
}

ISK_LONG static lane long_cosine(const elem *a, const elem *b, size_t n)
{
	return of_blocks(a, b, n, COSINE);
}

ISK_APART static lane block_cosine(const elem *a, const elem *b, size_t n)
{
	return of_block(a, b, n, long_cosine, COSINE);
}

lane KERNEL(cosine)(const elem *a, const elem *b, size_t n)
{
	return of_two_arrays(a, b, n, block_cosine, lines_of_cosine, COSINE, P_COSINE);
}

lane KERNEL(l1)(const elem *a, const elem *b, size_t n)
{
	return any_l1(a, b, n, 1);
}

lane KERNEL(linf)(const elem *a, const elem *b, size_t n)
{
	return any_linf(a, b, n, 1);
}

lane KERNEL(sumsq)(const elem *x, size_t n)
{
	if (sizeof(elem) < sizeof(lane))
		return of_two_arrays(x, x, n, block_dot, lines_of_dot, DOT, P_DOT);
	return KERNEL(dot)(x, x, n);
}

lane KERNEL(sumsq_strided)(const elem *x, size_t n, size_t incx)
{
	return any_squares(x, NULL, n, incx);
}
