/* SPDX-License-Identifier: MIT */
/* v8 of vec_pair.h as a vector of eight floats. */
#ifndef ISK_EIGHT_FLOATS_H
#define ISK_EIGHT_FLOATS_H

typedef float v8 __attribute__((vector_size(32)));

typedef float v4_mem __attribute__((vector_size(16), aligned(4), may_alias));
typedef float v8_mem __attribute__((vector_size(32), aligned(4), may_alias));

ISK_INLINE v8 v8_load(const float *p)
{
	return *(const v8_mem *)p;
}

ISK_INLINE void v8_store(float *p, v8 v)
{
	*(v8_mem *)p = v;
}

ISK_INLINE v8 v8_set1(float x)
{
	return (v8){x, x, x, x, x, x, x, x};
}

ISK_INLINE v8 v8_set1_d(double x)
{
	typedef double v4d __attribute__((vector_size(32)));

	return (v8)(v4d){x, x, x, x};
}

#endif
