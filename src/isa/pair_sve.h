/* SPDX-License-Identifier: MIT */
/*
 * vec_pair.h in SVE of 256 bits and more. The eight are the first lanes of a vector, even of 512 bits, because SVE has no
 * shorter ones. The other lanes are unused.
 */
#ifndef ISK_PAIR_SVE_H
#define ISK_PAIR_SVE_H

typedef vf v8;

ISK_INLINE v8 v8_set1(float x)
{
	return vf_set1(x);
}

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return vf_fma(a, b, c);
}

ISK_INLINE v8 v8_set1_d(double x)
{
	return (v8)vd_set1(x);
}

ISK_INLINE v8 v8_fma_d(v8 a, v8 b, v8 c)
{
	return (v8)vd_fma((vd)a, (vd)b, (vd)c);
}

ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	return vf_load_n(p, n);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	vf_store_n(p, v, n);
}

ISK_INLINE v8 v8_load(const float *p)
{
	return v8_load_n(p, 8);
}

ISK_INLINE void v8_store(float *p, v8 v)
{
	v8_store_n(p, v, 8);
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return svld1rq_f32(ISK_ALL, p);
}

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	return svld1rq_f32(isk_first(n), p);
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return svsel_f32(isk_first(4), v, w);
}

ISK_INLINE void v8_store_half(float *p, v8 v, const int second, size_t n)
{
	const vf upper = svext_f32(v, v, 4);

	vf_store_n(p, second ? upper : v, n);
}

#endif
