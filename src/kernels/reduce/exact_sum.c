/* SPDX-License-Identifier: MIT */
/* Sums and dot products, rounded once, so that their order does not matter: accumulate.c adds the terms as integers. */
#include "exact_sum_kernels.h"
#include "of_type.h"
#include "part.h"
#include "fixed_point.h"

ISK_EXTERN isk_accumulate_fn ISK_PART(accumulate, accumulate_f32), ISK_PART(accumulate, accumulate_f64);

ISK_INLINE elem exact(const elem *a, const elem *b, size_t n)
{
	enum { IS_F32 = TYPE == ISK_F32, WORDS = IS_F32 ? ISK_ACC_F32_WORDS : ISK_ACC_F64_WORDS };
	uint64_t word[WORDS] = {0};
	uint32_t flags = 0;

	if (IS_F32)
		ISK_PART(accumulate, accumulate_f32)(word, &flags, a, b, n);
	else
		ISK_PART(accumulate, accumulate_f64)(word, &flags, a, b, n);
	if (flags)
		return (elem)isk_special(flags);
	return IS_F32 ? (elem)isk_fixed_rounded(word, WORDS, ISK_LOWEST_F32, 24, -149)
	              : (elem)isk_fixed_rounded(word, WORDS, ISK_LOWEST_F64, 53, -1074);
}

elem KERNEL(sum_exact)(const elem *x, size_t n)
{
	return exact(x, NULL, n);
}

elem KERNEL(dot_exact)(const elem *a, const elem *b, size_t n)
{
	return exact(a, b, n);
}
