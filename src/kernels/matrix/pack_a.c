/* SPDX-License-Identifier: MIT */
/* Packs rows of A as the micro-kernels of floats read them: f32 or f64 in the order of k, or pairs of bf16. */
#include "multiply.h"

pack_fn ISK_FN(pack_floats), ISK_FN(pack_doubles), ISK_FN(pack_pairs), ISK_FN(pack_bytes);

ISK_INLINE void pack_vector(float *to, const char *x, size_t i, size_t n, const enum isk_type type,
                            const enum operand kind)
{
	const vf v = vf_load_as(x, i, n, type);

	vf_store(to, kind == WIDE_BF16 ? vf_swap_pairs(v) : kind == RAISED_S8 ? v * 0x1p-24f : v);
}

/*
 * Packs rows as f32; for a B of bf16, the odd element of each pair comes first. copy()
 * writes 16-bit elements to the second half of a row, because widening then fills the row
 * from its start without overwriting elements that are still to be read.
 */
ISK_INLINE void pack_as(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                        size_t k, const enum isk_type type, const enum operand kind)
{
	const size_t half = type == ISK_F32 ? 0 : stride / 2;

	if (p->copy)
		p->copy((unsigned char *)(to + half), stride * sizeof(*to), p, row, rows, at, k);
	for (size_t r = 0; r < rows; r++, to += stride) {
		const char *x = p->copy ? (const char *)(to + half)
		                        : (const char *)p->a + ((row + r) * p->lda + at) * isk_element_bytes(type);

		size_t i = 0;

		for (; i + VL <= k; i += VL)
			pack_vector(to + i, x, i, VL, type, kind);
		if (i < k)
			pack_vector(to + i, x, i, k - i, type, kind);
	}
}

void ISK_FN(pack_floats)(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                         size_t k)
{
	if (p->a_type == ISK_BF16)
		pack_as(to, stride, p, row, rows, at, k, ISK_BF16, WIDE_BF16);
	else if (p->a_type == ISK_F16)
		pack_as(to, stride, p, row, rows, at, k, ISK_F16, WIDE_F16);
	else if (p->kind == WIDE_BF16)
		pack_as(to, stride, p, row, rows, at, k, ISK_F32, WIDE_BF16);
	else if (p->kind == RAISED_S8)
		pack_as(to, stride, p, row, rows, at, k, ISK_F32, RAISED_S8);
	else
		pack_as(to, stride, p, row, rows, at, k, ISK_F32, WIDE_F32);
}

void ISK_FN(pack_doubles)(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                          size_t k)
{
	for (size_t r = 0; r < rows; r++, to += stride) {
		const double *x = (const double *)p->a + (row + r) * p->lda + at;

		for (size_t i = 0; i < k; i += VD)
			vd_store((double *)(void *)to + i, vd_load_as(x, i, k - i, ISK_F64));
	}
}

/* Packs pairs unchanged, the last one padded with 0. */
void ISK_FN(pack_pairs)(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                        size_t k)
{
	if (p->copy)
		p->copy((unsigned char *)to, stride * sizeof(*to), p, row, rows, at, k);
	for (size_t r = 0; r < rows; r++, to += stride) {
		const isk_bf16 *x = p->copy ? (const isk_bf16 *)to : (const isk_bf16 *)p->a + (row + r) * p->lda + at;

		for (size_t i = 0; i < k; i += 2 * VL)
			vi_store((int32_t *)to + i / 2, vi_load_bytes(x + i, 2 * (k - i)));
	}
}

/* For AMX: makes the rows of an A that has none in memory. */
void ISK_FN(pack_bytes)(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                        size_t k)
{
	p->copy((unsigned char *)to, stride * sizeof(*to), p, row, rows, at, k);
}
