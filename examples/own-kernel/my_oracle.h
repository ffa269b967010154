/* SPDX-License-Identifier: MIT */
/* The operations, computed independently: in double, and for f64 in long double. */
ISK_UNUSED static REAL R(smooth)(REAL x)
{
	const REAL t = x < 0 ? 0 : x > 1 ? 1 : x;

	return t * t * (3 - 2 * t);
}

MAP(smoothstep, R(smooth)(x))
BLEND(mix, fma((REAL)t, b, a))
