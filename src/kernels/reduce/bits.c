/* SPDX-License-Identifier: MIT */
/*
 * Counts of ones among the bits of bytes: in each pair of bits, then in each four, then
 * in each byte. Up to 31 vectors of such counts are added before they are widened, because
 * 31 * 8 fits in a byte.
 */
#include "bits_kernels.h"
#include "kernel.h"

typedef uint8_t vb __attribute__((vector_size(4 * VL)));
typedef uint16_t vh __attribute__((vector_size(4 * VL)));

/* The number of ones in each byte. */
ISK_INLINE vb ones(vi v)
{
	const vu pairs = (vu)v - ((vu)v >> 1 & 0x55555555);
	const vu fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);

	return (vb)((fours + (fours >> 4)) & 0x0f0f0f0f);
}

enum bits { ALL, DIFFERENT, BOTH };

/* Counts the bits of n bytes that are 1 in a, that differ between a and b, or that are 1 in both. */
ISK_INLINE size_t count(const char *a, const char *b, size_t n, const enum bits bits)
{
	size_t sum = 0;

	while (n) {
		const size_t now = n < 31 * sizeof(vi) ? n : 31 * sizeof(vi);
		vb each = {0};
		vul total;

		for (size_t i = 0; i < now; i += sizeof(vi)) {
			vi v = vi_load_bytes(a + i, now - i);

			if (bits == DIFFERENT)
				v ^= vi_load_bytes(b + i, now - i);
			else if (bits == BOTH)
				v &= vi_load_bytes(b + i, now - i);
			each += ones(v);
		}
		total = (vul)(((vh)each & 0xff) + ((vh)each >> 8));
		total = (total & 0xffff0000ffff) + (total >> 16 & 0xffff0000ffff);
		total += total >> 32;
		for (int i = 0; i < VD; i++)
			sum += (size_t)(total[i] & 0xffffffff);
		n -= now;
		a += now;
		if (bits != ALL)
			b += now;
	}
	return sum;
}

#define ONE(kernel, T, ...)                                                    \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                        \
	{                                                                          \
		return count(x, NULL, n, ALL);                                         \
	}
ISK_EACH_popcount(ONE, )

#define TWO(kernel, T, bits)                                                   \
	size_t ISK_FN(kernel)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n)    \
	{                                                                          \
		return count(a, b, n, bits);                                           \
	}
ISK_EACH_hamming(TWO, DIFFERENT)
ISK_EACH_and_popcount(TWO, BOTH)

/* The bits of either array are those in both and those that differ. */
#define JACCARD(kernel, A, B, C, ...)                                          \
	float ISK_FN(kernel)(const ISK_C_##A *a, const ISK_C_##B *b, size_t n)     \
	{                                                                          \
		const size_t both = ISK_FN(and_popcount_b8)(a, b, n), either = both + ISK_FN(hamming_b8)(a, b, n); \
                                                                               \
		return either ? (float)((double)both / (double)either) : 1;            \
	}
ISK_EACH_jaccard(JACCARD, )
