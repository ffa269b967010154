/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of products: a line of each of some panels of B, by the k of as
 * many rows of A, into sums that stay in registers; and how large such a tile is.
 */
#ifndef ISK_GEMM_LINE_H
#define ISK_GEMM_LINE_H

#include "kernel.h"
#include "packed.h"

#define PANEL ISK_PACKED_PANEL
#define ROWS  (VL == 16 ? 14 : VL == 8 ? 6 : 2)
#define TILE  (VL == 16 ? 2 * PANEL : PANEL)

/*
 * Few rows have few chains of additions for the cycles that an FMA takes: up to
 * wide_rows() of them take more panels side by side, which also are more streams
 * for the CPU to fetch ahead. Up to FLAT rows make one tile, if only a panel
 * wide: then B is read once, from end to end.
 */
#define WIDE_PANELS (VL == 4 ? 2 : 4)
#define FLAT        (VL == 16 ? 28 : ROWS)

/*
 * Bytes ahead in B that are fetched while this line is used, into the second-level
 * cache: what is fetched into the first one waits for its few buffers, and 16 rows
 * by a B of 64 MB take a fifth more time (Zen 4). Up to three rows are through with
 * a line so fast that the CPU's own prefetching does better.
 */
#define AHEAD 4096

/*
 * How B becomes vectors of f32. B_DOT, B_DOT_S8: pairs of bf16, and four s8 by four
 * u8, stay what they are, in A as well; sums of the latter are the bits of s32.
 */
enum isk_b { B_F32, B_BF16, B_F16, B_S8, B_DOT, B_DOT_S8 };

/* k in a line of a panel. */
ISK_INLINE size_t b_group(const enum isk_b type)
{
	return type == B_F32 ? 1 : type == B_S8 || type == B_DOT_S8 ? 4 : 2;
}

/* Vectors that a vector of a line becomes. */
ISK_INLINE int b_vectors(const enum isk_b type)
{
	return type == B_DOT || type == B_DOT_S8 ? 1 : (int)b_group(type);
}

/* As many as leave registers for what WIDE_PANELS lines of B become, and one. */
ISK_INLINE size_t wide_rows(const enum isk_b type)
{
	return VL == 16 ? 7 - (size_t)b_vectors(type) : 1;
}

/* VL columns of a line as f32, one vector for each k in it; of a pair of bf16 the odd one comes first. */
ISK_INLINE void b_load(vf *out, const unsigned char *line, const enum isk_b type)
{
	const vi x = vi_load((const int32_t *)(const void *)line);

	switch (type) {
	case B_F32:
	case B_DOT:
	case B_DOT_S8:
		out[0] = vi_float(x);
		break;
	case B_BF16:
		out[0] = vi_float(x & (int32_t)0xffff0000);
		out[1] = vi_float(x << 16);
		break;
	case B_F16:
		vf_from_f16_pairs(x, &out[0], &out[1]);
		break;
	case B_S8: /* a byte, its sign flipped, as the end of a mantissa, is 2^23 + 128 or 2^15 + 128 too much */
		out[0] = vi_float((x & 0xff) ^ 0x4b000080) - 8388736;
		out[1] = vi_float((x & 0xff00) ^ 0x47008000) - 32896;
		out[2] = vi_float((x >> 16 & 0xff) ^ 0x4b000080) - 8388736;
		out[3] = vi_to_vf(x >> 24);
		break;
	}
}

#define WIDTH (WIDE_PANELS * PANEL / VL)

/* One line of each panel. */
ISK_INLINE void multiply_line(vf acc[FLAT][WIDTH], const float *a, size_t lda, const unsigned char *b,
                              size_t panel, size_t ahead, const int rows, const int panels,
                              const enum isk_b type)
{
	const int vectors = panels * PANEL / VL, steps = b_vectors(type);
	vf bv[WIDTH][4];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
		b_load(bv[v], b + (size_t)(v * VL / PANEL) * panel + v * VL % PANEL * 4, type);
#pragma GCC unroll 4
	for (int p = 0; p < panels; p++)
		if (panels < WIDE_PANELS || rows > 3)
			__builtin_prefetch(b + (size_t)p * panel + ahead, 0, 2);
#pragma GCC unroll 4
	for (int s = 0; s < steps; s++)
#pragma GCC unroll 28
		for (int r = 0; r < rows; r++) {
			const vf x = vf_set1(a[(size_t)r * lda + s]);

#pragma GCC unroll 16
			for (int v = 0; v < vectors; v++)
				acc[r][v] = type == B_DOT_S8 ? vi_float(vi_dot(vf_bits(acc[r][v]), vf_bits(x), vf_bits(bv[v][0])))
				            : type == B_DOT  ? vf_dot_bf16(acc[r][v], x, bv[v][0])
				                             : vf_fma(x, bv[v][s], acc[r][v]);
		}
}

/* CASE(rows, ...) for so many rows. */
#define UP_TO_6(CASE, ...)                                                     \
	CASE(1, __VA_ARGS__) CASE(2, __VA_ARGS__) CASE(3, __VA_ARGS__) CASE(4, __VA_ARGS__) CASE(5, __VA_ARGS__) \
	CASE(6, __VA_ARGS__)
#define UP_TO_14(CASE, ...)                                                    \
	UP_TO_6(CASE, __VA_ARGS__)                                                 \
	CASE(7, __VA_ARGS__) CASE(8, __VA_ARGS__) CASE(9, __VA_ARGS__) CASE(10, __VA_ARGS__) CASE(11, __VA_ARGS__) \
	CASE(12, __VA_ARGS__) CASE(13, __VA_ARGS__) CASE(14, __VA_ARGS__)
#define UP_TO_28(CASE, ...)                                                    \
	UP_TO_14(CASE, __VA_ARGS__)                                                \
	CASE(15, __VA_ARGS__) CASE(16, __VA_ARGS__) CASE(17, __VA_ARGS__) CASE(18, __VA_ARGS__) \
	CASE(19, __VA_ARGS__) CASE(20, __VA_ARGS__) CASE(21, __VA_ARGS__) CASE(22, __VA_ARGS__) \
	CASE(23, __VA_ARGS__) CASE(24, __VA_ARGS__) CASE(25, __VA_ARGS__) CASE(26, __VA_ARGS__) \
	CASE(27, __VA_ARGS__) CASE(28, __VA_ARGS__)

/* Tiles, and blocks, have one height or two that differ by one: of the next of so many in rows. */
ISK_INLINE size_t tile_height(size_t rows, size_t tiles)
{
	return (rows + tiles - 1) / tiles;
}

/* Columns of a tile of so many rows where so many are left. */
ISK_INLINE size_t tile_room(size_t rows, size_t left, const enum isk_b type)
{
	return rows <= wide_rows(type) && left > (WIDE_PANELS - 1) * PANEL ? WIDE_PANELS * PANEL
	       : rows <= ROWS && left > TILE - PANEL                       ? TILE
	                                                                   : PANEL;
}

#endif
