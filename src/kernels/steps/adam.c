/* SPDX-License-Identifier: MIT */
/*
 * Adam. There is only one result, because the contract has each operation rounded.
 * Weights of adam_master are f32, and are stored a second time, as T.
 */
#include "adam_kernels.h"
#include "each_row.h"
#include "loops.h"

#define LANES vf
#define TYPE  ISK_F32
#include "adam_step.h"

#define LANES vd
#define TYPE  ISK_F64
#include "adam_step.h"

/* The function for the lanes of T, and its struct. */
#define OF(T) ISK_PASTE2(adam_, ISK_VECTOR(T))

#define ADAM(kernel, T, decoupled)                                             \
	void ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *m, ISK_C_##T *v, ISK_C_##T *most, const ISK_C_##T *g, size_t n, \
	                    ISK_SCALAR(T) rate, ISK_SCALAR(T) beta1, ISK_SCALAR(T) beta2, ISK_SCALAR(T) epsilon, \
	                    ISK_SCALAR(T) decay, ISK_SCALAR(T) m_scale, ISK_SCALAR(T) v_scale) \
	{                                                                          \
		OF(T)(NULL, p, m, v, most, g, n, (struct OF(T)){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, \
		      decoupled, ISK_ENUM_##T);                                        \
	}
ISK_EACH_adam(ADAM, 0)
ISK_EACH_adamw(ADAM, 1)

#define ADAM_MASTER(kernel, T, decoupled)                                      \
	void ISK_FN(kernel)(ISK_C_##T *w, float *p, float *m, float *v, float *most, const ISK_C_##T *g, size_t n, \
	                    float rate, float beta1, float beta2, float epsilon, float decay, float m_scale, \
	                    float v_scale)                                         \
	{                                                                          \
		OF(T)(w, p, m, v, most, g, n, (struct OF(T)){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, \
		      decoupled, ISK_ENUM_##T);                                        \
	}
ISK_EACH_adam_master(ADAM_MASTER, 0)
ISK_EACH_adamw_master(ADAM_MASTER, 1)

#define ADAM_ROWS(kernel, T, I, dense)                                         \
	int ISK_FN(kernel)(ISK_C_##T *p, ISK_C_##T *m, ISK_C_##T *v, ISK_C_##T *most, const ISK_C_##T *g, \
	                   const ISK_C_##I *index, size_t rows, size_t count, size_t cols, size_t ldp, size_t ldm, size_t ldg, \
	                   ISK_SCALAR(T) rate, ISK_SCALAR(T) beta1, ISK_SCALAR(T) beta2, ISK_SCALAR(T) epsilon, \
	                   ISK_SCALAR(T) decay, ISK_SCALAR(T) m_scale, ISK_SCALAR(T) v_scale) \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(dense##_##T)(p + row * ldp, m + row * ldm, v + row * ldm, \
		                                       most ? most + row * ldm : NULL, g + i * ldg, cols, rate, beta1, beta2, \
		                                       epsilon, decay, m_scale, v_scale)) \
	}
ISK_EACH_adam_rows(ADAM_ROWS, adam)
ISK_EACH_adamw_rows(ADAM_ROWS, adamw)

#define ADAM_MASTER_ROWS(kernel, T, I, dense)                                  \
	int ISK_FN(kernel)(ISK_C_##T *w, float *p, float *m, float *v, float *most, const ISK_C_##T *g, \
	                   const ISK_C_##I *index, size_t rows, size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldm, \
	                   size_t ldg, float rate, float beta1, float beta2, float epsilon, float decay, float m_scale, \
	                   float v_scale)                                          \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(dense##_##T)(w + row * ldw, p + row * ldp, m + row * ldm, v + row * ldm, \
		                                       most ? most + row * ldm : NULL, g + i * ldg, cols, rate, beta1, beta2, \
		                                       epsilon, decay, m_scale, v_scale)) \
	}
ISK_EACH_adam_master_rows(ADAM_MASTER_ROWS, adam_master)
ISK_EACH_adamw_master_rows(ADAM_MASTER_ROWS, adamw_master)
