/* SPDX-License-Identifier: MIT */
/* Products of complex matrices by isk_matmul, which packs B itself and takes no transposed A. */
#include "rectangle.h"
#include <string.h>

size_t CORE(packed_bytes)(const struct by_rows *p, size_t count)
{
	(void)p;
	(void)count;
	return 0;
}

void CORE(pack)(const struct by_rows *p, void *packed, size_t bytes, size_t at, size_t count)
{
	(void)p;
	(void)packed;
	(void)bytes;
	(void)at;
	(void)count;
}

int CORE(takes_transposed)(const struct columns *columns)
{
	(void)columns;
	return 0;
}

static void multiply(const struct by_rows *p, struct operand a, size_t count, struct span s, elem *c, size_t ldc, real beta)
{
	const struct operand b = part_of(p->b, (int64_t)s.from, 0);

	COMPLEX_KERNEL(matmul)(c, a.a, b.a, count, s.to - s.from, p->k, ldc, (size_t)a.ld, (size_t)b.ld,
	                       (b.trans & TRANSPOSED) != 0,
	                       (a.trans & CONJUGATED ? ISK_CONJUGATED_A : 0u) | (b.trans & CONJUGATED ? ISK_CONJUGATED_B : 0u),
	                       re(p->alpha), im(p->alpha), beta);
}

/* The factors of these sums have been multiplied by alpha. */
void CORE(sums)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                elem *sums, size_t ld)
{
	(void)columns;
	multiply(p, a, count, s, sums, ld, 0);
}

void CORE(add_sums)(const struct by_rows *p, elem *c, elem *sums, size_t n)
{
	if (p->beta != 0)
		KERNEL(axpy)((real *)sums, (const real *)c, PARTS * n, p->beta);
	memcpy(c, sums, n * sizeof(elem));
}

void CORE(rectangle)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                     elem *c, size_t ldc)
{
	(void)columns;
	multiply(p, a, count, s, c, ldc, p->beta);
}
