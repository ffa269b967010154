/* SPDX-License-Identifier: MIT */
#include "conv.h"
#include "micro.h"
#include "narrow.h"

micro_fn ISK_FN(direct_narrow);

/* Stores the sums or, if t->finish, the elements of y that they become without a binary operation. */
ISK_INLINE void store_narrow(const struct tile *t, const vf acc[NARROW_ROWS], const int rows)
{
	const size_t ldc = t->ldc;
	float *c = t->c;

	if (t->finish) {
		const struct clamp bounds = clamp_between(t->finish->bounds);
		const struct linear l = linear_of(t->finish->post, t->finish->col, VL);

		UNROLL(12)
		for (int r = 0; r < rows; r++, c += ldc)
			vf_store(c, clamp(vf_fma(acc[r], l.scale, l.bias), bounds));
	} else {
		UNROLL(12)
		for (int r = 0; r < rows; r++, c += ldc)
			vf_store(c, acc[r]);
	}
}

ISK_INLINE void multiply_narrow(const struct tile *t, const int rows)
{
	const struct taps *taps = t->taps;
	const size_t lda = t->lda;
	const unsigned char *b = t->b;
	const float *a = t->a;
	vf acc[NARROW_ROWS];

	UNROLL(12)
	for (int r = 0; r < rows; r++)
		acc[r] = vf_set1(0);
	for (size_t u = taps->height; u; u--, a += taps->row, b += taps->skip)
		for (size_t v = taps->width; v; v--, a += taps->tap)
			for (size_t i = taps->lines; i; i--, a++, b += ISK_PACKED_LINE) {
				const vf line = vf_load((const float *)(const void *)b);

				UNROLL(12)
				for (int r = 0; r < rows; r++)
					acc[r] = multiply_add(acc[r], broadcast(a + (size_t)r * lda, WIDE_F32), line, WIDE_F32);
			}
	store_narrow(t, acc, rows);
}

#define NARROW_CASE(rows, ...)                                                 \
	case rows:                                                                 \
		if (HAS_NARROW && (rows) > MR && (rows) <= NARROW_ROWS)                \
			multiply_narrow(t, (rows) <= NARROW_ROWS ? (rows) : 1);            \
		break;

void ISK_FN(direct_narrow)(struct tile *t)
{
	switch (t->rows) {
		UP_TO_14(NARROW_CASE, )
	}
}
