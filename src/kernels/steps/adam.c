/* SPDX-License-Identifier: MIT */
/*
 * Adam: each operation is rounded, as the contract says, so there is but one
 * result. Weights are f32; those of adam_master are stored a second time, as T.
 */
#include "adam_kernels.h"
#include "each_row.h"
#include "loops.h"

struct adam {
	float rate, beta1, beta2, epsilon, decay, m_scale, v_scale;
};

/* count elements from i on; w is NULL where there are no narrow weights. */
ISK_INLINE void step(void *w, float *p, float *m, float *v, float *most, const void *g, size_t i, size_t count,
                     const struct adam *a, const int decoupled, const enum isk_type type)
{
	vf x = vf_load_as(p, i, count, ISK_F32), d = vf_load_as(g, i, count, type), first, second;

	if (a->decay != 0 && decoupled)
		x -= a->rate * a->decay * x;
	else if (a->decay != 0)
		d += a->decay * x;
	first = a->beta1 * vf_load_as(m, i, count, ISK_F32) + (1 - a->beta1) * d;
	second = a->beta2 * vf_load_as(v, i, count, ISK_F32) + (1 - a->beta2) * (d * d);
	vf_store_as(m, i, first, count, ISK_F32);
	vf_store_as(v, i, second, count, ISK_F32);
	if (most) {
		second = vf_max(vf_load_as(most, i, count, ISK_F32), second);
		vf_store_as(most, i, second, count, ISK_F32);
	}
	x -= a->rate * a->m_scale * first / (vf_sqrt(second * a->v_scale) + a->epsilon);
	vf_store_as(p, i, x, count, ISK_F32);
	if (w)
		vf_store_as(w, i, x, count, type);
}

ISK_INLINE void adam(void *w, float *p, float *m, float *v, float *most, const void *g, size_t n, struct adam a,
                     const int decoupled, const enum isk_type type)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		step(w, p, m, v, most, g, i, VL, &a, decoupled, type);
	if (i < n)
		step(w, p, m, v, most, g, i, n - i, &a, decoupled, type);
}

#define ADAM(kernel, T, decoupled)                                             \
	void ISK_FN(kernel)(float *p, float *m, float *v, float *most, const float *g, size_t n, float rate, float beta1, \
	                    float beta2, float epsilon, float decay, float m_scale, float v_scale) \
	{                                                                          \
		adam(NULL, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, \
		     decoupled, ISK_F32);                                              \
	}
ISK_EACH_adam(ADAM, 0)
ISK_EACH_adamw(ADAM, 1)

#define ADAM_MASTER(kernel, T, decoupled)                                      \
	void ISK_FN(kernel)(ISK_C_##T *w, float *p, float *m, float *v, float *most, const ISK_C_##T *g, size_t n, \
	                    float rate, float beta1, float beta2, float epsilon, float decay, float m_scale, \
	                    float v_scale)                                         \
	{                                                                          \
		adam(w, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, \
		     decoupled, ISK_ENUM_##T);                                         \
	}
ISK_EACH_adam_master(ADAM_MASTER, 0)
ISK_EACH_adamw_master(ADAM_MASTER, 1)

#define ADAM_ROWS(kernel, T, I, dense)                                         \
	int ISK_FN(kernel)(float *p, float *m, float *v, float *most, const float *g, const ISK_C_##I *index, size_t rows, \
	                   size_t count, size_t cols, size_t ldp, size_t ldm, size_t ldg, float rate, float beta1, \
	                   float beta2, float epsilon, float decay, float m_scale, float v_scale) \
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
