/* SPDX-License-Identifier: MIT */
/* Functions that oracles of several families use, in the precision of REAL; included once for each, like forms.h. */

/*
 * Used in place of lgamma(), which writes to signgam, a variable that threads share. Declared here because musl declares
 * it for _GNU_SOURCE alone.
 */
extern long double lgammal_r(long double x, int *sign);

ISK_UNUSED static REAL R(log_gamma)(REAL x)
{
	int sign;

	return (REAL)(ISK_WIDE ? lgammal_r((long double)x, &sign) : (long double)lgamma_r((double)x, &sign));
}

/*
 * Halley's steps, each of which cubes the error: on erf for |x| < 0.5, on 1 - erf beyond. The start, by Winitzki, has
 * an error of at most 1 / 300.
 */
ISK_UNUSED static REAL R(inverse_of_erf)(REAL x)
{
	const REAL a = fabs(x), pi = 2 * acos((REAL)0), logarithm = log1p(-a * a), slope = 2 / sqrt(pi);
	const REAL half = 2 / (pi * (REAL)0.147) + logarithm / 2, square = -logarithm / (REAL)0.147;
	REAL y = sqrt(square / (sqrt(half * half + square) + half));

	for (int i = 0; i < 3; i++) {
		const REAL beyond = a < (REAL)0.5 ? erf(y) - a : (1 - a) - erfc(y);
		const REAL newton = beyond / (slope * exp(-y * y));

		y -= newton / (1 + y * newton);
	}
	return a < 1 ? copysign(y, x) : a > 1 ? (REAL)NAN : x * (REAL)INFINITY;
}
