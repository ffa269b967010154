/* SPDX-License-Identifier: MIT */
/*
 * Transposes a tile of a matrix in registers: SIDE(bytes) rows of SIDE(bytes) elements,
 * each row one vector, for any size of elements. Rows are read whole and written whole, so
 * that a cache line is touched once on either side, because if rows are a power of two apart
 * it would have left the cache the second time.
 *
 * A vector is LANES lanes of 128 bits, and a tile a matrix of LANES by LANES small
 * squares, each a lane wide. First lanes are exchanged, which moves each square to its
 * place; then each square is transposed by itself, in all lanes at once, by unpacking.
 */
#ifndef ISK_TRANSPOSE_TILE_H
#define ISK_TRANSPOSE_TILE_H

#include "vec.h"

#define SIDE(bytes) (4 * VL / (bytes))
#define LANES       (VL / 4)
#define SQUARE_MOST 16

/* Transposes small squares of elements of `bytes` bytes by log2(side) perfect shuffles of all vectors. */
ISK_INLINE void squares_turn(vi v[SQUARE_MOST], const int bytes)
{
	const int side = 16 / bytes;
	vi t[SQUARE_MOST];

#pragma GCC unroll 4
	for (int step = 1; step < side; step *= 2) {
#pragma GCC unroll 8
		for (int i = 0; i < side / 2; i++) {
			t[2 * i] = vi_unpack_low(v[i], v[i + side / 2], bytes);
			t[2 * i + 1] = vi_unpack_high(v[i], v[i + side / 2], bytes);
		}
#pragma GCC unroll 16
		for (int i = 0; i < side; i++)
			v[i] = t[i];
	}
}

/*
 * Reads up to SIDE(bytes) rows of row_bytes bytes, at most a vector, and moves each small
 * square to its place; missing elements are 0. If the compiler knows that the tile is whole,
 * lanes are exchanged while they are loaded. After squares_turn(squares[l]), squares[l][c]
 * is column l * 16 / bytes + c.
 */
ISK_INLINE void squares_read(vi squares[LANES][SQUARE_MOST], const void *x, size_t ldx, size_t rows,
                          size_t row_bytes, const int bytes)
{
	const size_t side = 16 / bytes;
	const int is_known = __builtin_constant_p(rows + row_bytes);
	const int whole = is_known && rows >= LANES * side && row_bytes >= sizeof(vi);

#pragma GCC unroll 16
	for (size_t r = 0; r < side; r++) {
		vi v[LANES];

		if (whole) {
			vi_load_exchanged(v, (const char *)x + r * ldx, side * ldx);
		} else {
#pragma GCC unroll 4
			for (size_t l = 0; l < LANES; l++) {
				const size_t row = r + l * side;

				v[l] = row < rows ? vi_load_bytes((const char *)x + row * ldx, row_bytes) : vi_set1(0);
			}
			vi_exchange_lanes(v);
		}
#pragma GCC unroll 4
		for (size_t l = 0; l < LANES; l++)
			squares[l][r] = v[l];
	}
}

/* Transposes the squares that squares_read() has read, and writes their columns as cols rows of y, rows elements each. */
ISK_INLINE void squares_write(void *y, size_t ldy, vi squares[LANES][SQUARE_MOST], size_t rows, size_t cols,
                           const int bytes)
{
	const size_t side = 16 / bytes;

#pragma GCC unroll 4
	for (size_t l = 0; l < LANES; l++) {
		if (l * side >= cols)
			break;
		squares_turn(squares[l], bytes);
#pragma GCC unroll 16
		for (size_t c = 0; c < side; c++) {
			if (l * side + c >= cols)
				break;
			vi_store_bytes((char *)y + (l * side + c) * ldy, squares[l][c], rows * (size_t)bytes);
		}
	}
}

/* y[j][i] = x[i][j] for i < rows and j < cols. Strides are in bytes. */
ISK_INLINE void squares_transpose(void *y, size_t ldy, const void *x, size_t ldx, size_t rows, size_t cols,
                                const int bytes)
{
	const size_t side = SIDE(bytes), element = (size_t)bytes;

	for (size_t i = 0; i < rows; i += side)
		for (size_t j = 0; j < cols; j += side) {
			const size_t tall = rows - i < side ? rows - i : side, wide = cols - j < side ? cols - j : side;
			vi squares[LANES][SQUARE_MOST];

			squares_read(squares, (const char *)x + i * ldx + j * element, ldx, tall, wide * element, bytes);
			squares_write((char *)y + j * ldy + i * element, ldy, squares, tall, wide, bytes);
		}
}

#endif
