/* SPDX-License-Identifier: MIT */
/*
 * B of the matrix kernels into the layout of packed.h, checked as it is written.
 * Lines are made of 32-bit words whatever the type: a word is one f32, or the
 * elements of two or four rows of B side by side. In a transposed B those lie
 * side by side already, and what is transposed is words.
 */
#include "kernel.h"
#include "packed.h"
#include "bf16_pairs.h"
#include "tile.h"

#define PANEL ISK_PACKED_PANEL

/* VL words, from as many rows of B as a line has, of min(n, VL) columns. */
ISK_INLINE vi zip_rows(const void *b, size_t rows, size_t n, size_t ldb, const enum isk_type type)
{
	const unsigned group = (unsigned)isk_packed_group(type);
	vi words = vi_set1(0), x;

#pragma GCC unroll 4
	for (unsigned r = 0; r < group; r++) {
		if (r == rows)
			break;
		if (group == 1)
			x = vf_bits(vf_load_upto((const float *)b + r * ldb, n));
		else if (group == 2)
			x = n >= VL ? vi_load_u16((const uint16_t *)b + r * ldb)
			            : vi_load_u16_n((const uint16_t *)b + r * ldb, n);
		else
			x = n >= VL ? vi_load_u8((const uint8_t *)b + r * ldb)
			            : vi_load_u8_n((const uint8_t *)b + r * ldb, n);
		words |= x << (int)(32 / group * r);
	}
	return words;
}

/* Lines of a panel from rows of B: columns is what the panel has of them. */
ISK_INLINE void pack_rows(int32_t *line, const unsigned char *b, size_t rows, size_t columns, size_t ldb,
                          const enum isk_type type)
{
	const size_t group = isk_packed_group(type), element = 4 / group;

	for (; rows >= group; rows -= group, line += PANEL, b += group * ldb * element)
		for (size_t v = 0; v < PANEL; v += VL)
			vi_store(line + v, v < columns ? zip_rows(b + v * element, group, columns - v, ldb, type)
			                               : vi_set1(0));
	for (size_t v = 0; v < PANEL && rows; v += VL)
		vi_store(line + v, v < columns ? zip_rows(b + v * element, rows, columns - v, ldb, type)
		                               : vi_set1(0));
}

/* The same, up to PANEL lines, from columns of B: rows of so many bytes in memory, ldb bytes apart. */
ISK_INLINE void pack_columns(int32_t *line, const unsigned char *b, size_t bytes, size_t columns, size_t ldb)
{
	vi squares[LANES][SQUARE_MOST];

	for (size_t j = 0; j < PANEL; j += VL)
		for (size_t i = 0; i < bytes; i += sizeof(vi)) {
			tile_read(squares, b + j * ldb + i, ldb, j < columns ? columns - j : 0, bytes - i, 4);
#pragma GCC unroll 4
			for (size_t l = 0; l < LANES; l++) {
				if (16 * l >= bytes - i)
					break;
				tile_squares(squares[l], 4);
#pragma GCC unroll 4
				for (size_t c = 0; c < 4; c++) {
					if (16 * l + 4 * c >= bytes - i)
						break;
					vi_store(line + (i / 4 + 4 * l + c) * PANEL + j, squares[l][c]);
				}
			}
		}
}

/*
 * What is known of all lines so far: the payload check; for bf16 the least and
 * the largest magnitude, as of least_of() and room_of(); for s8 the sums of the columns of this panel.
 */
struct known {
	vu check[PANEL / VL];
	vi least, room;
	vi sums[PANEL / VL];
};

ISK_INLINE void read_lines(struct known *known, const int32_t *line, size_t count, const enum isk_type type)
{
	for (; count; count--, line += PANEL)
		for (int v = 0; v < PANEL / VL; v++) {
			const vi x = vi_load(line + v * VL);
			const vu h = known->check[v] ^ (vu)x;

			known->check[v] = (h << 13 | h >> 19) * ISK_PACKED_MUL;
			if (type == ISK_BF16) {
				known->least = least_of(known->least, x);
				known->room = room_of(known->room, x);
			}
			if (type == ISK_S8)
				known->sums[v] = (vi)((vu)known->sums[v]
				                      + (vu)(((vi)((vu)x << 24) >> 24) + ((vi)((vu)x << 16) >> 24)
				                             + ((vi)((vu)x << 8) >> 24) + (x >> 24)));
		}
}

ISK_INLINE int pack(void *packed, const unsigned char *b, size_t bytes, size_t k, size_t n, size_t ldb,
                    int transposed, const enum isk_type type)
{
	const size_t group = isk_packed_group(type), element = 4 / group, depth = isk_packed_depth(type, k);
	const size_t need = isk_packed_bytes(type, k, n);
	struct known known;
	int32_t *line, *sums;
	uint32_t lanes[PANEL];
	unsigned least = 0;
	size_t extent;

	if (!packed || (!b && k && n))
		return ISK_ERR_NULL;
	if (!need || __builtin_mul_overflow(transposed ? n : k, ldb, &extent)
	    || __builtin_mul_overflow(extent, element, &extent))
		return ISK_ERR_SIZE;
	if (ldb < (transposed ? k : n))
		return ISK_ERR_STRIDE;
	if (bytes < need)
		return ISK_ERR_SPACE;
	line = (int32_t *)((unsigned char *)packed + ISK_PACKED_LINE);
	sums = line + isk_packed_panels(n) * depth * PANEL;
	for (int v = 0; v < PANEL / VL; v++)
		known.check[v] = (vu)vi_set1(0);
	known.least = known.room = vi_set1(-1);
	/* Without lines there may be any number of columns. */
	for (size_t j = 0; j < n && need > ISK_PACKED_LINE; j += PANEL) {
		const size_t columns = n - j < PANEL ? n - j : PANEL, block = PANEL * group;

		for (int v = 0; v < PANEL / VL; v++)
			known.sums[v] = vi_set1(0);
		for (size_t i = 0; i < k; i += block) {
			const size_t rows = k - i < block ? k - i : block, lines = isk_packed_depth(type, rows);

			if (transposed)
				pack_columns(line, b + (j * ldb + i) * element, rows * element, columns, ldb * element);
			else if (columns == PANEL)
				pack_rows(line, b + (i * ldb + j) * element, rows, PANEL, ldb, type);
			else
				pack_rows(line, b + (i * ldb + j) * element, rows, columns, ldb, type);
			read_lines(&known, line, lines, type);
			line += lines * PANEL;
		}
		for (int v = 0; v < PANEL / VL && type == ISK_S8; v++)
			vi_store(sums + j + v * VL, known.sums[v]);
	}
	if (type == ISK_S8)
		read_lines(&known, sums, isk_packed_panels(n), ISK_F32);
	for (int v = 0; v < PANEL / VL; v++)
		vi_store((int32_t *)lanes + v * VL, (vi)known.check[v]);
	if (type == ISK_BF16 && is_finite(known.room))
		least = (unsigned)exponent_of(known.least);
	*(struct isk_packed *)packed = isk_packed_header(type, k, n, least, isk_packed_fold(lanes));
	return ISK_OK;
}

#define PACK(name, T, type)                                                                            \
	int ISK_FN(name)(void *packed, const T *b, size_t bytes, size_t k, size_t n, size_t ldb, int transposed) \
	{                                                                                                  \
		return pack(packed, (const unsigned char *)b, bytes, k, n, ldb, transposed, type);             \
	}

PACK(gemm_pack_f32, float, ISK_F32)
PACK(gemm_pack_bf16, isk_bf16, ISK_BF16)
PACK(gemm_pack_f16, isk_f16, ISK_F16)
PACK(gemm_pack_s8, int8_t, ISK_S8)
