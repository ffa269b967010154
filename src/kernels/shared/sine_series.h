/* SPDX-License-Identifier: MIT */
/* Sine and cosine in lanes of f64 by Taylor's series. */
#ifndef ISK_SINE_SERIES_H
#define ISK_SINE_SERIES_H

#include "polynomial.h"

/* The cosine and the sine of `quarters` quarters of a turn plus x, |x| <= pi / 4, with a relative error below 2^-33. */
ISK_INLINE void cosine_and_sine(vul quarters, vd x, vd *cosine, vd *sine)
{
	static const double c[] = {1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1};
	static const double s[] = {-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1};
	const vd xx = x * x;
	const vul a = (vul)POLYNOMIAL(c, xx), b = (vul)(x * POLYNOMIAL(s, xx)), turned = -(quarters & 1);
	/* Quarters 1 and 2 have a negative cosine, 2 and 3 a negative sine. */
	const vul cosine_sign = (quarters + 1) >> 1 << 63, sine_sign = quarters >> 1 << 63;

	*cosine = (vd)(((turned & b) | (~turned & a)) ^ cosine_sign);
	*sine = (vd)(((turned & a) | (~turned & b)) ^ sine_sign);
}

#endif
