/* SPDX-License-Identifier: MIT */
/*
 * A pair is rotated by a rounded product and a fused multiply-add: one term is rounded
 * twice and the other once, or at baseline both twice. Both layouts round alike. Worst error
 * found: 1.84 eps * (|a * c| + |b * s|), at baseline 1.92.
 */
#include "rope_kernels.h"
#include "loops.h"

/* Rotates n <= VL pairs whose elements are in the two halves of a row. */
ISK_INLINE void turn_halves(void *y, const void *x, const float *cosine, const float *sine, size_t pairs, size_t i,
                            size_t n, const enum isk_type type)
{
	const vf c = vf_load_as(cosine, i, n, ISK_F32), s = vf_load_as(sine, i, n, ISK_F32);
	const vf a = vf_load_as(x, i, n, type), b = vf_load_as(x, i + pairs, n, type);

	vf_store_as(y, i, vf_fma(a, c, -(b * s)), n, type);
	vf_store_as(y, i + pairs, vf_fma(b, c, a * s), n, type);
}

/*
 * Rotates n <= VL / 2 adjacent pairs. c has each cosine twice, s each sine twice, the first one negative; sines are
 * multiplied by the other element of the pair.
 */
ISK_INLINE void turn_pairs(void *y, const void *x, const float *cosine, const float *sine, size_t i, size_t n,
                           const enum isk_type type)
{
	const vi twice = vi_iota() >> 1;
	const vf c = vf_lanes(vf_load_n(cosine + i, n), twice);
	const vf s = vi_float(vf_bits(vf_lanes(vf_load_n(sine + i, n), twice)) ^ (~vi_iota() << 31));
	const vf x_pairs = vf_load_as(x, 2 * i, 2 * n, type);

	vf_store_as(y, 2 * i, vf_fma(x_pairs, c, vf_swap_pairs(x_pairs) * s), 2 * n, type);
}

ISK_INLINE void rope(char *y, const char *x, const float *cosine, const float *sine, size_t rows, size_t cols,
                     size_t pairs, size_t ldy, size_t ldx, size_t ldt, const int halves, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);

	pairs = pairs < cols / 2 ? pairs : cols / 2;
	if (!cols)
		return;
	for (; rows; rows--, y += ldy * bytes, x += ldx * bytes, cosine += ldt, sine += ldt) {
		size_t i = 0;

		if (halves) {
			for (; i + VL <= pairs; i += VL)
				turn_halves(y, x, cosine, sine, pairs, i, VL, type);
			if (i < pairs)
				turn_halves(y, x, cosine, sine, pairs, i, pairs - i, type);
		} else {
			for (; i + VL / 2 <= pairs; i += VL / 2)
				turn_pairs(y, x, cosine, sine, i, VL / 2, type);
			if (i < pairs)
				turn_pairs(y, x, cosine, sine, i, pairs - i, type);
		}
		for (size_t at = 2 * pairs * bytes; x != y && at < cols * bytes; at += 4 * VL)
			vi_store_bytes(y + at, vi_load_bytes(x + at, cols * bytes - at), cols * bytes - at);
	}
}

#define ROPE(kernel, T, halves)                                                \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const float *cosine, const float *sine, size_t rows, \
	                    size_t cols, size_t pairs, size_t ldy, size_t ldx, size_t ldt) \
	{                                                                          \
		rope((char *)y, (const char *)x, cosine, sine, rows, cols, pairs, ldy, ldx, ldt, halves, ISK_ENUM_##T); \
	}
ISK_EACH_rope_halves(ROPE, 1)
ISK_EACH_rope_pairs(ROPE, 0)
