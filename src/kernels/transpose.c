/* SPDX-License-Identifier: MIT */
/*
 * Transposes, tile by tile (tile.h). A last tile that would not be whole begins
 * earlier and writes some elements a second time, unless the matrix is smaller
 * than a tile.
 */
#include "kernel.h"
#include "tile.h"

/* rows by cols elements, at least one way less than a tile: masked. */
ISK_INLINE void small(char *y, const char *x, size_t rows, size_t cols, size_t ldy, size_t ldx, const int bytes)
{
	const size_t side = TILE(bytes);

	for (size_t i = 0; i < rows; i += side)
		for (size_t j = 0; j < cols; j += side)
			tile_transpose(y + j * ldy + i * (size_t)bytes, ldy, x + i * ldx + j * (size_t)bytes, ldx,
			               rows - i < side ? rows - i : side, cols - j < side ? cols - j : side, bytes);
}

ISK_INLINE void transpose(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx,
                          const int bytes)
{
	const size_t side = TILE(bytes), element = (size_t)bytes;

	ldy *= element;
	ldx *= element;
	if (rows < side || cols < side) {
		small(y, x, rows, cols, ldy, ldx, bytes);
		return;
	}
	for (size_t j = 0; j < cols; j += side) {
		const size_t col = j + side <= cols ? j : cols - side;

		for (size_t i = 0; i < rows; i += side) {
			const size_t row = i + side <= rows ? i : rows - side;

			tile_transpose((char *)y + col * ldy + row * element, ldy,
			               (const char *)x + row * ldx + col * element, ldx, side, side, bytes);
		}
	}
}

#define TRANSPOSE(name, bytes)                                                                        \
	void ISK_FN(name)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx)       \
	{                                                                                                 \
		transpose(y, x, rows, cols, ldy, ldx, bytes);                                                 \
	}

TRANSPOSE(transpose_b8, 1)
TRANSPOSE(transpose_b16, 2)
TRANSPOSE(transpose_b32, 4)
TRANSPOSE(transpose_b64, 8)

/* Images: a matrix each, without gaps. */
#define IMAGES(name, transposed, bytes, rows, cols)                                                    \
	void ISK_FN(name)(void *y, const void *x, size_t images, size_t channels, size_t pixels)          \
	{                                                                                                 \
		const size_t step = channels * pixels * (bytes);                                              \
                                                                                                      \
		for (size_t i = 0; i < images; i++)                                                           \
			ISK_FN(transposed)((char *)y + i * step, (const char *)x + i * step, rows, cols, rows, cols); \
	}

IMAGES(nchw_nhwc_b8, transpose_b8, 1, channels, pixels)
IMAGES(nchw_nhwc_b16, transpose_b16, 2, channels, pixels)
IMAGES(nchw_nhwc_b32, transpose_b32, 4, channels, pixels)
IMAGES(nhwc_nchw_b8, transpose_b8, 1, pixels, channels)
IMAGES(nhwc_nchw_b16, transpose_b16, 2, pixels, channels)
IMAGES(nhwc_nchw_b32, transpose_b32, 4, pixels, channels)
