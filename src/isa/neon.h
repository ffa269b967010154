/* SPDX-License-Identifier: MIT */
/*
 * Functions of 128 bits that AArch64 has at every vector length: minima and maxima, and the last steps of folds.
 */
#ifndef ISK_NEON_H
#define ISK_NEON_H

#include <arm_neon.h>

#define ISK_VECTOR_REGISTER "w"

/*
 * fmin and fmax have their own rules for NaNs and zeros; the vocabulary's rule is a < b ? a : b. Both give the same result
 * if a is neither NaN nor zero, and if the compiler knows that, fmin and fmax are used.
 */
#define ISK_IS_KNOWN(x) (__builtin_constant_p((x) < 0 || (x) > 0) && ((x) < 0 || (x) > 0))

ISK_INLINE int isk_are_known4(float32x4_t a)
{
	return ISK_IS_KNOWN(a[0]) && ISK_IS_KNOWN(a[1]) && ISK_IS_KNOWN(a[2]) && ISK_IS_KNOWN(a[3]);
}

ISK_INLINE float32x4_t isk_min4(float32x4_t a, float32x4_t b)
{
	return isk_are_known4(a) ? vminq_f32(a, b) : vbslq_f32(vcltq_f32(a, b), a, b);
}

ISK_INLINE float32x4_t isk_max4(float32x4_t a, float32x4_t b)
{
	return isk_are_known4(a) ? vmaxq_f32(a, b) : vbslq_f32(vcgtq_f32(a, b), a, b);
}

ISK_INLINE float64x2_t isk_min2(float64x2_t a, float64x2_t b)
{
	return vbslq_f64(vcltq_f64(a, b), a, b);
}

ISK_INLINE float64x2_t isk_max2(float64x2_t a, float64x2_t b)
{
	return vbslq_f64(vcgtq_f64(a, b), a, b);
}

/* Fold the upper half onto the lower one, until one lane remains. */
ISK_INLINE float isk_fold_add4(float32x4_t v)
{
	const float32x2_t two = vget_low_f32(v) + vget_high_f32(v);

	return two[0] + two[1];
}

ISK_INLINE float isk_fold_max4(float32x4_t v)
{
	v = isk_max4(v, vextq_f32(v, v, 2));
	return isk_max4(v, vdupq_laneq_f32(v, 1))[0];
}

ISK_INLINE double isk_fold_add2(float64x2_t v)
{
	return v[0] + v[1];
}

ISK_INLINE double isk_fold_max2(float64x2_t v)
{
	return isk_max2(v, vdupq_laneq_f64(v, 1))[0];
}

#endif
