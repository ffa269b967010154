/* SPDX-License-Identifier: MIT */
/*
 * Exact sums of products of bytes. Even and odd bytes are widened apart to 16 bits, and their
 * products are added in pairs. Sums of 32 bits are modulo 2^32; those of the cosine
 * are added to sums of 64 bits before they could overflow.
 */
#include "dot8_kernels.h"
#include "kernel.h"

typedef int16_t words __attribute__((vector_size(4 * VL)));

/* The even bytes, or the odd ones, each in 16 bits. */
ISK_INLINE words half_of(vi v, const int odd, const int is_signed)
{
	if (is_signed)
		return (odd ? (words)v : (words)v << 8) >> 8;
	return (words)(odd ? (vi)((vu)v >> 8) & 0x00ff00ff : v & 0x00ff00ff);
}

enum sum8 { DOT8, L2SQ8, COSINE8 };

struct sums8 {
	int64_t ab, aa, bb;
};

ISK_INLINE int64_t total(vu v, const int is_signed)
{
	int64_t sum = 0;

	for (int i = 0; i < VL; i++)
		sum += is_signed ? (int64_t)(int32_t)v[i] : (int64_t)v[i];
	return sum;
}

/* The sums of n bytes. Beyond 2^12 vectors, they are correct only modulo 2^32, because lanes overflow. */
ISK_INLINE struct sums8 block8(const char *a, const char *b, size_t n, const enum sum8 what, const int a_signed,
                               const int b_signed)
{
	vu ab = {0}, aa = {0}, bb = {0};

	for (size_t i = 0; i < n; i += sizeof(vi)) {
		const vi x = vi_load_bytes(a + i, n - i), y = vi_load_bytes(b + i, n - i);

#pragma GCC unroll 2
		for (int odd = 0; odd < 2; odd++) {
			const words p = half_of(x, odd, a_signed), q = half_of(y, odd, b_signed);

			if (what == L2SQ8) {
				ab += (vu)vi_multiply_pairs((vi)(p - q), (vi)(p - q));
				continue;
			}
			ab += (vu)vi_multiply_pairs((vi)p, (vi)q);
			if (what == COSINE8) {
				aa += (vu)vi_multiply_pairs((vi)p, (vi)p);
				bb += (vu)vi_multiply_pairs((vi)q, (vi)q);
			}
		}
	}
	return (struct sums8){total(ab, a_signed || b_signed), total(aa, 0), total(bb, 0)};
}

#define SUM8(kernel, A, B, C, what)                                            \
	int32_t ISK_FN(kernel)(const ISK_C_##A *a, const ISK_C_##B *b, size_t n)   \
	{                                                                          \
		return (int32_t)block8((const char *)a, (const char *)b, n, what, ISK_ENUM_##A == ISK_S8, ISK_ENUM_##B == ISK_S8).ab; \
	}
ISK_EACH_dot(SUM8, DOT8)
ISK_EACH_l2sq(SUM8, L2SQ8)

#define BLOCK ((size_t)sizeof(vi) << 12)

ISK_INLINE float cosine(const char *a, const char *b, size_t n, const int a_signed, const int b_signed)
{
	int64_t ab = 0, aa = 0, bb = 0;

	for (size_t i = 0; i < n; i += BLOCK) {
		const struct sums8 s = block8(a + i, b + i, n - i < BLOCK ? n - i : BLOCK, COSINE8, a_signed, b_signed);

		ab += s.ab;
		aa += s.aa;
		bb += s.bb;
	}
	return aa && bb ? (float)((double)ab / (__builtin_sqrt((double)aa) * __builtin_sqrt((double)bb))) : 0;
}

#define COSINE(kernel, A, B, C, ...)                                           \
	float ISK_FN(kernel)(const ISK_C_##A *a, const ISK_C_##B *b, size_t n)     \
	{                                                                          \
		return cosine((const char *)a, (const char *)b, n, ISK_ENUM_##A == ISK_S8, ISK_ENUM_##B == ISK_S8); \
	}
ISK_EACH_cosine(COSINE, )
