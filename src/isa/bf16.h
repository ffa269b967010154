/* SPDX-License-Identifier: MIT */
/*
 * bf16, the upper half of a float. Stores round ties to even and make NaNs quiet.
 *
 * A vocabulary that has instructions for bf16 defines VF_DOT_IS_FAST as 1 and the first four functions here. The others
 * are made of functions of vec.h. An instruction may store only if it gives the bits of the code here.
 */
#ifndef ISK_BF16_H
#define ISK_BF16_H

#ifndef VF_DOT_IS_FAST
#define VF_DOT_IS_FAST 0

/*
 * c + odd a * odd b, rounded, then + even a * even b, for pairs of bf16 in 32-bit lanes. If VF_DOT_IS_FAST is 1, this is an
 * instruction, which treats denormal inputs and results as 0. The code here does not.
 */
ISK_INLINE vf vf_dot_bf16(vf c, vf a, vf b)
{
	const vi high = vi_set1((int32_t)0xffff0000);

	c = vf_fma(vi_float(vf_bits(a) & high), vi_float(vf_bits(b) & high), c);
	return vf_fma(vi_float(vf_bits(a) << 16), vi_float(vf_bits(b) << 16), c);
}

/* Store one vector, four vectors, or rows of them by an instruction, and return whether they did so. */
ISK_INLINE int isk_convert_bf16(uint16_t *p, vf v)
{
	(void)p, (void)v;
	return 0;
}

ISK_INLINE int isk_convert_bf16_four(uint16_t *p, const vf v[4])
{
	(void)p, (void)v;
	return 0;
}

ISK_INLINE int isk_convert_bf16_rows(uint16_t *p, size_t step, const vf *v, const size_t all, size_t first, size_t end)
{
	(void)p, (void)step, (void)v, (void)all, (void)first, (void)end;
	return 0;
}
#endif

ISK_INLINE vf vf_load_bf16(const uint16_t *p)
{
	return vi_float(vi_load_u16(p) << 16);
}

ISK_INLINE vf vf_load_bf16_n(const uint16_t *p, size_t n)
{
	return vi_float(vi_load_u16_n(p, n) << 16);
}

/* Adds half a unit less one, and one more if the kept part is odd. The carry may run into the exponent. */
ISK_INLINE vi isk_round_number_bf16(vf v)
{
	const vu bits = (vu)v;

	return (vi)(bits + (bits >> 16 & 1) + 0x7fff);
}

ISK_INLINE vi isk_round_bf16(vf v)
{
	return vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, isk_round_number_bf16(v));
}

ISK_INLINE void vf_store_bf16(uint16_t *p, vf v)
{
	if (!isk_convert_bf16(p, v))
		vi_store_high16(p, isk_round_bf16(v));
}

/* Stores four vectors, two at a time, with one test for all NaNs. */
ISK_INLINE void vf_store_bf16_four(uint16_t *p, const vf v[4])
{
	if (__builtin_expect(isk_convert_bf16_four(p, v), 1))
		return;
	if (__builtin_expect(vm_any(vm_or(vf_unordered(v[0], v[1]), vf_unordered(v[2], v[3]))), 0)) {
		vi_store_high16_two(p, isk_round_bf16(v[0]), isk_round_bf16(v[1]));
		vi_store_high16_two(p + 2 * VL, isk_round_bf16(v[2]), isk_round_bf16(v[3]));
		return;
	}
	vi_store_high16_two(p, isk_round_number_bf16(v[0]), isk_round_number_bf16(v[1]));
	vi_store_high16_two(p + 2 * VL, isk_round_number_bf16(v[2]), isk_round_number_bf16(v[3]));
}

/* Stores those of the `all` vectors in v from index first to end - 1. Vector r goes to p + r * step. */
ISK_INLINE void vf_store_bf16_rows(uint16_t *p, size_t step, const vf *v, const size_t all, size_t first,
                                   size_t end)
{
	if (isk_convert_bf16_rows(p, step, v, all, first, end))
		return;
#pragma GCC unroll 8
	for (size_t r = 0; r < all; r++)
		if (r >= first && r < end)
			vi_store_high16(p + r * step, isk_round_bf16(v[r]));
}

ISK_INLINE void vf_store_bf16_n(uint16_t *p, vf v, size_t n)
{
	vi_store_high16_n(p, isk_round_bf16(v), n);
}

#endif
