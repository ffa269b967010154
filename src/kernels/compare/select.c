/* SPDX-License-Identifier: MIT */
/*
 * Selects elements by a mask. Elements of all types are moved as plain bytes: the
 * mask is widened to the size of an element, and bits of both operands are combined
 * by it.
 */
#include "select_kernels.h"
#include "loops_streamed.h"

typedef uint8_t v1 __attribute__((vector_size(4 * VL)));
typedef uint16_t v2 __attribute__((vector_size(4 * VL)));

/* Sets all bits of each element that is not 0; an element has `bytes` bytes. */
ISK_INLINE vi not_zero(vi v, const int bytes)
{
	return bytes == 1   ? (vi)((v1)v != 0)
	       : bytes == 2 ? (vi)((v2)v != 0)
	       : bytes == 4 ? (vi)(v != 0)
	                    : (vi)((vl)v != 0);
}

/* An operand. */
struct side {
	const char *array; /* its elements, or NULL: scalar takes their place */
	vi scalar;         /* the value of all elements, repeated to the width of a vector */
};

ISK_INLINE vi side_at(const struct side *s, size_t at, size_t left)
{
	return s->array ? vi_load_bytes(s->array + at, left) : s->scalar;
}

/* The n chosen elements from i on. */
ISK_INLINE vi chosen(const uint8_t *mask, const struct side *a, const struct side *b, size_t i, size_t n,
                     const int bytes)
{
	const size_t at = i * (size_t)bytes, left = n * (size_t)bytes;
	const vi m = not_zero(vi_widen_u8(mask + i, n, bytes), bytes);

	return (m & side_at(a, at, left)) | (~m & side_at(b, at, left));
}

ISK_INLINE void choose_step(char *y, const uint8_t *mask, const struct side *a, const struct side *b, size_t i,
                            size_t n, const int bytes)
{
	vi_store_bytes(y + i * (size_t)bytes, chosen(mask, a, b, i, n, bytes), n * (size_t)bytes);
}

/* y[i] = mask[i] ? a[i] : b[i] */
ISK_INLINE void choose(void *y, const uint8_t *mask, const struct side a, const struct side b, size_t n,
                       const int bytes)
{
	const size_t step = 4 * VL / (size_t)bytes;
	size_t i = 0;

	for (; n - i >= step; i += step)
		choose_step(y, mask, &a, &b, i, step, bytes);
	if (i < n)
		choose_step(y, mask, &a, &b, i, n - i, bytes);
}

#define ARRAY(p)  ((struct side){.array = (const void *)(p)})
#define SCALAR(v) ((struct side){.scalar = (v)})

typedef uint8_t PLAIN_b8 __attribute__((may_alias));
typedef uint16_t PLAIN_b16 __attribute__((may_alias));
typedef uint32_t PLAIN_b32 __attribute__((may_alias));
typedef uint64_t PLAIN_b64 __attribute__((may_alias));

#define BYTES(T) (int)isk_element_bytes(ISK_ENUM_##T)

/* The STEP of far_KERNEL(), which loops_streamed.h describes. */
#define FAR_STEP(m, kernel, T, mask, a, b)                                     \
	{                                                                          \
		const vi v = chosen(mask, &(a), &(b), i, m, BYTES(T));                 \
                                                                               \
		vi_stream(out + i, &v, sizeof(v));                                     \
	}

#define FAR_SELECT(from, m, kernel, ...) ISK_FN(kernel)(out + (from), mask + (from), a + (from), b + (from), m)
#define SELECT(kernel, B, ...)                                                 \
	ISK_FAR_FUNCTION far_##kernel(PLAIN_##B *out, const uint8_t *mask, const PLAIN_##B *a, const PLAIN_##B *b, \
	                              size_t n)                                    \
	{                                                                          \
		const struct side if_true = ARRAY(a), if_false = ARRAY(b);             \
                                                                               \
		ISK_FAR_LOOP(a == out || b == out, 4 * VL / sizeof(*out), FAR_SELECT, FAR_STEP, kernel, B, mask, if_true, \
		             if_false)                                                 \
	}                                                                          \
	void ISK_FN(kernel)(ISK_C_##B *y, const uint8_t *mask, const ISK_C_##B *a, const ISK_C_##B *b, size_t n) \
	{                                                                          \
		ISK_IF_FAR(kernel, sizeof(PLAIN_##B), y, mask, a, b, n)                \
		choose(y, mask, ARRAY(a), ARRAY(b), n, BYTES(B));                      \
	}
ISK_EACH_select(SELECT)

/* x, rounded to a type of 16 bits, in all elements. */
ISK_INLINE vi rounded(float x, const enum isk_type type)
{
	uint16_t bits;

	vf_store_as(&bits, 0, vf_set1(x), 1, type);
	return vi_set1((int32_t)(bits * 0x10001u));
}

#define ALL_f32(x)  (vi)vf_set1(x)
#define ALL_f64(x)  (vi)vd_set1(x)
#define ALL_bf16(x) rounded(x, ISK_BF16)
#define ALL_f16(x)  rounded(x, ISK_F16)
#define ALL_s64(x)  (vi)((vl){0} + (x))
#define ALL_s32(x)  vi_set1(x)
#define ALL_s16(x)  vi_set1((uint16_t)(x) * 0x10001)
#define ALL_u8(x)   vi_set1_u8(x)

#define FAR_MASKED(from, m, kernel, ...) ISK_FN(kernel)(out + (from), x + (from), mask + (from), m, alpha)
#define MASKED(kernel, T, a, b)                                                \
	ISK_FAR_FUNCTION far_##kernel(ISK_C_##T *out, const ISK_C_##T *x, const uint8_t *mask, size_t n, \
	                              ISK_SCALAR_##T alpha)                        \
	{                                                                          \
		const struct side array = ARRAY(x), scalar = SCALAR(ALL_##T(alpha));   \
                                                                               \
		ISK_FAR_LOOP(x == out, 4 * VL / sizeof(*out), FAR_MASKED, FAR_STEP, kernel, T, mask, a, b) \
	}                                                                          \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const uint8_t *mask, size_t n, ISK_SCALAR_##T alpha) \
	{                                                                          \
		const struct side array = ARRAY(x), scalar = SCALAR(ALL_##T(alpha));   \
                                                                               \
		ISK_IF_FAR(kernel, sizeof(*y), y, x, mask, n, alpha)                   \
		choose(y, mask, a, b, n, BYTES(T));                                    \
	}
ISK_EACH_masked_fill(MASKED, scalar, array)
ISK_EACH_masked_keep(MASKED, array, scalar)

#define FROM_MASK(kernel, T, ...)                                              \
	void ISK_FN(kernel)(ISK_C_##T *y, const uint8_t *x, size_t n)              \
	{                                                                          \
		choose(y, x, SCALAR(ALL_##T(1)), SCALAR(vi_set1(0)), n, BYTES(T));     \
	}
ISK_EACH_from_mask(FROM_MASK)

/*
 * Stores each element at y[count] and counts it only if it is chosen, so that the next
 * one overwrites it if it is not. Elements after the last chosen one are left out first,
 * because storing them would write beyond the result.
 */
#define COMPRESS(kernel, B, ...)                                               \
	size_t ISK_FN(kernel)(void *out, const void *in, const uint8_t *mask, size_t n) \
	{                                                                          \
		PLAIN_##B *y = out;                                                    \
		const PLAIN_##B *x = in;                                               \
		size_t count = 0;                                                      \
                                                                               \
		while (n && !mask[n - 1])                                              \
			n--;                                                               \
		for (size_t i = 0; i < n; i++) {                                       \
			y[count] = x[i];                                                   \
			count += mask[i] != 0;                                             \
		}                                                                      \
		return count;                                                          \
	}
ISK_EACH_compress(COMPRESS)
