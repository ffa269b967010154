/* SPDX-License-Identifier: MIT */
/*
 * Tiles of a C of f32 or f64 whose A and B are read in place: up to 16 rows by up to CHUNK columns. Columns, and the
 * strides of B and C, are counted in 32-bit words here, two for a double; only the instructions that load an element of A
 * and multiply by it differ. The last vector of a row
 * overlaps the one before it, so that it is full; some columns are multiplied twice. The reason is that a masked store
 * takes AMD's CPUs a dozen cycles if masks are vectors. A CPU that executes a wide FMA in two halves has narrow tiles, of
 * vectors of eight lanes. If their last vector needs only four lanes, it is half a vector of eight that two rows share,
 * which is a third less work at 20 columns. A tile does not mix vectors of two widths, because their FMAs hinder each
 * other (Zen 4, 24 columns by 12 rows: 20.5 cycles a step with both widths, 18 with eight lanes alone).
 */
#ifndef ISK_TILE_H
#define ISK_TILE_H

#include "multiply.h"
#include "vec_pair.h"

#define CHUNK (2 * VL)

/*
 * A tile is of a kind for each STEP columns. If IS_WHOLE, tiles of more than eight columns are vectors of 16 lanes; a
 * single one is masked. Their time relative to narrow tiles, Zen 5, as many rows, columns and k: 0.93 with 9 to 12, 0.6 to
 * 0.85 with 17 to 28. Rows: matmul_f32/17x17x17, matmul_f32/25x25x25
 */
#define STEP  (IS_WHOLE ? 8 : 4)
#define KINDS (CHUNK / STEP)

/* Added to a tile's `transposed`, which is ISK_TRANSPOSED_A or 0: its sums continue from the values in C. */
#define MORE 4u

/* The rows of the next tile: as many as allowed, but the last two tiles share the remaining rows evenly. */
ISK_INLINE size_t next_height(size_t rows, size_t most)
{
	return rows <= most ? rows : rows < 2 * most ? (rows + 1) / 2 : most;
}

/* Hides from the compiler where a value comes from, so that it neither computes the value again nor in another way. */
#define OPAQUE(x) __asm__("" : "+r"(x))

/* IS_WHOLE: no tile is of kind 2, because two whole vectors are needed for 17 columns as for 32. */
ISK_INLINE size_t kind_of(size_t n)
{
	return (n - 1) / STEP | (IS_WHOLE ? (n - 1) / 16 : 0);
}

/* The number of lanes of the vectors of a kind of tile. */
ISK_INLINE int lanes_of(const int kind)
{
	return VL == 4 || (IS_WHOLE ? kind > 0 : VL == 16 && kind % 4 == 3) ? VL : 8;
}

/* An element of A in all lanes, and its product with a line of B plus the sums. */
ISK_INLINE vf in_all(const char *x, const enum isk_type type)
{
	return type == ISK_F64 ? (vf)vd_set1(*(const double *)(const void *)x) : vf_set1(*(const float *)(const void *)x);
}

ISK_INLINE vf add_product(vf a, vf line, vf sum, const enum isk_type type)
{
	return type == ISK_F64 ? (vf)vd_fma((vd)a, (vd)line, (vd)sum) : vf_fma(a, line, sum);
}

ISK_INLINE v8 in_8(const char *x, const enum isk_type type)
{
	return type == ISK_F64 ? v8_set1_d(*(const double *)(const void *)x) : v8_set1(*(const float *)(const void *)x);
}

ISK_INLINE v8 add_product_8(v8 a, v8 line, v8 sum, const enum isk_type type)
{
	return type == ISK_F64 ? v8_fma_d(a, line, sum) : v8_fma(a, line, sum);
}

/*
 * A tile of rows by n columns. A row is `vectors` vectors of VL lanes (wide) or of eight,
 * plus, if pairs, half a vector that it shares with the next row. If full is 0, the row is
 * one vector or one half, of which n lanes are loaded and stored. If packed, a row is two wide
 * vectors of two panels of B, which are ldb floats apart; n is more than VL, and the lanes from
 * n on are multiplied but not stored.
 */
ISK_INLINE int multiply(float *c, const float *a, const float *b, unsigned flags, size_t n, size_t k,
                        size_t ldc, size_t lda, size_t ldb, const int rows, const int kind, const int full,
                        const int packed, const enum isk_type type)
{
	const int lanes = lanes_of(kind), wide = VL != 8 && lanes == VL;
	const int vectors = STEP * (kind + 1) / lanes, pairs = STEP * (kind + 1) % lanes != 0;
	const size_t element = isk_element_bytes(type);
	const size_t stride = flags & ISK_TRANSPOSED_A ? element : element * lda;
	const size_t step = flags & ISK_TRANSPOSED_A ? element * lda : element;
	const char *fourth[4] = {(const char *)a}; /* rows 0, 4, 8 and 12 of A */
	const size_t line_step = packed ? PANEL : ldb;
	size_t twice = 2 * stride, thrice = 3 * stride;
	size_t at[] = {0, (size_t)lanes, 2 * (size_t)lanes, 3 * (size_t)lanes};
	vf sums[16][2];
	v8 eights[16][3], halves[8];

	if (vectors + pairs > 1)
		at[vectors + pairs - 1] = n - (pairs ? 4 : (size_t)lanes);
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++) {
		sums[r][0] = sums[r][1] = vf_set1(0);
		eights[r][0] = eights[r][1] = eights[r][2] = halves[r / 2] = v8_set1(0);
	}
	if (__builtin_expect((flags & MORE) != 0, 0)) {
		const float *p = c;

#pragma GCC unroll 16
		for (int r = 0; r < rows; r++, p += ldc) {
#pragma GCC unroll 3
			for (int v = 0; v < vectors; v++)
				if (wide)
					sums[r][v] = full ? vf_load(p + at[v]) : vf_load_n(p, n);
				else
					eights[r][v] = full ? v8_load(p + at[v]) : v8_load_n(p, n);
			if (pairs) {
				const v8 half = full ? v8_twice(p + at[vectors]) : v8_twice_n(p, n);

				halves[r / 2] = r % 2 ? v8_pair(halves[r / 2], half) : half;
			}
		}
	}
	OPAQUE(c);
	OPAQUE(twice);
	OPAQUE(thrice);
#pragma GCC unroll 4
	for (int i = 1; i < 4; i++) {
		fourth[i] = fourth[i - 1] + 4 * stride;
		OPAQUE(fourth[i]);
	}
	for (; k; k--, b += line_step) {
		const size_t apart[4] = {0, stride, twice, thrice}; /* bytes from a fourth row to itself and the next three */
		const v8 half = !pairs ? v8_set1(0) : full ? v8_twice(b + at[vectors]) : v8_twice_n(b, n);
		vf line[2];
		v8 eight[3], before = v8_set1(0);

#pragma GCC unroll 3
		for (int v = 0; v < vectors; v++)
			if (wide)
				line[v] = full ? vf_load(b + (packed && v ? ldb : at[v])) : vf_load_n(b, n);
			else
				eight[v] = full ? v8_load(b + at[v]) : v8_load_n(b, n);
#pragma GCC unroll 16
		for (int r = 0; r < rows; r++) {
			const char *const at_a = fourth[r / 4] + apart[r % 4];
			const vf x = in_all(at_a, type);
			const v8 x8 = in_8(at_a, type);

#pragma GCC unroll 3
			for (int v = 0; v < vectors; v++)
				if (wide)
					sums[r][v] = add_product(x, line[v], sums[r][v], type);
				else
					eights[r][v] = add_product_8(x8, eight[v], eights[r][v], type);
			if (pairs && (r % 2 || r + 1 == rows))
				halves[r / 2] = add_product_8(r % 2 ? v8_pair(before, x8) : x8, half, halves[r / 2], type);
			before = x8;
		}
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			fourth[i] += step;
	}
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++, c += ldc) {
#pragma GCC unroll 3
		for (int v = 0; v < vectors; v++)
			if (packed && v && n < CHUNK)
				vf_store_n(c + VL, sums[r][v], n - VL);
			else if (wide && full)
				vf_store(c + (packed && v ? VL : at[v]), sums[r][v]);
			else if (wide)
				vf_store_n(c, sums[r][v], n);
			else if (full)
				v8_store(c + at[v], eights[r][v]);
			else
				v8_store_n(c, eights[r][v], n);
		if (pairs)
			v8_store_half(c + at[vectors], halves[r / 2], r % 2, full ? 4 : n);
	}
	return ISK_OK;
}

/* TILES(X) expands X(rows, kind) for each tile; most_rows[kind] is the largest number of rows whose sums fit registers. */
#define ROWS_4(X, kind)  X(1, kind) X(2, kind) X(3, kind) X(4, kind)
#define ROWS_6(X, kind)  ROWS_4(X, kind) X(5, kind) X(6, kind)
#define ROWS_8(X, kind)  ROWS_6(X, kind) X(7, kind) X(8, kind)
#define ROWS_12(X, kind) ROWS_8(X, kind) X(9, kind) X(10, kind) X(11, kind) X(12, kind)
#define ROWS_14(X, kind) ROWS_12(X, kind) X(13, kind) X(14, kind)
#define ROWS_16(X, kind) ROWS_14(X, kind) X(15, kind) X(16, kind)

#if IS_WHOLE
#define TILES(X) ROWS_16(X, 0) ROWS_16(X, 1) ROWS_14(X, 3)
static const unsigned char most_rows[KINDS] = {16, 16, 0, 14};
#elif VL == 16
#define TILES(X)                                                               \
	ROWS_16(X, 0) ROWS_16(X, 1) ROWS_12(X, 2) ROWS_16(X, 3) ROWS_8(X, 4) ROWS_8(X, 5) ROWS_6(X, 6) \
	ROWS_12(X, 7)
static const unsigned char most_rows[KINDS] = {16, 16, 12, 16, 8, 8, 6, 12};
#elif VL == 8
#define TILES(X) ROWS_12(X, 0) ROWS_12(X, 1) ROWS_8(X, 2) ROWS_6(X, 3)
static const unsigned char most_rows[KINDS] = {12, 12, 8, 6};
#else
#define TILES(X) ROWS_8(X, 0) ROWS_4(X, 1)
static const unsigned char most_rows[KINDS] = {8, 4};
#endif

/* A single vector that is full has its own code, except if masks are registers and cost nothing (VL 16). */
ISK_INLINE int one_tile(float *c, const float *a, const float *b, unsigned flags, size_t n, size_t k, size_t ldc,
                        size_t lda, size_t ldb, const int rows, const int kind, const enum isk_type type)
{
	if (STEP * kind >= lanes_of(kind) || (VL < 16 && n == STEP * ((size_t)kind + 1)))
		return multiply(c, a, b, flags, n, k, ldc, lda, ldb, rows, kind, 1, 0, type);
	return multiply(c, a, b, flags, n, k, ldc, lda, ldb, rows, kind, 0, 0, type);
}

#endif
