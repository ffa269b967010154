/* SPDX-License-Identifier: MIT */
/* B of the matrix kernels into the layout of packed.h, checked as it is written. */
#include "kernel.h"
#include "packed.h"

#define PANEL ISK_PACKED_PANEL

/* Lines k of a panel from rows k of B: columns is what the panel has of them. */
ISK_INLINE void pack_rows(float *line, const float *b, size_t count, size_t columns, size_t ldb)
{
	for (; count; count--, line += PANEL, b += ldb)
		for (size_t v = 0; v < PANEL; v += VL)
			vf_store(line + v, v + VL <= columns ? vf_load(b + v)
			                   : v < columns     ? vf_load_n(b + v, columns - v)
			                                     : vf_set1(0));
}

/* VL rows to VL columns: log2(VL) perfect shuffles of all elements. */
ISK_INLINE void transpose(vf v[VL])
{
	vf t[VL];

	for (int step = 1; step < VL; step *= 2) {
#pragma GCC unroll 8
		for (int i = 0; i < VL / 2; i++) {
			t[2 * i] = vf_zip_low(v[i], v[i + VL / 2]);
			t[2 * i + 1] = vf_zip_high(v[i], v[i + VL / 2]);
		}
#pragma GCC unroll 16
		for (int i = 0; i < VL; i++)
			v[i] = t[i];
	}
}

/* The same, up to PANEL lines, from columns of B that are rows in memory. */
ISK_INLINE void pack_columns(float *line, const float *b, size_t count, size_t columns, size_t ldb)
{
	vf v[VL];

	for (size_t j = 0; j < PANEL; j += VL)
		for (size_t i = 0; i < count; i += VL) {
#pragma GCC unroll 16
			for (size_t c = 0; c < VL; c++)
				v[c] = j + c >= columns ? vf_set1(0)
				       : count - i < VL ? vf_load_n(b + (j + c) * ldb + i, count - i)
				                        : vf_load(b + (j + c) * ldb + i);
			transpose(v);
#pragma GCC unroll 16
			for (size_t r = 0; r < VL; r++) {
				if (i + r == count)
					break;
				vf_store(line + (i + r) * PANEL + j, v[r]);
			}
		}
}

/* Feeds lines to the payload check. */
ISK_INLINE void check_lines(vu h[PANEL / VL], const float *line, size_t count)
{
	for (; count; count--, line += PANEL)
		for (int v = 0; v < PANEL / VL; v++) {
			const vu x = h[v] ^ (vu)vf_bits(vf_load(line + v * VL));

			h[v] = (x << 13 | x >> 19) * ISK_PACKED_MUL;
		}
}

int ISK_FN(gemm_pack_f32)(void *packed, const float *b, size_t bytes, size_t k, size_t n, size_t ldb,
                          int transposed)
{
	const size_t need = isk_packed_bytes(ISK_F32, k, n);
	float *line;
	uint32_t lanes[PANEL];
	vu h[PANEL / VL];
	size_t extent;

	if (!packed || (!b && k && n))
		return ISK_ERR_NULL;
	if (!need || __builtin_mul_overflow(transposed ? n : k, ldb, &extent)
	    || __builtin_mul_overflow(extent, sizeof(*b), &extent))
		return ISK_ERR_SIZE;
	if (ldb < (transposed ? k : n))
		return ISK_ERR_STRIDE;
	if (bytes < need)
		return ISK_ERR_SPACE;
	line = (float *)((unsigned char *)packed + ISK_PACKED_LINE);
	for (int v = 0; v < PANEL / VL; v++)
		h[v] = (vu)vi_set1(0);
	for (size_t j = 0; j < n; j += PANEL) {
		const size_t columns = n - j < PANEL ? n - j : PANEL;

		for (size_t i = 0; i < k; i += PANEL) {
			const size_t count = k - i < PANEL ? k - i : PANEL;

			if (transposed)
				pack_columns(line, b + j * ldb + i, count, columns, ldb);
			else
				pack_rows(line, b + i * ldb + j, count, columns, ldb);
			check_lines(h, line, count);
			line += count * PANEL;
		}
	}
	for (int v = 0; v < PANEL / VL; v++)
		vi_store((int32_t *)lanes + v * VL, (vi)h[v]);
	*(struct isk_packed *)packed = isk_packed_header(ISK_F32, k, n, 0, isk_packed_fold(lanes));
	return ISK_OK;
}
