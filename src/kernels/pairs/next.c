/* SPDX-License-Identifier: MIT */
/* The neighbour of a number, from its bits. Numbers of 16 bits are in the upper half of a lane. */
#include "next_kernels.h"
#include "loops.h"

#define BITS  vi
#define LANE  int32_t
#define LEAST INT32_MIN
#include "next_bits.h"

#define BITS  vl
#define LANE  int64_t
#define LEAST INT64_MIN
#include "next_bits.h"

ISK_INLINE vi load(const void *p, size_t i, size_t n, const enum isk_type type)
{
	return type == ISK_F32 ? vi_load_as(p, i, n, ISK_S32) : vi_load_as(p, i, n, ISK_B16) << 16;
}

ISK_INLINE void next_f(void *out, const void *a, const void *b, size_t i, size_t n, const enum isk_type type)
{
	const vi next = vi_next(load(a, i, n, type), load(b, i, n, type),
	                        type == ISK_F16 ? 0x7c000000 : 0x7f800000, type == ISK_F32 ? 1 : 0x10000);

	if (type == ISK_F32)
		vi_store_as(out, i, next, n, ISK_S32);
	else if (n >= VL)
		vi_store_high16((uint16_t *)out + i, next);
	else
		vi_store_high16_n((uint16_t *)out + i, next, n);
}

ISK_INLINE void next_d(void *out, const void *a, const void *b, size_t i, size_t n, const enum isk_type type)
{
	const vl next =
		vl_next((vl)vd_load_as(a, i, n, type), (vl)vd_load_as(b, i, n, type), 0x7ff0000000000000, 1);

	vd_store_as(out, i, (vd)next, n, type);
}

#define STEP(m, T, next) next(out, a, b, i, m, ISK_ENUM_##T);
#define NEXTAFTER(kernel, T, ...)                                                                            \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *a, const ISK_C_##T *b, size_t n)                   \
	{                                                                                                        \
		ISK_LOOP(T, STEP, ISK_PASTE2(next_, ISK_LANE_##T))                                                   \
	}
ISK_EACH_nextafter(NEXTAFTER)
