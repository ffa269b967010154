/* SPDX-License-Identifier: MIT */
/*
 * Sums of elements of f32 and of 16 bits in 32 lanes of f64, element i in lane i % 32, because squares cannot overflow or
 * vanish there, and the roundings of fewer than 2^40 of them are too small to show in f32.
 */
#ifndef ISK_WIDE_SUMS_H
#define ISK_WIDE_SUMS_H

#include "room.h"

enum { WIDE_LANES = 32 };

/* Sums of x - centre and of their squares. */
struct sums {
	double first, second;
};

ISK_INLINE double fold(vd acc[WIDE_LANES / VD])
{
#pragma GCC unroll 4
	for (int half = WIDE_LANES / VD / 2; half >= 8 / VD; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
			acc[v] += acc[v + half];
	return vd_fold_add(acc);
}

/* The first n < WIDE_LANES elements, and the centre in the lanes after them: if the ISA has masked loads of the type. */
ISK_INLINE void last_elements(vf e[WIDE_LANES / VL], const char *x, size_t n, float centre, const enum isk_type type)
{
#pragma GCC unroll 8
	for (size_t v = 0; v < WIDE_LANES / VL; v++) {
		const size_t left = n > v * VL ? n - v * VL : 0;

		e[v] = vf_set1(centre);
		if (left >= VL)
			e[v] = vf_load_as(x, v * VL, VL, type);
		else if (left)
			e[v] = vf_sel(vm_first(left), vf_load_as(x, v * VL, left, type), e[v]);
	}
}

/* The last round is padded with the centre: `nothing` has its bits. Without `both`, the centre and the first sum are 0. */
ISK_INLINE struct sums wide_sums(const char *x, size_t n, size_t step, double centre, uint64_t nothing, const int both,
                                 const enum isk_type type)
{
	const int are_masked = VL == 16 || (VL == 8 && type == ISK_F32);
	const size_t bytes = isk_element_bytes(type);
	vd first[WIDE_LANES / VD], second[WIDE_LANES / VD];
	struct room room;
	struct sums s = {0, 0};

#pragma GCC unroll 16
	for (int v = 0; v < WIDE_LANES / VD; v++)
		first[v] = second[v] = vd_set1(0);
	while (n) {
		const size_t now = n < WIDE_LANES ? n : WIDE_LANES;
		const char *p = x;
		vf e[WIDE_LANES / VL];

		if (step != 1 || (now < WIDE_LANES && !are_masked))
			p = ISK_PART(room, copied)(&room, x, now, step, bytes, WIDE_LANES, nothing);
		if (are_masked && step == 1 && now < WIDE_LANES)
			last_elements(e, x, now, (float)centre, type);
		else
#pragma GCC unroll 8
			for (size_t v = 0; v < WIDE_LANES / VL; v++)
				e[v] = vf_load_as(p, v * VL, VL, type);
#pragma GCC unroll 8
		for (int v = 0; v < WIDE_LANES / VL; v++) {
			vd low = vf_low_half(e[v]), high = vf_high_half(e[v]);

			if (both) {
				low -= vd_set1(centre);
				high -= vd_set1(centre);
				first[2 * v] += low;
				first[2 * v + 1] += high;
			}
			second[2 * v] = vd_fma(low, low, second[2 * v]);
			second[2 * v + 1] = vd_fma(high, high, second[2 * v + 1]);
		}
		n -= now;
		x += now * step * bytes;
	}
	if (both)
		s.first = fold(first);
	s.second = fold(second);
	return s;
}

#endif
