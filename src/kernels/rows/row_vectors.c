/* SPDX-License-Identifier: MIT */
/*
 * A vector against every row, or a number against every plane: sums, products, the linear function that batch
 * normalisation is once it is trained, and copies. One operation an element, or an fma.
 */
#include "row_vectors_kernels.h"
#include "vec.h"

#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)

/* For each vector of each row: left elements are left of the row from element i on. */
#define EACH_ROW(T, ...)                                                       \
	for (; rows && cols; rows--, y += ldy, x += ldx)                           \
		for (size_t i = 0; i < cols; i += ISK_COUNT(T)) {                      \
			const size_t left = cols - i;                                      \
			const ISK_VECTOR(T) a = WORD(T, load_as)(x, i, left, ISK_ENUM_##T); \
                                                                               \
			WORD(T, store_as)(y, i, __VA_ARGS__, left, ISK_ENUM_##T);          \
		}

#define ROW_ZIP_OF(kernel, T, op)                                              \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *b, size_t rows, size_t cols, size_t ldy, \
	                    size_t ldx)                                            \
	{                                                                          \
		EACH_ROW(T, a op WORD(T, load_as)(b, i, left, ISK_ENUM_##T))           \
	}

ISK_EACH_add_row(ROW_ZIP_OF, +)
ISK_EACH_mul_row(ROW_ZIP_OF, *)

#define ROW_AFFINE_OF(kernel, T, ...)                                          \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *scale, const ISK_C_##T *shift, size_t rows, \
	                    size_t cols, size_t ldy, size_t ldx)                   \
	{                                                                          \
		EACH_ROW(T, shift ? WORD(T, fma)(a, WORD(T, load_as)(scale, i, left, ISK_ENUM_##T), \
		                                 WORD(T, load_as)(shift, i, left, ISK_ENUM_##T)) \
		                  : a * WORD(T, load_as)(scale, i, left, ISK_ENUM_##T)) \
	}

ISK_EACH_batchnorm_nhwc(ROW_AFFINE_OF, )

#define PLANE_AFFINE_OF(kernel, T, ...)                                        \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *scale, const ISK_C_##T *shift, \
	                    size_t images, size_t channels, size_t pixels)         \
	{                                                                          \
		const size_t cols = pixels, ldy = pixels, ldx = pixels;                 \
                                                                               \
		for (; images && channels && cols; images--)                           \
			for (size_t c = 0; c < channels; c++) {                            \
				const ISK_VECTOR(T) by =                                       \
					WORD(T, set1)(WORD(T, load_as)(scale, c, 1, ISK_ENUM_##T)[0]); \
				const ISK_VECTOR(T) plus =                                     \
					WORD(T, set1)(shift ? WORD(T, load_as)(shift, c, 1, ISK_ENUM_##T)[0] : 0); \
				size_t rows = 1;                                               \
                                                                               \
				EACH_ROW(T, shift ? WORD(T, fma)(a, by, plus) : a * by)        \
			}                                                                  \
	}

ISK_EACH_batchnorm_nchw(PLANE_AFFINE_OF, )

static void copy_rows(char *y, const char *x, size_t rows, size_t bytes, size_t step)
{
	for (; rows && bytes; rows--, y += step)
		for (size_t i = 0; i < bytes; i += 4 * VL)
			vi_store_bytes(y + i, vi_load_bytes(x + i, bytes - i), bytes - i);
}

#define BROADCAST_ROWS_OF(kernel, T, ...)                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy) \
	{                                                                          \
		const size_t bytes = isk_element_bytes(ISK_ENUM_##T);                  \
                                                                               \
		copy_rows((char *)y, (const char *)x, rows, cols * bytes, ldy * bytes); \
	}

ISK_EACH_broadcast_rows(BROADCAST_ROWS_OF, )
