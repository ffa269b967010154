/* SPDX-License-Identifier: MIT */
/*
 * Angles in turns, in lanes of f64: position * 2^(-j / pairs * log2(base)) / (2 pi), minus the
 * nearest quarter, which is an exact subtraction. The logarithm is 2 atanh(s) with
 * s = f / (2 + f) for a mantissa 1 + f from sqrt(1/2) to sqrt(2); the power is that of the
 * fraction of the exponent, |r| <= 1/2. All series are Taylor's.
 * Worst error found: 0.5003 eps * (1 + |position| * 2^-24).
 */
#include "rope_table_kernels.h"
#include "loops.h"
#include "sine_series.h"

/* The binary logarithm of base; NaN if base is not from 1 to 2^64 */
ISK_INLINE vd log2_of(double base)
{
	/* 2 / ln 2 over 21, 19, ... 1 */
	static const double c[] = {
		0x1.71547652b82fep+1 / 21, 0x1.71547652b82fep+1 / 19, 0x1.71547652b82fep+1 / 17,
		0x1.71547652b82fep+1 / 15, 0x1.71547652b82fep+1 / 13, 0x1.71547652b82fep+1 / 11,
		0x1.71547652b82fep+1 / 9,  0x1.71547652b82fep+1 / 7,  0x1.71547652b82fep+1 / 5,
		0x1.71547652b82fep+1 / 3,  0x1.71547652b82fep+1};
	const vd x = vd_set1(base);
	/* The exponent with which the mantissa is from sqrt(1/2) to sqrt(2) */
	const vul exponent = ((vul)x - 0x3fe6a09e667f3bcd) >> 52;
	const vd f = (vd)((vul)x - (exponent << 52)) - 1, s = f / (2 + f);
	const vd whole = (vd)(exponent + 0x4338000000000000) - 0x1.8p52;

	if (!(base >= 1 && base <= 0x1p64))
		return vd_set1(__builtin_nan(""));
	return whole + s * POLYNOMIAL(c, s * s);
}

/* 2^-x, for x from 0 to 1000. */
ISK_INLINE vd exp2_of_minus(vd x)
{
	/* (-ln 2)^i / i! */
	static const double c[] = {-0x1.816193166d0f9p-40,
	                           0x1.c3bd650fc2986p-36,
	                           -0x1.e8cac7351bb25p-32,
	                           0x1.e4cf5158b8ecap-28,
	                           -0x1.b5253d395e7c4p-24,
	                           0x1.62c0223a5c824p-20,
	                           -0x1.ffcbfc588b0c7p-17,
	                           0x1.430912f86c787p-13,
	                           -0x1.5d87fe78a6731p-10,
	                           0x1.3b2ab6fba4e77p-7,
	                           -0x1.c6b08d704a0cp-5,
	                           0x1.ebfbdff82c58fp-3,
	                           -0x1.62e42fefa39efp-1,
	                           1};
	const vd sum = x + 0x1.8p52, r = x - (sum - 0x1.8p52);

	return (vd)((vul)POLYNOMIAL(c, r) - ((vul)sum << 52));
}

/* The cosine and the sine of an angle in turns, below 2^50 */
ISK_INLINE void direction(vd turns, vd *cosine, vd *sine)
{
	const vd sum = turns + 0x1.8p50;

	cosine_and_sine((vul)sum, (turns - (sum - 0x1.8p50)) * 0x1.921fb54442d18p+2, cosine, sine);
}

void ISK_FN(rope_table)(float *cosine, float *sine, const int32_t *position, size_t rows, size_t pairs,
                        size_t ldt, double base)
{
	const vd step = log2_of(base) / (double)pairs;
	vd lane = {0};

	if (!rows)
		return;
	for (int i = 0; i < VD; i++)
		lane[i] = i;
	/* low and high are the turns of position 1 for VL columns, which serve all rows. */
	for (size_t j = 0; j < pairs; j += VL) {
		const vd low = exp2_of_minus((lane + (double)j) * step) * 0x1.45f306dc9c883p-3;
		const vd high = exp2_of_minus((lane + (double)(j + VD)) * step) * 0x1.45f306dc9c883p-3;

		for (size_t r = 0; r < rows; r++) {
			vd c[2], s[2];

			direction(low * (double)position[r], &c[0], &s[0]);
			direction(high * (double)position[r], &c[1], &s[1]);
			vf_store_as(cosine, r * ldt + j, vd_halves(c[0], c[1]), pairs - j, ISK_F32);
			vf_store_as(sine, r * ldt + j, vd_halves(s[0], s[1]), pairs - j, ISK_F32);
		}
	}
}
