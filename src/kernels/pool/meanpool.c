/* SPDX-License-Identifier: MIT */
/*
 * The mean of each column. A column is one lane: blocks of ROUNDS rows are added
 * in order and the blocks as the carries of a counter, as in tree.h, so the
 * order depends on the number of rows alone. Worst error found: 0.485 of
 * eps * depth(rows) * mean |terms|, for -0x1.a63dfcp+1, -0x1.357f9p+2 and
 * 0x1.d9c28p-4.
 */
#include "meanpool_kernels.h"
#include "trees.h"

/* Vectors of columns taken together: enough chains of additions to hide one another. */
#define WIDTH 8

struct stripe {
	vf v[WIDTH];
};

/* The mean of up to WIDTH vectors of columns; the last one has tail of them. */
ISK_INLINE void pool(float *y, const float *x, size_t rows, size_t ldx, const int width, size_t tail)
{
	const vf count = vf_set1((float)rows);
	struct stripe level[64], s;
	size_t blocks = 0;
	int depth = 0;

	for (;;) {
		size_t now = rows < ROUNDS ? rows : ROUNDS;

		rows -= now;
#pragma GCC unroll 8
		for (int v = 0; v < width; v++)
			s.v[v] = vf_set1(0);
		for (; now; now--, x += ldx) {
#pragma GCC unroll 8
			for (int v = 0; v < width - 1; v++)
				s.v[v] += vf_load(x + v * VL);
			s.v[width - 1] += vf_load_as(x, (size_t)(width - 1) * VL, tail, ISK_F32);
		}
		if (rows == 0)
			break;
		for (size_t bit = blocks++; bit & 1; bit >>= 1) {
			depth--;
			for (int v = 0; v < width; v++)
				s.v[v] = level[depth].v[v] + s.v[v];
		}
		level[depth++] = s;
	}
	while (depth) {
		depth--;
		for (int v = 0; v < width; v++)
			s.v[v] = level[depth].v[v] + s.v[v];
	}
	for (int v = 0; v < width - 1; v++)
		vf_store(y + v * VL, s.v[v] / count);
	vf_store_n(y + (width - 1) * VL, s.v[width - 1] / count, tail);
}

void ISK_FN(meanpool_f32)(float *y, const float *x, size_t rows, size_t cols, size_t ldx)
{
	for (; cols >= WIDTH * VL; cols -= WIDTH * VL, x += WIDTH * VL, y += WIDTH * VL)
		pool(y, x, rows, ldx, WIDTH, VL);
	for (; cols >= VL; cols -= VL, x += VL, y += VL)
		pool(y, x, rows, ldx, 1, VL);
	if (cols)
		pool(y, x, rows, ldx, 1, cols);
}
