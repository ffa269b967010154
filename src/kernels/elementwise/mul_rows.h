/* SPDX-License-Identifier: MIT */
/* Loops over rows, for by_rows.c and half.c: STEP(m, T, factor) is m elements of one, times a factor. */
#ifndef ISK_MUL_ROWS_H
#define ISK_MUL_ROWS_H

#include "loops.h"

#define STEP(m, T, factor)                                                                                   \
	{                                                                                                        \
		const ISK_VECTOR(T) x = ISK_LOAD(T, in, i, m);                                                       \
                                                                                                             \
		ISK_STORE(T, out, i, x *(factor), m);                                                                \
	}
#define W_STEP(m, T, ...) STEP(m, T, ISK_LOAD(T, w, i, m))

#define MUL_ROWS(kernel, T, ...)                                                                             \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, const ISK_C_##T *w, size_t rows, size_t n,     \
	                    size_t ldy, size_t ldx)                                                              \
	{                                                                                                        \
		for (; n && rows; rows--, out += ldy, in += ldx) {                                                   \
			ISK_LOOP(T, W_STEP)                                                                              \
		}                                                                                                    \
	}

#endif
