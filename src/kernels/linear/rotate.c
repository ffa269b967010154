/* SPDX-License-Identifier: MIT */
/* Pairs of elements of two vectors times a 2 by 2 matrix: two products and their sum for each element, all of them rounded. */
#include "rotate_kernels.h"
#include "of_type.h"

ISK_INLINE void turn(elem *x, elem *y, size_t n, const vec h11, const vec h12, const vec h21, const vec h22)
{
	for (size_t i = 0; i < n; i += COUNT) {
		const vec a = load(x, i, n - i), b = load(y, i, n - i);

		store(x, i, h11 * a + h12 * b, n - i);
		store(y, i, h21 * a + h22 * b, n - i);
	}
}

void KERNEL(rot)(elem *x, elem *y, size_t n, lane c, lane s)
{
	turn(x, y, n, splat(c), splat(s), splat(-s), splat(c));
}

void KERNEL(rotm)(elem *x, elem *y, size_t n, lane h11, lane h12, lane h21, lane h22)
{
	turn(x, y, n, splat(h11), splat(h12), splat(h21), splat(h22));
}
