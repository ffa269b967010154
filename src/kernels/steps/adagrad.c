/* SPDX-License-Identifier: MIT */
/* Adagrad: each operation is rounded, as the contract says, so there is but one result. */
#include "adagrad_kernels.h"
#include "each_row.h"
#include "loops.h"

#define LANES vf
#define TYPE  ISK_F32
#include "adagrad_step.h"

#define LANES vd
#define TYPE  ISK_F64
#include "adagrad_step.h"

/* The function of the lanes of T. */
#define OF(T) ISK_PASTE2(adagrad_, ISK_VECTOR(T))

#define ADAGRAD(kernel, T, ...)                                                \
	void ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *sum, const ISK_C_##T *g, size_t n, ISK_SCALAR(T) rate, \
	                    ISK_SCALAR(T) decay, ISK_SCALAR(T) epsilon)            \
	{                                                                          \
		OF(T)(p, sum, g, n, rate, decay, epsilon);                             \
	}
ISK_EACH_adagrad(ADAGRAD)

#define ADAGRAD_ROWS(kernel, T, I, ...)                                        \
	int ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *sum, const ISK_C_##T *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldp, size_t ldsum, size_t ldg, ISK_SCALAR(T) rate, \
	                   ISK_SCALAR(T) decay, ISK_SCALAR(T) epsilon)             \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(adagrad_##T)(p + row * ldp, sum + row * ldsum, g + i * ldg, cols, rate, decay, epsilon)) \
	}
ISK_EACH_adagrad_rows(ADAGRAD_ROWS)
