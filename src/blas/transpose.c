/* SPDX-License-Identifier: MIT */
#include "product.h"

/* By squares of SIDE elements, both sides of which stay in the first cache. */
static void by_squares(elem *y, const elem *x, int64_t rows, int64_t cols, int64_t ldy, int64_t ldx)
{
	enum { SIDE = 16 };

	for (int64_t j = 0; j < cols; j += SIDE)
		for (int64_t i = 0; i < rows; i += SIDE)
			for (int64_t q = j; q < lesser(cols, j + SIDE); q++)
				for (int64_t p = i; p < lesser(rows, i + SIDE); p++)
					y[p * ldy + q] = x[q * ldx + p];
}

/* There are kernels for elements of up to 64 bits. By rows, x has cols rows. */
void CORE(transpose)(elem *y, const elem *x, int64_t rows, int64_t cols, int64_t ldy, int64_t ldx)
{
	if (sizeof(elem) == 4)
		isk_transpose_b32((void *)y, (const void *)x, (size_t)cols, (size_t)rows, (size_t)ldy, (size_t)ldx);
	else if (sizeof(elem) == 8)
		isk_transpose_b64((void *)y, (const void *)x, (size_t)cols, (size_t)rows, (size_t)ldy, (size_t)ldx);
	else
		by_squares(y, x, rows, cols, ldy, ldx);
}
