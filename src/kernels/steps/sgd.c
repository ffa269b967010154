/* SPDX-License-Identifier: MIT */
/*
 * Gradient descent: each operation is rounded, as the contract says, so there is
 * but one result. Weights are f32; those of sgd_master are stored a second time, as T.
 */
#include "sgd_kernels.h"
#include "each_row.h"
#include "loops.h"

struct sgd {
	float rate, decay, momentum, dampening;
	int nesterov;
};

/* m elements from i on; w is NULL where there are no narrow weights. */
ISK_INLINE void step(void *w, float *p, float *velocity, const void *g, size_t i, size_t m, struct sgd s,
                     const enum isk_type type)
{
	vf x = vf_load_as(p, i, m, ISK_F32), d = vf_load_as(g, i, m, type);

	if (s.decay != 0)
		d += s.decay * x;
	if (velocity) {
		const vf old = vf_load_as(velocity, i, m, ISK_F32), v = s.momentum * old + (1 - s.dampening) * d;

		vf_store_as(velocity, i, v, m, ISK_F32);
		d = s.nesterov ? d + s.momentum * v : v;
	}
	x -= s.rate * d;
	vf_store_as(p, i, x, m, ISK_F32);
	if (w)
		vf_store_as(w, i, x, m, type);
}

ISK_INLINE void sgd(void *w, float *p, float *velocity, const void *g, size_t n, struct sgd s, const enum isk_type type)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		step(w, p, velocity, g, i, VL, s, type);
	if (i < n)
		step(w, p, velocity, g, i, n - i, s, type);
}

void ISK_FN(sgd_f32)(float *p, float *velocity, const float *g, size_t n, float rate, float decay, float momentum,
                     float dampening, unsigned nesterov)
{
	sgd(NULL, p, velocity, g, n, (struct sgd){rate, decay, momentum, dampening, nesterov & 1}, ISK_F32);
}

#define SGD_MASTER(kernel, T, ...)                                                  \
	void ISK_FN(kernel)(ISK_C_##T *w, float *p, float *velocity, const ISK_C_##T *g, size_t n, float rate, \
	                    float decay, float momentum, float dampening, unsigned nesterov) \
	{                                                                          \
		sgd(w, p, velocity, g, n, (struct sgd){rate, decay, momentum, dampening, nesterov & 1}, ISK_ENUM_##T); \
	}
ISK_EACH_sgd_master(SGD_MASTER)

#define SGD_ROWS(kernel, T, I, ...)                                            \
	int ISK_FN(kernel)(float *p, float *velocity, const float *g, const ISK_C_##I *index, size_t rows, size_t count, \
	                   size_t cols, size_t ldp, size_t ldv, size_t ldg, float rate, float decay, float momentum, \
	                   float dampening, unsigned nesterov)                     \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(sgd_f32)(p + row * ldp, velocity ? velocity + row * ldv : NULL, g + i * ldg, cols, \
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
