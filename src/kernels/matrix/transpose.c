/* SPDX-License-Identifier: MIT */
/*
 * Transposes, in squares as wide as one cache line and as high as they are wide: one tile
 * of transpose_tile.h each, or a few. Squares follow one another down a strip of rows, then
 * to the right. If rows are not aligned, neighbouring squares share cache lines, and with
 * this order they find some of these lines in the first-level cache, both in x and in y. A
 * last square that would not be whole begins earlier and writes some elements a second
 * time, unless the matrix is smaller than a square.
 */
#include "transpose_kernels.h"
#include "thresholds.h"
#include "transpose_tile.h"

/*
 * Transposes one square. Neither unrolled nor inlined into loops, because gcc would put
 * addresses into mask registers, where they wait for all shuffles of the square before.
 */
ISK_INLINE void square(char *y, const char *x, size_t ldy, size_t ldx, const int bytes)
{
	const size_t side = SIDE(bytes), line = 64 / bytes;

#pragma GCC unroll 1
	for (size_t j = 0; j < line; j += side)
#pragma GCC unroll 1
		for (size_t i = 0; i < line; i += side)
			squares_transpose(y + j * ldy + i * (size_t)bytes, ldy, x + i * ldx + j * (size_t)bytes, ldx, side,
			                  side, bytes);
}

typedef void square_fn(char *y, const char *x, size_t ldy, size_t ldx);

ISK_INLINE void transpose(char *y, const char *x, size_t rows, size_t cols, size_t ldy, size_t ldx,
                          const int bytes, square_fn *const one)
{
	const size_t element = (size_t)bytes, line = 64 / element;
	const int far = rows * cols * element > NEAR_BYTES;
	const size_t strip = strip_rows(rows * cols * element, element);

	ldy *= element;
	ldx *= element;
	if (!rows || !cols) /* the other one may be any number */
		return;
	if (rows < line || cols < line) {
		squares_transpose(y, ldy, x, ldx, rows, cols, bytes);
		return;
	}
	for (size_t top = 0; top < rows; top += strip)
		for (size_t j = 0; j < cols; j += line) {
			const size_t col = j + line <= cols ? j : cols - line;

			for (size_t i = top; i < rows && i < top + strip; i += line) {
				const size_t row = i + line <= rows ? i : rows - line;
				const char *from = x + row * ldx + col * element;

				for (size_t r = 0; far && r < line; r++)
					__builtin_prefetch(from + r * ldx + 64);
				one(y + col * ldy + row * element, from, ldy, ldx);
			}
		}
}

#define TRANSPOSE(kernel, T, ...)                                              \
	__attribute__((noinline)) static void square_##T(char *y, const char *x, size_t ldy, size_t ldx) \
	{                                                                          \
		square(y, x, ldy, ldx, (int)isk_element_bytes(ISK_ENUM_##T));                  \
	}                                                                          \
                                                                               \
	void ISK_FN(kernel)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		transpose(y, x, rows, cols, ldy, ldx, (int)isk_element_bytes(ISK_ENUM_##T), square_##T); \
	}

ISK_EACH_transpose(TRANSPOSE, )

/* Each image is a matrix; there are no gaps between images. */
#define IMAGES(kernel, T, rows, cols)                                          \
	void ISK_FN(kernel)(void *y, const void *x, size_t images, size_t channels, size_t pixels) \
	{                                                                          \
		const size_t step = channels * pixels * isk_element_bytes(ISK_ENUM_##T);       \
                                                                               \
		for (size_t i = 0; i < images && step; i++)                            \
			ISK_FN(transpose_##T)((char *)y + i * step, (const char *)x + i * step, rows, cols, rows, cols); \
	}

/* The rows and columns of an image of x as a matrix. */
#define NCHW(kernel, T, ...) IMAGES(kernel, T, channels, pixels)
#define NHWC(kernel, T, ...) IMAGES(kernel, T, pixels, channels)
ISK_EACH_nchw_nhwc(NCHW, )
ISK_EACH_nhwc_nchw(NHWC, )
