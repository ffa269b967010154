/* SPDX-License-Identifier: MIT */
/*
 * Gradient descent. There is only one result, because the contract has each operation
 * rounded. Weights of sgd_master are f32, and are stored a second time, as T.
 */
#include "sgd_kernels.h"
#include "each_row.h"
#include "loops.h"

#define LANES vf
#define TYPE  ISK_F32
#include "sgd_step.h"

#define LANES vd
#define TYPE  ISK_F64
#include "sgd_step.h"

/* The function for the lanes of T, and its struct. */
#define OF(T) ISK_PASTE2(sgd_, ISK_VECTOR(T))

#define SGD(kernel, T, ...)                                                    \
	void ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *velocity, const ISK_C_##T *g, size_t n, ISK_SCALAR(T) rate, \
	                    ISK_SCALAR(T) decay, ISK_SCALAR(T) momentum, ISK_SCALAR(T) dampening, unsigned nesterov) \
	{                                                                          \
		OF(T)(NULL, p, velocity, g, n, (struct OF(T)){rate, decay, momentum, dampening, nesterov & 1}, ISK_ENUM_##T); \
	}
ISK_EACH_sgd(SGD)

#define SGD_MASTER(kernel, T, ...)                                             \
	void ISK_FN(kernel)(ISK_C_##T *w, float *p, float *velocity, const ISK_C_##T *g, size_t n, float rate, \
	                    float decay, float momentum, float dampening, unsigned nesterov) \
	{                                                                          \
		OF(T)(w, p, velocity, g, n, (struct OF(T)){rate, decay, momentum, dampening, nesterov & 1}, ISK_ENUM_##T); \
	}
ISK_EACH_sgd_master(SGD_MASTER)

#define SGD_ROWS(kernel, T, I, ...)                                            \
	int ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *velocity, const ISK_C_##T *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldp, size_t ldv, size_t ldg, ISK_SCALAR(T) rate, \
	                   ISK_SCALAR(T) decay, ISK_SCALAR(T) momentum, ISK_SCALAR(T) dampening, unsigned nesterov) \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(sgd_##T)(p + row * ldp, velocity ? velocity + row * ldv : NULL, g + i * ldg, cols, \
		                                   rate, decay, momentum, dampening, nesterov)) \
	}
ISK_EACH_sgd_rows(SGD_ROWS)

#define SGD_MASTER_ROWS(kernel, T, I, ...)                                     \
	int ISK_FN(kernel)(ISK_C_##T *w, float *p, float *velocity, const ISK_C_##T *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldv, size_t ldg, float rate, \
	                   float decay, float momentum, float dampening, unsigned nesterov) \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(sgd_master_##T)(w + row * ldw, p + row * ldp, velocity ? velocity + row * ldv : NULL, \
		                                          g + i * ldg, cols, rate, decay, momentum, dampening, nesterov)) \
	}
ISK_EACH_sgd_master_rows(SGD_MASTER_ROWS)
