/* SPDX-License-Identifier: MIT */
/*
 * Transposes, in squares of one cache line by as many rows: a tile of tile.h, or
 * the few that make one. Squares follow one another down STRIP rows, then to the
 * right, so that of lines that two squares share, where rows are not aligned,
 * either finds some in the first-level cache. A last square that would not be
 * whole begins earlier and writes some elements a second time, unless the matrix
 * is smaller than a square.
 */
#include "kernel.h"
#include "tile.h"

#define STRIP 64

/*
 * One square. Not unrolled and not inlined into loops: gcc would put addresses
 * into mask registers, where they wait for all shuffles of the square before.
 */
ISK_INLINE void square(char *y, const char *x, size_t ldy, size_t ldx, const int bytes)
{
	const size_t side = TILE(bytes), line = 64 / bytes;

#pragma GCC unroll 1
	for (size_t j = 0; j < line; j += side)
#pragma GCC unroll 1
		for (size_t i = 0; i < line; i += side)
			tile_transpose_whole(y + j * ldy + i * (size_t)bytes, ldy, x + i * ldx + j * (size_t)bytes, ldx,
			                     bytes);
}

typedef void square_fn(char *y, const char *x, size_t ldy, size_t ldx);

ISK_INLINE void transpose(char *y, const char *x, size_t rows, size_t cols, size_t ldy, size_t ldx,
                          const int bytes, square_fn *const one)
{
	const size_t element = (size_t)bytes, line = 64 / element;

	ldy *= element;
	ldx *= element;
	if (!rows || !cols) /* of the other there may be any number */
		return;
	if (rows < line || cols < line) {
		tiles_transpose(y, ldy, x, ldx, rows, cols, bytes);
		return;
	}
	for (size_t top = 0; top < rows; top += STRIP)
		for (size_t j = 0; j < cols; j += line) {
			const size_t col = j + line <= cols ? j : cols - line;

			for (size_t i = top; i < rows && i < top + STRIP; i += line) {
				const size_t row = i + line <= rows ? i : rows - line;

				one(y + col * ldy + row * element, x + row * ldx + col * element, ldy, ldx);
			}
		}
}

#define TRANSPOSE(name, bytes)                                                                         \
	__attribute__((noinline)) static void square_##name(char *y, const char *x, size_t ldy, size_t ldx) \
	{                                                                                                  \
		square(y, x, ldy, ldx, bytes);                                                                 \
	}                                                                                                  \
                                                                                                       \
	void ISK_FN(name)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx)        \
	{                                                                                                  \
		transpose(y, x, rows, cols, ldy, ldx, bytes, square_##name);                                   \
	}

TRANSPOSE(transpose_b8, 1)
TRANSPOSE(transpose_b16, 2)
TRANSPOSE(transpose_b32, 4)
TRANSPOSE(transpose_b64, 8)

/* Images: a matrix each, without gaps. */
#define IMAGES(name, transposed, bytes, rows, cols)                                                    \
	void ISK_FN(name)(void *y, const void *x, size_t images, size_t channels, size_t pixels)           \
	{                                                                                                  \
		const size_t step = channels * pixels * (bytes);                                               \
                                                                                                       \
		for (size_t i = 0; i < images && step; i++)                                                    \
			ISK_FN(transposed)((char *)y + i * step, (const char *)x + i * step, rows, cols, rows, cols); \
	}

IMAGES(nchw_nhwc_b8, transpose_b8, 1, channels, pixels)
IMAGES(nchw_nhwc_b16, transpose_b16, 2, channels, pixels)
IMAGES(nchw_nhwc_b32, transpose_b32, 4, channels, pixels)
IMAGES(nhwc_nchw_b8, transpose_b8, 1, pixels, channels)
IMAGES(nhwc_nchw_b16, transpose_b16, 2, pixels, channels)
IMAGES(nhwc_nchw_b32, transpose_b32, 4, pixels, channels)
