/* SPDX-License-Identifier: MIT */
/* What oracles of several families ask, in the precision that REAL is: as forms.h, included once for each. */

/* lgamma() writes to signgam, which threads share. musl declares this one to _GNU_SOURCE alone. */
extern long double lgammal_r(long double x, int *sign);

ISK_UNUSED static REAL R(log_gamma)(REAL x)
{
	int sign;

	return (REAL)(ISK_WIDE ? lgammal_r((long double)x, &sign) : (long double)lgamma_r((double)x, &sign));
}

/*
 * Halley's steps, each of which cubes the error: on erf where it is small, on what it lacks of 1 beyond.
 * The start, by Winitzki, is within 1 / 300.
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
