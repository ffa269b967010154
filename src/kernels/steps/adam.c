/* SPDX-License-Identifier: MIT */
/*
 * Adam: each operation is rounded, as the contract says, so there is but one
 * result. Weights of adam_master are f32, and stored a second time, as T.
 */
#include "adam_kernels.h"
#include "loops.h"

#define LANES vf
#define TYPE  ISK_F32
#include "adam_step.h"

#define LANES vd
#define TYPE  ISK_F64
#include "adam_step.h"

/* The function of the lanes of T, and its struct. */
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
