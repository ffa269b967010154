/* SPDX-License-Identifier: MIT */
/*
 * Packs B into the layout of packed.h and computes its checksum on the way. Panel lines are
 * made of 32-bit words for every type: a word is one f32, half an f64, or the elements of two
 * or four rows of B side by side. A transposed B already has them side by side, so that words
 * are transposed, not elements.
 */
#ifndef ISK_PACK_B_H
#define ISK_PACK_B_H

#include "bf16_pairs.h"
#include "packed.h"
#include "transpose_tile.h"

#define PANEL ISK_PACKED_PANEL

/* The arguments of packing, except the type. */
struct packing {
	void *packed;
	const unsigned char *b;
	size_t bytes, k, n, ldb;
	int transposed;
	const struct isk_groups *groups; /* NULL: no scales */
	size_t taps; /* weights of a convolution: taps of a channel, which lie side by side in this transposed B */
	const void *sizes; /* for a fill_fn of the caller */
};

/* Makes panel lines of a B that is no matrix in memory, from element (at, j) on. */
typedef void fill_fn(int32_t *line, const struct packing *p, size_t at, size_t j, size_t rows, size_t columns,
                     const enum isk_type type);

/* The type of raw bits that is as large as an element of this type. */
ISK_INLINE enum isk_type bits_of(const enum isk_type type)
{
	return isk_packed_group(type) == 1 ? ISK_B32 : isk_packed_group(type) == 2 ? ISK_B16 : ISK_B8;
}

/* Makes panel lines of rows of B; the panel has `columns` columns of words. ldb counts words of f64, else elements. */
ISK_INLINE void pack_rows(int32_t *line, const unsigned char *b, size_t rows, size_t columns, size_t ldb,
                          const enum isk_type type)
{
	const size_t group = isk_packed_group(type), element = 4 / group;

	for (size_t i = 0; i < rows; i += group, line += PANEL, b += group * ldb * element)
		for (size_t v = 0; v < PANEL; v += VL) {
			vi words = vi_set1(0);

#pragma GCC unroll 4
			for (size_t r = 0; r < group; r++)
				if (i + r < rows && v < columns)
					words |= vi_load_as(b, r * ldb + v, columns - v, bits_of(type)) << (int)(32 / group * r);
			vi_store(line + v, words);
		}
}

/*
 * Makes up to PANEL panel lines of columns of B, which are rows of `bytes` bytes in memory, ldb bytes apart. size: bytes
 * that a column has in a line.
 */
ISK_INLINE void pack_columns(int32_t *line, const unsigned char *b, size_t bytes, size_t columns, size_t ldb,
                             const int size)
{
	const size_t most = ISK_PACKED_LINE / (size_t)size, step = (size_t)size;

	vi squares[LANES][SQUARE_MOST];

	for (size_t j = 0; j < most; j += SIDE(step))
		for (size_t i = 0; i < bytes; i += sizeof(vi)) {
			squares_read(squares, b + j * ldb + i, ldb, j < columns ? columns - j : 0, bytes - i, size);
#pragma GCC unroll 4
			for (size_t l = 0; l < LANES; l++) {
				if (16 * l >= bytes - i)
					break;
				squares_turn(squares[l], size);
#pragma GCC unroll 4
				for (size_t c = 0; c < 16 / step; c++) {
					if (16 * l + step * c >= bytes - i)
						break;
					vi_store(line + ((i + 16 * l) / step + c) * PANEL + j * step / 4, squares[l][c]);
				}
			}
		}
}

/* Makes panel lines of weights from element (at, j) on. k counts the channels of a tap, then the taps. */
ISK_INLINE void pack_weights(int32_t *line, const struct packing *p, size_t at, size_t j, size_t rows,
                             size_t columns, const enum isk_type type)
{
	const size_t group = isk_packed_group(type), wide = isk_packed_wide(type), element = isk_element_bytes(type);
	const size_t channels = p->k / p->taps;

	__builtin_memset(line, 0, isk_packed_depth(type, rows) * ISK_PACKED_LINE);
	for (size_t c = 0; c < columns; c++) {
		const unsigned char *b = p->b + (j + c) * p->ldb * element;
		unsigned char *to = (unsigned char *)(line + c * wide);
		size_t tap = at / channels, channel = at % channels;

		for (size_t i = 0; i < rows; i++) {
			__builtin_memcpy(to + i / group * ISK_PACKED_LINE + i % group * element,
			                 b + (channel * p->taps + tap) * element, element);
			channel = channel + 1 < channels ? channel + 1 : 0;
			tap += channel == 0;
		}
	}
}

/*
 * The results over all panel lines so far: the payload check; for bf16 the least and the
 * largest magnitude, as least_of() and room_of() encode them; for s8 the sums of the columns
 * of this panel.
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

static int check(const struct packing *p, const enum isk_type type, size_t need)
{
	const struct isk_groups *const groups = p->groups;
	size_t extent;

	if (!p->packed || (!p->b && p->k && p->n) || (groups && !groups->scale && p->k && p->n))
		return ISK_ERR_NULL;
	if (!need || __builtin_mul_overflow(p->transposed ? p->n : p->k, p->ldb, &extent)
	    || __builtin_mul_overflow(extent, isk_element_bytes(type), &extent)
	    || (groups && __builtin_mul_overflow(isk_packed_groups(groups->group, p->k), groups->ldscale, &extent))
	    || (groups && __builtin_mul_overflow(extent, sizeof(float), &extent)))
		return ISK_ERR_SIZE;
	if (p->ldb < (p->transposed ? p->k : p->n) || (groups && groups->ldscale < p->n))
		return ISK_ERR_STRIDE;
	return p->bytes < need ? ISK_ERR_SPACE : ISK_OK;
}

/* Packs the scales of groups of k, panel by panel like the columns. */
static void pack_scales(struct known *known, int32_t *line, const struct packing *p)
{
	const size_t groups = isk_packed_groups(p->groups->group, p->k);

	for (size_t j = 0; j < p->n; j += PANEL) {
		pack_rows(line, (const unsigned char *)(p->groups->scale + j), groups, p->n - j, p->groups->ldscale, ISK_F32);
		read_lines(known, line, groups, ISK_F32);
		line += groups * PANEL;
	}
}

ISK_INLINE int pack_b(const struct packing *p, const enum isk_type type, fill_fn *const fill)
{
	const size_t group = isk_packed_group(type), element = isk_element_bytes(type), wide = isk_packed_wide(type);
	const size_t depth = isk_packed_depth(type, p->k), panels = isk_packed_panels(type, p->n);
	const size_t scale_k = p->groups ? p->groups->group : 0, most = isk_packed_columns(type);
	const size_t need = isk_packed_bytes(type, p->k, p->n, scale_k);
	const int status = check(p, type, need);
	int32_t *line = (int32_t *)p->packed + PANEL, *sums = line + panels * depth * PANEL;
	struct known known = {.least = vi_set1(-1), .room = vi_set1(-1)};
	uint32_t lanes[PANEL];
	unsigned least = 0;

	if (status)
		return status;
	/* If k is 0 and there are no sums, there are no lines, and n may be any number. */
	for (size_t j = 0; j < p->n && need > ISK_PACKED_LINE; j += most) {
		const size_t columns = p->n - j < most ? p->n - j : most, block = PANEL * group;

		for (int v = 0; v < PANEL / VL; v++)
			known.sums[v] = vi_set1(0);
		for (size_t i = 0; i < p->k; i += block) {
			const size_t rows = p->k - i < block ? p->k - i : block, lines = isk_packed_depth(type, rows);

			if (fill) {
				fill(line, p, i, j, rows, columns, type);
			} else if (p->transposed) {
				pack_columns(line, p->b + (j * p->ldb + i) * element, rows * element, columns, p->ldb * element,
				             4 * (int)wide);
			} else if (columns == most && rows == block) {
				pack_rows(line, p->b + (i * p->ldb + j) * element, block, PANEL, p->ldb * wide, type);
			} else {
				pack_rows(line, p->b + (i * p->ldb + j) * element, rows, columns * wide, p->ldb * wide, type);
			}
			read_lines(&known, line, lines, type);
			line += lines * PANEL;
		}
		for (int v = 0; v < PANEL / VL && type == ISK_S8; v++)
			vi_store(sums + j + v * VL, known.sums[v]);
	}
	if (type == ISK_S8)
		read_lines(&known, sums, panels, ISK_F32);
	if (p->groups && need > ISK_PACKED_LINE)
		pack_scales(&known, sums + panels * PANEL, p);
	for (int v = 0; v < PANEL / VL; v++)
		vi_store((int32_t *)lanes + v * VL, (vi)known.check[v]);
	if (type == ISK_BF16 && is_finite(known.room))
		least = (unsigned)exponent_of(known.least);
	*(struct isk_packed *)p->packed = isk_packed_header(type, p->k, p->n, scale_k, least, isk_packed_fold(lanes));
	return ISK_OK;
}

#endif
