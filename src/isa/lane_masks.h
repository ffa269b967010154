/* SPDX-License-Identifier: MIT */
/* For ISAs without masked instructions: masks that are vectors, and loads and stores of the first n bytes. */
#ifndef ISK_LANE_MASKS_H
#define ISK_LANE_MASKS_H

typedef vi vm;
typedef vl vmd;

ISK_INLINE vmd vmd_first(size_t n)
{
	vmd at = {0};

#pragma GCC unroll 4
	for (int i = 0; i < VD; i++)
		at[i] = i;
	return at < (int64_t)n;
}

ISK_INLINE vm vm_first(size_t n)
{
	return vi_set1((int32_t)n) > vi_iota();
}

ISK_INLINE vm vf_lt(vf a, vf b)
{
	return a < b;
}

ISK_INLINE vm vf_le(vf a, vf b)
{
	return a <= b;
}

ISK_INLINE vm vf_gt(vf a, vf b)
{
	return a > b;
}

ISK_INLINE vm vf_ge(vf a, vf b)
{
	return a >= b;
}

ISK_INLINE vm vf_eq(vf a, vf b)
{
	return a == b;
}

ISK_INLINE vm vi_eq(vi a, vi b)
{
	return a == b;
}

ISK_INLINE vm vi_gt(vi a, vi b)
{
	return a > b;
}

ISK_INLINE vmd vd_le(vd a, vd b)
{
	return a <= b;
}

ISK_INLINE vmd vd_eq(vd a, vd b)
{
	return a == b;
}

ISK_INLINE vmd vl_lt(vl a, vl b)
{
	return a < b;
}

ISK_INLINE vmd vl_eq(vl a, vl b)
{
	return a == b;
}

ISK_INLINE vm vm_and(vm a, vm b)
{
	return a & b;
}

ISK_INLINE vm vm_or(vm a, vm b)
{
	return a | b;
}

ISK_INLINE vm vm_not(vm m)
{
	return ~m;
}

/*
 * Loads the first n bytes at p, n <= 16, in pieces that stay inside these n bytes
 * and may overlap each other. If n is the constant 16, this is one instruction.
 */
ISK_INLINE isk_b16 isk_load_bytes(const void *p, size_t n)
{
	typedef uint64_t u64 __attribute__((aligned(1), may_alias));
	typedef uint32_t u32 __attribute__((aligned(1), may_alias));
	const uint8_t *b = p;
	uint64_t low = 0, high = 0;

	if (n == 16)
		return *(const isk_b16_mem *)p;
	if (n >= 8) {
		low = *(const u64 *)b;
		if (n > 8)
			high = *(const u64 *)(b + n - 8) >> 8 * (16 - n);
	} else if (n >= 4) {
		low = *(const u32 *)b | (uint64_t)*(const u32 *)(b + n - 4) << 8 * (n - 4);
	} else if (n) {
		low = b[0] | (uint64_t)b[n / 2] << 8 * (n / 2) | (uint64_t)b[n - 1] << 8 * (n - 1);
	}
	return (isk_b16){(long long)low, (long long)high};
}

ISK_INLINE void isk_store_bytes(void *p, isk_b16 v, size_t n)
{
	typedef uint64_t u64 __attribute__((aligned(1), may_alias));
	typedef uint32_t u32 __attribute__((aligned(1), may_alias));
	uint8_t *b = p;
	uint64_t low = (uint64_t)v[0], high = (uint64_t)v[1];

	if (n == 16) {
		*(isk_b16_mem *)p = v;
	} else if (n >= 8) {
		if (n > 8)
			*(u64 *)(b + n - 8) = low >> 8 * (n - 8) | high << 8 * (16 - n);
		*(u64 *)b = low;
	} else if (n >= 4) {
		*(u32 *)(b + n - 4) = (uint32_t)(low >> 8 * (n - 4));
		*(u32 *)b = (uint32_t)low;
	} else if (n) {
		b[n - 1] = (uint8_t)(low >> 8 * (n - 1));
		b[n / 2] = (uint8_t)(low >> 8 * (n / 2));
		b[0] = (uint8_t)low;
	}
}

#endif
