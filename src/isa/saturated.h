/* SPDX-License-Identifier: MIT */
/*
 * Words for narrow integers as they lie in vectors, signed or unsigned bytes and
 * signed 16 bits, that stay at the end of their type:
 *
 * vi_add_saturated(a, b, bytes, is_signed) vi_sub_saturated
 */
#ifndef ISK_SATURATED_H
#define ISK_SATURATED_H

#include "vec.h"

#if VL == 4
#define ISK_WHOLE_VECTOR __m128i
#define ISK_OF_WHOLE(f)  _mm_##f
#elif VL == 8
#define ISK_WHOLE_VECTOR __m256i
#define ISK_OF_WHOLE(f)  _mm256_##f
#else
#define ISK_WHOLE_VECTOR __m512i
#define ISK_OF_WHOLE(f)  _mm512_##f
#endif

#define ISK_SATURATED(word, f)                                                                               \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed)                    \
	{                                                                                                        \
		const ISK_WHOLE_VECTOR x = (ISK_WHOLE_VECTOR)a, y = (ISK_WHOLE_VECTOR)b;                             \
                                                                                                             \
		return (vi)(bytes == 2  ? ISK_OF_WHOLE(f##_epi16)(x, y)                                              \
		            : is_signed ? ISK_OF_WHOLE(f##_epi8)(x, y)                                               \
		                        : ISK_OF_WHOLE(f##_epu8)(x, y));                                             \
	}
ISK_SATURATED(add, adds)
ISK_SATURATED(sub, subs)

#endif
