/* SPDX-License-Identifier: MIT */
/*
 * Level 1 of all types. Vectors with gaps are copied before they are summed, so that a sum has the same bits whatever the
 * increment. All else is a loop of plain C, whose operations are rounded one by one.
 */
#include "vector.h"
#include <string.h>

/* Through a block that stays in the first cache, because copies of whole blocks are faster than one element after the other. */
static void swap_blocks(elem *x, elem *y, size_t n)
{
	enum { BLOCK = 256 };
	elem kept[BLOCK];

	for (size_t i = 0; i < n; i += BLOCK) {
		const size_t bytes = (n - i < BLOCK ? n - i : BLOCK) * sizeof(elem);

		memcpy(kept, x + i, bytes);
		memmove(x + i, y + i, bytes); /* x may be y */
		memcpy(y + i, kept, bytes);
	}
}

void CORE(swap)(int64_t n, elem *x, int64_t incx, elem *y, int64_t incy)
{
	if (n > 0 && incx == 1 && incy == 1) {
		swap_blocks(x, y, (size_t)n);
		return;
	}
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy) {
		const elem kept = *x;

		*x = *y;
		*y = kept;
	}
}

void CORE(copy)(int64_t n, const elem *x, int64_t incx, elem *y, int64_t incy)
{
	if (n > 0 && incx == 1 && incy == 1) {
		memmove(y, x, (size_t)n * sizeof(elem));
		return;
	}
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy)
		*y = *x;
}

/* NaN times 0 is NaN, as in reference BLAS. */
void CORE(scal)(int64_t n, elem alpha, elem *x, int64_t incx)
{
	if (n < 1 || incx < 1)
		return;
	if (PARTS == 1 && incx == 1) {
		KERNEL(scale)((real *)x, (const real *)x, (size_t)n, re(alpha));
		return;
	}
	for (int64_t i = 0; i < n; i++, x += incx)
		*x = mul(alpha, *x);
}

void CORE(axpy)(int64_t n, elem alpha, const elem *x, int64_t incx, elem *y, int64_t incy)
{
	if (n < 1 || alpha == 0)
		return;
	if (incx == 1 && incy == 1) {
		CORE(add)(y, x, n, alpha, 0);
		return;
	}
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy)
		*y = madd(alpha, *x, *y);
}

/* Both elements of a pair are read before either is written. */
void CORE(rot)(int64_t n, elem *x, int64_t incx, elem *y, int64_t incy, real c, real s)
{
	if (n > 0 && incx == 1 && incy == 1) {
		KERNEL(rot)((real *)x, (real *)y, PARTS * (size_t)n, c, s);
		return;
	}
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy) {
		const elem turned = c * *x + s * *y;

		*y = c * *y - s * *x;
		*x = turned;
	}
}

real CORE(nrm2)(int64_t n, const elem *x, int64_t incx)
{
	struct copy copy;
	real norm;

	if (n < 1)
		return 0;
	norm = KERNEL(nrm2)((const real *)CORE(gather)(&copy, x, n, incx, 0), PARTS * (size_t)n);
	CORE(drop)(&copy);
	return norm;
}

real CORE(asum)(int64_t n, const elem *x, int64_t incx)
{
	struct copy copy;
	real sum;

	if (n < 1 || incx < 1)
		return 0;
	sum = KERNEL(asum)((const real *)CORE(gather)(&copy, x, n, incx, 0), PARTS * (size_t)n);
	CORE(drop)(&copy);
	return sum;
}

/* The largest size of n elements; LANES of them are compared at a time, since no comparison depends on another then. */
static real largest_size(const elem *x, int64_t n, int64_t incx)
{
	enum { LANES = 16 };
	real most[LANES] = {0};

	for (; n >= LANES; n -= LANES, x += LANES * incx)
		for (int64_t l = 0; l < LANES; l++) {
			const real size = cabs1(x[l * incx]);

			most[l] = size > most[l] ? size : most[l];
		}
	for (int64_t l = 0; l < n; l++)
		most[l] = cabs1(x[l * incx]) > most[l] ? cabs1(x[l * incx]) : most[l];
	for (int l = 1; l < LANES; l++)
		most[0] = most[l] > most[0] ? most[l] : most[0];
	return most[0];
}

/* The first of several is found. A NaN is found only if it comes first, because no number is above it. */
int64_t CORE(iamax)(int64_t n, const elem *x, int64_t incx)
{
	enum { BLOCK = 256 };
	int64_t found = 0;
	real most;

	if (n < 1 || incx < 1)
		return 0;
	if (PARTS == 1 && incx == 1)
		return (int64_t)KERNEL(iamax)((const real *)x, (size_t)n) + 1;
	most = cabs1(*x);
	for (int64_t i = 0; i < n; i += BLOCK) {
		const real size = largest_size(x + i * incx, lesser(n - i, BLOCK), incx);

		if (size > most) {
			most = size;
			for (found = i; cabs1(x[found * incx]) != most; found++)
				;
		}
	}
	return found + 1;
}
