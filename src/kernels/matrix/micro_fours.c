/* SPDX-License-Identifier: MIT */
/*
 * Micro-kernels that multiply four u8 by four s8, and the packing of A for them. Sums of
 * unsigned by signed bytes are modulo 2^32, so their order is free; additions that may wrap
 * are unsigned. Packing flips the sign bits of a signed A, which makes it A + 128, with a
 * zero point 128 higher. If vi_dot takes signed bytes, packing flips an unsigned A instead,
 * with a zero point 128 lower. For the zero points za and zb
 *
 *     sum (a - za)(b - zb) = sum ab - za * sum b - zb * (sum a - k * za)
 *
 * The packed matrix holds sum b, from which the sums start; sum a is computed only if B has
 * a zero point.
 */
#include "micro.h"

micro_fn ISK_FN(micro_fours);
pack_fn ISK_FN(pack_fours);
row_sums_fn ISK_FN(row_sums_fours);

DEFINE_MICRO(micro_fours, FOURS, PACKED)

#if VI_DOT_STEPS == 1 && !VI_DOT_IS_SIGNED
/* Reads the image in place, if one instruction multiplies four channels. */
micro_fn ISK_FN(direct_fours);
DEFINE_MICRO(direct_fours, FOURS, DIRECT)
#endif

/* Packs n <= 4 * VL bytes as words of four, or as the two words that vi_dot takes one after the other. */
ISK_INLINE void pack_vector(float *to, const unsigned char *x, size_t n, vi flip)
{
	const vi v = vi_load_bytes(x, n) ^ flip;

	if (VI_DOT_STEPS == 1)
		vi_store((int32_t *)to, v);
	else
		vi_store_pairs((int32_t *)to, vi_dot_a(v, 0), vi_dot_a(v, 1));
}

void ISK_FN(pack_fours)(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                        size_t k)
{
	/* If words become two each, patches are copied to the second half of a row, so that no unread byte is overwritten. */
	unsigned char *const copies = (unsigned char *)(to + (VI_DOT_STEPS > 1 ? stride / 2 : 0));
	const size_t ld = p->copy ? stride * sizeof(*to) : p->lda;
	const unsigned char *a = p->copy ? copies : (const unsigned char *)p->a + row * p->lda + at;
	const vi flip = vi_set1(p->flip);

	if (p->copy)
		p->copy(copies, stride * sizeof(*to), p, row, rows, at, k);
	for (; rows; rows--, a += ld, to += stride) {
		const unsigned char *x = a;
		float *y = to;
		size_t n = k;

		for (; n >= 4 * VL; n -= 4 * VL, x += 4 * VL, y += VL * VI_DOT_STEPS)
			pack_vector(y, x, 4 * VL, flip);
		if (n)
			pack_vector(y, x, n, flip);
	}
}

void ISK_FN(row_sums_fours)(int32_t *sums, const float *a, size_t lda, size_t rows, size_t k,
                            const struct product *p)
{
	const size_t lines = (k + 3) / 4, words = lines * VI_DOT_STEPS;

	for (; rows; rows--, sums++, a += lda / sizeof(*a)) {
		/* If bits are flipped, the bytes that pad the last line are not 0 and are subtracted. */
		const int filler = VI_DOT_IS_SIGNED ? (int8_t)p->flip : (uint8_t)p->flip;
		uint32_t total = (uint32_t)*sums - (uint32_t)(lines * 4 - k) * (uint32_t)filler;
		vi sum = vi_set1(0);

		for (size_t i = 0; i < words; i += VL)
			sum = vi_dot_sum(sum, vi_load_as(a, i, words - i, ISK_S32));
		for (int i = 0; i < VL; i++)
			total += (uint32_t)sum[i];
		*sums = (int32_t)total;
	}
}
