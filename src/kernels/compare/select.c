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

/* An operand: an array of elements, or a scalar, repeated to the width of a vector. */
struct side {
	const char *array;
	vi scalar;
	int is_scalar;
};

/*
 * With AVX-512 an array is loaded into a register, because gcc would make it the memory operand of an instruction with a mask.
 * Time relative to that, Zen 5: select_b32 of 4M 0.77 to 0.87, of 4096 1.00. At AVX2, which has no such instruction, 256
 * elements take 1.25.
 */
ISK_INLINE vi side_at(const struct side *s, size_t at, size_t left)
{
	vi x;

	if (s->is_scalar)
		return s->scalar;
	x = vi_load_bytes(s->array + at, left);
	return VL == 16 ? vi_here(x) : x;
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

/* y[i] = mask[i] ? a[i] : b[i] from i on */
ISK_INLINE void choose_from(char *y, const uint8_t *mask, const struct side *a, const struct side *b, size_t i, size_t n,
                            const int bytes)
{
	const size_t step = 4 * VL / (size_t)bytes;

	for (; n - i >= step; i += step)
		choose_step(y, mask, a, b, i, step, bytes);
	if (i < n)
		choose_step(y, mask, a, b, i, n - i, bytes);
}

/*
 * The same for all i and an output of ISK_FAR bytes and more. It is streamed, unless it is an input, whose lines are in a
 * cache already. Vectors up to its first whole cache line are stored as usual; the first streamed vector may overlap them.
 */
ISK_INLINE void choose_streamed(char *y, const uint8_t *mask, const struct side *a, const struct side *b, size_t n,
                                const int bytes)
{
	const size_t element = (size_t)bytes, step = 4 * VL / element;
	size_t i = 0;

	if (is_streamed(y, n, element) && y != a->array && y != b->array) {
		for (; i < ISK_LINE / element; i += step)
			choose_step(y, mask, a, b, i, step, bytes);
		for (i = isk_before_line(y, element); n - i >= step; i += step) {
			const vi v = chosen(mask, a, b, i, step, bytes);

			vi_stream(y + i * element, &v, sizeof(v));
		}
		vi_streamed();
	}
	choose_from(y, mask, a, b, i, n, bytes);
}

/*
 * One function streams for all kernels, because its tests of the operands take less time than memory. a or b is NULL if
 * scalar takes its place.
 */
static __attribute__((noinline, cold)) void choose_far(void *y, const uint8_t *mask, const void *a, const void *b,
                                                       vi scalar, size_t n, int bytes)
{
	const struct side if_true = {a, scalar, !a}, if_false = {b, scalar, !b};

	if (bytes == 1)
		choose_streamed(y, mask, &if_true, &if_false, n, 1);
	else if (bytes == 2)
		choose_streamed(y, mask, &if_true, &if_false, n, 2);
	else if (bytes == 4)
		choose_streamed(y, mask, &if_true, &if_false, n, 4);
	else
		choose_streamed(y, mask, &if_true, &if_false, n, 8);
}

ISK_INLINE void choose(void *y, const uint8_t *mask, const struct side a, const struct side b, size_t n, const int bytes)
{
	if (__builtin_expect(n >= ISK_FAR / (size_t)bytes, 0))
		choose_far(y, mask, a.array, b.array, a.is_scalar ? a.scalar : b.scalar, n, bytes);
	else
		choose_from(y, mask, &a, &b, 0, n, bytes);
}

#define ARRAY(p)  ((struct side){.array = (const void *)(p)})
#define SCALAR(v) ((struct side){.scalar = (v), .is_scalar = 1})
#define BYTES(T)  (int)isk_element_bytes(ISK_ENUM_##T)

#define SELECT(kernel, B, ...)                                                 \
	void ISK_FN(kernel)(void *y, const uint8_t *mask, const void *a, const void *b, size_t n) \
	{                                                                          \
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

#define MASKED(kernel, T, a, b)                                                \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const uint8_t *mask, size_t n, ISK_SCALAR_##T alpha) \
	{                                                                          \
		const struct side array = ARRAY(x), scalar = SCALAR(ALL_##T(alpha));   \
                                                                               \
		choose(y, mask, a, b, n, BYTES(T));                                    \
	}
ISK_EACH_masked_fill(MASKED, scalar, array)
ISK_EACH_masked_keep(MASKED, array, scalar)

/* Not streamed, because it reads little. */
#define FROM_MASK(kernel, T, ...)                                              \
	void ISK_FN(kernel)(ISK_C_##T *y, const uint8_t *x, size_t n)              \
	{                                                                          \
		choose_from((void *)y, x, &SCALAR(ALL_##T(1)), &SCALAR(vi_set1(0)), 0, n, BYTES(T)); \
	}
ISK_EACH_from_mask(FROM_MASK)

/*
 * Stores each element at y[count] and counts it only if it is chosen, so that the next
 * one overwrites it if it is not. Elements after the last chosen one are left out first,
 * because storing them would write beyond the result.
 */
ISK_INLINE size_t compress(void *y, const void *x, const uint8_t *mask, size_t n, const size_t bytes)
{
	size_t count = 0;

	while (n && !mask[n - 1])
		n--;
	for (size_t i = 0; i < n; i++) {
		__builtin_memcpy((char *)y + count * bytes, (const char *)x + i * bytes, bytes);
		count += mask[i] != 0;
	}
	return count;
}

#define COMPRESS(kernel, B, ...)                                               \
	size_t ISK_FN(kernel)(void *y, const void *x, const uint8_t *mask, size_t n) \
	{                                                                          \
		return compress(y, x, mask, n, BYTES(B));                              \
	}
ISK_EACH_compress(COMPRESS)
