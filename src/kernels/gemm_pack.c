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

/* The same from columns of B, each a row of the transposed one in memory. */
ISK_INLINE void pack_columns(float *line, const float *b, size_t count, size_t columns, size_t ldb)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < PANEL; j++)
			line[i * PANEL + j] = j < columns ? b[j * ldb + i] : 0;
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
	float *line = (float *)((unsigned char *)packed + ISK_PACKED_LINE);
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
	for (int v = 0; v < PANEL / VL; v++)
		h[v] = (vu)vi_set1(0);
	for (size_t j = 0; j < n; j += PANEL) {
		const size_t columns = n - j < PANEL ? n - j : PANEL;

		/* By the 16 lines that a line of the cache gives of each transposed column. */
		for (size_t i = 0; i < k; i += 16) {
			const size_t count = k - i < 16 ? k - i : 16;

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
	*(struct isk_packed *)packed = isk_packed_header(ISK_F32, k, n, isk_packed_fold(lanes));
	return ISK_OK;
}
