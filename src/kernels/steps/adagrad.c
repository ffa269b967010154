/* SPDX-License-Identifier: MIT */
/*
 * Adagrad. There is only one result, because the contract has each operation rounded.
 * Weights of adagrad_master are f32, and are stored a second time, as T.
 */
#include "adagrad_kernels.h"
#include "each_row.h"
#include "loops.h"

#define LANES vf
#define TYPE  ISK_F32
#include "adagrad_step.h"

#define LANES vd
#define TYPE  ISK_F64
#include "adagrad_step.h"

/* The function for the lanes of T, and its struct. */
#define OF(T) ISK_PASTE2(adagrad_, ISK_VECTOR(T))

#define ADAGRAD(kernel, T, ...)                                                \
	void ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *sum, const ISK_C_##T *g, size_t n, ISK_SCALAR(T) rate, \
	                    ISK_SCALAR(T) decay, ISK_SCALAR(T) epsilon)            \
	{                                                                          \
		OF(T)(NULL, p, sum, g, n, (struct OF(T)){rate, decay, epsilon}, ISK_ENUM_##T); \
	}
ISK_EACH_adagrad(ADAGRAD)

#define ADAGRAD_MASTER(kernel, T, ...)                                         \
	void ISK_FN(kernel)(ISK_C_##T *w, float *p, float *sum, const ISK_C_##T *g, size_t n, float rate, float decay, \
	                    float epsilon)                                         \
	{                                                                          \
		OF(T)(w, p, sum, g, n, (struct OF(T)){rate, decay, epsilon}, ISK_ENUM_##T); \
	}
ISK_EACH_adagrad_master(ADAGRAD_MASTER)

#define ADAGRAD_ROWS(kernel, T, I, ...)                                        \
	int ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *sum, const ISK_C_##T *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldp, size_t ldsum, size_t ldg, ISK_SCALAR(T) rate, \
	                   ISK_SCALAR(T) decay, ISK_SCALAR(T) epsilon)             \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(adagrad_##T)(p + row * ldp, sum + row * ldsum, g + i * ldg, cols, rate, decay, epsilon)) \
	}
ISK_EACH_adagrad_rows(ADAGRAD_ROWS)

#define ADAGRAD_MASTER_ROWS(kernel, T, I, ...)                                 \
	int ISK_FN(kernel)(ISK_C_##T *w, float *p, float *sum, const ISK_C_##T *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldsum, size_t ldg, float rate, float decay, \
	                   float epsilon)                                          \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(adagrad_master_##T)(w + row * ldw, p + row * ldp, sum + row * ldsum, g + i * ldg, cols, \
		                                              rate, decay, epsilon))   \
	}
ISK_EACH_adagrad_master_rows(ADAGRAD_MASTER_ROWS)
