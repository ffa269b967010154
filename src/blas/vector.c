/* SPDX-License-Identifier: MIT */
#include "vector.h"
#include "xerbla.h"
#include <stdlib.h>
#include <string.h>

elem *CORE(room_for)(struct copy *copy, int64_t n)
{
	const int64_t few = sizeof(copy->few) / sizeof(elem);

	copy->all = n <= few ? copy->few : malloc((size_t)n * sizeof(elem));
	if (!copy->all)
		blas_no_memory();
	return copy->all;
}

const elem *CORE(gather)(struct copy *copy, const elem *x, int64_t n, int64_t inc, int conjugated)
{
	elem *to;

	copy->all = NULL;
	if (n < 1 || (inc == 1 && (!conjugated || PARTS == 1)))
		return x;
	to = CORE(room_for)(copy, n);
	x += start_of(n, inc);
	for (int64_t i = 0; i < n; i++, x += inc)
		to[i] = conjugated ? conj_of(*x) : *x;
	return to;
}

void CORE(drop)(struct copy *copy)
{
	if (copy->all != copy->few)
		free(copy->all);
}

elem *CORE(take)(struct copy *copy, elem *y, int64_t n, int64_t inc)
{
	CORE(gather)(copy, y, n, inc, 0);
	return copy->all ? copy->all : y;
}

void CORE(put_back)(struct copy *copy, elem *y, int64_t n, int64_t inc)
{
	y += start_of(n, inc);
	for (int64_t i = 0; i < n && copy->all; i++, y += inc)
		*y = copy->all[i];
	CORE(drop)(copy);
}

void CORE(times)(elem *y, int64_t n, elem alpha)
{
	if (n < 1 || alpha == 1)
		return;
	if (alpha == 0)
		memset(y, 0, (size_t)n * sizeof(elem));
	else
		CORE(scal)(n, alpha, y, 1);
}
