/* SPDX-License-Identifier: MIT */
/*
 * Arrays of one value, or of a start and a step. An element of iota is computed in f64 by
 * one fused multiply-add, in which i is exact up to 2^53.
 */
#include "fill_kernels.h"
#include "loops.h"

#define FILL_STEP(m, T, v) ISK_STORE(T, out, i, v, m);
#define FILL(kernel, T, ...)                                                                                 \
	void ISK_FN(kernel)(ISK_C_##T *out, size_t n, ISK_SCALAR(T) value)                                      \
	{                                                                                                        \
		const ISK_VECTOR(T) v = v_set1(v, value);                                                            \
                                                                                                             \
		ISK_LOOP(T, FILL_STEP, v)                                                                            \
	}
/* VD elements of iota, from i on */
ISK_INLINE vd counted(size_t i, double start, double step)
{
	vd at;

#pragma GCC unroll 8
	for (int lane = 0; lane < VD; lane++)
		at[lane] = lane;
	return v_fused(at + (double)i, vd_set1(step), vd_set1(start));
}

ISK_INLINE vf vf_counted(size_t i, float start, float step)
{
	return vd_halves(counted(i, (double)start, (double)step), counted(i + VD, (double)start, (double)step));
}

#define vd_counted counted

#define IOTA_STEP(m, T, start, step)                                                                         \
	ISK_STORE(T, out, i, ISK_PASTE2(ISK_VECTOR(T), _counted)(i, start, step), m);
#define IOTA(kernel, T, ...)                                                                                 \
	void ISK_FN(kernel)(ISK_C_##T *out, size_t n, ISK_SCALAR(T) start, ISK_SCALAR(T) step)                  \
	{                                                                                                        \
		ISK_LOOP(T, IOTA_STEP, start, step)                                                                  \
	}

ISK_EACH_fill(FILL)
ISK_EACH_iota(IOTA)
