/* SPDX-License-Identifier: MIT */
/* Adagrad: each operation is rounded, as the contract says, so there is but one result. */
#include "adagrad_kernels.h"
#include "each_row.h"
#include "loops.h"

ISK_INLINE void step(float *p, float *sum, const float *g, size_t i, size_t m, float rate, float decay, float epsilon)
{
	const vf x = vf_load_as(p, i, m, ISK_F32);
	vf d = vf_load_as(g, i, m, ISK_F32), s;

	if (decay != 0)
		d += decay * x;
	s = vf_load_as(sum, i, m, ISK_F32) + d * d;
	vf_store_as(sum, i, s, m, ISK_F32);
	vf_store_as(p, i, x - rate * d / (vf_sqrt(s) + epsilon), m, ISK_F32);
}

void ISK_FN(adagrad_f32)(float *p, float *sum, const float *g, size_t n, float rate, float decay, float epsilon)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		step(p, sum, g, i, VL, rate, decay, epsilon);
	if (i < n)
		step(p, sum, g, i, n - i, rate, decay, epsilon);
}

#define ADAGRAD_ROWS(kernel, T, I, ...)                                        \
	int ISK_FN(kernel)(float *p, float *sum, const float *g, const ISK_C_##I *index, size_t rows, size_t count, \
	                   size_t cols, size_t ldp, size_t ldsum, size_t ldg, float rate, float decay, float epsilon) \
	{                                                                          \
		EACH_ROW(index, I, ISK_FN(adagrad_f32)(p + row * ldp, sum + row * ldsum, g + i * ldg, cols, rate, decay, epsilon)) \
	}
ISK_EACH_adagrad_rows(ADAGRAD_ROWS)
