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

ISK_INLINE vf norm_vf(vf squares, vf scale)
{
	return vf_sqrt(squares) / scale;
}

ISK_INLINE vd norm_vd(vd squares, vd scale)
{
	return vd_sqrt(squares) / scale;
}

ISK_INLINE vf itself_vf(vf most)
{
	return most;
}

ISK_INLINE vd itself_vd(vd most)
{
	return most;
}

EXACTLY(log, cr_log_f32)

/* If the maximum is infinite or NaN, it is the result. */
ISK_INLINE vf log_of_sum_vf(vf sum, vf most)
{
	return vf_sel(vf_eq(most - most, most - most), most + any_log(sum), most);
}

ISK_INLINE vd log_of_sum_vd(vd sum, vd most)
{
	return vd_sel(vd_eq(most - most, most - most), most + ln_of(sum), most);
}

#define ADDER_OF(kernel, T, column) ADDER(add_##column##_##T, T, column)

/* A first reduction of some columns gives their centres, which the second one takes. */
#define CENTRED(kernel, T, first, centre_of, second, finished)                 \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		TREE_OF(centred_columns, T)((char *)y, (const char *)x, rows, cols, ldx, add_##first##_##T, add_##second##_##T, \
		                            TREE_OF(centre_of, T), TREE_OF(finished, T), first, second, ISK_ENUM_##T); \
	}

ISK_EACH_nrm2_cols(ADDER_OF, FARTHEST_OF)
ISK_EACH_nrm2_cols(ADDER_OF, SCALED_OF)
ISK_EACH_nrm2_cols(CENTRED, FARTHEST_OF, power_near_inverse, SCALED_OF, norm)

ISK_EACH_logsumexp_cols(ADDER_OF, MOST_OF)
ISK_EACH_logsumexp_cols(ADDER_OF, POWERS_OF)
ISK_EACH_logsumexp_cols(CENTRED, MOST_OF, itself, POWERS_OF, log_of_sum)
