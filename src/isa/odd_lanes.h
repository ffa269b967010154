/* SPDX-License-Identifier: MIT */
/* Which 64-bit lanes hold odd integers: one instruction with AVX-512, where compilers make two of a bit and a comparison. */
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
