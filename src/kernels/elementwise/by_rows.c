/* SPDX-License-Identifier: MIT */
/* Products of each row with one number, or with one row of factors. */
#include "by_rows_kernels.h"
#include "mul_rows.h"

#define SCALE_ROWS(kernel, T, ...)                                                                           \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, size_t rows, size_t n, size_t ldy, size_t ldx, \
	                    ISK_SCALAR(T) alpha)                                                                 \
	{                                                                                                        \
		for (; n && rows; rows--, out += ldy, in += ldx) {                                                   \
			ISK_LOOP(T, STEP, alpha)                                                                         \
		}                                                                                                    \
	}
ISK_EACH_scale_rows(SCALE_ROWS)
ISK_EACH_mul_rows(MUL_ROWS)
