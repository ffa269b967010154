/* SPDX-License-Identifier: MIT */
/* Pairs of vec_pair.h in memory, half by half, for ISAs whose masked loads and stores are slow or missing. */
#ifndef ISK_PAIR_HALVES_H
#define ISK_PAIR_HALVES_H

/* The last four are in the upper half. */
ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	const v4_mem first = *(const v4_mem *)p, last = *(const v4_mem *)(p + n - 4);

	return __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	*(v4_mem *)p = __builtin_shufflevector(v, v, 0, 1, 2, 3);
	*(v4_mem *)(p + n - 4) = __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

ISK_INLINE void v8_store_half(float *p, v8 v, const int second, size_t n)
{
	const isk_b16 half = second ? (isk_b16)__builtin_shufflevector(v, v, 4, 5, 6, 7)
	                            : (isk_b16)__builtin_shufflevector(v, v, 0, 1, 2, 3);

	isk_store_bytes(p, half, 4 * n);
}

#endif
