/* SPDX-License-Identifier: MIT */
/* Products of each row with one number, or with one row of factors. */
#include "by_rows_kernels.h"
#include "loops.h"

#define STEP(m, T, factor)                                                                                   \
	{                                                                                                        \
		const ISK_VECTOR(T) x = ISK_LOAD(T, in, i, m);                                                       \
                                                                                                             \
		ISK_STORE(T, out, i, x *(factor), m);                                                                \
	}
#define W_STEP(m, T, ...) STEP(m, T, ISK_LOAD(T, w, i, m))

#define SCALE_ROWS(kernel, T, ...)                                                                           \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, size_t rows, size_t n, size_t ldy, size_t ldx, \
	                    ISK_SCALAR(T) alpha)                                                                 \
	{                                                                                                        \
		for (; n && rows; rows--, out += ldy, in += ldx) {                                                   \
			ISK_LOOP(T, STEP, alpha)                                                                         \
		}                                                                                                    \
	}
#define MUL_ROWS(kernel, T, ...)                                                                             \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, const ISK_C_##T *w, size_t rows, size_t n,     \
	                    size_t ldy, size_t ldx)                                                              \
	{                                                                                                        \
		for (; n && rows; rows--, out += ldy, in += ldx) {                                                   \
			ISK_LOOP(T, W_STEP)                                                                              \
		}                                                                                                    \
	}
ISK_EACH_scale_rows(SCALE_ROWS)
ISK_EACH_mul_rows(MUL_ROWS)
