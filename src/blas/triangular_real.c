/* SPDX-License-Identifier: MIT */
/*
 * A block of real numbers by the kernel, whose order is that of README.md. The kernel takes matrices by rows. These are the
 * transposes, so that A is on the other side, and its lower triangle is the upper one.
 */
#include "triangular.h"

void CORE(triangular_block)(const struct triangular *t, int64_t first, int64_t count)
{
	real *b = at_b(t, first, 0);
	const real *a = part_of(t->a, first, first).a;
	const unsigned by_rows = (t->a.trans & TRANSPOSED) != 0, transposed = t->right ? !by_rows : by_rows;
	const unsigned lower = by_rows ? t->below : !t->below;
	const real alpha = t->solve ? 1 : t->alpha;
	const size_t m = (size_t)(t->right ? count : t->columns), n = (size_t)(t->right ? t->columns : count);

	(t->right ? t->solve ? KERNEL(trsm) : KERNEL(trmm) : t->solve ? KERNEL(trsm_right) : KERNEL(trmm_right))(
		b, a, m, n, (size_t)t->ldb, (size_t)t->a.ld, lower, transposed, (unsigned)t->unit, alpha);
}
