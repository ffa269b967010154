/* SPDX-License-Identifier: MIT */
/* half_lanes.h for AVX512-FP16. */
#include <immintrin.h>

typedef __m512h vh;

/* From here on, f16 has lanes of f16, and words are of them. */
#undef ISK_LANE_f16
#define ISK_LANE_f16 h
#undef ISK_EITHER
#define ISK_EITHER(v, word) vh_##word

ISK_INLINE vh vh_set1(float x)
{
	return _mm512_set1_ph((_Float16)x);
}

ISK_INLINE vh vh_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	(void)type;
	return (vh)vi_load_bytes((const uint16_t *)p + i, 2 * n);
}

ISK_INLINE void vh_store_as(void *p, size_t i, vh v, size_t n, const enum isk_type type)
{
	(void)type;
	vi_store_bytes((uint16_t *)p + i, (vi)v, 2 * n);
}

ISK_INLINE void vh_stream_as(void *p, size_t i, vh v, const enum isk_type type)
{
	(void)type;
	vi_stream((uint16_t *)p + i, &v, sizeof(v));
}

ISK_INLINE vh vh_sqrt(vh v)
{
	return _mm512_sqrt_ph(v);
}

ISK_INLINE vh vh_abs(vh v)
{
	return (vh)((vi)v & 0x7fff7fff);
}

ISK_INLINE vh vh_max(vh a, vh b)
{
	return _mm512_max_ph(a, b);
}

/* As vf_relu(): NaNs stay, and -0 becomes 0. */
ISK_INLINE vh vh_relu(vh v)
{
	return vh_max(vh_set1(0), v) + vh_set1(0);
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
