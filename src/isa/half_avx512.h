/* SPDX-License-Identifier: MIT */
/* half_lanes.h for AVX512-FP16. */
#include <immintrin.h>

typedef __m512h vh;

ISK_INLINE vh vh_one(void)
{
	return (vh)vi_set1(0x3c003c00);
}

ISK_INLINE vh vh_sqrt(vh v)
{
	return _mm512_sqrt_ph(v);
}

/* As vf_relu(): NaNs stay, and -0 becomes 0. */
ISK_INLINE vh vh_relu(vh v)
{
	const vh zero = (vh)vi_set1(0);

	return _mm512_max_ph(zero, v) + zero;
}

#define ISK_HALF_WHOLE(word, how)                                              \
	ISK_INLINE vh vh_##word(vh v)                                              \
	{                                                                          \
		return _mm512_roundscale_ph(v, how | _MM_FROUND_NO_EXC);               \
	}
ISK_HALF_WHOLE(nearest, _MM_FROUND_TO_NEAREST_INT)
ISK_HALF_WHOLE(floor, _MM_FROUND_TO_NEG_INF)
ISK_HALF_WHOLE(ceil, _MM_FROUND_TO_POS_INF)
ISK_HALF_WHOLE(trunc, _MM_FROUND_TO_ZERO)
