/* SPDX-License-Identifier: MIT */
/* Tells even integers of 64 bits from odd ones. AVX-512 has one instruction for it, but compilers use two. */
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

#endif
