/* SPDX-License-Identifier: MIT */
/* Even and odd integers of 64 bits. AVX-512 has one instruction for each of these, but compilers use two. */
#ifndef ISK_ODD_LANES_H
#define ISK_ODD_LANES_H

#include "vec.h"

ISK_INLINE vmd vul_is_even(vul v)
{
#ifdef __AVX512F__
	return _mm512_testn_epi64_mask((__m512i)v, _mm512_set1_epi64(1));
#else
	return vl_eq((vl)(v & 1), (vl){0});
#endif
}

ISK_INLINE vmd vul_is_odd(vul v)
{
#ifdef __AVX512F__
	return _mm512_test_epi64_mask((__m512i)v, _mm512_set1_epi64(1));
#else
	return vl_eq((vl)(v & 1), (vl){0} + 1);
#endif
}

/* m ? -a : b */
ISK_INLINE vd vd_minus_or(vmd m, vd a, vd b)
{
#ifdef __AVX512F__
	return _mm512_mask_xor_pd(b, m, a, _mm512_set1_pd(-0.0));
#else
	return vd_sel(m, -a, b);
#endif
}

#endif
