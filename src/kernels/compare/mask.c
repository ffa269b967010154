/* SPDX-License-Identifier: MIT */
/* Functions of masks, a byte for each element. All bytes of inputs that are not 0 are true; outputs are 1 or 0. */
#include "mask_kernels.h"
#include "ahead.h"

typedef uint8_t vb __attribute__((vector_size(4 * VL)));

/* 1 for each byte that is not 0, and 0 for the others. */
ISK_INLINE vb truths(const uint8_t *p, size_t n)
{
	return (vb)((vb)vi_load_bytes(p, n) != 0) & 1;
}

void ISK_FN(mask_not)(uint8_t *y, const uint8_t *x, size_t n)
{
	for (size_t i = 0; i < n; i += 4 * VL)
		vi_store_bytes(y + i, (vi)(truths(x + i, n - i) ^ 1), n - i);
}

enum logic { AND, OR, XOR };

/* At most a vector of n bytes. */
ISK_INLINE void mask_step(uint8_t *y, const uint8_t *in_a, const uint8_t *in_b, size_t n, const enum logic logic)
{
	const vb a = truths(in_a, n), b = truths(in_b, n);

	vi_store_bytes(y, (vi)(logic == AND ? a & b : logic == OR ? a | b : a ^ b), n);
}

ISK_INLINE void mask_zip(uint8_t *y, const uint8_t *a, const uint8_t *b, size_t n, const enum logic logic)
{
	const size_t last_ahead = isk_last_ahead(n, 4 * VL, 1, isk_is_split(a) || isk_is_split(b));
	size_t i = 0;

	for (; n - i > last_ahead; i += 4 * VL) {
		isk_prefetch_ahead(a + i, 4 * VL);
		isk_prefetch_ahead(b + i, 4 * VL);
		mask_step(y + i, a + i, b + i, 4 * VL, logic);
	}
	for (; n - i >= 4 * VL; i += 4 * VL)
		mask_step(y + i, a + i, b + i, 4 * VL, logic);
	if (i < n)
		mask_step(y + i, a + i, b + i, n - i, logic);
}

void ISK_FN(mask_and)(uint8_t *y, const uint8_t *a, const uint8_t *b, size_t n)
{
	mask_zip(y, a, b, n, AND);
}

void ISK_FN(mask_or)(uint8_t *y, const uint8_t *a, const uint8_t *b, size_t n)
{
	mask_zip(y, a, b, n, OR);
}

void ISK_FN(mask_xor)(uint8_t *y, const uint8_t *a, const uint8_t *b, size_t n)
{
	mask_zip(y, a, b, n, XOR);
}

size_t ISK_FN(mask_any)(const uint8_t *x, size_t n)
{
	for (size_t i = 0; i < n; i += 4 * VL)
		if (!vm_all(vi_eq(vi_load_bytes(x + i, n - i), vi_set1(0))))
			return 1;
	return 0;
}

size_t ISK_FN(mask_all)(const uint8_t *x, size_t n)
{
	size_t i = 0;

	for (; n - i >= 4 * VL; i += 4 * VL)
		if (!vm_all(vi_eq((vi)truths(x + i, 4 * VL), vi_set1_u8(1))))
			return 0;
	for (; i < n; i++)
		if (!x[i])
			return 0;
	return 1;
}

/* Counts in bytes for up to 255 vectors, since more could overflow a byte, and then adds the bytes up. */
size_t ISK_FN(mask_count)(const uint8_t *x, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n;) {
		const size_t end = n - i < (size_t)255 * 4 * VL ? n : i + (size_t)255 * 4 * VL;
		const vi low = vi_set1(0xff00ff);
		vb bytes = {0};
		vi words;
		vul sums;

		for (; i < end; i += 4 * VL)
			bytes += truths(x + i, end - i);
		i = end;
		words = ((vi)bytes & low) + ((vi)bytes >> 8 & low);
		sums = (vul)((words & 0xffff) + (words >> 16));
		sums = (sums & 0xffffffff) + (sums >> 32);
#pragma GCC unroll 8
		for (int d = 0; d < VD; d++)
			count += sums[d];
	}
	return count;
}
