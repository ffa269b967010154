/* SPDX-License-Identifier: MIT */
/* Products of complex matrices by isk_matmul, which packs B itself and takes no transposed A. */
#include "rectangle.h"

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

void CORE(rectangle)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                     elem *c, size_t ldc)
{
	const struct operand b = part_of(p->b, (int64_t)s.from, 0);

	(void)columns;
	COMPLEX_KERNEL(matmul)(c, a.a, b.a, count, s.to - s.from, p->k, ldc, (size_t)a.ld, (size_t)b.ld,
	                       (b.trans & TRANSPOSED) != 0,
	                       (a.trans & CONJUGATED ? ISK_CONJUGATED_A : 0u) | (b.trans & CONJUGATED ? ISK_CONJUGATED_B : 0u),
	                       re(p->alpha), im(p->alpha), p->beta);
}
