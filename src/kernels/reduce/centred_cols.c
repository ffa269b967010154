/* SPDX-License-Identifier: MIT */
/*
 * The norm of each column, and the logarithm of its sum of exponentials. For the norm, elements are first scaled by a
 * power of two near the inverse of the largest size; for the logarithm, the maximum is first subtracted. Sums have the
 * order of column.h. Worst found: nrm2 0.44 of 1 (f32), logsumexp 0.85 (f64).
 */
#include "centred_cols_kernels.h"

#include "columns.h"
#include "exactly.h"
#include "logarithm.h"

/* A power of two near 1 / size. Sizes above 2^126 (f64: 2^1022) count as that, so that the inverse is normal. */
ISK_INLINE vf power_near_inverse_vf(vf size)
{
	return vi_float((254 - (vf_bits(vf_min(vf_set1(0x1p126f), size)) >> 23)) << 23);
}

ISK_INLINE vd power_near_inverse_vd(vd size)
{
	return (vd)((2046 - ((vul)vd_min(vd_set1(0x1p1022), size) >> 52)) << 52);
}

EXACTLY(log, cr_log_f32)

ISK_INLINE vf logarithms_vf(vf x)
{
	return any_log(x);
}

ISK_INLINE vd logarithms_vd(vd x)
{
	for (size_t i = 0; i < VD; i++)
		x[i] = ln_of_one(x[i]);
	return x;
}

/* A first reduction of some columns gives their centres, which the second one takes. */
#define CENTRED_OF(kernel, T, first, centre_of, second, end)                   \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		struct TREE_OF(room, T) centre, s;                                     \
		size_t now;                                                            \
                                                                               \
		for (; cols; cols -= now, x += now, y += now) {                        \
			now = TREE_OF(columns_now, T)(rows, cols);                         \
			TREE_OF(panel, T)(&centre, (const char *)x, rows, ldx * sizeof(*x), now, sizeof(*x), \
			                  add_##first##_##T, NULL, first);                 \
			for (size_t v = 0; v * ISK_COUNT(T) < now; v++)                    \
				centre.sums[v] = centre_of(T, centre.sums[v]);                 \
			TREE_OF(panel, T)(&s, (const char *)x, rows, ldx * sizeof(*x), now, sizeof(*x), \
			                  add_##second##_##T, centre.sums, second);        \
			for (size_t v = 0; v * ISK_COUNT(T) < now; v++)                    \
				s.sums[v] = end(T, s.sums[v], centre.sums[v]);                 \
			TREE_OF(put_columns, T)(y, s.sums, now, ISK_ENUM_##T);             \
		}                                                                      \
	}
#define ADDER_OF(kernel, T, column) ADDER(add_##column##_##T, T, column)

#define SCALE(T, size)       TREE_OF(power_near_inverse, T)(size)
#define NORM(T, sum, scale)  ISK_PASTE2(ISK_VECTOR(T), _sqrt)(sum) / (scale)
ISK_EACH_nrm2_cols(ADDER_OF, FARTHEST_OF)
ISK_EACH_nrm2_cols(ADDER_OF, SCALED_OF)
ISK_EACH_nrm2_cols(CENTRED_OF, FARTHEST_OF, SCALE, SCALED_OF, NORM)

/* If the maximum is infinite or NaN, it is the result. */
#define MAXIMUM(T, most)     (most)
#define LOG_SUM(T, sum, most)                                                  \
	ISK_PASTE2(ISK_VECTOR(T), _sel)(ISK_PASTE2(ISK_VECTOR(T), _eq)((most) - (most), (most) - (most)), \
	                                (most) + TREE_OF(logarithms, T)(sum), most)
ISK_EACH_logsumexp_cols(ADDER_OF, MOST_OF)
ISK_EACH_logsumexp_cols(ADDER_OF, POWERS_OF)
ISK_EACH_logsumexp_cols(CENTRED_OF, MOST_OF, MAXIMUM, POWERS_OF, LOG_SUM)
